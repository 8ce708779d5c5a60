/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's functions that any file of QEMU can call; engine.h has those that need TCG's types.
 */
#ifndef SL_ENGINE_HOOKS_H
#define SL_ENGINE_HOOKS_H

/* Maps the ring of file descriptor `fd`, which sluice has passed. Exits with 125 if it is not a
 * ring of this version. */
void sluice_attach(const char *fd);

/* Memory for a virtual CPU, placed so that the page of its stage is page-aligned. */
void *sluice_cpu_memory(size_t size);
void sluice_cpu_free(void *memory);

/* True if translated blocks begin with the engine's check, which combines the check for capacity
 * with QEMU's check for exit requests. */
bool sluice_checks_room(void);

void sluice_hurry(CPUState *cpu);      /* an exit is requested; any thread may call it */
void sluice_left_early(CPUState *cpu); /* the block that sluice_restored() named */
void sluice_helper_access(CPUState *cpu, uint64_t address, unsigned log2_size, bool store);
void sluice_helper_exchange(CPUState *cpu, uint64_t address, unsigned log2_size, uint64_t before);
void sluice_syscall(int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
void sluice_syscall_return(int64_t number, int64_t result);
int64_t sluice_ticks(int64_t host_ticks); /* the time stamp that the guest reads */

/* Programs that the guest starts (follow.c). sluice_follows() turns following on; `run` is
 * DIRECTORY/RUN, the name of this run in sluice's directory of the process tree. sluice_followed()
 * returns the arguments to execute instead and changes *path; NULL: execute the program as it is.
 * sluice_not_followed() frees these arguments after an exec that failed. */
void sluice_follows(const char *run);
char **sluice_followed(int directory, const char **path, char **argv);
void sluice_not_followed(char **argv);

/* In the child of a fork. sluice_fork_followed() starts a reader for the child and returns the
 * descriptor of the child's ring, -1 if there is none. After attaching to the ring,
 * sluice_fork_is_run() sets the child's number in the names of the programs that it starts. */
int sluice_fork_followed(void);
void sluice_fork_is_run(uint32_t number);

#endif
