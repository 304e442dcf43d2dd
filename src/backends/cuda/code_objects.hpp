// The device code that this plugin carries: machine code per architecture (sm_90) and PTX that the driver compiles
// (ptx_90). images.cpp is written by CMake from the list of architectures.
#pragma once

#include "backends/cuda/driver.hpp"

#include <string>

namespace samebits::cuda {

struct Image {
  const char* name;  // "sm_90", "ptx_90"
  int architecture;  // 90
  bool native;
  const unsigned char* begin;
  const unsigned char* end;
};

extern const Image kImages[];
extern const int kImageCount;

// Which image runs on a device: what SAMEBITS_CODE_OBJECT asks for; else exactly the device's architecture, a lower one
// of the same major family, or PTX. nullptr and `why` when none of those carried fits.
const Image* choose_image(const DeviceFacts& device, std::string* why);

// NULL-terminated names, for the backend's description.
const char* const* image_names();

std::string column_of(const Image& image);  // "cuda-sm_90", "cuda-ptx"
std::string description_of(const Image& image);  // "native sm_90", "ptx_90 compiled by the driver"

}  // namespace samebits::cuda
