// A pool of histograms on a device.
#pragma once

#include "primitives/contract/types.h"
#include "support/same_bits.hpp"

namespace samebits::test {

struct HostPool {
  std::vector<std::int64_t> gradient, hessian;
  std::vector<std::uint32_t> count;
};

class DevicePool {
 public:
  // Poisoned: slots that a primitive must not touch are compared too.
  DevicePool(const Device& device, std::uint64_t n) : gradient_(device, n), hessian_(device, n), count_(device, n) {}
  DevicePool(const Device& device, const HostPool& host)
      : gradient_(device, host.gradient), hessian_(device, host.hessian), count_(device, host.count) {}

  sb_histogram_pool view() const { return {gradient_.data(), hessian_.data(), count_.data()}; }
  HostPool read() const { return {gradient_.read(), hessian_.read(), count_.read()}; }
  void add_to(Outputs* o) const {
    o->add("gradient", gradient_.read());
    o->add("hessian", hessian_.read());
    o->add("count", count_.read());
  }

 private:
  DeviceArray<std::int64_t> gradient_, hessian_;
  DeviceArray<std::uint32_t> count_;
};

}  // namespace samebits::test
