/* SPDX-License-Identifier: MIT */
/* Test program that runs a guest program under QEMU, with the tap compiled into QEMU (the engine)
 * or as a plugin, and in different tracing modes. It compares the event streams of several runs, or
 * counts the events of one run.
 *
 *     guest_stream COMMAND [options] -- PROGRAM ARGUMENT...
 *
 *   guest_stream compare     runs it in several modes at once and compares the
 *                            streams: (block), (load, value), in order
 *     -w MODE                compare with: named (the stream that names every load,
 *                            the default), values, addresses, stores, blocks
 *     -x                     both streams in that mode, with every access: its address,
 *                            its size, whether it is a store
 *     -v                     values may vary from run to run: a third run, named
 *                            again, shows where. Elsewhere they must be equal
 *     -c N                   up to N values may differ anyway: the seconds of a clock
 *     -f N                   up to N blocks may be missing in the first stream: blocks
 *                            without loads in the other one (faults, see tap/tap.c)
 *     -g                     a block that continues where the previous one ended without a
 *                            branch is not an event: the length of a block depends on the
 *                            code a tap adds to it. For single-threaded programs
 *     -r LO-HI               only blocks that begin there
 *     -t                     several threads: the events of each one in order,
 *                            whatever its id
 *     -k BLOCKS              kill the first guest after BLOCKS blocks: its events must
 *                            be a prefix of the other stream
 *     -n NxBLOCKS            load sampling, 1 of N windows: the first tap may omit the
 *                            other loads; the other streams are complete and filtered here
 *   guest_stream count       runs it once and counts
 *     -n NxBLOCKS            filters the loads that the tap omits, and no others
 *     -r LO-HI               also the blocks that begin there
 *     -w MODE                values (the default), addresses, stores, blocks
 *     -l                     lossy
 *     -s MICROSECONDS        sleep after each chunk
 *     -k BLOCKS              kill the guest with SIGKILL after BLOCKS blocks
 *     -e BLOCKS              detach from the guest after BLOCKS blocks
 *   guest_stream orphan      counts in a process that kills itself after BLOCKS
 *     -k BLOCKS              blocks, and reports how the guest ends
 *   -1 TAP, -2 TAP           engine or plugin: the first stream, the others (or the only
 *                            one, by -1)
 *   -o FILE                  file for the report (the guest has our stdout)
 *
 * The report has one "name value" per line. compare: exit status 1 if there is a difference; the
 * first ones are printed. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "code.h"
#include "hash.h"
#include "source.h"

#define DIFFERENCES_SHOWN 5

static FILE *report;

static void die(const char *what)
{
    fprintf(stderr, "guest_stream: %s\n", what);
    exit(2);
}

/* ---- one stream, event by event ---- */

enum kind { END, BLOCK, LOAD };

struct event {
    enum kind kind;
    uint32_t thread;
    uint64_t pc, value;
    uint64_t address;
    uint32_t flags; /* of an access */
};

struct stream {
    struct sl_source *source;
    struct sl_chunk chunk;
    uint32_t block, mem; /* the next ones of the chunk */
    bool inside;         /* the current block is in range */
    bool loaded;         /* the current instruction has made a load */
    bool every;          /* each access is an event, not only an instruction's first load */
    bool joined;         /* blocks that only go on are no events */
    struct sl_code code; /* to report */
    uint32_t last;       /* block before, + 1 */
    uint64_t low, high;  /* of blocks that are examined */
    struct event next;
    uint64_t n_blocks, n_loads;
    uint64_t pid; /* of the guest */
};

/* Our newest child; 0 if that cannot be known. */
static uint64_t newest_child(void)
{
    uint64_t newest = 0;
    FILE *children = fopen("/proc/thread-self/children", "r");
    while (children && fscanf(children, "%" SCNu64, &newest) == 1)
        ;
    if (children)
        fclose(children);
    return newest;
}

static void start(struct stream *s, char **argv, const char *tap, const char *way, bool lossy,
                  struct sl_load_sampling sampling)
{
    struct sl_failure failure;
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv,
                             .lossy = lossy,
                             .tap = tap,
                             .needs = SL_NEED_VALUES,
                             .load_sampling = sampling};
    if (!strcmp(way, "named"))
        guest.name_all_loads = true;
    else if (!strcmp(way, "addresses"))
        guest.needs = SL_NEED_VALUES | SL_NEED_ADDRESSES;
    else if (!strcmp(way, "stores"))
        guest.needs = SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES;
    else if (!strcmp(way, "blocks"))
        guest.needs = 0;
    else if (strcmp(way, "values") != 0)
        die("no such way");
    char directory[4096];
    ssize_t n = readlink("/proc/self/exe", directory, sizeof directory - 1);
    directory[n > 0 ? n : 0] = 0;
    for (int up = 0; up < 3 && strrchr(directory, '/'); up++) /* BUILD/tests/support */
        *strrchr(directory, '/') = 0;
    guest.tap_dir = directory;
    *s = (struct stream){.high = UINT64_MAX};
    if (sl_source_run(&s->source, &guest, &failure) < 0)
        die(failure.text);
    s->pid = newest_child();
}

