/* SPDX-License-Identifier: MIT */
/* The registry, and a table as an object: kind, configuration and state one behind
 * the other in memory that the caller supplies.
 *
 *     | struct sl_table | configuration | state |     each 64-byte aligned */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "interval_totals.h"

extern const struct sl_table_kind sl_table_singlehash, sl_table_multihash, sl_table_hpt,
    sl_table_wpp, sl_table_leap, sl_table_snoopp, sl_table_morris, sl_table_fpc,
    sl_table_multiplexed, sl_table_spacesaving, sl_table_misragries, sl_table_countmin,
    sl_table_countsketch, sl_table_heavykeeper, sl_table_elastic, sl_table_cocosketch;

const struct sl_table_kind *const sl_tables[] = {
    &sl_table_exact,
    &sl_table_compressor,
    &sl_table_singlehash,
    &sl_table_multihash,
    &sl_table_hpt,
    &sl_table_wpp,
    &sl_table_leap,
    &sl_table_snoopp,
    &sl_table_morris,
    &sl_table_fpc,
    &sl_table_multiplexed,
    &sl_table_spacesaving,
    &sl_table_misragries,
    &sl_table_countmin,
    &sl_table_countsketch,
    &sl_table_heavykeeper,
    &sl_table_elastic,
    &sl_table_cocosketch,
    NULL,
};

struct sl_table {
    const struct sl_table_kind *kind;
    void *config, *state;
    size_t state_bytes;
    struct sl_table_host host; /* what it is made again with */
    /* Of one that is in memory of its own. */
    bool owns_memory;
    bool has_totals; /* of its intervals, which nobody else takes */
    bool finished;
    struct sl_interval_totals totals;
};

static size_t aligned(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* ---- reading and printing a spec ---- */

static const struct sl_table_kind *find(const struct sl_spec *spec)
{
    for (size_t i = 0; sl_tables[i]; i++)
        if (!sl_tables[i]->parse && sl_spec_is(spec, sl_tables[i]->name))
            return sl_tables[i];
    return NULL;
}

/* The kind with a notation of its own. */
static const struct sl_table_kind *find_notation(void)
{
    size_t i = 0;
    while (sl_tables[i] && !sl_tables[i]->parse)
        i++;
    return sl_tables[i];
}

static int no_such_table(const char *text, const struct sl_spec *spec, struct sl_failure *f)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_ROOM];
    int size = (int)(spec->name_end - spec->name);
    sl_nearest_start(&nearest, text + spec->name, (size_t)size);
    for (size_t i = 0; sl_tables[i]; i++)
        if (!sl_tables[i]->parse)
            sl_nearest_offer(&nearest, sl_tables[i]->name);
    return sl_text_fail(f, text, spec->name,
                        "there is no table called %.*s%s 'sluice list tables' "
                        "shows what there is",
                        size, text + spec->name, sl_nearest_question(&nearest, question));
}

/* Names are in small letters; a capital begins the notation of the compressors. */
static int parse_kind(const struct sl_table_kind **kind, void **config, const char *text,
                      size_t from, size_t *end, struct sl_failure *f)
{
    static const struct sl_option none[] = {SL_OPTIONS_END};
    struct sl_spec spec = {0};
    *kind = text[from] >= 'A' && text[from] <= 'Z' ? find_notation() : NULL;
    if (!*kind) {
        int error = sl_spec_split(&spec, text, from, f);
        if (error < 0)
            return error;
        *end = spec.end;
        if (!(*kind = find(&spec)))
            return no_such_table(text, &spec, f);
    }
    if (!(*config = calloc(1, (*kind)->config_size ? (*kind)->config_size : 1)))
        return sl_out_of_memory(f);
    if ((*kind)->parse)
        return (*kind)->parse(text, from, end, *config, f);
    return sl_options_parse((*kind)->options ? (*kind)->options : none, &spec, *config, f);
}

int sl_table_parse(const struct sl_table_kind **kind, void **config, const char *text, size_t from,
                   size_t *end, struct sl_failure *f)
{
    *config = NULL;
    int error = parse_kind(kind, config, text, from, end, f);
    if (error >= 0 && (*kind)->resolve)
        error = (*kind)->resolve(*config, f);
    if (error < 0) {
        free(*config);
        *config = NULL;
    }
    return error < 0 ? error : 0;
}

