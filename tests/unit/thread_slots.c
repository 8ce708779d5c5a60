/* SPDX-License-Identifier: MIT */
/* Unit tests of the map from thread ids of any size to small indices (slots): each thread gets a
 * slot, the slots of ended threads are reused, and results do not depend on the ids. */
#include "source.h"

#include <malloc.h>
#include <sys/resource.h>

#include "../support/recorded_trace.h"
#include "../support/tiny_program.h"
#include "session.h"
#include "tap.h"

/* ---- places by themselves ---- */

static struct sl_thread_slots places;

static uint32_t take(uint32_t number, bool *new)
{
    struct sl_chunk chunk = {.thread = number};
    sl_thread_slots_assign(&places, &chunk);
    *new = chunk.flags &SL_CHUNK_START;
    return chunk.thread;
}

static void by_themselves(void)
{
    bool new, right = true;
    memset(&places, 0, sizeof places);
    for (uint32_t i = 0; i < SL_THREAD_SLOTS; i++)
        right &= take(i, &new) == i && new;
    for (uint32_t i = SL_THREAD_SLOTS; i-- > 0;)
        right &= take(i, &new) == i && !new;
    ok(right, "threads that are counted up have their numbers as places, and keep them");
    uint32_t other = take(UINT32_MAX, &new);
    ok(new &&other == SL_THREAD_SLOTS - 1,
       "when all places are taken, the one that has been silent for longest gives way");
    ok(take(UINT32_MAX, &new) == other && !new &&take(0, &new) == 0 && !new,
       "the new one keeps that place, and others theirs");
    take(SL_THREAD_SLOTS - 1, &new);
    ok(new, "a thread that has lost its slot starts again");
}

/* A thread that goes on stays, whatever number of others come and go. */
static void busy_one(void)
{
    bool new, right = true;
    memset(&places, 0, sizeof places);
    take(0, &new);
    for (uint32_t i = 1; i < 10 * SL_THREAD_SLOTS; i++) {
        right &= take(i * 77777u, &new) < SL_THREAD_SLOTS && new;
        if (i % 1000 == 0)
            right &= take(0, &new) == 0 && !new;
    }
    ok(right, "a thread that goes on keeps its place while many others come and go");
}

/* Threads that end leave their slots, so that no thread is evicted. */
static void endings(void)
{
    bool new, right = true;
    memset(&places, 0, sizeof places);
    for (uint32_t i = 0; i < SL_THREAD_SLOTS - 1; i++)
        take(i, &new);
    for (uint32_t i = SL_THREAD_SLOTS; i < 10 * SL_THREAD_SLOTS; i++) {
        struct sl_chunk chunk = {.thread = i};
        sl_thread_slots_assign(&places, &chunk);
        right &= chunk.thread == SL_THREAD_SLOTS - 1 && chunk.flags & SL_CHUNK_START;
        sl_thread_slots_release(&places, &chunk);
    }
    ok(right && !places.moved, "threads that end leave their place to the next");
    for (uint32_t i = 0; i < SL_THREAD_SLOTS - 1; i++)
        right &= take(i, &new) == i && !new;
    ok(right, "and all others have kept theirs");
}

/* ---- sessions ---- */

static const char *const specs[] = {"edge", "function", "path", "loop", "context"};
enum { SPECS = sizeof specs / sizeof *specs, ROUNDS = 20 };

static struct memory_file write_rounds(uint32_t threads, uint32_t rounds,
                                       uint32_t (*number)(uint32_t thread), bool ends)
{
    struct memory_file file = memory_file();
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    struct sl_trace_writer *w;
    struct sl_chunk chunk;
    uint32_t loop = tiny_words(t, 0x1000, 1, (uint32_t[]){0x00051063}); /* bnez a0, . */
    uint32_t call = tiny_words(t, 0x1004, 1, (uint32_t[]){0x0fc000ef}); /* jal 0x1100 */
    uint32_t callee = tiny_words(t, 0x1100, 1, (uint32_t[]){0x00008067});
    uint32_t end = tiny_words(t, 0x1008, 1, (uint32_t[]){0x00000067});
    bool done = sl_trace_create(&w, file.path, t->made->needs, NULL, NULL) >= 0 &&
                sl_trace_records(w, t->made->records, t->made->n_records, NULL) >= 0;
    for (uint32_t i = 0; i < threads * rounds && done; i++) {
        t->thread = number(i % threads);
        t->flags = (i < threads ? SL_CHUNK_START : 0) |
                   (ends && i >= threads * (rounds - 1) ? SL_CHUNK_END : 0);
        for (uint32_t k = 0; k < 5; k++)
            tiny_enter(t, loop);
        tiny_enter(t, call);
        tiny_enter(t, callee);
        tiny_enter(t, end);
        tiny_cut(t, &chunk);
        done = sl_trace_chunk(w, &chunk, NULL) >= 0;
    }
    if (!done || sl_trace_finish(w, NULL) < 0)
        abort();
    tiny_free(t);
    return file;
}