/* Of the accesses of an executed instruction, the first load. */
static bool is_load(struct stream *s, uint32_t mem_insn)
{
    if (!(mem_insn & SL_MEM_MORE))
        s->loaded = false;
    bool first = !(mem_insn & SL_MEM_STORE) && !s->loaded;
    s->loaded |= first;
    return first;
}

static bool goes_on(struct stream *s, uint32_t block)
{
    struct sl_failure failure;
    uint32_t last = s->last;
    s->last = block + 1;
    if (!s->joined || !last)
        return false;
    if (!s->code.statics && sl_code_init(&s->code, &s->source->statics, &failure) < 0)
        die(failure.text);
    if (sl_code_sync(&s->code, &failure) < 0)
        die(failure.text);
    const struct sl_block_end *end = &s->code.end[last - 1];
    return end->branch_insn == SL_NO_INDEX && end->next == s->source->statics.block[block].pc;
}

static bool next_in_chunk(struct stream *s, struct event *event)
{
    const struct sl_chunk *c = &s->chunk;
    const struct sl_statics *statics = &s->source->statics;
    for (;;) {
        if (s->block < c->n_blocks && (!c->block_mem || s->mem >= c->block_mem[s->block])) {
            uint32_t block = c->block[s->block++];
            uint64_t pc = statics->block[block].pc;
            if (goes_on(s, block))
                continue;
            s->inside = s->low <= pc && pc < s->high;
            *event = (struct event){BLOCK, c->thread, pc, 0, 0, 0};
        } else if (s->mem < c->n_mems) {
            uint32_t at = s->mem++;
            if (!s->every && !is_load(s, c->mem_insn[at]))
                continue;
            uint64_t pc = statics->insn[c->mem_insn[at] & SL_MEM_INSN_MASK].pc;
            *event = (struct event){LOAD, c->thread, pc, c->mem_value[at], 0, 0};
            if (s->every && c->mem_addr) {
                event->address = c->mem_addr[at];
                event->flags = c->mem_insn[at] & ~SL_MEM_INSN_MASK;
            }
        } else {
            return false;
        }
        if (s->inside)
            return true;
    }
}

static struct event take(struct stream *s)
{
    struct event event;
    struct sl_failure failure;
    while (!next_in_chunk(s, &event)) {
        int more = sl_source_next(s->source, &s->chunk, &failure);
        if (more < 0)
            die(failure.text);
        if (!more)
            return (struct event){.kind = END};
        s->block = s->mem = 0;
    }
    s->n_blocks += event.kind == BLOCK;
    s->n_loads += event.kind == LOAD;
    return event;
}

static void show(const char *name, const struct event *e)
{
    static const char *const kinds[] = {"end", "block", "load"};
    fprintf(report, "# %s: %s %#" PRIx64, name, kinds[e->kind], e->pc);
    if (e->kind == LOAD)
        fprintf(report, " = %#" PRIx64 " at %#" PRIx64 " flags %#x", e->value, e->address,
                e->flags);
    fputc('\n', report);
}

/* ---- comparing in order ---- */

static bool same_location(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->pc == b->pc && a->thread == b->thread &&
           a->address == b->address && a->flags == b->flags;
}

/* Kills the first stream's guest when it is time. True when it has ended of that. */
static bool killed(struct stream *s, uint64_t kill_after)
{
    if (kill_after && s->n_blocks >= kill_after)
        sl_source_signal(s->source, SIGKILL);
    return kill_after && s->next.kind == END && WIFSIGNALED(sl_source_status(s->source));
}

static void skip_loads(struct stream *s)
{
    while (s->next.kind == LOAD)
        s->next = take(s);
}

/* Each may have its own number, which C libraries keep in their locks. */
static bool same_value(const struct stream *s, const struct event *a, const struct stream *t,
                       const struct event *b)
{
    return a->value == b->value || (a->value == s->pid && b->value == t->pid);
}

