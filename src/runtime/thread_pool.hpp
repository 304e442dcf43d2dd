// A small team of threads with static work partition. Not OpenMP: GNU OpenMP hangs in a forked child of a process that has
// used it, and two OpenMP runtimes in one Python process are common. Here a forked child starts with a fresh, empty
// team, a nested call and a call from a second thread run serially in the caller; results never depend on any of it.
#pragma once

#include <cstdint>

namespace samebits {

// Runs job(state, index) for index = 0 .. n-1, index 0 in the caller, and returns when all are done. The jobs must not
// throw. Every thread computes in the floating-point environment of C1.
void run_team(int n, void (*job)(void* state, int index), void* state);

template <class F>
void run_team(int n, F&& body) {
  auto call = [](void* state, int index) { (*static_cast<F*>(state))(index); };
  run_team(n, static_cast<void (*)(void*, int)>(call), const_cast<void*>(static_cast<const void*>(&body)));
}

// Part `index` of `parts` equal pieces of [0, n), cut at multiples of `align`.
inline void team_part(std::uint64_t n, int parts, int index, std::uint64_t align, std::uint64_t* begin,
                      std::uint64_t* end) {
  std::uint64_t units = (n + align - 1) / align;
  std::uint64_t b = units * static_cast<std::uint64_t>(index) / static_cast<std::uint64_t>(parts) * align;
  std::uint64_t e = units * static_cast<std::uint64_t>(index + 1) / static_cast<std::uint64_t>(parts) * align;
  *begin = b < n ? b : n;
  *end = e < n ? e : n;
}

// SAMEBITS_NUM_THREADS, else the number of hardware threads this process may use.
int default_thread_count();

}  // namespace samebits
