#include "backends/gpu/images/images.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace samebits::gpu {
namespace {

bool asked_for(const Image& image, const char* asked) {
  return std::strcmp(asked, image.name) == 0 || std::strcmp(asked, image.kind) == 0;
}

std::string carried() {
  std::string list;
  for (int i = 0; i < kImageCount; ++i) list += (list.empty() ? "" : ", ") + std::string(kImages[i].name);
  return list;
}

std::string refusal(const Wanted& wanted, const char* asked) {
  const std::string of_device = " on " + wanted.device + "; this plugin carries: " + carried() + ". ";
  if (asked == nullptr)
    return "no code object fits" + of_device + "Build it with " + wanted.variable + " for this device.";
  return std::string("SAMEBITS_CODE_OBJECT asks for '") + asked + "', which cannot run" + of_device +
         "Unset the variable or name one that fits.";
}

}  // namespace

const Image* choose_image(const Wanted& wanted, std::string* why) {
  const char* asked = std::getenv("SAMEBITS_CODE_OBJECT");
  if (asked != nullptr && asked[0] == '\0') asked = nullptr;
  const Image* chosen = nullptr;
  int best = 0;
  for (int i = 0; i < kImageCount; ++i) {
    const int rank = wanted.rank(kImages[i]);
    if (rank <= best || (asked != nullptr && !asked_for(kImages[i], asked))) continue;
    chosen = &kImages[i];
    best = rank;
  }
  if (chosen == nullptr) *why = refusal(wanted, asked);
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

bool is_kind(const Image& image, const char* kind) { return std::strcmp(image.kind, kind) == 0; }

}  // namespace samebits::gpu
