// Gradient boosting called from every floating-point environment (C1): the same stages, model and predictions, and the
// caller's environment afterwards, also when the call throws.
#include "support/boosting_data.hpp"
#include "support/environments.hpp"

#include <cmath>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace samebits::test {
namespace {

using boosting::GrowPolicy;
using boosting::Loss;
using boosting::Params;

struct Setting {
  GrowPolicy policy;
  Loss loss;
};
constexpr Setting kSettings[] = {{GrowPolicy::symmetric, Loss::squared_error},
                                 {GrowPolicy::depthwise, Loss::log_loss},
                                 {GrowPolicy::lossguide, Loss::log_loss}};

Params params_of(const Setting& s) {
  Params p;
  p.loss = s.loss;
  p.grow_policy = s.policy;
  p.n_estimators = 3;
  p.max_depth = 4;
  p.max_leaf_nodes = s.policy == GrowPolicy::symmetric ? 0 : 9;
  p.min_samples_leaf = 3;
  p.learning_rate = 0.3;
  p.l2_regularization = 0.7;
  p.subsample = 0.9;
  p.record_train_loss = true;
  return p;
}

// body(device, environment) on the reference and every place, in every environment; it must leave the environment alone.
template <class Body>
void in_every_environment(Body body) {
  everywhere([&](const Device& device) {
    for (Environment environment : kEnvironments) {
      SCOPED_TRACE(name_of(environment));
      bool unchanged = false;
      {
        const Within within(environment);
        body(device);
        unchanged = within.unchanged();
      }
      EXPECT_TRUE(unchanged) << "the caller's floating-point environment was changed";
    }
  });
}

TEST(BoostingEnvironment, FitIsTheSame) {
  for (const Setting& s : kSettings) {
    SCOPED_TRACE(testing::Message() << "policy " << static_cast<int>(s.policy));
    const Data train = draw_data(51, 400, 11, s.loss, true), eval = draw_data(52, 90, 11, s.loss, true);
    const FitRun want = fit_on(reference(), train, {&eval}, params_of(s));
    in_every_environment(
        [&](const Device& device) { expect_same_run(want, fit_on(device, train, {&eval}, params_of(s))); });
  }
}

TEST(BoostingEnvironment, PredictionsAreTheSame) {
  const Data d = draw_data(53, 300, 11, Loss::log_loss, false);
  const boosting::Model model = boosting::fit(reference(), d.view(), {}, params_of(kSettings[1])).model;
  const auto predictions = [&](const Device& device) {
    std::vector<double> raw = poisoned<double>(300), staged = poisoned<double>(900), p = poisoned<double>(300);
    std::vector<std::int32_t> leaf = poisoned<std::int32_t>(900);
    boosting::validate(model);
    boosting::predict_raw(device, model, view_of(d.x), 3, raw.data());
    boosting::staged_predict_raw(device, model, view_of(d.x), 3, staged.data());
    boosting::apply(device, model, view_of(d.x), 3, leaf.data());
    boosting::logistic(raw.data(), 300, p.data());
    Outputs o;
    o.add("raw", raw);
    o.add("staged", staged);
    o.add("leaf", leaf);
    o.add("logistic", p);
    return o;
  };
  const Outputs want = predictions(reference());
  in_every_environment([&](const Device& device) { expect_same(want, predictions(device)); });
}

TEST(BoostingEnvironment, ErrorsLeaveItAlone) {
  const Data good = draw_data(54, 60, 4, Loss::squared_error, false);
  Data infinite = good;
  infinite.x.at(59, 2) = HUGE_VALF;
  const boosting::Model model = boosting::fit(reference(), good.view(), {}, params_of(kSettings[0])).model;
  in_every_environment([&](const Device& device) {
    Params p = params_of(kSettings[0]);
    boosting::Hooks hooks;
    int calls = 0;
    hooks.interrupted = [&] { return ++calls > 2; };
    error_of(ErrorCode::interrupted, [&] { boosting::fit(device, good.view(), {}, p, hooks); });
    error_of(ErrorCode::invalid_argument, [&] { boosting::fit(device, infinite.view(), {}, p); });
    p.n_estimators = 0;
    error_of(ErrorCode::invalid_argument, [&] { boosting::fit(device, good.view(), {}, p); });
    std::vector<double> raw(60);
    error_of(ErrorCode::invalid_argument,
             [&] { boosting::predict_raw(device, model, view_of(good.x), 99, raw.data()); });
    struct Stop {};
    hooks.interrupted = []() -> bool { throw Stop(); };
    p.n_estimators = 1;
    EXPECT_THROW(boosting::fit(device, good.view(), {}, p, hooks), Stop);
  });
}

// A hook that changes the environment and leaves it so, as loading a library built with -ffast-math does.
TEST(BoostingEnvironment, HooksThatChangeItChangeNothing) {
  const Data d = draw_data(55, 300, 11, Loss::log_loss, true);
  const Params p = params_of(kSettings[2]);
  const FitRun want = fit_on(reference(), d, {}, p);
  everywhere([&](const Device& device) {
    FitRun got;
    boosting::Hooks hooks;
    hooks.trace = &got.trace;
    std::vector<std::unique_ptr<Within>> entered;  // left in reverse order
    hooks.interrupted = [&] { return entered.push_back(std::make_unique<Within>(Environment::flush_upward)), false; };
    hooks.progress = [&](std::uint32_t, std::uint32_t, double) {
      entered.push_back(std::make_unique<Within>(Environment::downward));
    };
    const std::uint64_t before = control_words().main;  // the x87 unit is not used, and so left as the hooks set it
    got.result = boosting::fit(device, d.view(), {}, p, hooks);
    const std::uint64_t after = control_words().main;
    while (!entered.empty()) entered.pop_back();
    EXPECT_EQ(before, after);
    expect_same_run(want, got);
  });
}

bool same(const Outputs& a, const Outputs& b) {
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    if (a.items()[i].bytes != b.items()[i].bytes) return false;
  }
  return a.items().size() == b.items().size();
}

