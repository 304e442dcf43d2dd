// The plugin's one export: the description of the backend, and the border where failures become statuses.
#include "backends/cuda/primitives.hpp"
#include "numerics/dialect/break.h"
#include "samebits_build_info.h"

#include <exception>
#include <memory>
#include <new>

namespace samebits::cuda {
namespace {

thread_local std::string error_text;

template <class F>
sb_status guarded(F f) noexcept {
  try {
    f();
    return SB_OK;
  } catch (const Failure& failure) {
    error_text = failure.text;
    return failure.status;
  } catch (const std::bad_alloc&) {
    error_text = "[cuda] out of host memory";
    return SB_ERROR_MEMORY;
  } catch (const std::exception& e) {
    error_text = std::string("[cuda] ") + e.what();
    return SB_ERROR_DEVICE;
  }
}

template <class F>
sb_status in_context(sb_context* context, F f) noexcept {
  return guarded([&] {
    Context& c = context_of(context);
    Entered entered(c);
    f(c);
  });
}

int32_t device_count(const char** why) {
  if (!driver().devices.empty() && forked()) {
    *why = kForkedText;  // so that "auto" takes the cpu there
    return 0;
  }
  *why = driver().why.c_str();
  return static_cast<int32_t>(driver().devices.size());
}

void copy_text(char* out, std::size_t size, const std::string& text) {
  std::strncpy(out, text.c_str(), size - 1);
  out[size - 1] = '\0';
}

const DeviceFacts& facts_at(int32_t index) {
  const auto& devices = driver().devices;
  if (index < 0 || static_cast<std::size_t>(index) >= devices.size()) {
    throw Failure{SB_ERROR_UNAVAILABLE, "[cuda] device, got " + std::to_string(index) + ", need less than " +
                                            std::to_string(devices.size()) +
                                            (driver().why.empty() ? "" : ": " + driver().why)};
  }
  return devices[static_cast<std::size_t>(index)];
}

sb_status device_info(int32_t index, sb_device_info* out) {
  return guarded([&] {
    const DeviceFacts& facts = facts_at(index);
    std::string why;
    const Image* image = choose_image(facts, &why);
    std::memset(out, 0, sizeof(*out));
    copy_text(out->name, sizeof(out->name), facts.name);
    copy_text(out->architecture, sizeof(out->architecture),
              "sm_" + std::to_string(facts.major) + std::to_string(facts.minor));
    copy_text(out->column, sizeof(out->column), image != nullptr ? column_of(*image) : "");
    copy_text(out->code_object, sizeof(out->code_object), image != nullptr ? description_of(*image) : "none fits");
    copy_text(out->driver, sizeof(out->driver), driver().version);
    out->memory_bytes = facts.memory_bytes;
    out->compute_units = facts.multiprocessors;
  });
}

sb_status open(int32_t index, int32_t, sb_context** out) {
  return guarded([&] {
    const DeviceFacts& facts = facts_at(index);
    std::string why;
    const Image* image = choose_image(facts, &why);
    if (image == nullptr) throw Failure{SB_ERROR_UNAVAILABLE, why};
    if (forked()) throw Failure{SB_ERROR_UNAVAILABLE, std::string("[cuda] ") + kForkedText};
    *out = reinterpret_cast<sb_context*>(std::make_unique<Context>(index, *image).release());
  });
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

#define SB_BORDER(name)                                                                \
  sb_status border_##name(sb_context* context, const sb_##name##_args* args) {         \
    return in_context(context, [&](Context& c) { ::samebits::cuda::name(c, *args); }); \
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
}  // namespace samebits::cuda

extern "C" __attribute__((visibility("default"))) const sb_backend* samebits_backend(void) {
  using namespace samebits::cuda;
  static const sb_backend backend = {SB_ABI_VERSION,
                                     sizeof(sb_backend),
                                     "cuda",
                                     "nvidia",
                                     SAMEBITS_VERSION,
                                     SAMEBITS_COMMIT,
                                     SAMEBITS_DIRTY,
                                     SB_BROKEN_RULE,
                                     kProfiles,
                                     image_names(),
                                     device_count,
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
                                     /*wants_bin_columns=*/1};
  return &backend;
}
