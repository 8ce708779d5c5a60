/* SPDX-License-Identifier: MIT */
/* CPU time of a thread, number of CPUs, available memory and random keys, from the operating
 * system. */
#ifndef SL_RESOURCES_H
#define SL_RESOURCES_H

#include <stdint.h>

double sl_thread_seconds(void); /* CPU time of the calling thread */

/* `threads` or, if that is 0, the number of CPUs that the process may use. */
unsigned sl_cpus(unsigned threads);

/* Bytes that the system can provide without swapping (MemAvailable); an estimate where
 * /proc/meminfo does not have it. */
uint64_t sl_free_memory(void);

/* A random key for a hash table, so that an attacker cannot choose input whose keys collide.
 * Results must not depend on it. */
uint64_t sl_random_key(void);

#endif
