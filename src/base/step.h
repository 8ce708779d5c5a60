/* SPDX-License-Identifier: MIT */
/* Steps of tables that are also compiled for a card (study/gpu/): C that C++ takes, too. nvcc is
 * told what they are there (mk/gpu.mk). */
#ifndef SL_STEP
#define SL_STEP static inline
#endif
