#include "support/digest.hpp"

#include "samebits/trace.hpp"
#include "support/same_bits.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace samebits::test {
namespace {

constexpr const char* kFormat = "samebits-primitives/1";

struct Digest {
  std::uint64_t outputs = 0;
  std::string sha256;
};

const char* path_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr && text[0] != '\0' ? text : nullptr;
}

std::map<std::string, Digest> read_digests(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("SAMEBITS_CONFORMANCE_EXPECT: cannot read " + path);
  const nlohmann::json json = nlohmann::json::parse(file);
  if (json.at("format") != kFormat) throw std::runtime_error(path + ": its format is not " + kFormat);
  std::map<std::string, Digest> tests;
  for (const auto& [name, entry] : json.at("tests").items()) tests[name] = {entry.at("outputs"), entry.at("sha256")};
  return tests;
}

// What ran, for the record of a column: the library, and every column that the tests ran on.
nlohmann::ordered_json description() {
  const BuildInfo build = build_info();
  nlohmann::ordered_json json;
  json["format"] = kFormat;
  json["library"] = {{"version", build.version},   {"commit", build.commit},   {"dirty", build.dirty},
                     {"compiler", build.compiler}, {"profile", build.profile}, {"broken_rule", build.broken_rule}};
  json["columns"] = nlohmann::ordered_json::object();
  for (const Place& place : places()) {
    const DeviceInfo& d = place.device.info();
    json["columns"][d.column] = {{"device", d.name}, {"driver", d.driver}, {"code_object", d.code_object}};
  }
  return json;
}

void write_digests(const std::string& path, const std::map<std::string, Digest>& tests) {
  nlohmann::ordered_json json = description();
  json["tests"] = nlohmann::ordered_json::object();
  for (const auto& [name, d] : tests) json["tests"][name] = {{"outputs", d.outputs}, {"sha256", d.sha256}};
  std::ofstream file(path);
  file << json.dump(1) << "\n";
  if (!file.flush()) throw std::runtime_error("SAMEBITS_CONFORMANCE_OUT: cannot write " + path);
}

class Listener : public testing::EmptyTestEventListener {
 public:
  Listener() : out_(path_of("SAMEBITS_CONFORMANCE_OUT")), expect_(path_of("SAMEBITS_CONFORMANCE_EXPECT")) {}

  void add(const std::string& line) {
    ++outputs_;
    lines_ += line;
  }

  void OnTestProgramStart(const testing::UnitTest&) override {
    if (expect_ != nullptr) pinned_ = read_digests(expect_);
  }

  void OnTestStart(const testing::TestInfo&) override {
    outputs_ = 0;
    lines_.clear();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Passed()) return;
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    if (outputs_ > 0) ran_[name] = {outputs_, sha256_hex(lines_.data(), lines_.size())};
    if (expect_ != nullptr) compare(name);
  }

  // A pinned test that is gone would go unnoticed; asked only when nothing was filtered out.
  void OnTestIterationEnd(const testing::UnitTest& program, int) override {
    if (out_ != nullptr) write_digests(out_, ran_);
    if (expect_ == nullptr || program.test_to_run_count() < program.total_test_count()) return;
    if (program.skipped_test_count() + program.failed_test_count() > 0) return;
    for (const auto& [name, digest] : pinned_) {
      if (ran_.count(name) == 0) ADD_FAILURE() << name << " is pinned in " << expect_ << " but no longer has outputs";
    }
  }

 private:
  void compare(const std::string& name) const {
    const auto got = ran_.find(name), want = pinned_.find(name);
    if (got == ran_.end()) return;
    if (want == pinned_.end()) {
      ADD_FAILURE() << name << " has no pinned digest in " << expect_ << "; tools/primitives.py pin adds it";
    } else if (want->second.outputs != got->second.outputs) {
      ADD_FAILURE() << name << " has " << got->second.outputs << " outputs, pinned are " << want->second.outputs;
    } else if (want->second.sha256 != got->second.sha256) {
      ADD_FAILURE() << name
                    << ": this machine's reference has other bits than the pinned digest: " << got->second.sha256
                    << ", pinned " << want->second.sha256;
    }
  }

  const char *out_, *expect_;
  std::uint64_t outputs_ = 0;
  std::string lines_;
  std::map<std::string, Digest> ran_, pinned_;
};

Listener* listener() {
  static Listener* made = [] {
    auto* l = new Listener;  // GoogleTest owns it
    testing::UnitTest::GetInstance()->listeners().Append(l);
    return l;
  }();
  return made;
}

[[maybe_unused]] const Listener* const registered_before_main = listener();

std::string hash_little_endian(const Outputs::Item& item) {
  if constexpr (std::endian::native == std::endian::big) {
    std::vector<unsigned char> swapped = item.bytes;
    const auto size = static_cast<std::ptrdiff_t>(item.element_size);
    for (auto at = swapped.begin(); at != swapped.end(); at += size) std::reverse(at, at + size);
    return sha256_hex(swapped.data(), swapped.size());
  }
  return sha256_hex(item.bytes.data(), item.bytes.size());
}

}  // namespace

void add_to_digest(const std::string& name, std::uint64_t element_size, std::uint64_t count,
                   const std::string& sha256) {
  listener()->add(name + "\t" + std::to_string(element_size) + "\t" + std::to_string(count) + "\t" + sha256 + "\n");
}

void add_to_digest(const Outputs& outputs) {
  for (const Outputs::Item& item : outputs.items()) {
    add_to_digest(item.name, item.element_size, item.bytes.size() / item.element_size, hash_little_endian(item));
  }
}

}  // namespace samebits::test
