/* SPDX-License-Identifier: MIT */
/* SL_GPU_INLINE: storage class of inline functions that are also compiled as C++ for GPUs
 * (study/gpu/). mk/gpu.mk redefines it for the compiler nvcc. */
#ifndef SL_GPU_INLINE
#define SL_GPU_INLINE static inline
#endif
