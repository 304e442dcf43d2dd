// Devices and backends: what a description must say, and refusals that name what was asked.
#include "primitives/contract/table.h"
#include "support/same_bits.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace samebits::test {
namespace {

std::string refusal(const std::string& id) {
  return error_of(ErrorCode::unavailable, [&] { Device::open(id); });
}

TEST(Device, ReferenceAndCpuAreAlwaysThere) {
  std::vector<std::string> ids;
  for (const DeviceInfo& d : devices()) ids.push_back(d.id);
  EXPECT_NE(std::find(ids.begin(), ids.end(), "reference"), ids.end());
  EXPECT_NE(std::find(ids.begin(), ids.end(), "cpu"), ids.end());
  EXPECT_EQ(reference().info().column, "reference");
}

TEST(Device, UnknownDevicesAreRefusedByName) {
  for (const char* id : {"abacus", "cpu:1", "reference:7", "cpu:", "cpu:x", "cpu:99999999999", ""}) {
    const std::string text = refusal(id);
    EXPECT_NE(text.find("'" + std::string(id) + "'"), std::string::npos) << text;
    EXPECT_NE(text.find("cpu"), std::string::npos) << text;  // what this machine has
  }
}

TEST(Device, UnknownInstructionSetIsRefused) {
  EXPECT_NE(error_of(ErrorCode::unavailable, [] { open_cpu("sse9", 1); }).find("sse9"), std::string::npos);
  EXPECT_EQ(open_cpu("baseline", 1).info().code_object, "baseline");
}

TEST(Device, AutoIsADeviceOfThisMachine) {
  EXPECT_FALSE(auto_device_reason().empty());
  const Device device = Device::open("auto");
  EXPECT_EQ(device.info().id, Device::open(auto_device()).info().id);
}

TEST(Backend, DescriptionsAreComplete) {
  everywhere([](const Device& device) {
    const sb_backend& b = device.backend();
    EXPECT_EQ(b.abi_version, SB_ABI_VERSION);
    EXPECT_EQ(b.struct_size, sizeof(sb_backend));
    EXPECT_EQ(b.library_version, build_info().version);
    EXPECT_EQ(b.commit, build_info().commit);
    EXPECT_EQ(b.broken_rule, build_info().broken_rule);
    EXPECT_STREQ(b.profiles[0], "identical/1");
    EXPECT_NE(b.code_objects[0], nullptr);
    EXPECT_FALSE(device.info().column.empty());
    EXPECT_FALSE(device.info().code_object.empty());
  });
}

// A product build breaks no rule; tests/separating asks for one, and thereby checks which library the program has found.
TEST(Build, BreaksTheRuleThatWasAskedFor) {
  const char* asked = std::getenv("SAMEBITS_EXPECT_BROKEN");
  EXPECT_EQ(build_info().broken_rule, asked == nullptr ? "" : asked);
}

TEST(Backend, NoRowIsMissing) {
  everywhere([](const Device& device) {
#define SB_CHECK(name) EXPECT_NE(device.backend().primitives->name, nullptr) << #name;
    SB_FOR_EACH_PRIMITIVE(SB_CHECK)
#undef SB_CHECK
  });
}

TEST(Backend, MemoryGoesThereAndBack) {
  everywhere([](const Device& device) {
    for (std::uint64_t n : {0u, 1u, 3u, 1000003u}) {
      std::vector<unsigned char> bytes(n);
      for (std::uint64_t i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(i * 31 + 7);
      DeviceArray<unsigned char> array(device, bytes);
      EXPECT_EQ(array.read(), bytes);
      ASSERT_EQ(device.backend().fill_zero(device.context(), array.data(), n), SB_OK);
      EXPECT_EQ(array.read(), std::vector<unsigned char>(n, 0));
    }
    EXPECT_EQ(device.backend().synchronize(device.context()), SB_OK);
  });
}

TEST(Backend, TooMuchMemoryIsAnErrorWithAText) {
  everywhere([](const Device& device) {
    void* p = nullptr;
    ASSERT_EQ(device.backend().alloc(device.context(), std::uint64_t{1} << 60, &p), SB_ERROR_MEMORY);
    EXPECT_STRNE(device.backend().last_error(), "");
  });
}

}  // namespace
}  // namespace samebits::test
