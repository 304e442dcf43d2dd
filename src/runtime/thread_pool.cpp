#include "runtime/thread_pool.hpp"

#include "runtime/fp_env.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace samebits {
namespace {

thread_local bool inside_team = false;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

class Team {
 public:
  // False when another thread is using the team.
  bool run(int n, void (*job)(void*, int), void* state) {  // n < 2^16
    std::unique_lock<std::mutex> use(use_, std::try_to_lock);
    if (!use.owns_lock()) return false;
    grow(n - 1);
    spins_ = n <= hardware_ ? 4000 : 0;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      job_ = job;
      state_ = state;
      pending_.store(n - 1, std::memory_order_relaxed);
      std::uint64_t next = (call_.load() >> 16) + 1;
      call_.store(next << 16 | static_cast<std::uint64_t>(n), std::memory_order_release);
    }
    if (sleeping_.load() > 0) wake_.notify_all();
    job(state, 0);
    for (int spin = 0; pending_.load(std::memory_order_acquire) != 0; ++spin) {
      if (spin < spins_) {
        relax();
      } else {
        std::this_thread::yield();
      }
    }
    return true;
  }

 private:
  void grow(int workers) {
    while (threads_ < workers) {
      std::thread(&Team::work, this, threads_ + 1, call_.load()).detach();
      ++threads_;
    }
  }

  void work(int index, std::uint64_t seen) {
    inside_team = true;
    FpEnvGuard environment;
    for (;;) {
      wait_for_work(seen);
      seen = call_.load(std::memory_order_acquire);
      if (index < static_cast<int>(seen & 0xffff)) {
        job_(state_, index);
        pending_.fetch_sub(1, std::memory_order_release);
      }
    }
  }

  void wait_for_work(std::uint64_t seen) {
    for (int spin = 0; spin < spins_; ++spin) {
      if (call_.load(std::memory_order_acquire) != seen) return;
      relax();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    sleeping_.fetch_add(1);
    wake_.wait(lock, [&] { return call_.load(std::memory_order_acquire) != seen; });
    sleeping_.fetch_sub(1);
  }

  const int hardware_ = static_cast<int>(std::thread::hardware_concurrency());
  std::mutex use_, mutex_;
  std::condition_variable wake_;
  // Number of the call (upper 48 bits) and how many threads it uses (lower 16), in one word: a worker that is not part
  // of a call may look late, and must not see the thread count of one call with the number of another.
  std::atomic<std::uint64_t> call_{0};
  std::atomic<int> pending_{0}, sleeping_{0}, spins_{0};
  void (*job_)(void*, int) = nullptr;
  void* state_ = nullptr;
  int threads_ = 0;
};

// Never freed: its detached threads may outlive static destruction. A forked child has none of the threads, so it
// drops the pointer and makes a new team when it first needs one.
std::atomic<Team*> team{nullptr};
std::once_flag fork_handler;

Team* current_team() {
  std::call_once(fork_handler, [] { pthread_atfork(nullptr, nullptr, [] { team.store(nullptr); }); });
  Team* found = team.load();
  if (found != nullptr) return found;
  auto* made = new Team;
  if (team.compare_exchange_strong(found, made)) return made;
  delete made;
  return found;
}

}  // namespace

void run_team(int n, void (*job)(void*, int), void* state) {
  FpEnvGuard environment;
  if (n > 1 && !inside_team && current_team()->run(n, job, state)) return;
  for (int index = 0; index < n; ++index) job(state, index);
}

int default_thread_count() {
  if (const char* text = std::getenv("SAMEBITS_NUM_THREADS")) {
    int n = std::atoi(text);
    if (n > 0) return n;
  }
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  int n = static_cast<int>(std::thread::hardware_concurrency());
  return n > 0 ? n : 1;
}

}  // namespace samebits