// The exit status of body() in a child process; -1 when a signal ended it.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);  // a hang ends as a signal
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A child of fork starts its threads anew, here all of them while flush-to-zero is on: a thread inherits the environment
// of the one that starts it.
TEST(BoostingEnvironment, ThreadsStartedInItAreTheSame) {
  const Data d = draw_data(56, 30000, 9, Loss::log_loss, true);
  const Params p = params_of(kSettings[2]);
  const Outputs want = outputs_of(boosting::fit(reference(), d.view(), {}, p));
  for (Environment environment : kEnvironments) {
    const auto fit = [&] {
      const Within within(environment);
      return same(want, outputs_of(boosting::fit(Device::open("cpu", 5), d.view(), {}, p)));
    };
    EXPECT_EQ(status_of_child(fit), 0) << name_of(environment);
  }
}

// Infinite values, NaN and zero gains are ordinary inside; a caller that wants signals gets none from the library.
TEST(BoostingEnvironment, UnmaskedExceptionsRaiseNothing) {
  const Data d = draw_data(57, 300, 11, Loss::squared_error, true);
  const Params p = params_of(kSettings[0]);
  const Outputs want = outputs_of(boosting::fit(reference(), d.view(), {}, p));
  const std::vector<float> x = draw_array<float>(58, Values::huge_range, 1000);
  for (const std::string id : {"reference", "cpu"}) {
    const auto run = [&] {
      const Within within(Environment::unmasked);
      const Device device = Device::open(id, 2);
      const DeviceArray<float> in(device, x), out(device, x.size());
      for (std::int32_t f = 0; f < SB_ELEMENTARY_COUNT; ++f) {
        call(device, "elementary_map", &sb_primitives::elementary_map,
             sb_elementary_map_args{f, SB_DTYPE_F32, in.data(), out.data(), x.size()});
      }
      return same(want, outputs_of(boosting::fit(device, d.view(), {}, p))) && within.unchanged();
    };
    EXPECT_EQ(status_of_child(run), 0) << id;
  }
}

}  // namespace
}  // namespace samebits::test
