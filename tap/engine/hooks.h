/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks of the engine (engine.h) that any file of QEMU's can call. */
#ifndef SL_ENGINE_HOOKS_H
#define SL_ENGINE_HOOKS_H

/* Takes the ring behind a file descriptor, as sluice has started us; ends the process if it
 * is none. */
void sluice_attach(const char *fd);

/* Memory for a virtual processor, in which the page of its stage is a page. */
void *sluice_cpu_memory(size_t size);
void sluice_cpu_free(void *memory);

/* The block being translated checks for capacity and for exit requests in one. */
bool sluice_checks_room(void);

void sluice_hurry(CPUState *cpu);      /* an exit is requested, also by another thread */
void sluice_left_early(CPUState *cpu); /* a block is: behind sluice_restored, if at all */
void sluice_helper_access(CPUState *cpu, uint64_t address, unsigned log2_size, bool store);
void sluice_helper_exchange(CPUState *cpu, uint64_t address, unsigned log2_size, uint64_t before);
void sluice_syscall(int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
void sluice_syscall_return(int64_t number, int64_t result);
int64_t sluice_ticks(int64_t of_the_machine); /* what the guest gets for them */

/* Programs that the guest starts (follow.c): from now on they are followed, by means of a directory
 * of sluice's, in which this one is called DIRECTORY/RUN; what to execute instead of `path`, NULL
 * if just that; and that it could not be. */
void sluice_follows(const char *run);
char **sluice_followed(int directory, const char **path, char **argv);
void sluice_not_followed(char **argv);

/* In the child of a fork: has somebody read what it does. Returns the descriptor of a ring for
 * that, -1 if there is none. Then, attached to it: its number in this process, for those that it
 * starts. */
int sluice_fork_followed(void);
void sluice_fork_is_run(uint32_t number);

#endif
