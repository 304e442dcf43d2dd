#include "backends/gpu/primitives.hpp"

namespace samebits::gpu {
namespace {

constexpr std::uint32_t kInfinityBits = 0x7f800000u;

void require_finite(const char* operation, std::uint32_t bits, const char* what) {
  if (bits >= kInfinityBits) {
    refuse(std::string(operation) + ": " + what +
           ", got a value that is not finite, need scores and targets that float32 can hold");
  }
}

void require_loss(const char* operation, int loss) {
  if (loss < 0 || loss >= SB_LOSS_COUNT) {
    refuse(std::string(operation) + ": loss, got " + std::to_string(loss) + ", need 0 to " +
           std::to_string(SB_LOSS_COUNT - 1));
  }
}

}  // namespace

void gradients(Context& context, const sb_gradients_args& a) {
  require_loss("gradients", a.loss);
  Scratch<std::uint32_t> most(context, 2);
  context.fill_bytes(most.data(), 0, 8);
  const Grid grid = stride_grid(context, a.n);
  SB_LAUNCH(context, sb_gradients_max, grid, a.loss, a.score, a.target, a.weight, a.n, most.data());
  SB_LAUNCH(context, sb_gradients_fixed, grid, a.loss, a.score, a.target, a.weight, a.n, most.data(),
            reinterpret_cast<sb_i32x2*>(a.gh));
  std::uint32_t bits[2];
  context.download(bits, most.data(), sizeof(bits));
  require_finite("gradients", bits[0], "gradient");
  require_finite("gradients", bits[1], "hessian");
  *a.exponent_g = sb_fixed_exponent(sb_f32_bits(bits[0]));
  *a.exponent_h = sb_fixed_exponent(sb_f32_bits(bits[1]));
}

void loss_sum(Context& context, const sb_loss_sum_args& a) {
  require_loss("loss_sum", a.loss);
  struct Result {
    std::int64_t sum;
    std::uint32_t most;
    std::uint32_t padding;
  } result;
  Scratch<Result> on_device(context, 1);
  context.fill_bytes(on_device.data(), 0, sizeof(Result));
  const Grid grid = stride_grid(context, a.n);
  SB_LAUNCH(context, sb_loss_max, grid, a.loss, a.score, a.target, a.weight, a.n, &on_device.data()->most);
  SB_LAUNCH(context, sb_loss_total, grid, a.loss, a.score, a.target, a.weight, a.n, &on_device.data()->most,
            &on_device.data()->sum);
  context.download(&result, on_device.data(), sizeof(Result));
  require_finite("loss_sum", result.most, "loss");
  *a.sum = result.sum;
  *a.exponent = sb_fixed_exponent(sb_f32_bits(result.most));
}

}  // namespace samebits::gpu
