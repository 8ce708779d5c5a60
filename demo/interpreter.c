/* Example: an interpreter that uses a table of sluice to find instructions whose operand nearly always has
 * the same value. An interpreter could replace these instructions by faster code for that value. The file
 * is valid C and C++, and docs/embed.md explains it.
 *
 *     interpreter          runs a program in two threads and prints the operands worth a special case
 *     interpreter cost     measures the cost of an event
 *
 * It is a stack machine; an instruction is an operation and a number. Each thread has a table of its own,
 * `H[P64]1024+A16`, about a kilobyte in hardware; an event is <index of the instruction, its right
 * operand>. A buffer collects a thousand events, since a batch is faster than single steps. At the end of
 * each phase of the program, the interpreter drains the tables, adds up their entries and resets them. */
#include <sluice.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the machine ------------------------------------------------------------ */

enum operation { PUSH, LOAD, STORE, ADD, MULTIPLY, REMAINDER, LESS, JUMP_IF, PHASE, STOP };
struct instruction {
    enum operation operation;
    int64_t number;
};

/* for (i = 0; i < rounds; i++) sum = (sum * 3 + i % 16) % 1000003, then a
 * second phase; there, the factor is 7 in one of sixteen rounds: i % 16 < 1. */
enum { I, SUM, FACTOR, ROUNDS, VARIABLES };
static const struct instruction program[] = {
    {PUSH, 3}, {STORE, FACTOR}, {PUSH, 0}, {STORE, I},                          /* 0 */
    {LOAD, SUM}, {LOAD, FACTOR}, {MULTIPLY, 0},                                 /* 4 */
    {LOAD, I}, {PUSH, 16}, {REMAINDER, 0}, {ADD, 0},                            /* 7 */
    {PUSH, 1000003}, {REMAINDER, 0}, {STORE, SUM},                              /* 11 */
    {LOAD, I}, {PUSH, 1}, {ADD, 0}, {STORE, I},                                 /* 14 */
    {LOAD, I}, {LOAD, ROUNDS}, {LESS, 0}, {JUMP_IF, 4}, {PHASE, 0},             /* 18 */
    {PUSH, 0}, {STORE, I},                                                      /* 23 */
    {PUSH, 3}, {LOAD, I}, {PUSH, 16}, {REMAINDER, 0}, {PUSH, 1}, {LESS, 0},     /* 25 */
    {PUSH, 4}, {MULTIPLY, 0}, {ADD, 0}, {STORE, FACTOR},                        /* 31 */
    {LOAD, SUM}, {LOAD, FACTOR}, {MULTIPLY, 0},                                 /* 35 */
    {PUSH, 1000003}, {REMAINDER, 0}, {STORE, SUM},                              /* 38 */
    {LOAD, I}, {PUSH, 1}, {ADD, 0}, {STORE, I},                                 /* 41 */
    {LOAD, I}, {LOAD, ROUNDS}, {LESS, 0}, {JUMP_IF, 25}, {PHASE, 1}, {STOP, 0}, /* 45 */
};
#define INSTRUCTIONS (sizeof program / sizeof *program)

/* ---- events -------------------------------------------------------------------- */

#define BUFFER 1024
enum mode { OFF, STEP, BATCH };

struct recorder {
    enum mode mode;
    struct sl_table *table;
    uint64_t pc[INSTRUCTIONS]; /* the first field of each tuple, by tuple id */
    uint32_t index[BUFFER];
    uint64_t value[BUFFER];
    size_t n;
    uint64_t events;
};

static void flush(struct recorder *w)
{
    struct sl_tuple_names names = {w->pc, NULL, INSTRUCTIONS};
    struct sl_batch batch;
    memset(&batch, 0, sizeof batch);
    batch.n = w->n;
    batch.tuple_id = w->index;
    batch.value = w->value;
    batch.names = &names;
    if (w->n)
        sl_table_observe(w->table, &batch);
    w->n = 0;
}

static inline void record(struct recorder *w, size_t at, int64_t operand)
{
    if (w->mode == OFF)
        return;
    w->events++;
    if (w->mode == STEP) {
        struct sl_event event;
        memset(&event, 0, sizeof event);
        event.tuple.pc = at;
        event.tuple.value = (uint64_t)operand;
        event.weight = 1;
        sl_table_step(w->table, &event);
        return;
    }
    w->index[w->n] = (uint32_t)at;
    w->value[w->n] = (uint64_t)operand;
    if (++w->n == BUFFER)
        flush(w);
}

static bool open_recorder(struct recorder *w, enum mode mode)
{
    struct sl_failure f;
    struct sl_table_host host;
    memset(w, 0, sizeof *w);
    memset(&host, 0, sizeof host);
    host.names = INSTRUCTIONS;    /* lets the table hash each instruction once */
    host.memory_bytes = 1u << 20; /* for the totals of the messages */
    w->mode = mode;
    for (size_t i = 0; i < INSTRUCTIONS; i++)
        w->pc[i] = i;
    if (mode == OFF || sl_table_open(&w->table, "H[P64]1024+A16", &host, &f) >= 0)
        return true;
    fprintf(stderr, "%s\n", f.text);
    return false;
}