void sl_table_notation(const struct sl_table_kind *kind, const void *config, char *out, size_t room)
{
    if (kind->notation)
        kind->notation(config, out, room);
    else
        snprintf(out, room, "%s", kind->name);
}

void sl_table_print(const struct sl_table_kind *kind, const void *config, char *out, size_t room)
{
    char name[200];
    sl_table_notation(kind, config, name, sizeof name);
    if (kind->options)
        sl_options_print(kind->options, name, config, out, room);
    else
        snprintf(out, room, "%s", name);
}

/* ---- a table in the caller's memory ---- */

size_t sl_table_bytes_of(const struct sl_table_kind *kind, const void *config,
                         const struct sl_table_host *host)
{
    return aligned(sizeof(struct sl_table)) + aligned(kind->config_size) +
           aligned(kind->size(config, host));
}

int sl_table_make(struct sl_table **table, const struct sl_table_kind *kind, const void *config,
                  const struct sl_table_host *host, void *memory, struct sl_failure *f)
{
    struct sl_table *t = memory;
    if ((uintptr_t)memory % 64)
        return sl_fail(f, SL_EUSAGE, "a table's memory has to be aligned to 64 bytes");
    *t = (struct sl_table){
        .kind = kind, .state_bytes = aligned(kind->size(config, host)), .host = *host};
    t->config = (char *)memory + aligned(sizeof *t);
    t->state = (char *)t->config + aligned(kind->config_size);
    if (kind->config_size)
        memcpy(t->config, config, kind->config_size);
    int error = kind->init(t->state, t->config, host, f);
    if (error >= 0)
        *table = t;
    return error;
}

/* A whole string that names a table. */
static int parse_all(const struct sl_table_kind **kind, void **config, const char *spec,
                     struct sl_failure *f)
{
    size_t end;
    int error = sl_table_parse(kind, config, spec, 0, &end, f);
    if (error < 0 || !spec[end])
        return error;
    free(*config);
    return sl_text_fail(f, spec, end, "a table's notation ends in front of this");
}

size_t sl_table_bytes(const char *spec, const struct sl_table_host *host, struct sl_failure *f)
{
    const struct sl_table_kind *kind;
    void *config;
    if (parse_all(&kind, &config, spec, f) < 0)
        return 0;
    size_t bytes = sl_table_bytes_of(kind, config, host);
    free(config);
    return bytes;
}

uint64_t sl_table_storage(const char *spec, struct sl_failure *f)
{
    const struct sl_table_kind *kind;
    void *config;
    if (parse_all(&kind, &config, spec, f) < 0)
        return 0;
    uint64_t bits = kind->storage_bits ? kind->storage_bits(config) : 0;
    free(config);
    if (f)
        *f = (struct sl_failure){0};
    return bits;
}

int sl_table_place(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                   void *memory, struct sl_failure *f)
{
    const struct sl_table_kind *kind;
    void *config;
    int error = parse_all(&kind, &config, spec, f);
    if (error < 0)
        return error;
    error = sl_table_make(table, kind, config, host, memory, f);
    free(config);
    return error;
}

/* ---- a table in memory of its own ---- */

#define USUAL_MEMORY (UINT64_C(64) << 20)

static int open_parsed(struct sl_table **table, const struct sl_table_kind *kind,
                       const void *config, const struct sl_table_host *host, struct sl_failure *f)
{
    size_t bytes = sl_table_bytes_of(kind, config, host);
    struct sl_table *memory = aligned_alloc(64, bytes);
    if (!memory)
        return sl_out_of_memory(f);
    memset(memory, 0, bytes);
    struct sl_table_host with_totals = *host;
    bool has_totals = kind->cut && !host->interval;
    if (has_totals) {
        with_totals.interval = sl_interval_totals_add;
        with_totals.context = &memory->totals;
    }
    int error = sl_table_make(table, kind, config, &with_totals, memory, f);
    if (error < 0) {
        free(memory);
        return error;
    }
    memory->owns_memory = true;
    memory->has_totals = has_totals;
    memory->totals.memory_bytes = host->memory_bytes;
    return 0;
}

