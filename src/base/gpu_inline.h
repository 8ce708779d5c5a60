/* SPDX-License-Identifier: MIT */
/* SL_GPU_INLINE: storage class of inline functions that are also compiled for GPUs (study/gpu/), as
 * C++. For the compiler nvcc, mk/gpu.mk defines SL_GPU_INLINE differently. */
#ifndef SL_GPU_INLINE
#define SL_GPU_INLINE static inline
#endif
