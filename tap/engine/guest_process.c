/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's functions for events of the guest's process: the start (attaching to the ring),
 * forks, system calls, reads of time stamps, and the end of threads. */
#include "inside.h"

#include <malloc.h>

#include "guest_random.h"
#include "host_float.h"
#include "maps.h"
#if QEMU_VERSION_MAJOR >= 8
#include "user/guest-base.h"
#endif

struct sluice_engine sluice_engine;
#ifdef __x86_64__
__thread bool sluice_float_live;
#endif

/* With one malloc arena for all threads, QEMU's allocations have the same addresses in each run.
 * From QEMU 8.2 on the guest's stack is one of them, and runs must repeat to the bit. QEMU starts a
 * thread in a constructor, so this one has a higher priority. */
static void __attribute__((constructor(101))) use_one_arena(void)
{
    mallopt(M_ARENA_MAX, 1);
}

void sluice_thread_ends(CPUState *cpu)
{
    struct sl_stage *stage = sluice_stage(cpu);
    if (!sluice_engine.on || !stage->base) {
        return;
    }
    if (!writer_detached()) {
        if (sluice_is_shared(stage)) {
            sluice_store_counts(stage);
            writer_release_stage(stage);
        } else {
            sluice_count_dropped(stage);
        }
    }
    sluice_make_private(stage);
}

/* In the child of a fork: detaches the pages of all CPUs from the parent's ring. If the child is
 * followed (--follow), it gets a ring of its own and its pages become stages at the next block, as
 * in a new program. Only the forking thread exists in the child. */
static void in_child(bool attached)
{
    CPUState *cpu;
    int fd = attached ? sluice_fork_followed() : -1;
    struct sl_ring *ring = fd >= 0 ? writer_attach_child(fd) : NULL;
    CPU_FOREACH(cpu)
    {
        if (ring) {
            sluice_make_private(sluice_stage(cpu));
        } else {
            sluice_discard_events(sluice_stage(cpu));
        }
    }
    sluice_engine.ring = ring;
    if (ring) {
        sluice_fork_set_run(ring->run);
    }
}

static bool is_one_of(const int64_t *numbers, int64_t number)
{
    for (; *numbers >= 0; numbers++) {
        if (*numbers == number) {
            return true;
        }
    }
    return false;
}

void sluice_syscall(int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
    maps_call(a1, a2, a3, a4);
    guest_random_call(a1, a2);
    if (sluice_engine.on && !writer_detached() &&
        is_one_of(sluice_engine.guest->exec_calls, number)) {
        atomic_store(&sluice_engine.ring->exec_pending, 1);
    }
}

void sluice_syscall_return(int64_t number, int64_t result)
{
    if (sluice_engine.repeatable) {
        guest_random_return(sluice_engine.guest, number, result, guest_base);
    }
    if (!sluice_engine.on || writer_detached()) {
        return;
    }
    if (is_one_of(sluice_engine.guest->exec_calls, number)) {
        atomic_store(&sluice_engine.ring->exec_pending, 0); /* a successful exec does not return */
    } else {
        maps_call_returns(sluice_engine.guest, number, result);
    }
}

/* Each read of the time stamp advances it, so that a program that waits for time to pass continues.
 */
#define TICKS_PER_READ 1000

int64_t sluice_ticks(int64_t host_ticks)
{
    static int64_t counted;
    return sluice_engine.repeatable ? qatomic_add_fetch(&counted, TICKS_PER_READ) : host_ticks;
}

void sluice_attach(const char *fd)
{
    maps_register_fork_handlers();
    sluice_engine.guest = guest_find(TARGET_NAME);
    sluice_engine.ring = sluice_engine.guest ? writer_attach(atoi(fd), in_child) : NULL;
    if (!sluice_engine.ring) {
        fprintf(stderr, "this engine can only be started by 'sluice run' of the same version\n");
        exit(125);
    }
    sluice_engine.needs = sluice_engine.ring->needs;
    sluice_engine.data_at = sluice_engine.ring->data_at;
    sluice_engine.by_calls = sluice_engine.ring->name_all;
    sluice_engine.load_sampling = sluice_engine.ring->load_sampling;
    sluice_engine.repeatable = sluice_engine.ring->repeatable;
    sluice_engine.on = true;
}