/* Returns the number of differences. After one of place nothing can be compared. */
static uint64_t compare_in_order(struct stream *s, size_t n, bool blocks_only, uint64_t kill_after,
                                 uint64_t *missing, uint64_t *varying)
{
    uint64_t differences = 0, may_miss = *missing;
    *missing = *varying = 0;
    for (size_t i = 0; i < n; i++)
        s[i].next = take(&s[i]);
    for (;;) {
        for (size_t i = 0; blocks_only && i < n; i++)
            skip_loads(&s[i]);
        if (killed(&s[0], kill_after)) {
            sl_source_signal(s[1].source, SIGKILL);
            return differences;
        }
        struct event a = s[0].next, b = s[1].next, c = s[n - 1].next;
        for (size_t i = 1; i < n; i++)
            s[i].next = take(&s[i]);
        if (!same_location(&a, &b) && b.kind == BLOCK && s[1].next.kind != LOAD &&
            *missing < may_miss) {
            ++*missing;
            continue;
        }
        if (!same_location(&a, &b) || !same_location(&b, &c)) {
            differences = UINT32_MAX;
            show("one", &a);
            show("other", &b);
            if (n > 2)
                show("third", &c);
            return differences + 1;
        }
        if (a.kind == END)
            return differences;
        bool differs = !same_value(&s[0], &a, &s[1], &b), varies = b.value != c.value;
        if (differs && !varies && ++differences <= DIFFERENCES_SHOWN)
            show("one", &a), show("other", &b);
        *varying += differs && varies;
        s[0].next = take(&s[0]);
    }
}

/* ---- comparing threads ---- */

struct thread {
    uint64_t hash, n_events;
};

