// Which AMD GPU is which, from the files of the kernel driver or the library's properties, and what runs on it.
#include "backends/hip/architecture.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace samebits::hip;

// A folder like the kernel driver's, gone at the end.
class Topology {
 public:
  Topology() : path_(fs::temp_directory_path() / ("samebits_topology_" + std::to_string(getpid()))) {
    fs::remove_all(path_);
  }
  ~Topology() { fs::remove_all(path_); }
  void add(int node, unsigned long version, unsigned long domain, unsigned long location) const {
    fs::create_directories(path_ / std::to_string(node));
    std::ofstream(path_ / std::to_string(node) / "properties")
        << "cpu_cores_count 0\nsimd_count 304\ngfx_target_version " << version << "\nlocation_id " << location
        << "\ndomain " << domain << "\nunique_id 18446744073709551615\n";
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

constexpr unsigned long location(unsigned long bus, unsigned long device, unsigned long function) {
  return bus << 8 | device << 3 | function;
}

TEST(HipArchitecture, OfTheKernelDriversNumber) {
  EXPECT_EQ(architecture_of_version(90010), "gfx90a");
  EXPECT_EQ(architecture_of_version(90402), "gfx942");
  EXPECT_EQ(architecture_of_version(90500), "gfx950");
  EXPECT_EQ(architecture_of_version(100306), "gfx1036");
  EXPECT_EQ(architecture_of_version(110000), "gfx1100");
  EXPECT_EQ(architecture_of_version(110501), "gfx1151");
  EXPECT_EQ(architecture_of_version(120001), "gfx1201");
  EXPECT_EQ(architecture_of_version(0), "");
  EXPECT_EQ(architecture_of_version(91600), "");
}

TEST(HipArchitecture, OfTheDeviceAtAnAddress) {
  Topology topology;
  topology.add(0, 0, 0, 0);  // a processor
  topology.add(1, 90402, 0, location(0xc1, 0, 0));
  topology.add(2, 110000, 0, location(0x03, 2, 0));
  topology.add(3, 90010, 1, location(0xc1, 0, 0));
  EXPECT_EQ(architecture_at(topology.path(), "0000:c1:00.0"), "gfx942");
  EXPECT_EQ(architecture_at(topology.path(), "0000:C1:00.3"), "gfx942");  // a partition of it
  EXPECT_EQ(architecture_at(topology.path(), "0000:03:02.0"), "gfx1100");
  EXPECT_EQ(architecture_at(topology.path(), "0001:c1:00.0"), "gfx90a");
  EXPECT_EQ(architecture_at(topology.path(), "0000:03:00.0"), "");
  EXPECT_EQ(architecture_at(topology.path(), "nothing"), "");
  EXPECT_EQ(architecture_at(topology.path() + "/none", "0000:c1:00.0"), "");
}

TEST(HipArchitecture, InPropertiesOfAnyLayout) {
  std::string bytes(2000, '\0');
  EXPECT_EQ(architecture_in(bytes.data(), bytes.size()), "");
  bytes.replace(140, 3, "gfx");  // too short for a name
  bytes.replace(1160, 23, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(architecture_in(bytes.data(), bytes.size()), "gfx90a");
  bytes.assign("gfx1100");
  EXPECT_EQ(architecture_in(bytes.data(), bytes.size()), "gfx1100");
}

TEST(HipArchitecture, WhatRunsOnIt) {
  EXPECT_TRUE(runs_on("gfx942", "gfx942"));
  EXPECT_FALSE(runs_on("gfx90a", "gfx942"));
  EXPECT_FALSE(runs_on("gfx1100", "gfx1101"));
  EXPECT_TRUE(runs_on("gfx11-generic", "gfx1101"));
  EXPECT_FALSE(runs_on("gfx11-generic", "gfx110"));
  EXPECT_FALSE(runs_on("gfx10-3-generic", "gfx1100"));
  EXPECT_FALSE(runs_on("gfx9-generic", "gfx90a"));
  EXPECT_FALSE(runs_on("gfx9-generic", "gfx942"));
  EXPECT_FALSE(runs_on("gfx942", ""));
  EXPECT_FALSE(runs_on("gfx9-generic", ""));
}

}  // namespace
