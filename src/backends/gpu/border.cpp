// A plugin's one export: the description of the backend, and the border where failures become statuses.
#include "backends/gpu/plugin.hpp"
#include "backends/gpu/primitives.hpp"
#include "numerics/dialect/break.h"
#include "runtime/fp_env.hpp"
#include "samebits_build_info.h"

#include <exception>
#include <memory>
#include <new>

namespace samebits::gpu {
namespace {

thread_local std::string error_text;

sb_status failed(sb_status status, const std::string& text) {
  error_text = std::string("[") + kPlugin.name + "] " + text;
  return status;
}

// In the environment of C1: the host's part computes too, a driver that compiles folds constants, and threads that it
// starts inherit the environment.
template <class F>
sb_status guarded(F f) noexcept {
  FpEnvGuard environment;
  try {
    f();
    return SB_OK;
  } catch (const Failure& failure) {
    return failed(failure.status, failure.text);
  } catch (const std::bad_alloc&) {
    return failed(SB_ERROR_MEMORY, "out of host memory");
  } catch (const std::exception& e) {
    return failed(SB_ERROR_DEVICE, e.what());
  }
}

template <class F>
sb_status in_context(sb_context* context, F f) noexcept {
  return guarded([&] {
    const FpEnvGuard environment;  // a few numbers are rounded on the host (and all of them by an emulator)
    Context& c = context_of(context);
    Entered entered(c.queue());
    f(c);
  });
}

sb_status device_info(int32_t index, sb_device_info* out) {
  return guarded([&] {
    std::memset(out, 0, sizeof(*out));
    kPlugin.describe(index, out);
  });
}

sb_status open(int32_t index, int32_t, sb_context** out) {
  return guarded(
      [&] { *out = reinterpret_cast<sb_context*>(std::make_unique<Context>(kPlugin.open(index)).release()); });
}

void close(sb_context* context) { delete &context_of(context); }

const char* last_error() { return error_text.c_str(); }

sb_status alloc(sb_context* context, std::size_t bytes, void** out) {
  return in_context(context, [&](Context& c) { *out = c.allocate(bytes); });
}

void release(sb_context* context, void* pointer) { context_of(context).release(pointer); }

sb_status upload(sb_context* context, void* device, const void* host, std::size_t bytes) {
  return in_context(context, [&](Context& c) { c.upload(device, host, bytes); });
}

sb_status download(sb_context* context, void* host, const void* device, std::size_t bytes) {
  return in_context(context, [&](Context& c) { c.download(host, device, bytes); });
}

sb_status fill_zero(sb_context* context, void* device, std::size_t bytes) {
  return in_context(context, [&](Context& c) { c.fill_bytes(device, 0, bytes); });
}

sb_status synchronize(sb_context* context) {
  return in_context(context, [](Context& c) { c.synchronize(); });
}

#define SB_BORDER(name)                                                               \
  sb_status border_##name(sb_context* context, const sb_##name##_args* args) {        \
    return in_context(context, [&](Context& c) { ::samebits::gpu::name(c, *args); }); \
  }
SB_FOR_EACH_PRIMITIVE(SB_BORDER)
#undef SB_BORDER

const sb_primitives kTable = {
#define SB_ENTRY(name) border_##name,
    SB_FOR_EACH_PRIMITIVE(SB_ENTRY)
#undef SB_ENTRY
};

constexpr const char* kProfiles[] = {"identical/1", nullptr};

}  // namespace
}  // namespace samebits::gpu

extern "C" __attribute__((visibility("default"))) const sb_backend* samebits_backend(void) {
  using namespace samebits::gpu;
  static const sb_backend backend = {SB_ABI_VERSION,
                                     sizeof(sb_backend),
                                     kPlugin.name,
                                     kPlugin.vendor,
                                     SAMEBITS_VERSION,
                                     SAMEBITS_COMMIT,
                                     SAMEBITS_DIRTY,
                                     SB_BROKEN_RULE,
                                     kProfiles,
                                     kPlugin.code_objects(),
                                     kPlugin.device_count,
                                     device_info,
                                     open,
                                     close,
                                     last_error,
                                     alloc,
                                     release,
                                     upload,
                                     download,
                                     fill_zero,
                                     synchronize,
                                     /*host_memory=*/0,
                                     &kTable,
                                     /*wants_bin_columns=*/1,
                                     kPlugin.automatic,
                                     kPlugin.check_answers};
  return &backend;
}
