/* SPDX-License-Identifier: MIT */
/* Unit tests of the live view of a session (`sluice top`). After each interval, it reports the
 * tuples that have become hot and those that are no longer hot since the previous interval. The
 * tests check both lists, and that the live view does not change the results. */
#include <string.h>
#include <unistd.h>

#include "sluice.h"
#include "tap.h"

#define PROFILES 3u
#define ENTRIES_MAX 5000u

static const char *const specs[PROFILES] = {"value@multihash(interval=2K)", "block",
                                            "value+edge@multihash(interval=3K,threshold=2%)"};
static struct sl_failure f;

/* Of a profile, its previous interval and what was found wrong so far. */
static struct seen {
    struct sl_tuple tuple[ENTRIES_MAX];
    size_t member[ENTRIES_MAX], n;
    unsigned intervals, wrong_sets, wrong_order, wrong_names, n_new, n_gone;
    uint64_t events;
} seen[PROFILES];
static unsigned others;

static bool was_there(const struct seen *s, const struct sl_live_candidate *c)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->member[i] == c->member && s->tuple[i].pc == c->entry.tuple.pc &&
            s->tuple[i].value == c->entry.tuple.value)
            return true;
    return false;
}

static bool is_candidate(const struct sl_live_interval *now, size_t member, struct sl_tuple tuple)
{
    for (size_t i = 0; i < now->n_candidates; i++)
        if (now->candidate[i].member == member && now->candidate[i].entry.tuple.pc == tuple.pc &&
            now->candidate[i].entry.tuple.value == tuple.value)
            return true;
    return false;
}

static bool is_sorted(const struct sl_live_candidate *c, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (c[i - 1].entry.count < c[i].entry.count)
            return false;
    return true;
}

static void check_sets(struct seen *s, const struct sl_live_interval *now)
{
    size_t n_new = 0, n_gone = 0;
    bool right = true;
    for (size_t i = 0; i < now->n_candidates; i++) {
        bool is_new = !was_there(s, &now->candidate[i]);
        right &= now->candidate[i].is_new == is_new;
        n_new += is_new;
    }
    for (size_t i = 0; i < s->n; i++)
        n_gone += !is_candidate(now, s->member[i], s->tuple[i]);
    for (size_t i = 0; i < now->n_gone; i++)
        right &= was_there(s, &now->gone[i]) &&
                 !is_candidate(now, now->gone[i].member, now->gone[i].entry.tuple);
    s->wrong_sets += !right || n_new != now->n_new || n_gone != now->n_gone ||
                     now->n_candidates != now->interval->n_entries;
    s->n_new += (unsigned)n_new;
    s->n_gone += (unsigned)n_gone;
}

static void on_interval(void *context, const struct sl_live_interval *now)
{
    char what[200], where[200], *json = sl_live_json(now);
    if (context != seen || now->profile >= PROFILES || now->n_candidates > ENTRIES_MAX) {
        others++;
        free(json);
        return;
    }
    struct seen *s = &seen[now->profile];
    s->intervals++;
    check_sets(s, now);
    s->wrong_order += !is_sorted(now->candidate, now->n_candidates) ||
                      !is_sorted(now->gone, now->n_gone);
    s->wrong_names += !json || json[0] != '{' || strcmp(now->given, specs[now->profile]) != 0 ||
                      now->shared != (now->profile == 2) ||
                      now->result != now->profile; /* each profile before has one detector */
    for (size_t i = 0; i < now->n_candidates; i++) {
        const struct sl_live_candidate *c = &now->candidate[i];
        sl_live_text(c, what, sizeof what, where, sizeof where);
        s->wrong_names += !what[0] || strcmp(c->detector, c->member ? "edge" : "value") != 0;
        s->tuple[i] = c->entry.tuple;
        s->member[i] = c->member;
    }
    s->n = now->n_candidates;
    free(json);
}

static void on_poll(void *context)
{
    (void)context;
}

static void must(int result)
{
    if (result >= 0)
        return;
    printf("Bail out! %s\n", f.text);
    exit(1);
}

/* The database of a run. */
static char *run(bool with_callbacks, unsigned threads, size_t *size)
{
    char path[] = "/tmp/sluice-live-XXXXXX";
    struct sl_session_callbacks callbacks = {
        .interval = on_interval, .poll = on_poll, .context = seen};
    struct sl_session_config config = {
        .size = sizeof config, .spec = specs, .n_specs = PROFILES, .threads = threads};
    struct sl_session *session;
    struct sl_source *source;
    int fd = mkstemp(path);
    must(sl_session_open(&session, &config, &f));
    if (with_callbacks)
        must(sl_session_set_callbacks(session, &callbacks, &f));
    must(sl_source_open(&source, "synth:zipf(events=100K,tuples=300)", &f));
    must(sl_session_run(session, source, NULL, NULL, &f));
    must(sl_session_save(session, path, &f));
    sl_session_close(session);
    sl_source_close(source);
    close(fd);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*size + 1);
    if (fread(data, 1, *size, file) != *size)
        abort();
    fclose(file);
    unlink(path);
    return data;
}

static void test_refusal(void)
{
    static const char *const block[] = {"block"};
    struct sl_session_callbacks callbacks = {.interval = on_interval},
                                none = {.poll = on_poll, .context = seen};
    struct sl_session_config config = {.size = sizeof config, .spec = block, .n_specs = 1};
    struct sl_session *session;
    must(sl_session_open(&session, &config, &f));
    ok(sl_session_set_callbacks(session, &callbacks, &f) == SL_EUSAGE,
       "without an interval table there are no intervals to report: %s", f.text);
    ok(!sl_session_set_callbacks(session, &none, &f), "polling needs none");
    sl_session_close(session);
}

int main(void)
{
    size_t size, sizes;
    char *plain = run(false, 1, &size);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        memset(seen, 0, sizeof seen);
        others = 0;
        char *live = run(true, threads, &sizes);
        ok(size == sizes && !memcmp(plain, live, size),
           "%u threads: the same database with callbacks", threads);
        ok(seen[0].intervals == 50 && seen[2].intervals > 10 && !seen[1].intervals && !others,
           "a call for each interval, of the profiles with an interval table");
        ok(!seen[0].wrong_sets && !seen[2].wrong_sets && seen[0].n_new > 5 && seen[0].n_gone > 5,
           "new and gone candidates are the differences to the previous interval");
        ok(!seen[0].wrong_order && !seen[2].wrong_order, "the highest count comes first");
        ok(!seen[0].wrong_names && !seen[2].wrong_names,
           "candidates have a text and the name of their detector");
        free(live);
    }
    free(plain);
    test_refusal();
    return done_testing();
}
