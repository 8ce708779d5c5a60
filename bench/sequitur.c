/* SPDX-License-Identifier: MIT */
/* Benchmark of the grammar compressor Sequitur. It shows that the compressor's work is proportional
 * to the length of the sequence to compress.
 *
 *     build/bench/sequitur [LONGEST]
 *
 * One grammar is built from each sequence, symbol by symbol, and examined at N symbols, 2N, 4N, ...
 * up to LONGEST (16M). The measure is steps per symbol: digrams looked up and slots of the index
 * probed. In linear time neither grows. Time is printed as well; it grows slightly as larger tables
 * leave the caches.
 *
 * The sequences are the whole program paths of two real programs, random symbols (no repetition, so
 * that the grammar is as long as the sequence), one repeated symbol (only repetition), and the
 * hardest case, a sequence in which ever longer parts repeat. */
#include <unistd.h>

#include "index_map.h"
#include "programs.h"
#include "random.h"
#include "sequitur.h"
#include "timing.h"

#define FIRST (UINT64_C(1) << 17)
#define MEMORY_BYTES (UINT64_C(8) << 30)

/* A sequence of symbols: generated, or read from a program. */
struct sequence {
    const char *title;
    bool (*next)(struct sequence *sequence, uint32_t *symbol); /* false at its end */
    uint64_t n, seed;
    FILE *lines;
    struct sl_index_map map; /* from the two words of a line to its symbol */
    uint32_t *generated;     /* the sequence so far, for next_repeated() */
    uint64_t from, left;
};

static bool next_random(struct sequence *sequence, uint32_t *symbol)
{
    *symbol = (uint32_t)sl_random_below(&sequence->seed, 5000);
    return true;
}

static bool next_same(struct sequence *sequence, uint32_t *symbol)
{
    (void)sequence;
    *symbol = 0;
    return true;
}

/* A random part of the sequence so far, followed by a random symbol. */
static bool next_repeated(struct sequence *sequence, uint32_t *symbol)
{
    if (sequence->left) {
        sequence->left--;
        *symbol = sequence->generated[sequence->from++];
    } else {
        *symbol = (uint32_t)sl_random_below(&sequence->seed, 100);
        sequence->from = sequence->n ? sl_random_below(&sequence->seed, sequence->n) : 0;
        sequence->left = sequence->n
                             ? sl_random_below(&sequence->seed, sequence->n - sequence->from)
                             : 0;
    }
    sequence->generated[sequence->n] = *symbol;
    return true;
}

/* Lines of `sluice report -f sequence`. */
static bool next_line(struct sequence *sequence, uint32_t *symbol)
{
    char line[128], *end;
    if (!sequence->lines || !fgets(line, sizeof line, sequence->lines))
        return false;
    uint64_t second = 1;
    uint64_t pc = strtoull(line, &end, 16);
    for (; *end; end++)
        second = *end == 'T' || *end == 'N' ? 2 * second + (*end == 'T') : second;
    *symbol = sl_index_add(&sequence->map, pc, second);
    return *symbol != SL_NO_INDEX;
}

static void measure(struct sequence *sequence, uint64_t longest)
{
    struct sl_sequitur s;
    uint32_t symbol;
    double seconds = cpu_seconds();
    sl_sequitur_init(&s, MEMORY_BYTES);
    printf("\n%s\n\n| symbols | grammar | rules | lookups per symbol | slots per symbol | ns per "
           "symbol "
           "|\n| ---: | ---: | ---: | ---: | ---: | ---: |\n",
           sequence->title);
    for (uint64_t at = FIRST; sequence->n < longest && sequence->next(sequence, &symbol);) {
        if (!sl_sequitur_append(&s, symbol)) {
            printf("out of memory\n");
            break;
        }
        if (++sequence->n < at)
            continue;
        double n = (double)s.length;
        printf("| %.0fK | %.0fK | %.0fK | %.2f | %.2f | %.0f |\n", n / 1024,
               (double)s.n_symbols / 1024, (double)s.n_rules / 1024, (double)s.work.checks / n,
               (double)s.index.probes / n, 1e9 * (cpu_seconds() - seconds) / n);
        fflush(stdout);
        at *= 2;
    }
    sl_sequitur_free(&s);
}

/* Runs a program and measures the sequence of its paths. */
static void measure_program(const struct program *program, uint64_t longest)
{
    char command[8192];
    int used = snprintf(command, sizeof command,
                        "build/sluice run -q -o build/bench/sequitur.db -p 'path(wpp)@wpp' --");
    for (size_t i = 0; program->argv[i]; i++)
        used += snprintf(command + used, sizeof command - (size_t)used, " %s", program->argv[i]);
    if (system(command))
        return;
    struct sequence sequence = {
        .title = program->title,
        .next = next_line,
        .lines = popen("build/sluice report -f sequence build/bench/sequitur.db", "r")};
    measure(&sequence, longest);
    if (sequence.lines)
        pclose(sequence.lines);
    sl_index_free(&sequence.map);
}

int main(int argc, char **argv)
{
    uint64_t longest = argc > 1 ? strtoull(argv[1], NULL, 0) : UINT64_C(16) << 20;
    struct program program[2];
    struct sequence generated[] = {
        {.title = "5000 random symbols", .next = next_random, .seed = 1},
        {.title = "one repeated symbol", .next = next_same},
        {.title = "repeated parts of the sequence", .next = next_repeated, .seed = 1},
    };
    if (!programs_create(program) ||
        !(generated[2].generated = malloc(longest * sizeof *generated[2].generated)))
        return 1;
    for (size_t i = 0; i < sizeof generated / sizeof *generated; i++)
        measure(&generated[i], longest);
    for (size_t i = 0; i < 2; i++)
        measure_program(&program[i], longest);
    free(generated[2].generated);
    return 0;
}
