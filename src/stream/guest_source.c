/* SPDX-License-Identifier: MIT */
/* Event stream of a running program: starts the program under QEMU, reads its events from shared
 * memory (ring.h), and waits until the program ends. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "emulator.h"
#include "failure.h"
#include "ring_reader.h"

/* Wait for several slots at a time: fewer context switches on both sides. */
#define WAKE_SLOTS 4u
/* But look this often for slots, and whether the guest has ended. */
#define CHECK_MILLISECONDS 10

struct guest_source {
    struct sl_source source;
    struct sl_ring_reader reader;
    int pidfd;   /* of a guest that is not our child; 0: it is our child */
    bool adopts; /* orphaned descendants of the guest become our children */
    enum sl_tap tap;
    bool gone; /* it has ended */
};

/* ---- waiting ---- */

/* True if the guest's process runs another program now: it exists, but has not mapped our ring. */
static bool has_executed(const struct guest_source *g)
{
    char name[32], *line = NULL;
    size_t capacity = 0;
    if (!atomic_load(&g->reader.ring->exec_pending))
        return false;
    snprintf(name, sizeof name, "/proc/%d/maps", g->source.process);
    FILE *maps = fopen(name, "re");
    bool left = maps != NULL;
    while (maps && left && getline(&line, &capacity, maps) > 0) {
        unsigned long inode;
        left = sscanf(line, "%*s %*s %*s %*s %lu", &inode) != 1 || inode != g->reader.inode;
    }
    free(line);
    if (maps)
        fclose(maps);
    return left;
}

static bool has_ended(const struct guest_source *g, int *status)
{
    struct pollfd end = {.fd = g->pidfd, .events = POLLIN};
    *status = 0; /* of a guest that is not our child, or was waited for elsewhere */
    if (g->pidfd)
        return g->pidfd < 0 || poll(&end, 1, 0) > 0 || has_executed(g);
    pid_t ended;
    do
        ended = waitpid(g->adopts ? -1 : g->source.process, status, WNOHANG);
    while (ended > 0 && ended != g->source.process);
    if (ended < 0)
        *status = 0;
    return ended == g->source.process || (ended < 0 && errno == ECHILD);
}

static void check_end(struct guest_source *g)
{
    int status;
    if (g->gone || !has_ended(g, &status))
        return;
    g->gone = true;
    sl_ring_guest_stopped(&g->reader);
    g->source.statics.program.status = status;
}

static void wait_for_slots(struct guest_source *g)
{
    struct sl_ring *ring = g->reader.ring;
    uint32_t seen = atomic_load(&ring->wake_reader);
    atomic_store(&ring->reader_waits_for, WAKE_SLOTS);
    if (atomic_load(&ring->published) - g->reader.consumed < WAKE_SLOTS ||
        !atomic_load(&ring->order[g->reader.consumed % SL_RING_ORDER]))
        sl_futex_wait(&ring->wake_reader, seen, CHECK_MILLISECONDS);
    atomic_store(&ring->reader_waits_for, 0);
}

/* True if the signal was sent by another process, not caused by an error of the program. */
static bool was_killed(int status)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    bool others = WIFSIGNALED(status);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        others = others && WTERMSIG(status) != own[i];
    return others;
}

static int finish(struct guest_source *g, struct sl_failure *f)
{
    struct sl_program *p = &g->source.statics.program;
    struct sl_ring *ring = g->reader.ring;
    uint8_t record[64];
    if (p->ended)
        return 0;
    p->exec = atomic_load(&ring->exec_pending) != 0;
    p->forks = atomic_load(&ring->forks);
    p->threads = atomic_load(&ring->threads);
    p->tap = g->tap;
    p->dropped_blocks = atomic_load(&ring->dropped_blocks);
    p->dropped_mems = atomic_load(&ring->dropped_mems);
    size_t size = sl_statics_end_record(&g->source.statics, record, sizeof record);
    int64_t used = sl_source_records(&g->source, record, size, f);
    if (used < 0)
        return (int)used;
    if (!atomic_load(&ring->attached) && was_killed(p->status))
        return sl_fail(f, SL_EKILLED, "a signal killed the program before its first instruction");
    if (!atomic_load(&ring->attached) && WIFSIGNALED(p->status))
        return sl_fail(f, SL_EKILLED, "QEMU failed before the program's first instruction: %s",
                       strsignal(WTERMSIG(p->status)));
    if (!atomic_load(&ring->attached))
        return sl_fail(f, SL_EUNSUPPORTED,
                       "QEMU failed before sluice's tap was started; see QEMU's own message above");
    return 0;
}

/* Stops the guest's process, so that the rest of the ring can be read; gives up after a second. */
static void freeze(struct guest_source *g)
{
    struct timespec pause = {.tv_nsec = CHECK_MILLISECONDS * 1000000};
    siginfo_t info = {0};
    kill(g->source.process, SIGSTOP);
    for (int i = 0; i < 100 && !g->gone && !info.si_pid; i++) {
        if (waitid(P_PID, (id_t)g->source.process, &info, WSTOPPED | WNOHANG) < 0)
            break;
        if (!info.si_pid) {
            check_end(g);
            nanosleep(&pause, NULL);
        }
    }
    sl_ring_guest_stopped(&g->reader);
}

