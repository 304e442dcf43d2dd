#include "backends/gpu/library.hpp"

#include <dlfcn.h>

namespace samebits::gpu {

void* open_library(const char* const* names, std::string* why) {
  for (const char* const* name = names; *name != nullptr; ++name) {
    void* library = dlopen(*name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (library != nullptr) return library;
  }
  std::string absent, broken;
  for (const char* const* name = names; *name != nullptr; ++name) {
    void* library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    const char* error = dlerror();
    const std::string text = error != nullptr ? error : *name;
    if (text.rfind(std::string(*name) + ": cannot open shared object file: No such file", 0) == 0) {
      absent += (absent.empty() ? "" : ", ") + std::string(*name);
    } else {
      broken += text + "; ";
    }
  }
  *why = broken + (absent.empty() ? "" : "looked for " + absent);
  return nullptr;
}

void* find_function(void* library, const char* name) { return dlsym(library, name); }

std::string error_words(int code, const char* name, const char* text) {
  if (name == nullptr) return "error " + std::to_string(code);
  return std::string(name) + " (" + (text != nullptr ? text : "no text") + ")";
}

}  // namespace samebits::gpu
