#include "backends/gpu/emulator/fibres.hpp"

#include "numerics/dialect/simt.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include <ucontext.h>

namespace samebits::emulator {
namespace {

constexpr std::size_t kStackBytes = std::size_t{128} << 10;

enum class State { ready, waiting, done };

struct Block {
  ucontext_t scheduler;
  std::vector<ucontext_t> fibres;
  std::vector<State> states;
  std::vector<char> stacks;
  std::vector<sb_u32x4> shared;
  const std::function<void()>* kernel = nullptr;
  unsigned thread = 0, x = 0, y = 0, blocks_x = 0;
};

Block block;

void leave(State state) {
  block.states[block.thread] = state;
  swapcontext(&block.fibres[block.thread], &block.scheduler);
}

void fibre_main() {
  (*block.kernel)();
  leave(State::done);
}

void prepare(unsigned threads) {
  block.fibres.resize(threads);
  block.states.assign(threads, State::ready);
  if (block.stacks.size() < threads * kStackBytes) block.stacks.resize(threads * kStackBytes);
  for (unsigned t = 0; t < threads; ++t) {
    ucontext_t& fibre = block.fibres[t];
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = block.stacks.data() + t * kStackBytes;
    fibre.uc_stack.ss_size = kStackBytes;
    fibre.uc_link = nullptr;
    makecontext(&fibre, fibre_main, 0);
  }
}

// Runs every thread up to its next barrier or its end; returns how many have ended.
unsigned step(unsigned threads, bool reverse) {
  unsigned done = 0;
  for (unsigned k = 0; k < threads; ++k) {
    block.thread = reverse ? threads - 1 - k : k;
    if (block.states[block.thread] != State::done) swapcontext(&block.scheduler, &block.fibres[block.thread]);
    done += block.states[block.thread] == State::done ? 1u : 0u;
  }
  return done;
}

bool run_block(const Launch& launch, bool reverse) {
  block.shared.resize(launch.shared_bytes / sizeof(sb_u32x4) + 1);
  std::memset(block.shared.data(), 0xa5, block.shared.size() * sizeof(sb_u32x4));
  prepare(launch.threads);
  for (;;) {
    const unsigned done = step(launch.threads, reverse);
    if (done == launch.threads) return true;
    if (done != 0) return false;
  }
}

}  // namespace

bool run_grid(const Launch& launch, const std::function<void()>& kernel) {
  const char* reverse = std::getenv("SAMEBITS_EMULATOR_REVERSE");
  block.kernel = &kernel;
  block.blocks_x = launch.blocks_x;
  for (block.y = 0; block.y < launch.blocks_y; ++block.y) {
    for (block.x = 0; block.x < launch.blocks_x; ++block.x) {
      if (!run_block(launch, reverse != nullptr && reverse[0] == '1')) return false;
    }
  }
  return true;
}

}  // namespace samebits::emulator

using samebits::emulator::block;
using samebits::emulator::State;

extern "C" {
sb_u32 sb_thread(void) { return block.thread; }
sb_u32 sb_block(void) { return block.x; }
sb_u32 sb_block_y(void) { return block.y; }
sb_u32 sb_blocks(void) { return block.blocks_x; }
sb_u32* sb_emulated_shared(void) { return &block.shared[0].x; }
void sb_emulated_barrier(void) { samebits::emulator::leave(State::waiting); }
}