static int read_chunk(struct guest_source *g, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_source *source = &g->source;
    struct sl_ring_decoder *decoder = &g->reader.decoder;
    struct sl_trace_sorter *sorter = source->sorter;
    if (!sorter || source->statics.program.needs != SL_NEED_VALUES)
        return sl_ring_decode(decoder, &g->reader.words, source->into, chunk, f);
    source->sorter = NULL;
    return sl_ring_sort(decoder, &g->reader.words, sorter, chunk, f);
}

static int guest_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct guest_source *g = (struct guest_source *)source;
    for (;;) {
        if (source->stopped && !g->reader.stopped)
            freeze(g);
        if (sl_ring_more(&g->reader.words))
            return read_chunk(g, chunk, f);
        int more = sl_ring_next(&g->reader, f);
        if (more < 0)
            return more;
        if (more)
            continue;
        if (g->gone)
            return finish(g, f);
        if (g->reader.stopped)
            break;
        wait_for_slots(g);
        check_end(g);
        if (source->while_waiting)
            source->while_waiting(source->while_waiting_context);
    }
    snprintf(source->warning, sizeof source->warning,
             "a second signal ended the profile: the rest of the run is not in it");
    return 0;
}

static bool guest_signal(struct sl_source *source, int number)
{
    struct guest_source *g = (struct guest_source *)source;
    if (!g->gone && g->source.process > 0)
        kill(g->source.process, number);
    return g->source.process > 0;
}

static void guest_let_go(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    struct timespec pause = {.tv_nsec = CHECK_MILLISECONDS * 1000000};
    if (g->source.process <= 0 || g->gone)
        return;
    atomic_store(&g->reader.ring->reader_gone, 1);
    sl_futex_wake_all(&g->reader.ring->consumed);
    if (g->reader.stopped)
        kill(g->source.process, SIGCONT);
    for (check_end(g); !g->gone && !source->stopped; check_end(g))
        nanosleep(&pause, NULL);
}

static void guest_close(struct sl_source *source)
{
    struct guest_source *g = (struct guest_source *)source;
    if (g->pidfd > 0)
        close(g->pidfd);
    sl_ring_close(&g->reader);
}

/* ---- starting ---- */

/* Applies the PROGRAM record, before all others. */
static int describe(struct guest_source *g, const struct sl_guest *guest,
                    struct sl_executable *executable, struct sl_failure *f)
{
    struct sl_statics about = {.program = {.arch = executable->arch,
                                           .needs = guest->needs,
                                           .path = executable->path,
                                           .argv = executable->argv}};
    size_t size = sl_statics_program_record(&about, g->reader.records, SL_RING_RECORD_BYTES);
    if (!size)
        return sl_fail(f, SL_EUSAGE,
                       "the program's arguments are too long: use fewer or shorter arguments");
    int64_t used = sl_source_records(&g->source, g->reader.records, size, f);
    return used < 0 ? (int)used : 0;
}

int sl_source_run(struct sl_source **source, const struct sl_guest *given, struct sl_failure *f)
{
    SL_REQUIRE(f, source);
    struct sl_guest own, *guest = &own;
    *source = NULL;
    int unread = sl_config_read(&own, sizeof own, given, "sl_guest", f);
    if (unread < 0)
        return unread;
    SL_REQUIRE(f, guest->argv && guest->argv[0]);
    static const struct sl_source_ops ops = {
        .next = guest_next,
        .signal = guest_signal,
        .let_go = guest_let_go,
        .close = guest_close,
    };
    struct sl_executable executable;
    int ring_fd = -1;
    int error = sl_executable_find(&executable, guest->path, guest->argv, f);
    struct guest_source *g = error < 0 ? NULL : calloc(1, sizeof *g);
    if (error >= 0 && !g)
        error = sl_out_of_memory(f);
    if (g) {
        g->source.ops = &ops;
        g->adopts = guest->follow && !guest->in_place && !guest->forked_ring;
        error = sl_source_sample_loads(&g->source, &guest->load_sampling, f);
        if (error >= 0)
            error = sl_ring_open(&g->reader, &g->source, guest, &ring_fd, f);
        if (error >= 0)
            error = describe(g, guest, &executable, f);
        *source = error < 0 ? NULL : &g->source;
        g->source.process = guest->forked_pid;
        if (error >= 0 && guest->forked_ring) {
            g->tap = SL_TAP_ENGINE;
            sl_emulator_join(&g->reader.ring->reader_pid);
        } else if (error >= 0) {
            const char *warning = NULL;
            error = sl_emulator_start(&g->source.process, &g->tap, &warning, guest, &executable,
                                      ring_fd, &g->reader.ring->reader_pid, f);
            snprintf(g->source.warning, sizeof g->source.warning, "%s", warning ? warning : "");
        }
        if (error >= 0 && (guest->in_place || guest->forked_ring)) {
            ring_fd = -1; /* this is a new process, without that descriptor */
            g->pidfd = (int)syscall(SYS_pidfd_open, g->source.process, 0);
            sl_ring_set_reader(&g->reader);
        }
        if (error < 0) {
            *source = NULL;
            g->source.process = 0;
            sl_source_close(&g->source);
        }
    }
    if (ring_fd >= 0)
        close(ring_fd);
    sl_executable_free(&executable);
    return error;
}
