/* SPDX-License-Identifier: MIT */
/* SL_STEP: storage class of inline functions that are also compiled for GPUs (study/gpu/), as C++.
 * mk/gpu.mk defines it for nvcc. */
#ifndef SL_STEP
#define SL_STEP static inline
#endif
