#include "fuzz/record.hpp"

#include "samebits/device.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace samebits::fuzz {
namespace {

constexpr const char* kFormat = "samebits-fuzz/1";

}  // namespace

std::string save(const std::string& folder, const Case& found, const Shrunk& s) {
  const BuildInfo build = build_info();
  const Difference& d = s.difference;
  nlohmann::ordered_json json;
  json["format"] = kFormat;
  json["target"] = s.smallest.target->name;
  json["seed"] = s.smallest.seed;
  json["parameters"] = s.smallest.parameters;
  json["found_as"] = found.parameters;
  json["difference"] = {
      {"place", d.place},       {"output", d.output},       {"element", d.element}, {"differing", d.differing},
      {"elements", d.elements}, {"reference", d.reference}, {"got", d.got}};
  json["library"] = {
      {"version", build.version}, {"commit", build.commit}, {"dirty", build.dirty}, {"broken_rule", build.broken_rule}};
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/" + found.target->name + "-" + std::to_string(found.seed) + ".json";
  std::ofstream file(path);
  file << json.dump(1) << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

Case load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  const nlohmann::json json = nlohmann::json::parse(file);
  if (json.value("format", "") != kFormat) throw std::runtime_error(path + ": its format is not " + kFormat);
  Case c;
  c.target = &target_named(json.at("target"));
  c.seed = json.at("seed");
  c.parameters = json.at("parameters").get<Parameters>();
  for (const Spec& spec : c.target->specs) {
    if (c.parameters.count(spec.name) == 0) throw std::runtime_error(path + ": no parameter '" + spec.name + "'");
  }
  return c;
}

}  // namespace samebits::fuzz
