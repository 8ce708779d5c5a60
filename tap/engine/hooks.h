/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the engine that every file of QEMU can call. The engine's other functions, which
 * need types of QEMU's code generator (TCG), are declared in engine.h. */
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
bool sluice_checks_space(void);

/* Makes the CPU leave translated code at its next block. Any thread may call it. */
void sluice_request_exit(CPUState *cpu);
/* Removes the accesses that were not made from the block that sluice_restored() reported. */
void sluice_left_early(CPUState *cpu);
/* Report an access by a helper function; and an atomic access, which loads `before` and stores. */
void sluice_helper_access(CPUState *cpu, uint64_t address, unsigned log2_size, bool store);
void sluice_helper_exchange(CPUState *cpu, uint64_t address, unsigned log2_size, uint64_t before);
/* Report a system call of the guest, before and after it. */
void sluice_syscall(int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
void sluice_syscall_return(int64_t number, int64_t result);
int64_t sluice_ticks(int64_t host_ticks); /* the time stamp that the guest reads */

/* Programs that the guest starts (follow.c). sluice_follows() turns following on; `run` is
 * DIRECTORY/RUN, the name of this run in sluice's directory of the process tree. sluice_followed()
 * returns the arguments with which to execute *path, which it changes; NULL: execute the program as
 * it is. sluice_not_followed() frees these arguments after an exec that failed. */
void sluice_follows(const char *run);
char **sluice_followed(int directory, const char **path, char **argv);
void sluice_not_followed(char **argv);

/* In the child of a fork. sluice_fork_followed() starts a reader for the child and returns the
 * descriptor of the child's ring, -1 if there is none. After attaching to the ring, call
 * sluice_fork_set_run() with the index of the child's run, which becomes part of the names of the
 * runs that the child starts. */
int sluice_fork_followed(void);
void sluice_fork_set_run(uint32_t index);

#endif
