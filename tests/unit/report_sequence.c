/* SPDX-License-Identifier: MIT */
/* Unit tests of event sequences that the profiler table `wpp` stored in a database as a grammar.
 * Synthetic sequences of various lengths are read back event by event, the report prints their hot
 * subpaths, and damaged sequences are refused. */
#include <unistd.h>

#include "report_support.h"
#include "source.h"

static char folder[64];

/* ---- what goes in ---- */

/* The events of a stream's loads as the report writes them, to be freed. */
static char *plainly(const char *stream, size_t *n)
{
    struct sl_source *source;
    struct sl_chunk chunk;
    struct sl_failure f;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (sl_source_open(&source, stream, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    for (*n = 0; sl_source_next(source, &chunk, &f) > 0; *n += chunk.n_mems)
        for (uint32_t i = 0; i < chunk.n_mems; i++)
            fprintf(out, "0x%llx 0x%llx\n",
                    (unsigned long long)source->statics.insn[chunk.mem_insn[i]].pc,
                    (unsigned long long)chunk.mem_value[i]);
    sl_source_close(source);
    fclose(out);
    return text;
}

static bool save(const char *stream, const char *spec, uint64_t memory)
{
    struct sl_session_config config = {
        .size = sizeof config, .spec = &spec, .n_specs = 1, .memory_bytes = memory};
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (sl_session_open(&session, &config, &f) < 0 || sl_source_open(&source, stream, &f) < 0)
        return false;
    bool saved = sl_session_run(session, source, NULL, NULL, &f) >= 0 &&
                 sl_session_save(session, path, &f) >= 0;
    sl_session_close(session);
    sl_source_close(source);
    return saved;
}

static void comes_back(const char *stream, uint64_t memory)
{
    size_t n, kept = 0;
    char *wanted = plainly(stream, &n);
    bool saved = save(stream, "value@wpp", memory);
    char *got = report("sequence", 0, 0);
    for (const char *c = got; *c; c++)
        kept += *c == '\n';
    size_t length = strlen(got);
    ok(saved && n > 1000 && kept > 100 && !strncmp(got, wanted, length) &&
           (memory || !wanted[length]),
       "%s%s: all %zu of %zu events come back in order", stream, memory ? ", little memory" : "",
       kept, n);
    char answer[64];
    snprintf(answer, sizeof answer, "%zu|%zu", kept, n - kept);
    is("SELECT length, drops FROM sequence JOIN profile ON profile = id", answer,
       "what is in the sequence and what was dropped are all events");
    free(got);
    free(wanted);
}

/* ---- hot subpaths ---- */

static void hot_subpaths(void)
{
    save("synth:zipf(events=50000,tuples=20,s=2)", "value@wpp(hot=1%)", 0);
    is("SELECT count(*) > 0 AND sum(weight) <= (SELECT weight FROM sequence) AND"
       " min(weight) >= 0.01 * (SELECT weight FROM sequence) AND min(occurrences) >= 1 FROM "
       "subpath",
       "1", "each is as hot as was requested, and they share the sequence");
    is("SELECT count(*) FROM subpath p WHERE occurrences * length <> weight OR length <>"
       " (SELECT count(*) FROM subpath_event s WHERE s.profile = p.profile AND s.subpath = p.rank)",
       "0", "each weighs its events, and all of them are written out");
    is("SELECT count(*) FROM subpath_event e LEFT JOIN grammar_symbol g ON g.profile = e.profile "
       "AND"
       " g.id = e.symbol WHERE g.id IS NULL",
       "0", "every step is a symbol that there is");
    char *text = report("text", 3, 100);
    ok(strstr(text, "Hot subpaths by events") && strstr(text, "the sequence of 50,000 values is"),
       "the user is informed of them");
    free(text);
    test_widths();
    save("synth:zipf(events=50000,tuples=20,s=2)", "value@wpp(hot=100%)", 0);
    text = report("text", 0, 100);
    ok(strstr(text, "Hot subpaths by events\n  none\n") != NULL, "and when there are none");
    free(text);
}

/* ---- damage ---- */

static void change(const char *sql)
{
    sqlite3 *database;
    sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL))
        printf("# %s: %s\n", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
}

static void is_reported(const char *sql, const char *name)
{
    struct sl_report_config config = {.size = sizeof config, .format = "sequence"};
    struct sl_failure f = {0};
    FILE *out = fopen("/dev/null", "w");
    save("synth:zipf(events=5000)", "value@wpp", 0);
    change(sql);
    int result = sl_report(path, &config, out, &f);
    ok(result == SL_EFORMAT && strstr(f.text, "is damaged: "), "%s: %s", name, f.text);
    fclose(out);
}

static void damage(void)
{
    is_reported("DELETE FROM grammar", "no grammar");
    is_reported("UPDATE grammar SET bytes = x'00112233445566778899'", "bytes that are no grammar");
    is_reported("UPDATE grammar SET bytes = substr(bytes, 1, length(bytes) / 2)", "half of one");
    is_reported(
        "UPDATE grammar SET bytes = NULL WHERE 0; INSERT INTO grammar SELECT * FROM grammar",
        "one twice");
    is_reported("DELETE FROM grammar_symbol WHERE id > 10", "symbols that denote nothing");
    save("synth:zipf(events=5000)", "value@wpp", 0);
    change("UPDATE grammar_symbol SET tuple_profile = -7; UPDATE subpath_event SET symbol = "
           "4000000000;"
           "UPDATE sequence SET length = -1, tuples = -1, symbols = 0, compressed_bytes = 0");
    char *text = report("text", 0, 100), *json = report("json", 0, 100);
    ok(text[0] && json[0], "figures that make no sense are reported as they are");
    free(text);
    free(json);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/report_sequence.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/a.db", folder);
    comes_back("synth:zipf(events=200000)", 0);
    comes_back("synth:phases(events=300000,tuples=1000,length=1000)", 0);
    comes_back("synth:zipf(events=200000)", 1000000);
    hot_subpaths();
    damage();
    unlink(path);
    rmdir(folder);
    return done_testing();
}
