#include "backends/hip/architecture.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace samebits::hip {
namespace {

namespace fs = std::filesystem;

// A properties file: lines of a name and a decimal number.
std::map<std::string, unsigned long> read_properties(const fs::path& file) {
  std::map<std::string, unsigned long> properties;
  std::ifstream in(file);
  std::string name;
  for (unsigned long value = 0; in >> name >> value;) properties[name] = value;
  return properties;
}

struct Place {
  unsigned long domain = 0, bus = 0, device = 0;
  bool operator==(const Place& other) const {
    return domain == other.domain && bus == other.bus && device == other.device;
  }
};

bool parse(const std::string& address, Place* place) {
  std::istringstream in(address);
  char colon = 0, second = 0;
  return static_cast<bool>(in >> std::hex >> place->domain >> colon >> place->bus >> second >> place->device) &&
         colon == ':' && second == ':';
}

struct Generic {
  const char* name;
  const char* members;  // each between blanks
};

// The generic targets of clang and what runs them ("Generic processors" of LLVM's user guide for AMDGPU).
constexpr Generic kGeneric[] = {
    {"gfx9-generic", " gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
    {"gfx9-4-generic", " gfx940 gfx941 gfx942 gfx950 "},
    {"gfx10-1-generic", " gfx1010 gfx1011 gfx1012 gfx1013 "},
    {"gfx10-3-generic", " gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
    {"gfx11-generic", " gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
    {"gfx12-generic", " gfx1200 gfx1201 "},
};

}  // namespace

std::string architecture_of_version(unsigned long version) {
  constexpr const char* kDigits = "0123456789abcdef";
  const unsigned long major = version / 10000, minor = version / 100 % 100, stepping = version % 100;
  if (major == 0 || minor > 15 || stepping > 15) return "";
  return "gfx" + std::to_string(major) + kDigits[minor] + kDigits[stepping];
}

std::string architecture_at(const std::string& topology, const std::string& pci_address) {
  Place wanted;
  std::error_code error;
  if (!parse(pci_address, &wanted)) return "";
  for (const fs::directory_entry& node : fs::directory_iterator(topology, error)) {
    auto properties = read_properties(node.path() / "properties");
    const unsigned long location = properties["location_id"];
    const Place place{properties["domain"], location >> 8 & 0xff, location >> 3 & 0x1f};
    const std::string architecture = architecture_of_version(properties["gfx_target_version"]);
    if (!architecture.empty() && place == wanted) return architecture;
  }
  return "";
}

std::string architecture_in(const char* bytes, unsigned long size) {
  const std::string all(bytes, size), digits = "0123456789abcdef";
  for (std::size_t at = all.find("gfx"); at != std::string::npos; at = all.find("gfx", at + 1)) {
    const std::size_t end = std::min(all.find_first_not_of(digits, at + 3), size);
    if (end >= at + 6) return all.substr(at, end - at);
  }
  return "";
}

bool runs_on(const std::string& target, const std::string& architecture) {
  if (target == architecture) return true;
  return std::any_of(std::begin(kGeneric), std::end(kGeneric), [&](const Generic& generic) {
    return target == generic.name && std::string(generic.members).find(" " + architecture + " ") != std::string::npos;
  });
}

}  // namespace samebits::hip
