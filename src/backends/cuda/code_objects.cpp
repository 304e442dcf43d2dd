#include "backends/cuda/code_objects.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace samebits::cuda {
namespace {

bool fits(const Image& image, const DeviceFacts& d) {
  const int device = d.major * 10 + d.minor;
  if (!image.native) return image.architecture <= device;
  return image.architecture / 10 == d.major && image.architecture <= device;
}

// Native before PTX, then the higher architecture.
bool better(const Image& a, const Image* b) {
  if (b == nullptr) return true;
  if (a.native != b->native) return a.native;
  return a.architecture > b->architecture;
}

bool asked_for(const Image& image, const char* asked) {
  return std::strcmp(asked, image.name) == 0 || (!image.native && std::strcmp(asked, "ptx") == 0);
}

std::string carried() {
  std::string list;
  for (int i = 0; i < kImageCount; ++i) list += (list.empty() ? "" : ", ") + std::string(kImages[i].name);
  return list;
}

}  // namespace

const Image* choose_image(const DeviceFacts& device, std::string* why) {
  const char* asked = std::getenv("SAMEBITS_CODE_OBJECT");
  const bool forced = asked != nullptr && asked[0] != '\0';
  const Image* chosen = nullptr;
  for (int i = 0; i < kImageCount; ++i) {
    const Image& image = kImages[i];
    if (fits(image, device) && (!forced || asked_for(image, asked)) && better(image, chosen)) chosen = &image;
  }
  if (chosen == nullptr) {
    *why = (forced ? std::string("SAMEBITS_CODE_OBJECT asks for '") + asked + "'" : std::string("no code object")) +
           (forced ? ", which cannot run" : " fits") + " on " + device.name + " (sm_" + std::to_string(device.major) +
           std::to_string(device.minor) + "); this plugin carries: " + carried() + ". " +
           (forced ? "Unset the variable or name one that fits."
                   : "Build it with SAMEBITS_CUDA_ARCHITECTURES for this device.");
  }
  return chosen;
}

const char* const* image_names() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> list;
    for (int i = 0; i < kImageCount; ++i) list.push_back(kImages[i].name);
    list.push_back(nullptr);
    return list;
  }();
  return names.data();
}

std::string column_of(const Image& image) {
  if (driver().emulated) return "cuda-emulated";
  return image.native ? std::string("cuda-") + image.name : "cuda-ptx";
}

std::string description_of(const Image& image) {
  if (driver().emulated) return "the kernels' text run on the CPU by the emulated driver";
  return image.native ? std::string("native ") + image.name : std::string(image.name) + " compiled by the driver";
}

}  // namespace samebits::cuda
