/* Hooks of the engine (engine.h) that any file of QEMU's can call.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SL_ENGINE_HOOKS_H
#define SL_ENGINE_HOOKS_H

/* Takes the ring behind a file descriptor, as sluice has started us; ends the process if it
 * is none. */
void sluice_attach(const char *fd);

/* Memory for a virtual processor, in which the page of its stage is a page. */
void *sluice_cpu_memory(size_t size);
void sluice_cpu_free(void *memory);

/* The block being translated checks for room and for exit requests in one. */
bool sluice_checks_room(void);

void sluice_hurry(CPUState *cpu); /* an exit is requested, also by another thread */
void sluice_left_early(CPUState *cpu); /* a block is: behind sluice_restored, if at all */
void sluice_helper_access(CPUState *cpu, uint64_t address, unsigned log2_size, bool store);
void sluice_syscall(int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
void sluice_syscall_return(int64_t number, int64_t result);

/* Programs that the guest starts (follow.c): from now on they are followed, by means of a directory
 * of sluice's; what to execute instead of `path`, NULL if just that; and that it could not be. */
void sluice_follows(const char *directory);
char **sluice_followed(int directory, const char **path, char **argv);
void sluice_not_followed(char **argv);

#endif
