// Files of pinned results and how the tests read and rewrite them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace samebits_test {

// Pinned results live in conformance/vectors: of the source tree this was compiled in, or of the working directory when
// the program has been carried to another machine. SAMEBITS_REGENERATE=1 rewrites them instead of comparing.
inline std::filesystem::path vectors_path(const std::string& file) {
#ifdef SAMEBITS_SOURCE_DIR
  const std::filesystem::path source = SAMEBITS_SOURCE_DIR;
#else
  const std::filesystem::path source = std::filesystem::path(__FILE__).parent_path() / "../../..";
#endif
  const std::filesystem::path here = std::filesystem::path("conformance") / "vectors";
  const auto there = source / here;
  return (std::filesystem::exists(there) ? there : here) / file;
}
inline nlohmann::ordered_json read_json(const std::filesystem::path& path) {
  std::ifstream in(path);
  return in ? nlohmann::ordered_json::parse(in) : nlohmann::ordered_json::object();
}
inline void write_json(const std::filesystem::path& path, const nlohmann::ordered_json& value) {
  std::ofstream(path) << value.dump(2) << "\n";
}
inline bool regenerate() {
  const char* value = std::getenv("SAMEBITS_REGENERATE");
  return value && std::string(value) == "1";
}
inline std::string hex(std::uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

}  // namespace samebits_test
