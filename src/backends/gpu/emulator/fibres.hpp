// Runs a kernel's grid on the CPU: one fibre a thread of a block, a barrier is a switch to the next fibre. Blocks run one
// after the other; shared memory starts with the bytes 0xa5. SAMEBITS_EMULATOR_REVERSE=1 runs the threads of a block in
// descending order: a result that changes with it is a race.
#pragma once

#include <cstddef>
#include <functional>

namespace samebits::emulator {

struct Launch {
  const char* name;
  unsigned blocks_x, blocks_y, threads;
  std::size_t shared_bytes;
};

// False when threads of a block ended while others waited at a barrier.
bool run_grid(const Launch& launch, const std::function<void()>& kernel);

}  // namespace samebits::emulator
