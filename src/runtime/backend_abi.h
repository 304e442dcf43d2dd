/* The C interface between the core and a backend (built in or a plugin opened at run time).
   One exported function, samebits_backend(), returns a description; nothing else crosses the border.
   Every function returns an sb_status; a text for the last failure of the calling thread comes from last_error(). */
#ifndef SAMEBITS_RUNTIME_BACKEND_ABI_H
#define SAMEBITS_RUNTIME_BACKEND_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SB_ABI_VERSION 2u
#define SB_BACKEND_SYMBOL "samebits_backend"

typedef int32_t sb_status;
enum {
  SB_OK = 0,
  SB_ERROR_INVALID = 1,     /* arguments break the contract of the call */
  SB_ERROR_MEMORY = 2,      /* out of device or host memory */
  SB_ERROR_DEVICE = 3,      /* the driver reported a failure */
  SB_ERROR_UNAVAILABLE = 4, /* device, driver or capability is not there */
  SB_ERROR_INTERRUPTED = 5
};

/* A context: one device opened with its stream, memory pool and scratch. Used by one thread at a time. */
typedef struct sb_context sb_context;

typedef struct sb_device_info {
  char name[256];         /* "NVIDIA H200", "Intel(R) Xeon(R) ..." */
  char architecture[64];  /* "sm_90", "x86-64-v4" */
  char column[64];        /* the column's name in conformance/columns: "cuda-sm_90", "cpu-x86_64-v4" */
  char code_object[128];  /* what really runs: "native sm_90", "ptx compiled by the driver", "avx512" */
  char driver[160];      /* driver or operating system version, "" when none */
  uint64_t memory_bytes;  /* total device memory, 0 when not known */
  int32_t compute_units;  /* multiprocessors, or hardware threads */
  char refusal[1024];     /* what the contract needs and this device lacks, "" when it can be opened */
} sb_device_info;

struct sb_primitives; /* primitives/contract/table.h */

typedef struct sb_backend {
  uint32_t abi_version; /* SB_ABI_VERSION */
  uint32_t struct_size; /* sizeof(sb_backend) */
  const char* name;            /* "reference", "cpu", "cuda" */
  const char* vendor;          /* "host", "nvidia" */
  const char* library_version; /* must equal the core's */
  const char* commit;          /* must equal the core's */
  int32_t dirty;               /* 1 when built from a tree with uncommitted changes */
  const char* broken_rule;     /* "" in a product build, see numerics/dialect/break.h */
  const char* const* profiles;     /* NULL-terminated, "identical/1" */
  const char* const* code_objects; /* NULL-terminated, "sm_90", "ptx_90", "avx2" */

  /* Number of devices; 0 with *why filled (static text or thread-local) when there is none. Creates no context. */
  int32_t (*device_count)(const char** why);
  sb_status (*device_info)(int32_t index, sb_device_info* out);
  /* n_threads: 0 means the default. Ignored by GPU backends (placement is speed only). */
  sb_status (*open)(int32_t index, int32_t n_threads, sb_context** out);
  void (*close)(sb_context*);
  const char* (*last_error)(void);

  /* Memory of the device. upload/download block until done. */
  sb_status (*alloc)(sb_context*, size_t bytes, void** out);
  void (*release)(sb_context*, void* pointer);
  sb_status (*upload)(sb_context*, void* device, const void* host, size_t bytes);
  sb_status (*download)(sb_context*, void* host, const void* device, size_t bytes);
  sb_status (*fill_zero)(sb_context*, void* device, size_t bytes);
  sb_status (*synchronize)(sb_context*);
  /* 1 when device pointers are ordinary host pointers (host arrays may then be used in place). */
  int32_t host_memory;

  const struct sb_primitives* primitives;
  /* 1 when the backend is faster with sb_bins.columns present. Speed only. */
  int32_t wants_bin_columns;
  /* 1 when device="auto" may take a device of this backend. */
  int32_t automatic;
  /* 1 when a device is used only after it has repeated known answers: its compiler is not ours (OpenCL), or no device of
     its kind has been recorded (HIP). */
  int32_t check_answers;
} sb_backend;

typedef const sb_backend* (*sb_backend_fn)(void);

#ifdef __cplusplus
}
#endif

#endif
