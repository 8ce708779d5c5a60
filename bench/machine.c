/* SPDX-License-Identifier: MIT */
/* Benchmark of the CPU models: measures how many instructions per second each model simulates, and
 * how much slower the in-order model becomes when a table counts its machine events.
 *
 *     build/bench/machine [-r ROUNDS] [-m MACHINE] [FILE.slt ...]
 *
 * Replays traces with the addresses of loads and stores through each preset, or through MACHINE.
 * Without a file, it records two programs with small inputs (programs.h). Only the CPU time of the
 * model in this thread counts, and the fastest round.
 *
 * For comparison it prints published speeds of simulators that do more. gem5 and similar simulators
 * also execute the program, out of order at "around 0.1" million instructions per second (Sandberg,
 * Hagersten and Black-Schaffer, IISWC 2015). Sniper, which has a functional front end, reaches "up
 * to several" million ("Sniper: scalable and accurate parallel multi-core simulation").
 *
 * Without -m, it also measures the cost of counting all events: the time of the in-order model with
 * each table for its 29 events, as a multiple of the time without a table. */
#include <unistd.h>

#include "failure.h"
#include "machine.h"
#include "programs.h"
#include "source.h"
#include "timing.h"

static const char *const presets[] = {"tiger", "rocket", "u74", "ss4", "zen4", NULL};

/* Result of one replay. */
struct replay {
    double seconds;
    uint64_t total[SL_MACHINE_EVENTS];
};

/* A table that counts the events of the CPU model. */
struct counters {
    struct sl_table *table;
    void *memory;
    uint64_t pc[SL_FABRIC_COUNTERS];
    struct sl_tuple_names names;
};

static int open_counters(struct counters *c, const char *spec, struct sl_failure *f)
{
    struct sl_table_host host = {0};
    size_t bytes = sl_table_bytes(spec, &host, f);
    for (unsigned i = 0; i < SL_FABRIC_COUNTERS; i++)
        c->pc[i] = SL_EVENT_SET_PC | UINT64_C(1) << sl_fabric[i];
    c->names = (struct sl_tuple_names){c->pc, NULL, SL_FABRIC_COUNTERS};
    if (!bytes || !(c->memory = aligned_alloc(64, (bytes + 63) / 64 * 64)))
        return SL_ENOMEM;
    memset(c->memory, 0, (bytes + 63) / 64 * 64);
    return sl_table_place(&c->table, spec, &host, c->memory, f);
}

static void count_events(struct counters *c, struct sl_machine *machine, uint32_t n_blocks)
{
    const struct sl_event_log *log = sl_machine_need_event_log(machine);
    struct sl_batch batch = {
        log->first[n_blocks], log->number, NULL, log->weight, &c->names, NULL, 0, NULL};
    sl_table_observe(c->table, &batch);
}

static int run_all(struct sl_machine *machine, struct counters *counters, struct sl_source *source,
                   struct sl_code *code, struct replay *out, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int result;
    while ((result = sl_source_next(source, &chunk, f)) > 0) {
        if ((result = sl_code_sync(code, f)) < 0 ||
            (result = sl_machine_sync(machine, code, f)) < 0)
            return result;
        double start = cpu_seconds();
        if ((result = sl_machine_run(machine, &chunk, f)) < 0)
            return result;
        if (counters->table)
            count_events(counters, machine, chunk.n_blocks);
        out->seconds += cpu_seconds() - start;
    }
    memcpy(out->total, sl_machine_totals(machine), sizeof out->total);
    return result;
}

/* `counters`: the spec of a table that counts all events, or NULL. */
static int replay(const char *preset, const char *counters, const char *path, struct replay *out,
                  struct sl_failure *f)
{
    struct sl_machine *machine;
    struct counters counting = {0};
    struct sl_source *source;
    struct sl_code code;
    *out = (struct replay){0};
    int result = sl_machine_open(&machine, preset, f);
    if (result < 0)
        return result;
    if (counters)
        sl_machine_need_event_log(machine);
    sl_machine_need_events(machine, UINT64_C(1) << SL_MACHINE_CYCLES);
    if (counters)
        result = open_counters(&counting, counters, f);
    if (result >= 0 && (result = sl_source_open(&source, path, f)) >= 0) {
        sl_code_init(&code, &source->statics, f);
        result = run_all(machine, &counting, source, &code, out, f);
        sl_code_free(&code);
        sl_source_close(source);
    }
    sl_machine_close(machine);
    free(counting.memory);
    return result;
}

