/* Steps of tables that are also compiled for a card (gpu/): C that C++ takes, too. */
#ifndef SL_STEP_H
#define SL_STEP_H

#ifdef __CUDACC__
#define SL_STEP __host__ __device__ static inline
#else
#define SL_STEP static inline
#endif

#endif
