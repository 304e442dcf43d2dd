// The cpu backend's context: thread count, the kernels of the chosen instruction set, scratch memory that is kept.
#pragma once

#include "backends/cpu/kernels/kernels.h"
#include "runtime/fp_env.hpp"
#include "runtime/thread_pool.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace samebits::cpu {

// Aligned, grow-only scratch; contents are kept zero or not as the user of it says.
class Scratch {
 public:
  // At least `bytes`; a new block is zero.
  void* need(std::size_t bytes) {
    if (bytes > size_) {
      block_.reset(::operator new(bytes, std::align_val_t{64}));
      __builtin_memset(block_.get(), 0, bytes);
      size_ = bytes;
    }
    return block_.get();
  }

 private:
  struct Free {
    void operator()(void* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<void, Free> block_;
  std::size_t size_ = 0;
};

struct Context {
  int n_threads = 1;
  const sb_cpu_kernels* kernels = nullptr;
  std::vector<Scratch> local;    // per thread: local histograms, zero between calls
  std::vector<Scratch> gathered; // per thread: gathered gradients
  std::vector<Scratch> partial;  // per thread: a private node histogram
  std::vector<Scratch> product;  // per thread: rows of A packed and waiting sums of a matrix product
  Scratch panels;                // columns of B packed
  Scratch gains;
};

inline Context* context_of(sb_context* c) { return reinterpret_cast<Context*>(c); }

void set_error(const std::string& text);

// Threads worth using for `work` units of about a nanosecond.
inline int threads_for(const Context& c, std::uint64_t work) {
  std::uint64_t useful = work / 20000 + 1;
  return useful < static_cast<std::uint64_t>(c.n_threads) ? static_cast<int>(useful) : c.n_threads;
}

// The primitives, one row of the table each.
#define SB_DECLARE(name) sb_status name(sb_context* context, const sb_##name##_args* args);
SB_FOR_EACH_PRIMITIVE(SB_DECLARE)
#undef SB_DECLARE

}  // namespace samebits::cpu
