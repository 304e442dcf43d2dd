#include "primitives/reference/backend.hpp"

#include "numerics/dialect/break.h"
#include "primitives/reference/reference.hpp"
#include "runtime/cpu_features.hpp"
#include "runtime/fp_env.hpp"
#include "samebits_build_info.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace samebits::reference {
namespace {

thread_local std::string error_text;

// The definitions keep nothing between calls; a context is only an address.
struct Context {};

sb_status out_of_memory(std::size_t bytes) {
  error_text = "out of memory: " + std::to_string(bytes) + " bytes were asked for";
  return SB_ERROR_MEMORY;
}

std::int32_t device_count(const char** why) {
  *why = "";
  return 1;
}

void copy_text(char* out, std::size_t size, const std::string& text) {
  std::strncpy(out, text.c_str(), size - 1);
  out[size - 1] = '\0';
}

sb_status device_info(std::int32_t, sb_device_info* out) {
  std::memset(out, 0, sizeof(*out));
  copy_text(out->name, sizeof(out->name), cpu_model_name());
  copy_text(out->architecture, sizeof(out->architecture), cpu_architecture());
  copy_text(out->column, sizeof(out->column), "reference");
  copy_text(out->code_object, sizeof(out->code_object), "baseline, one thread");
  out->compute_units = 1;
  return SB_OK;
}

sb_status open(std::int32_t, std::int32_t, sb_context** out) {
  *out = reinterpret_cast<sb_context*>(new Context);
  return SB_OK;
}

void close(sb_context* context) { delete reinterpret_cast<Context*>(context); }

const char* last_error() { return error_text.c_str(); }

sb_status alloc(sb_context*, std::size_t bytes, void** out) {
  *out = std::malloc(bytes == 0 ? 1 : bytes);
  return *out != nullptr ? SB_OK : out_of_memory(bytes);
}

void release(sb_context*, void* p) { std::free(p); }

sb_status copy(sb_context*, void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return SB_OK;
}

sb_status fill_zero(sb_context*, void* p, std::size_t bytes) {
  if (bytes > 0) std::memset(p, 0, bytes);
  return SB_OK;
}

sb_status synchronize(sb_context*) { return SB_OK; }

// A definition as a row of the table: in the floating-point environment of C1, without exceptions.
template <class Args, sb_status (*definition)(const Args&)>
sb_status row(sb_context*, const Args* args) {
  FpEnvGuard environment;
  try {
    return definition(*args);
  } catch (const std::bad_alloc&) {
    error_text = "out of memory";
    return SB_ERROR_MEMORY;
  }
}

const sb_primitives kTable = {
#define SB_ENTRY(name) row<sb_##name##_args, reference::name>,
    SB_FOR_EACH_PRIMITIVE(SB_ENTRY)
#undef SB_ENTRY
};

constexpr const char* kProfiles[] = {"identical/1", nullptr};
constexpr const char* kCodeObjects[] = {"baseline", nullptr};

const sb_backend kBackend = {SB_ABI_VERSION,
                             sizeof(sb_backend),
                             "reference",
                             "host",
                             SAMEBITS_VERSION,
                             SAMEBITS_COMMIT,
                             SAMEBITS_DIRTY,
                             SB_BROKEN_RULE,
                             kProfiles,
                             kCodeObjects,
                             device_count,
                             device_info,
                             open,
                             close,
                             last_error,
                             alloc,
                             release,
                             copy,
                             copy,
                             fill_zero,
                             synchronize,
                             /*host_memory=*/1,
                             &kTable,
                             /*wants_bin_columns=*/0,
                             /*automatic=*/0,
                             /*check_answers=*/0};

}  // namespace

sb_status refuse(const std::string& text) {
  error_text = text;
  return SB_ERROR_INVALID;
}

const sb_backend* reference_backend() { return &kBackend; }

}  // namespace samebits::reference
