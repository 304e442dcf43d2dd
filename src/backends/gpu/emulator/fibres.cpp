#include "backends/gpu/emulator/fibres.hpp"

#include "numerics/dialect/simt.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include <setjmp.h>
#include <ucontext.h>

namespace samebits::emulator {
namespace {

constexpr std::size_t kStackBytes = std::size_t{128} << 10;

enum class State { fresh, ready, waiting, done };

// Entered once by setcontext; from then on every switch is a pair of _setjmp and _longjmp, which, unlike swapcontext, make
// no system call. A fibre that has ended a kernel waits for the next block.
struct Fibre {
  State state = State::fresh;
  jmp_buf place;
  std::unique_ptr<char[]> stack;
};

struct Block {
  jmp_buf scheduler;
  std::vector<Fibre> fibres;
  std::vector<sb_u32x4> shared;
  const std::function<void()>* kernel = nullptr;
  unsigned thread = 0, x = 0, y = 0, blocks_x = 0;
};

Block block;

void leave(State state) {
  Fibre& fibre = block.fibres[block.thread];
  fibre.state = state;
  if (_setjmp(fibre.place) == 0) _longjmp(block.scheduler, 1);
}

void fibre_main() {
  for (;;) {
    (*block.kernel)();
    leave(State::done);
  }
}

[[noreturn]] void start(Fibre& fibre) {
  if (fibre.stack == nullptr) fibre.stack.reset(new char[kStackBytes]);
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = fibre.stack.get();
  context.uc_stack.ss_size = kStackBytes;
  context.uc_link = nullptr;
  makecontext(&context, fibre_main, 0);
  fibre.state = State::ready;
  setcontext(&context);
  throw std::runtime_error("a fibre cannot be started");
}

void resume(unsigned thread) {
  block.thread = thread;
  Fibre& fibre = block.fibres[thread];
  if (_setjmp(block.scheduler) != 0) return;
  if (fibre.state == State::fresh) start(fibre);
  _longjmp(fibre.place, 1);
}

void prepare(unsigned threads) {
  if (block.fibres.size() < threads) block.fibres.resize(threads);
  for (unsigned t = 0; t < threads; ++t) {
    if (block.fibres[t].state == State::done) block.fibres[t].state = State::ready;
  }
}

// After a block that did not end: its threads stand somewhere in the kernel.
void forget_fibres() {
  for (Fibre& fibre : block.fibres) fibre.state = State::fresh;
}

// Runs every thread up to its next barrier or its end; returns how many have ended.
unsigned step(unsigned threads, bool reverse) {
  unsigned done = 0;
  for (unsigned k = 0; k < threads; ++k) {
    const unsigned thread = reverse ? threads - 1 - k : k;
    if (block.fibres[thread].state != State::done) resume(thread);
    done += block.fibres[thread].state == State::done ? 1u : 0u;
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
    if (done == 0) continue;
    forget_fibres();
    return false;
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
