/* SPDX-License-Identifier: MIT */
/* Unit tests of the costs of functions while a session runs (`sluice top`). After every chunk they
 * equal the plain definition: the exact profile of contexts of a session that ends there, in which
 * the callers of each context are searched one by one. So the differences of two calls are exact,
 * and their sum over all functions is the number of instructions between the calls. */
#include "../support/walk_stream.h"
#include "context_name.h"
#include "session.h"
#include "tap.h"

#define FUNCTIONS_MAX 500u

static struct sl_failure f;

static void must(int result)
{
    if (result >= 0)
        return;
    printf("# gives up: %s\n", f.text);
    exit(1);
}

/* ---- what the session reports ---- */

struct costs {
    struct sl_live_function function[FUNCTIONS_MAX];
    size_t n;
    uint64_t weight, instructions;
    bool has_callers;
};

static struct observer {
    struct sl_session *session;
    struct costs at[WALK_CHUNKS]; /* after each chunk */
    unsigned n, every;            /* `every`: number of chunks between two calls */
    unsigned calls;
} observer;

static void read_costs(struct sl_session *session, struct costs *c)
{
    struct sl_live_functions now;
    must(sl_session_functions(session, &now, &f));
    if (now.n > FUNCTIONS_MAX)
        abort();
    c->n = now.n;
    if (now.n)
        memcpy(c->function, now.function, now.n * sizeof *now.function);
    c->weight = now.weight;
    c->has_callers = now.has_callers;
    c->instructions = sl_session_instructions(session);
}

static void on_poll(void *context)
{
    struct observer *o = context;
    o->calls++;
    if (o->calls % o->every == 0)
        read_costs(o->session, &o->at[o->n++]);
}

static struct sl_session *run(struct stream *s, const char *const *spec, size_t n, bool exact,
                              unsigned threads, bool observed)
{
    struct sl_session_config config = {
        .size = sizeof config, .spec = spec, .n_specs = n, .exact = exact, .threads = threads};
    struct sl_session_callbacks callbacks = {
        .poll = on_poll, .context = &observer, .functions = true};
    struct sl_session *session;
    must(sl_session_open(&session, &config, &f));
    observer.session = session;
    if (observed)
        must(sl_session_set_callbacks(session, &callbacks, &f));
    must(sl_session_run(session, &s->source, NULL, NULL, &f));
    return session;
}

/* ---- the plain definition ---- */

static struct sl_live_function *function_at(struct costs *c, uint64_t address)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->function[i].address == address)
            return &c->function[i];
    if (c->n == FUNCTIONS_MAX)
        abort();
    c->function[c->n] = (struct sl_live_function){.address = address};
    return &c->function[c->n++];
}

static const struct sl_counted *entry_named(const struct sl_profile_list *list, uint64_t name)
{
    for (size_t i = 0; i < list->n; i++)
        if (sl_context_name(list->entry[i].tuple.value, list->entry[i].tuple.pc) == name)
            return &list->entry[i];
    return NULL;
}

/* Charges an entry to its function and once to each function above it. */
static void charge(struct costs *c, const struct sl_profile_list *list,
                   const struct sl_counted *entry)
{
    uint64_t above[FUNCTIONS_MAX], name;
    size_t n = 0;
    function_at(c, entry->tuple.pc)->self += entry->count;
    for (const struct sl_counted *at = entry; at; at = name ? entry_named(list, name) : NULL) {
        bool there = false;
        for (size_t i = 0; i < n; i++)
            there |= above[i] == at->tuple.pc;
        if (!there) {
            above[n++] = at->tuple.pc;
            function_at(c, at->tuple.pc)->total += entry->count;
        }
        name = at->tuple.value;
    }
}

