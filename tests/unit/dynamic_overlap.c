/* SPDX-License-Identifier: MIT */
/* Unit tests of dynamic overlap, the overlap of a table with the exact profile in each window of
 * the run. The result of a session is compared with a simple computation that counts each window in
 * a separate table. */
#include <math.h>

#include "../support/recorded_trace.h"
#include "../support/placed_table.h"
#include "session.h"
#include "tap.h"

#define N_CHUNKS 24

static const char *const specs[] = {"value@hpt(64x4)", "value@hpt(16x2,replacement=age)",
                                    "value@H[P16]64+A4", "value@multihash(interval=1K)", "value"};
#define N_SPECS (sizeof specs / sizeof *specs)
#define N_WINDOWED 3 /* the first ones */

/* ---- plainly ---- */

struct window {
    struct sl_event *event;
    size_t n, capacity;
};

struct plain {
    struct window *window; /* the last is the one that the end cut short */
    size_t n;
};

static void add_events(struct window *w, const struct sl_chunk *c, uint32_t low, uint32_t high,
                       const struct sl_statics *statics)
{
    for (uint32_t i = low; i < high; i++) {
        if (w->n == w->capacity)
            w->event = realloc(w->event, (w->capacity = 2 * w->capacity + 1000) * sizeof *w->event);
        uint32_t insn = c->mem_insn[i];
        w->event[w->n++] = (struct sl_event){
            insn, {statics->insn[insn].pc, c->mem_value[i]}, 1, NULL, 0, 0};
    }
}

static struct plain cut(const struct kept *k, const struct sl_statics *statics, uint64_t length)
{
    struct plain p = {calloc(1, sizeof *p.window), 1};
    uint64_t instructions = 0;
    for (size_t i = 0; i < k->n; i++) {
        const struct sl_chunk *c = &k->chunk[i];
        add_events(&p.window[p.n - 1], c, 0, c->n_blocks ? c->block_mem[0] : c->n_mems, statics);
        for (uint32_t b = 0; b < c->n_blocks; b++) {
            uint32_t high = b + 1 < c->n_blocks ? c->block_mem[b + 1] : c->n_mems;
            instructions += statics->block[c->block[b]].n_insns;
            add_events(&p.window[p.n - 1], c, c->block_mem[b], high, statics);
            if (instructions < length)
                continue;
            instructions = 0;
            p.window = realloc(p.window, ++p.n * sizeof *p.window);
            p.window[p.n - 1] = (struct window){NULL, 0, 0};
        }
    }
    return p;
}

static int tuple_order(const void *left, const void *right)
{
    const struct sl_event *a = left, *b = right;
    return sl_tuple_order(a->tuple, b->tuple);
}

static double overlap_of(const struct window *w, const char *table)
{
    struct sl_table_host host = {.memory_bytes = 1 << 20};
    struct placed p = place(table, &host);
    step_all(&p, w->event, w->n);
    struct entries all = drained(p.table, NULL);
    struct sl_event *sorted = copy(w->event, w->n * sizeof *sorted);
    double held = (double)counted(&all), sum = 0;
    qsort(sorted, w->n, sizeof *sorted, tuple_order);
    for (size_t i = 0, next; i < w->n; i = next) {
        uint64_t in_table = 0;
        for (next = i; next < w->n && !tuple_order(&sorted[i], &sorted[next]);)
            next++;
        for (size_t e = 0; e < all.n; e++)
            if (!sl_tuple_order(all.entry[e].tuple, sorted[i].tuple))
                in_table += all.entry[e].count;
        sum += held > 0 ? fmin((double)(next - i) / (double)w->n, (double)in_table / held) : 0;
    }
    free(sorted);
    free(all.entry);
    unplace(&p);
    return sum;
}

/* The mean over whole windows with something in them, or what the end cut short. */
static double mean_of(const struct plain *p, const char *table, size_t *n)
{
    double sum = 0;
    *n = 0;
    for (size_t i = 0; i + 1 < p->n; i++)
        if (p->window[i].n) {
            sum += overlap_of(&p->window[i], table);
            ++*n;
        }
    return *n ? sum / (double)*n : overlap_of(&p->window[p->n - 1], table);
}

/* ---- a session ---- */

static struct sl_session *run(const char *path, uint64_t length, struct sl_source **source)
{
    struct sl_session *s;
    struct sl_failure f;
    struct sl_session_config config = {
        .size = sizeof config, .spec = specs, .n_specs = N_SPECS, .exact = true, .window = length};
    if (sl_session_open(&s, &config, &f) < 0 || sl_source_open(source, path, &f) < 0 ||
        sl_session_run(s, *source, NULL, NULL, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    return s;
}

static double error_of(const struct sl_session *s, size_t which, const char *name)
{
    return sl_evaluated_table_error(&s->profile[which].table, name);
}

static void compare(const char *path, const struct kept *k, uint64_t length)
{
    struct sl_source *source;
    struct sl_session *s = run(path, length, &source);
    struct plain p = cut(k, &source->statics, length);
    for (size_t i = 0; i < N_WINDOWED; i++) {
        size_t n;
        double wanted = mean_of(&p, strchr(specs[i], '@') + 1, &n);
        double got = error_of(s, i, "overlap_dynamic");
        if (!ok(fabs(got - wanted) < 1e-9 && error_of(s, i, "windows") == (double)n,
                "%s, windows of %u instructions: the mean over %zu of them", specs[i],
                (unsigned)length, n))
            printf("# got %.12f, wanted %.12f\n", got, wanted);
        if (!n)
            ok(got == error_of(s, i, "overlap") &&
                   error_of(s, i, "coverage_dynamic") == error_of(s, i, "coverage"),
               "a run of less than one window: the complete overlap");
    }
    for (size_t i = N_WINDOWED; i < N_SPECS; i++)
        ok(isnan(error_of(s, i, "overlap_dynamic")) && !isnan(error_of(s, i, "overlap")),
           "%s is not evaluated by windows", specs[i]);
    for (size_t i = 0; i < p.n; i++)
        free(p.window[i].event);
    free(p.window);
    sl_session_close(s);
    sl_source_close(source);
}

/* The other measures do not depend on windows. */
static void test_other_measures(const char *path)
{
    static const char *const names[] = {"overlap", "coverage", "invariance", "interval"};
    struct sl_source *source[2];
    struct sl_session *s[2] = {run(path, 1000, &source[0]), run(path, 0, &source[1])};
    bool same = true;
    for (size_t i = 0; i < N_SPECS; i++)
        for (size_t e = 0; e < sizeof names / sizeof *names; e++) {
            double a = error_of(s[0], i, names[e]);
            double b = error_of(s[1], i, names[e]);
            same &= a == b || (isnan(a) && isnan(b));
        }
    ok(same, "all other errors are the same with windows of any length");
    for (int i = 0; i < 2; i++) {
        sl_session_close(s[i]);
        sl_source_close(source[i]);
    }
}

static struct memory_file make_trace(struct kept *k)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(1, SL_NEED_VALUES);
    struct sl_failure f;
    if (write_trace(file.path, m, "wwlrwe", N_CHUNKS, k, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    made_free(m);
    return file;
}

int main(void)
{
    struct kept k = {0};
    struct memory_file file = make_trace(&k);
    compare(file.path, &k, 700);
    compare(file.path, &k, 5000);
    compare(file.path, &k, 20011);
    compare(file.path, &k, k.instructions - 1);
    compare(file.path, &k, k.instructions + 1);
    test_other_measures(file.path);
    forget(&k);
    return done_testing();
}
