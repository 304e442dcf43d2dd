// The device code that a plugin carries, for backends whose code is compiled before it is shipped, and the choice among it.
#pragma once

#include <functional>
#include <string>

namespace samebits::gpu {

struct Image {
  const char* name;  // "sm_90", "ptx_90", "gfx942"
  const char* kind;  // "native", "ptx", "generic"
  const unsigned char* begin;
  const unsigned char* end;
};

// In a source file that CMake writes from the list of architectures (images.cmake).
extern const Image kImages[];
extern const int kImageCount;

struct Wanted {
  std::string device;  // "NVIDIA H200 (sm_90)"
  const char* variable;  // the build option that holds the list of architectures
  // 0: cannot run on the device; else the image with the highest number is taken.
  std::function<int(const Image&)> rank;
};

// The image that runs on a device: what SAMEBITS_CODE_OBJECT names (an image, or a kind of images); else the best one.
// nullptr and `why` when none of those carried fits.
const Image* choose_image(const Wanted& wanted, std::string* why);

// NULL-terminated names, for the backend's description.
const char* const* image_names();

bool is_kind(const Image& image, const char* kind);

}  // namespace samebits::gpu