static struct sl_session *run(const struct memory_file *file, struct sl_source **source)
{
    struct sl_session_config config = {.size = sizeof config, .spec = specs, .n_specs = SPECS};
    struct sl_session *s;
    struct sl_failure f;
    if (sl_session_open(&s, &config, &f) < 0 || sl_source_open(source, file->path, &f) < 0 ||
        sl_session_run(s, *source, NULL, NULL, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    return s;
}

static long megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static bool same_profiles(const struct sl_session *a, const struct sl_session *b)
{
    bool same = true;
    for (size_t i = 0; i < SPECS; i++) {
        struct sl_profile_list x = {0}, y = {0};
        same &= sl_profile_list(&a->profile[i], &x) && sl_profile_list(&b->profile[i], &y) && x.n &&
                x.n == y.n && !memcmp(x.entry, y.entry, x.n * sizeof *x.entry);
        sl_profile_list_free(&x);
        sl_profile_list_free(&y);
    }
    return same;
}

static uint32_t counted_up(uint32_t thread)
{
    return thread;
}

static uint32_t wild(uint32_t thread)
{
    return thread ? UINT32_MAX >> (thread - 1) : 1u << 27;
}

static void wild_numbers(void)
{
    struct memory_file plain = write_rounds(5, ROUNDS, counted_up, false);
    struct memory_file odd = write_rounds(5, ROUNDS, wild, false);
    struct sl_source *source[2];
    struct sl_session *a = run(&plain, &source[0]);
    long before = megabytes();
    struct sl_session *b = run(&odd, &source[1]);
    long after = megabytes();
    ok(after - before < 100, "threads of any number take no more memory (%ld MB)", after - before);
    ok(same_profiles(a, b), "and what is found is the same");
    sl_session_close(a);
    sl_session_close(b);
    sl_source_close(source[0]);
    sl_source_close(source[1]);
}

static size_t allocated(void)
{
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

/* What a session keeps when this many threads have come and gone, one after the other. They do the
 * same together, however many they are: a longer stream has larger frames. */
static size_t kept_of(uint32_t threads, bool ends, struct sl_session **s, struct sl_source **source)
{
    struct memory_file file = write_rounds(threads, 4000 / threads, counted_up, ends);
    size_t before = allocated();
    *s = run(&file, source);
    return allocated() - before;
}

static void end_of_threads(void)
{
    struct sl_session *silent, *reported, *few;
    struct sl_source *source[3];
    size_t one = kept_of(1, true, &few, &source[0]);
    size_t without = kept_of(4000, false, &silent, &source[1]);
    size_t with = kept_of(4000, true, &reported, &source[2]);
    printf("# one thread: %zu KB; 4,000 of unknown ends: %zu KB; 4,000 that end: %zu KB\n",
           one / 1024, without / 1024, with / 1024);
    if (without) /* sanitizers have an allocator that cannot be asked */
        ok(with < one + (without - one) / 10, "nothing is kept of a thread that has ended");
    ok(same_profiles(silent, reported), "and what is found is the same");
    struct sl_session *all[] = {few, silent, reported};
    for (unsigned i = 0; i < 3; i++) {
        sl_session_close(all[i]);
        sl_source_close(source[i]);
    }
}

int main(void)
{
    by_themselves();
    busy_one();
    endings();
    wild_numbers();
    end_of_threads();
    return done_testing();
}
