// The functions of AMD's HIP library (libamdhip64) that the plugin uses, as they are declared since ROCm 5: only what is
// needed, so that neither building nor loading the plugin asks for ROCm. They are never linked; driver.hpp looks them up.
// The names, values and types are those of the library's interface.
#pragma once

#include <cstddef>

extern "C" {

typedef int hipError_t;
typedef int hipDevice_t;
typedef int hipDeviceAttribute_t;
typedef void* hipDeviceptr_t;
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;

enum {
  hipSuccess = 0,
  hipErrorOutOfMemory = 2,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidImage = 200,
  hipErrorNotFound = 500,
  hipErrorLaunchFailure = 719
};
enum { hipDeviceAttributeMultiprocessorCount = 63, hipDeviceAttributeMaxSharedMemoryPerBlock = 74 };
enum { hipStreamNonBlocking = 1, hipEventDisableTiming = 2 };

hipError_t hipInit(unsigned flags);
hipError_t hipDriverGetVersion(int* version);
const char* hipGetErrorName(hipError_t error);
const char* hipGetErrorString(hipError_t error);

hipError_t hipGetDeviceCount(int* count);
hipError_t hipGetDevice(int* index);
hipError_t hipSetDevice(int index);
hipError_t hipDeviceGet(hipDevice_t* device, int index);
hipError_t hipDeviceGetName(char* name, int size, hipDevice_t device);
hipError_t hipDeviceTotalMem(std::size_t* bytes, hipDevice_t device);
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int index);
hipError_t hipDeviceGetPCIBusId(char* id, int size, int index);

hipError_t hipModuleLoadData(hipModule_t* module, const void* image);
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name);
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                 hipStream_t stream, void** arguments, void** extra);

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventSynchronize(hipEvent_t event);

hipError_t hipMalloc(void** device, std::size_t bytes);
hipError_t hipFree(void* device);
hipError_t hipHostMalloc(void** host, std::size_t bytes, unsigned flags);
hipError_t hipHostFree(void* host);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, std::size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, std::size_t bytes, hipStream_t stream);
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, std::size_t bytes, hipStream_t stream);

// The layout of the properties differs between versions (and so do these names); only a text is looked for in them.
hipError_t hipGetDeviceProperties(void* properties, int index);
hipError_t hipGetDevicePropertiesR0600(void* properties, int index);
}

#define SB_FOR_EACH_HIP_FUNCTION(X) \
  X(hipInit)                        \
  X(hipDriverGetVersion)            \
  X(hipGetErrorName)                \
  X(hipGetErrorString)              \
  X(hipGetDeviceCount)              \
  X(hipGetDevice)                   \
  X(hipSetDevice)                   \
  X(hipDeviceGet)                   \
  X(hipDeviceGetName)               \
  X(hipDeviceTotalMem)              \
  X(hipDeviceGetAttribute)          \
  X(hipDeviceGetPCIBusId)           \
  X(hipModuleLoadData)              \
  X(hipModuleUnload)                \
  X(hipModuleGetFunction)           \
  X(hipModuleLaunchKernel)          \
  X(hipStreamCreateWithFlags)       \
  X(hipStreamDestroy)               \
  X(hipStreamSynchronize)           \
  X(hipEventCreateWithFlags)        \
  X(hipEventDestroy)                \
  X(hipEventRecord)                 \
  X(hipEventSynchronize)            \
  X(hipMalloc)                      \
  X(hipFree)                        \
  X(hipHostMalloc)                  \
  X(hipHostFree)                    \
  X(hipMemcpyHtoDAsync)             \
  X(hipMemcpyDtoHAsync)             \
  X(hipMemsetD8Async)
