/* SPDX-License-Identifier: MIT */
/* Test program that counts the paths of a trace with a plain model (naive_path.h), for comparison
 * with the path detector.
 *
 *     path_counts TRACE [KEY=VALUE...]
 *
 * Prints one path per line,
 *
 *   START BRANCHES WEIGHT        the first two in hexadecimal
 *
 * and on standard error the number of branches by outcome: "recorded R finished F dropped D
 * unfinished U". Keys: kind=plain|loop|procedure, extend, length, stack, spill, repair, bits,
 * weigh=1 (by instructions), and the operations of call, return, forward, backward and indirect.
 * Without keys, Ball-Larus paths. With order=1 paths are not counted but printed as they finish,
 * like `sluice report -f sequence`. */
#include <inttypes.h>
#include <stdio.h>

#include "naive_path.h"
#include "source.h"

struct event {
    uint64_t start, value, weight;
};

struct events {
    struct event *event;
    size_t n, capacity;
    bool weigh, in_order;
};

static void die(const char *what)
{
    fprintf(stderr, "path_counts: %s\n", what);
    exit(2);
}

static void print_one(uint64_t start, uint64_t value)
{
    unsigned length = (unsigned)(value >> 32);
    printf("0x%" PRIx64 "%s", start, length ? " " : "");
    while (length-- > 0)
        putchar(value >> length & 1 ? 'T' : 'N');
    putchar('\n');
}

static void keep(void *context, uint64_t start, uint64_t value, uint64_t weight)
{
    struct events *e = context;
    if (e->in_order) {
        print_one(start, value);
        return;
    }
    if (e->n == e->capacity &&
        !(e->event = realloc(e->event, (e->capacity = 2 * e->capacity + 4096) * sizeof *e->event)))
        die("out of memory");
    e->event[e->n++] = (struct event){start, value, e->weigh ? weight : 1};
}

static int compare(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void print(struct events *e)
{
    if (e->n)
        qsort(e->event, e->n, sizeof *e->event, compare);
    for (size_t i = 0; i < e->n;) {
        struct event sum = {e->event[i].start, e->event[i].value, 0};
        for (; i < e->n && !compare(&e->event[i], &sum); i++)
            sum.weight += e->event[i].weight;
        printf("%" PRIx64 " %" PRIx64 " %" PRIu64 "\n", sum.start, sum.value, sum.weight);
    }
}

static bool number(const char *argument, const char *key, uint64_t *out)
{
    size_t length = strlen(key);
    if (strncmp(argument, key, length) || argument[length] != '=')
        return false;
    *out = strtoull(argument + length + 1, NULL, 0);
    return true;
}

static void set(struct naive *n, struct events *e, const char *argument)
{
    static const char *const classes[] = {"call", "return", "forward", "backward", "indirect"};
    uint64_t value;
    const char *text = strchr(argument, '=');
    if (!text)
        die("an argument is KEY=VALUE");
    for (int i = 0; i < 5; i++)
        if (!strncmp(argument, classes[i], strlen(classes[i])))
            n->operations[i] = text + 1;
    if (!strncmp(argument, "kind=", 5))
        n->kind = text[1] == 'l'                   ? NAIVE_LOOP
                  : !strcmp(text + 1, "procedure") ? NAIVE_PROCEDURE
                                                   : NAIVE_PLAIN;
    if (number(argument, "extend", &value))
        n->extend = (unsigned)value;
    if (number(argument, "length", &value))
        n->length = (unsigned)value;
    if (number(argument, "stack", &value))
        n->stack = value;
    if (number(argument, "spill", &value))
        n->spill = value;
    if (number(argument, "repair", &value))
        n->repair = value;
    if (number(argument, "bits", &value))
        n->events_max = UINT64_MAX >> (64 - value);
    if (number(argument, "weigh", &value))
        e->weigh = value;
    if (number(argument, "order", &value))
        e->in_order = value;
}

int main(int argc, char **argv)
{
    struct events events = {0};
    struct naive n = {.extend = 1,
                      .length = 32,
                      .stack = 32,
                      .repair = true,
                      .events_max = UINT64_MAX,
                      .emit = keep,
                      .context = &events,
                      .operations = {"update_count+push", "update_count+pop", "update",
                                     "update+pop+push", "update+pop+push"}};
    struct sl_source *source;
    struct sl_failure f;
    struct sl_code code;
    struct sl_chunk chunk;
    if (argc < 2)
        die("usage: path_counts TRACE [KEY=VALUE...]");
    for (int i = 2; i < argc; i++)
        set(&n, &events, argv[i]);
    if (sl_source_open(&source, argv[1], &f) < 0 || sl_code_init(&code, &source->statics, &f) < 0)
        die(f.text);
    n.code = &code;
    int more;
    while ((more = sl_source_next(source, &chunk, &f)) > 0) {
        if (sl_code_sync(&code, &f) < 0)
            die(f.text);
        if (chunk.thread >= 256)
            die("there are too many threads");
        if (chunk.flags & (SL_CHUNK_START | SL_CHUNK_GAP))
            naive_gap(&n, chunk.thread);
        for (uint32_t i = 0; i < chunk.n_blocks; i++)
            naive_step(&n, chunk.thread, chunk.block[i], source->statics.block_size[chunk.block[i]],
                       true);
    }
    if (more < 0)
        die(f.text);
    print(&events);
    uint64_t unfinished;
    naive_unfinished(&n, &unfinished);
    fprintf(stderr,
            "recorded %" PRIu64 " finished %" PRIu64 " dropped %" PRIu64 " unfinished %" PRIu64
            "\n",
            n.recorded, n.finished, n.dropped, unfinished);
    naive_free(&n);
    free(events.event);
    sl_code_free(&code);
    sl_source_close(source);
    return 0;
}
