/* Words of a kernel: qualifiers, shared memory, ids, barrier and atomics of a work group of threads. Kernels use no
   warp operations, so that one text also serves devices (and drivers) without sub-groups. Where no GPU compiler reads
   the text the words are functions that a host program may define (an emulator), or leave undefined when it only needs
   the kernels' parameter types.

   SB_KERNEL(threads)   a kernel launched with exactly `threads` threads a block, in one dimension
   SB_GLOBAL, SB_LOCAL  address spaces of pointers
   sb_*_add, sb_*_max   atomic; those of global memory return nothing, so that they can be fire and forget */
#ifndef SAMEBITS_NUMERICS_DIALECT_SIMT_H
#define SAMEBITS_NUMERICS_DIALECT_SIMT_H

#include "numerics/dialect/dialect.h"

#if defined(SB_OPENCL)
#define SB_GLOBAL __global
#define SB_LOCAL __local
#else
#define SB_GLOBAL
#define SB_LOCAL
#endif

#if defined(SB_OPENCL)
/* Shared memory whose size the launch chooses is an argument in OpenCL; the generator of the text adds it to kernels that
   name sb_dynamic_argument. 64-bit atomics are those of cl_khr_int64_base_atomics and _extended_atomics. */
#define SB_KERNEL(threads) __kernel __attribute__((reqd_work_group_size(threads, 1, 1))) void
#define SB_DEVICE static inline __attribute__((always_inline))
#define SB_SHARED(type, name, count) __local type name[count]
#define SB_SHARED_DYNAMIC(name) __local sb_u32* name = (__local sb_u32*)sb_dynamic_argument
#define SB_UNROLL
#define SB_UNROLL_BY(n)
#define SB_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
SB_DEVICE sb_u32 sb_thread(void) { return (sb_u32)get_local_id(0); }
SB_DEVICE sb_u32 sb_block(void) { return (sb_u32)get_group_id(0); }
SB_DEVICE sb_u32 sb_block_y(void) { return (sb_u32)get_group_id(1); }
SB_DEVICE sb_u32 sb_blocks(void) { return (sb_u32)get_num_groups(0); }
SB_DEVICE void sb_local_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) { (void)atomic_add((volatile SB_LOCAL sb_u32*)p, v); }
SB_DEVICE sb_u32 sb_local_fetch_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) {
  return atomic_add((volatile SB_LOCAL sb_u32*)p, v);
}
SB_DEVICE void sb_global_add_u32(SB_GLOBAL sb_u32* p, sb_u32 v) { (void)atomic_add((volatile SB_GLOBAL sb_u32*)p, v); }
SB_DEVICE void sb_global_add_i64(SB_GLOBAL sb_i64* p, sb_i64 v) {
  (void)atom_add((volatile SB_GLOBAL sb_u64*)p, (sb_u64)v);
}
SB_DEVICE void sb_global_max_u32(SB_GLOBAL sb_u32* p, sb_u32 v) { (void)atomic_max((volatile SB_GLOBAL sb_u32*)p, v); }
SB_DEVICE void sb_global_max_u64(SB_GLOBAL sb_u64* p, sb_u64 v) { (void)atom_max((volatile SB_GLOBAL sb_u64*)p, v); }
#elif defined(__CUDACC__)
#define SB_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads, 1)
#define SB_DEVICE static __device__ __forceinline__
#define SB_SHARED(type, name, count) __shared__ type name[count]
#define SB_SHARED_DYNAMIC(name) extern __shared__ __align__(16) sb_u32 name[]
#define SB_PRAGMA(text) _Pragma(#text)
#define SB_UNROLL SB_PRAGMA(unroll)
#define SB_UNROLL_BY(n) SB_PRAGMA(unroll n)
#define SB_BARRIER() __syncthreads()
SB_DEVICE sb_u32 sb_thread(void) { return threadIdx.x; }
SB_DEVICE sb_u32 sb_block(void) { return blockIdx.x; }
SB_DEVICE sb_u32 sb_block_y(void) { return blockIdx.y; }
SB_DEVICE sb_u32 sb_blocks(void) { return gridDim.x; }
SB_DEVICE void sb_local_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) { (void)atomicAdd(p, v); }
SB_DEVICE sb_u32 sb_local_fetch_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) { return atomicAdd(p, v); }
SB_DEVICE void sb_global_add_u32(SB_GLOBAL sb_u32* p, sb_u32 v) { (void)atomicAdd(p, v); }
SB_DEVICE void sb_global_add_i64(SB_GLOBAL sb_i64* p, sb_i64 v) {
  (void)atomicAdd((unsigned long long*)p, (unsigned long long)v);
}
SB_DEVICE void sb_global_max_u32(SB_GLOBAL sb_u32* p, sb_u32 v) { (void)atomicMax(p, v); }
SB_DEVICE void sb_global_max_u64(SB_GLOBAL sb_u64* p, sb_u64 v) {
  (void)atomicMax((unsigned long long*)p, (unsigned long long)v);
}
#elif defined(__HIP__)
#define SB_KERNEL(threads) extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
#define SB_DEVICE static inline __attribute__((device, always_inline, unused))
#define SB_SHARED(type, name, count) __attribute__((shared)) type name[count]
#define SB_SHARED_DYNAMIC(name) extern __attribute__((shared, aligned(16))) sb_u32 name[]
#define SB_PRAGMA(text) _Pragma(#text)
#define SB_UNROLL SB_PRAGMA(unroll)
#define SB_UNROLL_BY(n) SB_PRAGMA(unroll n)
#define SB_BARRIER() sb_barrier()
SB_DEVICE sb_u32 sb_thread(void) { return __builtin_amdgcn_workitem_id_x(); }
SB_DEVICE sb_u32 sb_block(void) { return __builtin_amdgcn_workgroup_id_x(); }
SB_DEVICE sb_u32 sb_block_y(void) { return __builtin_amdgcn_workgroup_id_y(); }
/* The threads of a block are a constant (amdgpu_flat_work_group_size), so the quotient is exact. */
SB_DEVICE sb_u32 sb_blocks(void) { return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(); }
SB_DEVICE void sb_barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
SB_DEVICE sb_u32 sb_local_fetch_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) {
  return __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
SB_DEVICE void sb_local_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) { (void)sb_local_fetch_add_u32(p, v); }
SB_DEVICE void sb_global_add_u32(SB_GLOBAL sb_u32* p, sb_u32 v) {
  (void)__hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
SB_DEVICE void sb_global_add_i64(SB_GLOBAL sb_i64* p, sb_i64 v) {
  (void)__hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
SB_DEVICE void sb_global_max_u32(SB_GLOBAL sb_u32* p, sb_u32 v) {
  (void)__hip_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
SB_DEVICE void sb_global_max_u64(SB_GLOBAL sb_u64* p, sb_u64 v) {
  (void)__hip_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
#else
#define SB_KERNEL(threads) __attribute__((unused)) static void
#define SB_DEVICE static inline __attribute__((unused))
#define SB_SHARED(type, name, count) static type name[count]
#define SB_SHARED_DYNAMIC(name) sb_u32* name = sb_emulated_shared()
#define SB_UNROLL
#define SB_UNROLL_BY(n)
#define SB_BARRIER() sb_emulated_barrier()
#if defined(__cplusplus)
extern "C" {
#endif
sb_u32 sb_thread(void);
sb_u32 sb_block(void);
sb_u32 sb_block_y(void);
sb_u32 sb_blocks(void);
sb_u32* sb_emulated_shared(void);
void sb_emulated_barrier(void);
#if defined(__cplusplus)
}
#endif
SB_DEVICE sb_u32 sb_local_fetch_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) {
  sb_u32 old = *p;
  *p = old + v;
  return old;
}
SB_DEVICE void sb_local_add_u32(SB_LOCAL sb_u32* p, sb_u32 v) { *p += v; }
SB_DEVICE void sb_global_add_u32(SB_GLOBAL sb_u32* p, sb_u32 v) { *p += v; }
SB_DEVICE void sb_global_add_i64(SB_GLOBAL sb_i64* p, sb_i64 v) { *p += v; }
SB_DEVICE void sb_global_max_u32(SB_GLOBAL sb_u32* p, sb_u32 v) { *p = *p > v ? *p : v; }
SB_DEVICE void sb_global_max_u64(SB_GLOBAL sb_u64* p, sb_u64 v) { *p = *p > v ? *p : v; }
#endif

/* Four words that move as one 16-byte access. */
typedef struct __attribute__((aligned(16))) sb_u32x4 {
  sb_u32 x, y, z, w;
} sb_u32x4;
/* A row's gradient and hessian, moved as one 8-byte access. */
typedef struct __attribute__((aligned(8))) sb_i32x2 {
  sb_i32 x, y;
} sb_i32x2;

#endif
