// The plugin loader: which backends exist, what each binary says of itself, and why one was refused.
#pragma once

#include "runtime/backend_abi.h"
#include "samebits/device.hpp"

#include <string>
#include <vector>

namespace samebits {

struct LoadedBackend {
  BackendReport report;
  const sb_backend* backend = nullptr;  // nullptr: refused, report.reason says why
};

// The backends that are part of the library, defined where the layers meet (backends/built_in.cpp).
std::vector<const sb_backend*> built_in();

// Built-in backends first (reference, cpu), then plugins in search order. Looked up once per process.
const std::vector<LoadedBackend>& loaded_backends();
// Opens no plugin for a built-in name.
const LoadedBackend* find_backend(const std::string& name);

// Runs small fits on an opened device: the tag of the first stage that is not bit for bit the reference's, "" when all
// are. Defined where it can be computed (estimators/known_answers.cpp).
std::string wrong_answer(const Device& device);

DeviceInfo describe_device(const sb_backend& backend, int index, int count);

}  // namespace samebits
