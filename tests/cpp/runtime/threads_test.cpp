// The thread team: use from several threads at once and in a forked child gives the same bits and does not hang.
#include "support/boosting_data.hpp"

#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace samebits::test {
namespace {

using boosting::Loss;

boosting::Params params() {
  boosting::Params p;
  p.n_estimators = 4;
  return p;
}

bool same(const Outputs& a, const Outputs& b) {
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    if (a.items()[i].bytes != b.items()[i].bytes) return false;
  }
  return a.items().size() == b.items().size();
}

TEST(Threads, SeveralCallersAtOnce) {
  const Data d = draw_data(41, 30000, 9, Loss::squared_error, false);
  const Outputs want = outputs_of(boosting::fit(reference(), d.view(), {}, params()));
  std::vector<Outputs> got(4);
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < got.size(); ++i) {
    callers.emplace_back([&, i] {
      const Device device = Device::open("cpu", static_cast<int>(1 + i));
      got[i] = outputs_of(boosting::fit(device, d.view(), {}, params()));
    });
  }
  for (std::thread& t : callers) t.join();
  for (const Outputs& o : got) expect_same(want, o);
}

// A child of fork has none of the parent's threads: it must start its own (Python's multiprocessing does this).
TEST(Threads, ForkedChildDoesNotHang) {
  const Data d = draw_data(42, 30000, 9, Loss::squared_error, false);
  const Device device = Device::open("cpu", 3);
  const Outputs want = outputs_of(boosting::fit(device, d.view(), {}, params()));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);  // a hang ends as a signal, which the parent sees
    _exit(same(want, outputs_of(boosting::fit(device, d.view(), {}, params()))) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  expect_same(want, outputs_of(boosting::fit(device, d.view(), {}, params())));
}

}  // namespace
}  // namespace samebits::test