/* ---- totals of a phase ------------------------------------------------------------ */

#define SUMS_MAX 256
struct sums { /* over all threads */
    struct sl_tuple tuple[SUMS_MAX];
    uint64_t count[SUMS_MAX], by_instruction[INSTRUCTIONS], dropped;
    size_t n;
};

static bool add_entry(void *context, const struct sl_entry *entry)
{
    struct sums *sums = (struct sums *)context;
    size_t i = 0;
    while (i < sums->n && (sums->tuple[i].pc != entry->tuple.pc ||
                           sums->tuple[i].value != entry->tuple.value))
        i++;
    sums->by_instruction[entry->tuple.pc] += entry->count;
    if (i == SUMS_MAX) {
        sums->dropped++;
        return true;
    }
    sums->tuple[i] = entry->tuple;
    sums->count[i] += entry->count;
    sums->n += i == sums->n;
    return true;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sums phase[2];

static bool end_phase(struct recorder *w, int64_t number)
{
    struct sl_failure f;
    flush(w);
    sl_table_finish(w->table);
    pthread_mutex_lock(&lock);
    sl_table_drain(w->table, NULL, add_entry, &phase[number]);
    pthread_mutex_unlock(&lock);
    return sl_table_reset(w->table, &f) >= 0;
}

static void print_phase(int number)
{
    const struct sums *s = &phase[number];
    printf("phase %d\n", number + 1);
    for (size_t pc = 0; pc < INSTRUCTIONS; pc++)
        for (size_t i = 0; i < s->n; i++)
            if (s->tuple[i].pc == pc && 10 * s->count[i] >= 9 * s->by_instruction[pc])
                printf("  instruction %zu: the right operand is %" PRIu64 ", %.0f%% of about %" PRIu64 " times\n",
                       pc, s->tuple[i].value, 100.0 * (double)s->count[i] / (double)s->by_instruction[pc],
                       s->by_instruction[pc]);
}

/* ---- running --------------------------------------------------------------------------- */

static int64_t run(int64_t rounds, struct recorder *w)
{
    int64_t stack[16], variable[VARIABLES] = {0, 1, 0, rounds}, *top = stack;
    for (size_t at = 0;; at++) {
        const struct instruction *now = &program[at];
        int64_t right;
        switch (now->operation) {
        case PUSH: *top++ = now->number; continue;
        case LOAD: *top++ = variable[now->number]; continue;
        case STORE: variable[now->number] = *--top; continue;
        case JUMP_IF: at = *--top ? (size_t)now->number - 1 : at; continue;
        case STOP: return variable[SUM];
        case PHASE:
            if (w->mode != OFF && !end_phase(w, now->number))
                abort();
            continue;
        default: break;
        }
        right = *--top;
        record(w, at, right);
        switch (now->operation) {
        case ADD: top[-1] += right; break;
        case MULTIPLY: top[-1] *= right; break;
        case REMAINDER: top[-1] %= right; break;
        default: top[-1] = top[-1] < right; break;
        }
    }
}

static void *in_thread(void *result)
{
    struct recorder w;
    *(int64_t *)result = open_recorder(&w, BATCH) ? run(100000, &w) : -1;
    sl_table_close(w.table);
    return NULL;
}

/* The CPU time of a run, in seconds. */
static double time_of(enum mode mode, uint64_t *events)
{
    struct recorder w;
    if (!open_recorder(&w, mode))
        exit(1);
    clock_t start = clock();
    run(1000000, &w);
    double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
    *events = w.events;
    sl_table_close(w.table);
    return taken;
}

static int measure(void)
{
    static const char *const name[] = {"without a table", "sl_table_step", "sl_table_observe"};
    double best[3] = {1e9, 1e9, 1e9};
    uint64_t events = 0;
    for (int round = 0; round < 9; round++)
        for (int mode = OFF; mode <= BATCH; mode++) {
            double taken = time_of((enum mode)mode, &events);
            best[mode] = taken < best[mode] ? taken : best[mode];
        }
    for (int mode = OFF; mode <= BATCH; mode++)
        printf("%-18s %6.3f s\n", name[mode], best[mode]);
    printf("%" PRIu64 " events: %.1f ns each by steps, %.1f ns by batches\n", events,
           1e9 * (best[STEP] - best[OFF]) / (double)events, 1e9 * (best[BATCH] - best[OFF]) / (double)events);
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t other;
    int64_t result[2];
    if (argc > 1 && !strcmp(argv[1], "cost"))
        return measure();
    if (pthread_create(&other, NULL, in_thread, &result[1]))
        return 1;
    in_thread(&result[0]);
    pthread_join(other, NULL);
    printf("result %" PRId64 " and %" PRId64 "\n", result[0], result[1]);
    print_phase(0);
    print_phase(1);
    return result[0] < 0 || result[1] < 0;
}
/* SPDX-License-Identifier: MIT */
