#include "fuzz/options.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace samebits::fuzz {
namespace {

constexpr const char* kUsage =
    R"(samebits_fuzz: draws cases and compares every place of this machine with the reference, bit for bit.

  --minutes N | --seconds N | --cases N   how long (default: one minute)
  --seed S          the run's cases are a function of it (default: from the clock, and printed)
  --target NAME     only this primitive, or boosting_fit; may be given several times
  --device D        only this device: cpu, cuda, cuda:0, opencl, ...
  --most N          largest size that is drawn
  --out FOLDER      where differences are stored (default: build/fuzz)
  --replay FILE     runs a stored difference again
  --digests         prints a hash of the outputs per place and target (with --cases)
)";

double number(const std::string& name, const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(x > 0)) {
    throw std::invalid_argument(name + ", got '" + text + "', need a number above 0");
  }
  return x;
}

std::uint64_t integer(const std::string& name, const std::string& text) {
  char* end = nullptr;
  const std::uint64_t x = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || text[0] == '-' || *end != '\0') {
    throw std::invalid_argument(name + ", got '" + text + "', need an integer");
  }
  return x;
}

void set(Options* o, const std::string& name, const std::string& value) {
  if (name == "--minutes") {
    o->seconds = 60 * number(name, value);
  } else if (name == "--seconds") {
    o->seconds = number(name, value);
  } else if (name == "--cases") {
    o->cases = integer(name, value);
  } else if (name == "--seed") {
    o->seed = integer(name, value);
  } else if (name == "--target") {
    o->targets.push_back(value);
  } else if (name == "--device") {
    setenv("SAMEBITS_TEST_DEVICE", value.c_str(), 1);
  } else if (name == "--most") {
    o->most = static_cast<std::int64_t>(integer(name, value));
  } else if (name == "--out") {
    o->folder = value;
  } else if (name == "--replay") {
    o->replay = value;
  } else {
    throw std::invalid_argument("no option '" + name + "'; --help lists them");
  }
}

}  // namespace

Options parse(int argc, char** argv) {
  Options o;
  o.seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) % 1000000000;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      std::fputs(kUsage, stdout);
      o.help = true;
    } else if (name == "--digests") {
      o.digests = true;
    } else if (i + 1 == argc) {
      throw std::invalid_argument("'" + name + "' needs a value, or is no option; --help lists them");
    } else {
      set(&o, name, argv[++i]);
    }
  }
  if (o.digests && o.cases == 0) throw std::invalid_argument("--digests needs --cases N");
  return o;
}

}  // namespace samebits::fuzz
