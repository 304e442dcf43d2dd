// Which architecture an AMD GPU is, without any library: what the kernel driver says in its topology files; and which code
// objects such a device runs. Knows nothing of the HIP library.
#pragma once

#include <string>

namespace samebits::hip {

constexpr const char* kTopology = "/sys/class/kfd/kfd/topology/nodes";

// "gfx90a" of 90010, "gfx1201" of 120001: the kernel driver's decimal number is major * 10000 + minor * 100 + stepping. ""
// when it is none.
std::string architecture_of_version(unsigned long version);

// The architecture of the GPU at a PCI address ("0000:c1:00.0") from the files NUMBER/properties of a folder; "" when none
// of them has it. The partitions of a GPU share all but the function of the address, and the architecture.
std::string architecture_at(const std::string& topology, const std::string& pci_address);

// The first "gfx..." in a device's properties, whatever their layout, without its features (":sramecc+:xnack-"); "" when
// there is none.
std::string architecture_in(const char* bytes, unsigned long size);

// Does code compiled for `target` run on `architecture`? The same name, or a generic target of clang that lists it.
bool runs_on(const std::string& target, const std::string& architecture);

}  // namespace samebits::hip
