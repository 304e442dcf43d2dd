#include "support/places.hpp"

#include <cstdlib>
#include <stdexcept>

namespace samebits::test {
namespace {

bool wanted(const std::string& id) {
  const char* text = std::getenv("SAMEBITS_TEST_DEVICE");
  if (text == nullptr || text[0] == '\0') return true;
  return id == text || id.substr(0, id.find(':')) == text;
}

void add_cpu(std::vector<Place>* all) {
  for (const std::string& isa : build_info().cpu_isas) {
    for (int n_threads : {1, 2, 7}) {
      all->push_back({"cpu " + isa + " " + std::to_string(n_threads) + " threads", open_cpu(isa, n_threads)});
    }
  }
}

std::vector<Place>* open_places() {
  auto* all = new std::vector<Place>;
  for (const DeviceInfo& d : devices()) {
    if (!wanted(d.id) || d.id == "reference" || !d.refusal.empty()) continue;
    if (d.id == "cpu") {
      add_cpu(all);
    } else {
      all->push_back({d.id, Device::open(d.id)});
    }
  }
  if (all->empty())
    throw std::runtime_error("no device to test: SAMEBITS_TEST_DEVICE names none of this machine's devices");
  return all;
}

// SAMEBITS_CPU_ISA for as long as it lives.
class ChosenIsa {
 public:
  explicit ChosenIsa(const std::string& isa) {
    const char* text = std::getenv("SAMEBITS_CPU_ISA");
    was_set_ = text != nullptr;
    before_ = was_set_ ? text : "";
    if (!isa.empty()) setenv("SAMEBITS_CPU_ISA", isa.c_str(), 1);
  }
  ~ChosenIsa() {
    if (was_set_) {
      setenv("SAMEBITS_CPU_ISA", before_.c_str(), 1);
    } else {
      unsetenv("SAMEBITS_CPU_ISA");
    }
  }

 private:
  bool was_set_;
  std::string before_;
};

}  // namespace

Device open_cpu(const std::string& isa, int n_threads) {
  const ChosenIsa chosen(isa);
  return Device::open("cpu", n_threads);
}

// Never closed: a plugin may be gone before the last static object.
const Device& reference() {
  static const Device* device = new Device(Device::open("reference"));
  return *device;
}

const std::vector<Place>& places() {
  static const std::vector<Place>* all = open_places();
  return *all;
}

}  // namespace samebits::test
