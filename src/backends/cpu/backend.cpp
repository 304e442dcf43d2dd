#include "backends/cpu/backend.hpp"

#include "backends/cpu/context.hpp"
#include "numerics/dialect/break.h"
#include "runtime/cpu_features.hpp"
#include "samebits_build_info.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/utsname.h>
#include <unistd.h>

namespace samebits::cpu {
namespace {

thread_local std::string error_text;

struct IsaRow {
  const char* name;
  const sb_cpu_kernels* (*kernels)();
};

// Slowest first: the default is the last one that this machine can run.
constexpr IsaRow kIsas[] = {
    {"baseline", sb_cpu_kernels_baseline},
#ifdef SAMEBITS_HAS_ISA_avx2
    {"avx2", sb_cpu_kernels_avx2},
#endif
#ifdef SAMEBITS_HAS_ISA_avx512
    {"avx512", sb_cpu_kernels_avx512},
#endif
};

constexpr const char* kCodeObjects[] = {"baseline",
#ifdef SAMEBITS_HAS_ISA_avx2
                                        "avx2",
#endif
#ifdef SAMEBITS_HAS_ISA_avx512
                                        "avx512",
#endif
                                        nullptr};

constexpr const char* kProfiles[] = {"identical/1", nullptr};

// nullptr (and an error text) when SAMEBITS_CPU_ISA asks for what is not there.
const IsaRow* choose_isa() {
  const char* asked = std::getenv("SAMEBITS_CPU_ISA");
  if (asked == nullptr || asked[0] == '\0') {
    const IsaRow* best = &kIsas[0];
    for (const IsaRow& row : kIsas) {
      if (cpu_supports(row.name)) best = &row;
    }
    return best;
  }
  std::string have;
  for (const IsaRow& row : kIsas) {
    if (!cpu_supports(row.name)) continue;
    if (std::strcmp(asked, row.name) == 0) return &row;
    have += (have.empty() ? "" : ", ") + std::string(row.name);
  }
  set_error(std::string("SAMEBITS_CPU_ISA asks for '") + asked + "'; this build and machine can run: " + have);
  return nullptr;
}

// A program cannot tell that it is emulated; who runs it so says it: SAMEBITS_EMULATED=qemu.
std::string column_of(const std::string& isa) {
  const std::string arch = cpu_architecture();
  std::string column = "cpu-" + arch;
  if (arch == "x86_64") column += isa == "avx512" ? "-v4" : isa == "avx2" ? "-v3" : "-v1";
  const char* emulator = std::getenv("SAMEBITS_EMULATED");
  return emulator == nullptr || emulator[0] == '\0' ? column : column + "-" + emulator;
}

int32_t device_count(const char** why) {
  *why = "";
  return 1;
}

void copy_text(char* out, std::size_t size, const std::string& text) {
  std::strncpy(out, text.c_str(), size - 1);
  out[size - 1] = '\0';
}

sb_status device_info(int32_t, sb_device_info* out) {
  const IsaRow* isa = choose_isa();
  if (isa == nullptr) return SB_ERROR_UNAVAILABLE;
  utsname system{};
  uname(&system);
  std::memset(out, 0, sizeof(*out));
  copy_text(out->name, sizeof(out->name), cpu_model_name());
  copy_text(out->architecture, sizeof(out->architecture), cpu_architecture());
  copy_text(out->column, sizeof(out->column), column_of(isa->name));
  copy_text(out->code_object, sizeof(out->code_object), isa->name);
  copy_text(out->driver, sizeof(out->driver), std::string(system.sysname) + " " + system.release);
  out->memory_bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  out->compute_units = default_thread_count();
  return SB_OK;
}

sb_status open(int32_t, int32_t n_threads, sb_context** out) {
  const IsaRow* isa = choose_isa();
  if (isa == nullptr) return SB_ERROR_UNAVAILABLE;
  auto* c = new Context;
  c->n_threads = n_threads > 0 ? (n_threads < 1024 ? n_threads : 1024) : default_thread_count();
  c->kernels = isa->kernels();
  auto n = static_cast<std::size_t>(c->n_threads);
  c->local = std::vector<Scratch>(n);
  c->gathered = std::vector<Scratch>(n);
  c->partial = std::vector<Scratch>(n);
  c->product = std::vector<Scratch>(n);
  *out = reinterpret_cast<sb_context*>(c);
  return SB_OK;
}

void close(sb_context* context) { delete context_of(context); }

const char* last_error() { return error_text.c_str(); }

sb_status alloc(sb_context*, std::size_t bytes, void** out) {
  *out = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{64}, std::nothrow);
  if (*out != nullptr) return SB_OK;
  set_error("out of memory: " + std::to_string(bytes) + " bytes were asked for");
  return SB_ERROR_MEMORY;
}

void release(sb_context*, void* p) { ::operator delete(p, std::align_val_t{64}); }

sb_status copy_in(sb_context*, void* device, const void* host, std::size_t bytes) {
  if (bytes > 0) std::memcpy(device, host, bytes);
  return SB_OK;
}

sb_status fill_zero(sb_context*, void* device, std::size_t bytes) {
  if (bytes > 0) std::memset(device, 0, bytes);
  return SB_OK;
}

sb_status synchronize(sb_context*) { return SB_OK; }

const sb_primitives kTable = {
#define SB_ENTRY(name) cpu::name,
    SB_FOR_EACH_PRIMITIVE(SB_ENTRY)
#undef SB_ENTRY
};

const sb_backend kBackend = {SB_ABI_VERSION,
                             sizeof(sb_backend),
                             "cpu",
                             "host",
                             SAMEBITS_VERSION,
                             SAMEBITS_COMMIT,
                             SAMEBITS_DIRTY,
                             SB_BROKEN_RULE,
                             kProfiles,
                             kCodeObjects,
                             device_count,
                             device_info,
                             open,
                             close,
                             last_error,
                             alloc,
                             release,
                             copy_in,
                             copy_in,
                             fill_zero,
                             synchronize,
                             /*host_memory=*/1,
                             &kTable,
                             /*wants_bin_columns=*/1,
                             /*automatic=*/1,
                             /*check_answers=*/0};

}  // namespace

void set_error(const std::string& text) { error_text = text; }

const sb_backend* cpu_backend() { return &kBackend; }

}  // namespace samebits::cpu