static int by_hash(const void *one, const void *other)
{
    const struct thread *a = one, *b = other;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* One for each thread that has events, sorted. */
static struct thread *threads_of(struct stream *s, size_t *n)
{
    struct thread *threads = calloc(1u << 16, sizeof *threads);
    struct event e;
    while ((e = take(s)).kind != END) {
        struct thread *t = &threads[e.thread & 0xffff];
        t->hash = sl_mix_pair(sl_mix_pair(t->hash + e.kind, e.pc), e.value);
        t->hash = e.flags ? sl_mix_pair(t->hash + e.flags, e.address) : t->hash;
        t->n_events++;
    }
    *n = 0;
    for (size_t i = 0; i < 1u << 16; i++)
        if (threads[i].n_events)
            threads[(*n)++] = threads[i];
    qsort(threads, *n, sizeof *threads, by_hash);
    return threads;
}

static uint64_t compare_threads(struct stream *s)
{
    size_t n_one, n_other;
    struct thread *one = threads_of(&s[0], &n_one), *other = threads_of(&s[1], &n_other);
    uint64_t differences = n_one != n_other;
    for (size_t i = 0; i < n_one && i < n_other; i++)
        differences += one[i].hash != other[i].hash;
    fprintf(report, "threads_seen %zu\n", n_one);
    free(one);
    free(other);
    return differences;
}

/* ---- the two commands ---- */

struct options {
    const char *way, *range, *tap[2];
    bool every, vary, threads, lossy, suicide, joined;
    struct sl_load_sampling sampling;
    uint64_t missing, clocks, kill_after, end_after;
    unsigned sleep_us;
};

static void print_stream(struct stream *s)
{
    const struct sl_program *p = &s->source->statics.program;
    fprintf(report, "blocks %" PRIu64 "\nloads %" PRIu64 "\n", s->n_blocks, s->n_loads);
    fprintf(report, "status %#x\nended %d\nexec %d\nforks %u\nthreads %u\n", (unsigned)p->status,
            p->ended, p->exec, p->forks, p->threads);
    fprintf(report, "dropped_blocks %" PRIu64 "\ndropped_loads %" PRIu64 "\n", p->dropped_blocks,
            p->dropped_mems);
    if (s->source->warning[0])
        fprintf(report, "warning %s\n", s->source->warning);
}

static void set_range(struct stream *s, const char *range)
{
    if (range && sscanf(range, "%" SCNx64 "-%" SCNx64, &s->low, &s->high) != 2)
        die("a range is LO-HI, in hexadecimal");
}

static int compare(char **argv, const struct options *o)
{
    struct stream s[3];
    struct sl_failure failure;
    const struct sl_load_sampling everywhere = {0};
    const char *way = o->way ? o->way : "named";
    size_t n = o->vary ? 3 : 2;
    uint64_t missing = o->missing, varying = 0;
    /* In between, so that a clock that differs from the second's differs from the third's. */
    start(&s[1], argv, o->tap[1], way, false, everywhere);
    start(&s[0], argv, o->tap[0], o->every ? way : "values", false, o->sampling);
    if (o->vary)
        start(&s[2], argv, o->tap[1], way, false, everywhere);
    for (size_t i = 0; i < n; i++) {
        if (sl_source_sample_loads(s[i].source, &o->sampling, &failure) < 0)
            die(failure.text);
        set_range(&s[i], o->range);
        s[i].every = o->every;
        s[i].joined = o->joined;
    }
    uint64_t differences = o->threads ? compare_threads(s)
                                      : compare_in_order(s, n, !strcmp(way, "blocks"),
                                                         o->kill_after, &missing, &varying);
    print_stream(&s[0]);
    fprintf(report, "differences %" PRIu64 "\nmissing %" PRIu64 "\nvarying %" PRIu64 "\n",
            differences, missing, varying);
    bool warned = s[0].source->warning[0];
    for (size_t i = 0; i < n; i++) {
        if (s[i].code.statics)
            sl_code_free(&s[i].code);
        sl_source_close(s[i].source);
    }
    return differences > o->clocks || warned;
}

static int count(char **argv, const struct options *o)
{
    struct stream s;
    struct sl_failure failure;
    uint64_t gaps = 0, starts = 0, empty = 0, inside = 0;
    int more;
    start(&s, argv, o->tap[0], o->way ? o->way : "values", o->lossy, o->sampling);
    if (sl_source_sample_loads(s.source, &(struct sl_load_sampling){0}, &failure) < 0)
        die(failure.text);
    set_range(&s, o->range);
    while ((more = sl_source_next(s.source, &s.chunk, &failure)) > 0) {
        const struct sl_chunk *c = &s.chunk;
        s.n_blocks += c->n_blocks;
        for (uint32_t i = 0; i < c->n_blocks; i++) {
            uint64_t pc = s.source->statics.block[c->block[i]].pc;
            inside += s.low <= pc && pc < s.high;
        }
        for (uint32_t i = 0; i < c->n_mems; i++)
            s.n_loads += is_load(&s, c->mem_insn[i]);
        gaps += c->flags & SL_CHUNK_GAP ? 1 : 0;
        starts += c->flags & SL_CHUNK_START ? 1 : 0;
        empty += !c->n_blocks && !c->n_mems;
        if (o->sleep_us)
            usleep(o->sleep_us);
        if (o->kill_after && s.n_blocks >= o->kill_after && o->suicide)
            kill(getpid(), SIGKILL);
        else if (o->kill_after && s.n_blocks >= o->kill_after)
            sl_source_signal(s.source, SIGKILL);
        if (o->end_after && s.n_blocks >= o->end_after)
            break;
    }
    if (more < 0)
        fprintf(report, "error %s\n", failure.text);
    print_stream(&s);
    fprintf(report, "gaps %" PRIu64 "\nstarts %" PRIu64 "\nempty %" PRIu64 "\ninside %" PRIu64 "\n",
            gaps, starts, empty, inside);
    fflush(report);
    sl_source_close(s.source);
    return more < 0;
}

/* A process that loses its parent becomes a child of this one. */
static int orphan(char **argv, struct options *o)
{
    int status;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    o->suicide = true;
    pid_t reader = fork(), pid;
    if (reader == 0)
        exit(count(argv, o));
    while ((pid = wait(&status)) > 0)
        fprintf(report, "%s_status %#x\n", pid == reader ? "reader" : "orphan", (unsigned)status);
    return 0;
}

/* clang-format off */
int main(int argc, char **argv)
{
    struct options o = {0};
    int option;
    report = stderr;
    if (argc < 2)
        die("usage: see the head of tests/support/guest_stream.c");
    const char *command = argv[1];
    optind = 2;
    while ((option = getopt(argc, argv, "+1:2:w:r:f:c:n:vtxgls:k:e:o:")) != -1)
        switch (option) {
        case '1': o.tap[0] = optarg; break;
        case '2': o.tap[1] = optarg; break;
        case 'w': o.way = optarg; break;
        case 'x': o.every = true; break;
        case 'g': o.joined = true; break;
        case 'r': o.range = optarg; break;
        case 'f': o.missing = strtoull(optarg, NULL, 0); break;
        case 'c': o.clocks = strtoull(optarg, NULL, 0); break;
        case 'n':
            if (sscanf(optarg, "%" SCNu32 "x%" SCNu32, &o.sampling.of, &o.sampling.blocks) != 2)
                die("--sample-loads is NxBLOCKS");
            break;
        case 'v': o.vary = true; break;
        case 't': o.threads = true; break;
        case 'l': o.lossy = true; break;
        case 's': o.sleep_us = (unsigned)atoi(optarg); break;
        case 'k': o.kill_after = strtoull(optarg, NULL, 0); break;
        case 'e': o.end_after = strtoull(optarg, NULL, 0); break;
        case 'o': report = fopen(optarg, "we"); break;
        default: die("no such option");
        }
    if (!report || optind >= argc)
        die("no report, or no program");
    if (!strcmp(command, "orphan"))
        return orphan(argv + optind, &o);
    return !strcmp(command, "compare") ? compare(argv + optind, &o) : count(argv + optind, &o);
}
/* clang-format on */
