#include "support/places.hpp"

#include "samebits/error.hpp"

#include <cstdio>
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

// A device whose driver gives wrong known answers is refused by the library, and reported here; asked for by name
// (SAMEBITS_TEST_DEVICE) the refusal is the result.
void add_gpu(const std::string& id, std::vector<Place>* all) {
  try {
    all->push_back({id, Device::open(id)});
  } catch (const Error& error) {
    if (std::getenv("SAMEBITS_TEST_DEVICE") != nullptr) throw;
    std::fprintf(stderr, "not tested: %s\n", error.what());
  }
}

std::vector<Place>* open_places() {
  auto* all = new std::vector<Place>;
  for (const DeviceInfo& d : devices()) {
    if (!wanted(d.id) || d.id == "reference" || !d.refusal.empty()) continue;
    if (d.id == "cpu") {
      add_cpu(all);
    } else {
      add_gpu(d.id, all);
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
