/* SPDX-License-Identifier: MIT */
/* Shows that the work of Sequitur is linear in the length of the sequence.
 *
 *     build/bench/sequitur [LONGEST]
 *
 * One grammar is built from each sequence, symbol by symbol, and examined at N symbols, 2N, 4N, ...
 * up to LONGEST (16M). The measure is steps per symbol: digrams looked up and slots of the index
 * probed; in linear time neither grows. Time is printed as well; it grows slightly as larger tables
 * leave the caches.
 *
 * The sequences: the whole program paths of two real programs; random symbols (no repetition: the
 * grammar is as long as the sequence); one repeated symbol (nothing but repetition); and the
 * hardest case, a sequence in which ever longer parts repeat. */
#include <unistd.h>

#include "index_map.h"
#include "programs.h"
#include "random.h"
#include "sequitur.h"
#include "timing.h"

#define FIRST (UINT64_C(1) << 17)
#define MEMORY_BYTES (UINT64_C(8) << 30)

/* Where the symbols of a sequence come from. */
struct feed {
    const char *title;
    bool (*next)(struct feed *feed, uint32_t *symbol); /* false at its end */
    uint64_t n, seed;
    FILE *lines;
    struct sl_index_map map; /* of a line's words */
    uint32_t *made;          /* so far, where that is needed */
    uint64_t from, left;
};

static bool next_random(struct feed *feed, uint32_t *symbol)
{
    *symbol = (uint32_t)sl_random_below(&feed->seed, 5000);
    return true;
}

static bool next_same(struct feed *feed, uint32_t *symbol)
{
    (void)feed;
    *symbol = 0;
    return true;
}

/* A part of what came before, of up to all of it, and a symbol at random. */
static bool next_copied(struct feed *feed, uint32_t *symbol)
{
    if (feed->left) {
        feed->left--;
        *symbol = feed->made[feed->from++];
    } else {
        *symbol = (uint32_t)sl_random_below(&feed->seed, 100);
        feed->from = feed->n ? sl_random_below(&feed->seed, feed->n) : 0;
        feed->left = feed->n ? sl_random_below(&feed->seed, feed->n - feed->from) : 0;
    }
    feed->made[feed->n] = *symbol;
    return true;
}

/* Lines of `sluice report -f sequence`. */
static bool next_line(struct feed *feed, uint32_t *symbol)
{
    char line[128], *end;
    if (!feed->lines || !fgets(line, sizeof line, feed->lines))
        return false;
    uint64_t second = 1;
    uint64_t pc = strtoull(line, &end, 16);
    for (; *end; end++)
        second = *end == 'T' || *end == 'N' ? 2 * second + (*end == 'T') : second;
    *symbol = sl_index_add(&feed->map, pc, second);
    return *symbol != SL_NO_INDEX;
}

static void measure(struct feed *feed, uint64_t longest)
{
    struct sl_sequitur s;
    uint32_t symbol;
    double seconds = cpu_seconds();
    sl_sequitur_init(&s, MEMORY_BYTES);
    printf("\n%s\n\n| symbols | grammar | rules | look-ups a symbol | slots a symbol | ns a symbol "
           "|\n| ---: | ---: | ---: | ---: | ---: | ---: |\n",
           feed->title);
    for (uint64_t at = FIRST; feed->n < longest && feed->next(feed, &symbol);) {
        if (!sl_sequitur_append(&s, symbol)) {
            printf("memory is full\n");
            break;
        }
        if (++feed->n < at)
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

/* The paths of a program, from a run of its own. */
static void measure_program(const struct program *program, uint64_t longest)
{
    char command[8192];
    int used = snprintf(command, sizeof command,
                        "build/sluice run -q -o build/bench/sequitur.db -p 'path(wpp)@wpp' --");
    for (size_t i = 0; program->argv[i]; i++)
        used += snprintf(command + used, sizeof command - (size_t)used, " %s", program->argv[i]);
    if (system(command))
        return;
    struct feed feed = {
        .title = program->title,
        .next = next_line,
        .lines = popen("build/sluice report -f sequence build/bench/sequitur.db", "r")};
    measure(&feed, longest);
    if (feed.lines)
        pclose(feed.lines);
    sl_index_free(&feed.map);
}

int main(int argc, char **argv)
{
    uint64_t longest = argc > 1 ? strtoull(argv[1], NULL, 0) : UINT64_C(16) << 20;
    struct program program[2];
    struct feed made[] = {
        {.title = "5000 symbols at random", .next = next_random, .seed = 1},
        {.title = "one symbol again and again", .next = next_same},
        {.title = "parts of what came before", .next = next_copied, .seed = 1},
    };
    if (!programs_make(program) || !(made[2].made = malloc(longest * sizeof *made[2].made)))
        return 1;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        measure(&made[i], longest);
    for (size_t i = 0; i < 2; i++)
        measure_program(&program[i], longest);
    free(made[2].made);
    return 0;
}
