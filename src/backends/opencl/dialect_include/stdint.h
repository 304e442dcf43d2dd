/* The integer types of OpenCL C, for making the kernels' text: the preprocessor finds this file instead of the host's. */
#ifndef SAMEBITS_BACKENDS_OPENCL_STDINT_H
#define SAMEBITS_BACKENDS_OPENCL_STDINT_H

#define int8_t char
#define uint8_t uchar
#define int16_t short
#define uint16_t ushort
#define int32_t int
#define uint32_t uint
#define int64_t long
#define uint64_t ulong

#endif