/* The costs after the first `chunks` chunks. */
static void define_costs(uint64_t seed, unsigned chunks, const char *spec, struct costs *c)
{
    struct stream *s = stream_new(seed);
    struct sl_profile_list list = {0};
    s->chunks_max = chunks;
    struct sl_session *session = run(s, &spec, 1, true, 1, false);
    if (!sl_profile_list(&session->profile[0], &list))
        abort();
    *c = (struct costs){.instructions = sl_session_instructions(session)};
    for (size_t i = 0; i < list.n; i++)
        charge(c, &list, &list.entry[i]);
    sl_profile_list_free(&list);
    sl_session_close(session);
    stream_free(s);
}

static uint64_t some_total; /* that is not the function's own cost */

static bool equal(struct costs *fast, struct costs *plain, bool totals)
{
    bool same = fast->instructions == plain->instructions && fast->weight == fast->instructions;
    for (size_t i = 0; i < plain->n; i++) {
        const struct sl_live_function *a = function_at(fast, plain->function[i].address);
        same = same && a->self == plain->function[i].self &&
               (!totals || a->total == plain->function[i].total);
        some_total += a->total - a->self;
    }
    uint64_t self = 0;
    for (size_t i = 0; i < fast->n; i++)
        self += fast->function[i].self;
    return same && self == fast->weight;
}

/* ---- tests ---- */

struct variant {
    const char *what, *spec[3];
    size_t n;
    bool exact;
    unsigned threads, every;
    const char *plain;
};

static bool test(const struct variant *v, uint64_t seed)
{
    static struct costs plain;
    struct stream *s = stream_new(seed);
    bool same = true;
    observer = (struct observer){.every = v->every};
    struct sl_session *session = run(s, v->spec, v->n, v->exact, v->threads, true);
    for (unsigned i = 0; i < observer.n; i += 7) {
        define_costs(seed, (i + 1) * v->every, v->plain, &plain);
        bool totals = !strncmp(v->plain, "context", 7);
        same = equal(&observer.at[i], &plain, totals) && same &&
               observer.at[i].has_callers == totals;
    }
    read_costs(session, &observer.at[0]);
    define_costs(seed, WALK_CHUNKS, v->plain, &plain);
    same = equal(&observer.at[0], &plain, false) && same;
    sl_session_close(session);
    stream_free(s);
    return same && observer.n == WALK_CHUNKS / v->every;
}

static void test_refusal(void)
{
    static const char *const edge[] = {"edge@multihash", "function(inclusive=1)"};
    struct sl_session_callbacks callbacks = {.functions = true};
    struct sl_session_config config = {.size = sizeof config, .spec = edge, .n_specs = 2};
    struct sl_live_functions now;
    struct sl_session *session;
    must(sl_session_open(&session, &config, &f));
    must(sl_session_set_callbacks(session, &callbacks, &f));
    ok(sl_session_functions(session, &now, &f) == SL_EUSAGE,
       "branches and inclusive costs have no functions that add up: %s", f.text);
    ok(!strcmp(sl_session_live_profile(session, 0), "edges") &&
           !strcmp(sl_session_live_profile(session, 1), "") && !sl_session_live_profile(session, 2),
       "profiles with intervals have a name");
    sl_session_close(session);
}

int main(void)
{
    static const struct variant variants[] = {
        {"totals of contexts", {"context"}, 1, false, 1, 1, "context"},
        {"a full pass every 5 chunks", {"context"}, 1, false, 1, 5, "context"},
        {"several threads", {"edge@multihash", "function", "context"}, 3, false, 3, 1, "context"},
        {"events by function exits", {"context@spacesaving"}, 1, false, 1, 1, "context"},
        {"events by block", {"context"}, 1, true, 1, 1, "context"},
        {"functions alone", {"function", "edge"}, 2, false, 1, 1, "function"},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        bool same = true;
        for (uint64_t seed = 1; seed <= 4; seed++)
            same = test(&variants[i], seed) && same;
        ok(same, "the costs of functions are exact after each chunk: %s", variants[i].what);
    }
    ok(some_total > 1000, "some functions have callees");
    test_refusal();
    return done_testing();
}