/* All tables run in every round, so that a slow moment of the computer affects all of them. */
static int measure_event_counters(const char *title, const char *path, int rounds,
                                  struct sl_failure *f)
{
    static const char *const tables[] = {NULL, "exact", "morris", "fpc", "multiplexed"};
    enum { N_TABLES = sizeof tables / sizeof *tables };
    double best[N_TABLES];
    int result = 0;
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < N_TABLES && result >= 0; i++) {
            struct replay latest;
            result = replay("rocket", tables[i], path, &latest, f);
            best[i] = !round || latest.seconds < best[i] ? latest.seconds : best[i];
        }
    for (size_t i = 1; i < N_TABLES && result >= 0; i++)
        printf("%-28s rocket, 29 events in %-12s %6.2f x its time without\n", title, tables[i],
               best[i] / best[0]);
    return result;
}

static int measure(const char *title, const char *path, const char *only, int rounds,
                   struct sl_failure *f)
{
    const char *const one_preset[] = {only, NULL};
    int result = 0;
    for (const char *const *preset = only ? one_preset : presets; *preset; preset++) {
        struct replay best = {.seconds = 1e9}, latest;
        for (int round = 0; round < rounds && result >= 0; round++)
            if ((result = replay(*preset, NULL, path, &latest, f)) >= 0 &&
                latest.seconds < best.seconds)
                best = latest;
        if (result < 0)
            return result;
        double n = (double)best.total[SL_MACHINE_INSTRUCTIONS];
        printf("%-28s %-8s %8.1f %8.2f %12.1f\n", title, *preset, n / 1e6,
               (double)best.total[SL_MACHINE_CYCLES] / n, n / best.seconds / 1e6);
    }
    return result < 0 || only ? result : measure_event_counters(title, path, rounds, f);
}

/* Records the stream of a program in a trace file. */
static int record_program(char *const *argv, const char *path, struct sl_failure *f)
{
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv,
                             .needs = SL_NEED_ADDRESSES | SL_NEED_STORES,
                             .tap_dir = "build"};
    struct sl_source *source;
    int result = sl_source_run(&source, &guest, f);
    if (result < 0)
        return result;
    result = sl_record(source, path, NULL, NULL, NULL, f);
    sl_source_close(source);
    return result;
}

static int measure_programs(const char *only, int rounds, struct sl_failure *f)
{
    static const char path[] = "build/bench/machine.slt";
    struct program program[2];
    int result = 0;
    if (!programs_create(program) ||
        system("head -c 300000 build/bench/6MB >build/bench/300KB && "
               "echo 'int main(int n, char **v) { while (n--) v[n][0]++; return 0; }' "
               ">build/bench/small.i"))
        return sl_fail(f, SL_EIO,
                       "cannot create the inputs of the programs: are bzip2 and gcc installed?");
    program[0].title = "bzip2, 300 KB";
    program[0].argv[3] = "build/bench/300KB";
    program[1].title = "cc1 -O2, a small file";
    program[1].argv[3] = "build/bench/small.i";
    for (size_t i = 0; i < 2 && result >= 0; i++)
        if ((result = record_program(program[i].argv, path, f)) >= 0)
            result = measure(program[i].title, path, only, rounds, f);
    unlink(path);
    return result;
}

int main(int argc, char **argv)
{
    struct sl_failure f = {0};
    const char *only = NULL;
    int option, rounds = 3, error = 0;
    while ((option = getopt(argc, argv, "r:m:")) != -1) {
        if (option == 'r')
            rounds = atoi(optarg);
        else if (option == 'm')
            only = optarg;
        else
            return 2;
    }
    setenv("SLUICE_DATA", "data", 0);
    printf("%-28s %-8s %8s %8s %12s\n", "stream", "machine", "Minsns", "CPI", "Minsns/s");
    if (optind == argc)
        error = measure_programs(only, rounds, &f);
    for (; optind < argc && error >= 0; optind++)
        error = measure(argv[optind], argv[optind], only, rounds, &f);
    printf("%-28s %-8s %8s %8s %12s\n", "published: gem5", "", "", "", "0.1");
    printf("%-28s %-8s %8s %8s %12s\n", "published: Sniper", "", "", "", "several");
    if (error < 0)
        fprintf(stderr, "machine: %s\n", f.text);
    return error < 0;
}