int sl_table_open(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                  struct sl_failure *f)
{
    struct sl_table_host usual = host ? *host : (struct sl_table_host){0};
    const struct sl_table_kind *kind;
    void *config;
    int error = parse_all(&kind, &config, spec, f);
    if (error < 0)
        return error;
    if (!usual.memory_bytes)
        usual.memory_bytes = USUAL_MEMORY;
    error = open_parsed(table, kind, config, &usual, f);
    free(config);
    return error;
}

int sl_table_reset(struct sl_table *table, struct sl_failure *f)
{
    if (table->kind->close)
        table->kind->close(table->state);
    sl_interval_totals_free(&table->totals);
    memset(table->state, 0, table->state_bytes);
    table->finished = false;
    return table->kind->init(table->state, table->config, &table->host, f);
}

void sl_table_step(struct sl_table *table, const struct sl_event *event)
{
    table->kind->step(table->state, event);
}

void sl_table_observe(struct sl_table *table, const struct sl_batch *batch)
{
    table->kind->observe(table->state, batch);
}

void sl_table_add(struct sl_table *table, uint32_t number, uint64_t times, uint64_t weight)
{
    table->kind->add(table->state, number, times, weight);
}

void sl_table_rest(struct sl_table *table)
{
    if (table->kind->rest)
        table->kind->rest(table->state);
}

uint32_t sl_table_delay(const struct sl_table *table, const struct sl_event *event)
{
    return table->kind->delay(table->state, event);
}

size_t sl_table_cut(const struct sl_table *table, const struct sl_batch *batch)
{
    return table->kind->cut ? table->kind->cut(table->state, batch) : batch->n;
}

void sl_table_finish(struct sl_table *table)
{
    if (table->kind->finish)
        table->kind->finish(table->state);
    table->finished = true;
}

void sl_table_drain(const struct sl_table *table, const struct sl_names *names,
                    bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    if (!table->has_totals) {
        table->kind->drain(table->state, names, emit, context);
        return;
    }
    struct sl_interval_totals_drain drain = {(struct sl_interval_totals *)&table->totals, emit,
                                             context, false};
    if (!table->finished) /* then the last interval, too, is in the totals */
        table->kind->drain(table->state, names, sl_interval_totals_under_way, &drain);
    sl_interval_totals_emit(&drain);
}

uint64_t sl_table_drain_heavy(const struct sl_table *table, const struct sl_names *names,
                              const uint64_t *least,
                              bool (*emit)(void *context, const struct sl_entry *entry),
                              void *context)
{
    if (table->kind->drain_heavy && !table->has_totals)
        return table->kind->drain_heavy(table->state, names, least, emit, context);
    sl_table_drain(table, names, emit, context);
    return 0;
}

const struct sl_phase *sl_table_phases(const struct sl_table *table, size_t *n)
{
    *n = 0;
    return table->kind->phases ? table->kind->phases(table->state, n) : NULL;
}

bool sl_table_sequence(const struct sl_table *table, struct sl_sequence *sequence)
{
    return table->kind->sequence(table->state, sequence);
}

size_t sl_table_parameters(const struct sl_table *table, struct sl_parameter *out)
{
    return table->kind->parameters ? table->kind->parameters(table->state, out) : 0;
}

static bool count_entry(void *n, const struct sl_entry *entry)
{
    (void)entry;
    ++*(uint64_t *)n;
    return true;
}

void sl_table_status(const struct sl_table *table, struct sl_table_status *status)
{
    table->kind->status(table->state, status);
    if (table->kind->storage_bits)
        status->storage_bits = table->kind->storage_bits(table->config);
    if (!table->has_totals)
        return;
    status->distinct = 0;
    sl_table_drain(table, NULL, count_entry, &status->distinct);
    if (table->totals.lost)
        snprintf(status->note, sizeof status->note,
                 "totals of intervals reached their share of memory (%.1f MB): %llu candidates of "
                 "intervals are not in them",
                 (double)table->totals.memory_bytes / 1e6, (unsigned long long)table->totals.lost);
}

void sl_table_close(struct sl_table *table)
{
    if (!table)
        return;
    if (table->kind->close)
        table->kind->close(table->state);
    sl_interval_totals_free(&table->totals);
    if (table->owns_memory)
        free(table);
}
