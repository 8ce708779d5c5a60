/* SPDX-License-Identifier: MIT */
/* Functions that work on tables of any kind, for example to allocate a table. The configuration
 * and the state of a table are in one block of memory:
 *
 *     | struct sl_table | configuration | state |     each aligned to 64 bytes */
#include "table.h"

#include <string.h>
#include <sys/mman.h>

#include "failure.h"
#include "interval_totals.h"

struct sl_table {
    const struct sl_table_kind *kind;
    void *config, *state;
    size_t state_bytes;
    struct sl_table_host host; /* for sl_table_reset() */
    size_t mapped_bytes;       /* of memory that sl_table_close() unmaps; 0: the caller's memory */
    bool has_totals; /* adds up its intervals, because its host has no callback for them */
    bool finished;
    struct sl_interval_totals totals;
};

static size_t aligned(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

void sl_table_notation(const struct sl_table_kind *kind, const void *config, char *out,
                       size_t capacity)
{
    if (kind->notation)
        kind->notation->print(config, out, capacity);
    else
        snprintf(out, capacity, "%s", kind->name);
}

void sl_table_print(const struct sl_table_kind *kind, const void *config, char *out,
                    size_t capacity)
{
    char name[200];
    sl_table_notation(kind, config, name, sizeof name);
    if (kind->options)
        sl_options_print(kind->options, name, config, out, capacity);
    else
        snprintf(out, capacity, "%s", name);
}

void sl_table_drain_kind(const struct sl_table_kind *kind, const void *state,
                         const struct sl_tuple_names *names,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct sl_entry entry;
    if (kind->drain)
        kind->drain(state, names, emit, context);
    for (size_t i = 0; kind->entry && kind->entry(state, i, &entry); i++)
        if (entry.count && !emit(context, &entry))
            return;
}

static bool count_entry(void *n, const struct sl_entry *entry)
{
    (void)entry;
    ++*(uint64_t *)n;
    return true;
}

void sl_table_status_kind(const struct sl_table_kind *kind, const void *state,
                          struct sl_table_status *status)
{
    kind->status(state, status);
    if (kind->entry)
        sl_table_drain_kind(kind, state, NULL, count_entry, &status->distinct);
}

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
        return sl_fail(f, SL_EUSAGE, "the memory of a table must be aligned to 64 bytes");
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

int sl_table_create(struct sl_table **table, const struct sl_table_kind *kind, const void *config,
                    const struct sl_table_host *host, struct sl_failure *f)
{
    size_t bytes = sl_table_bytes_of(kind, config, host);
    struct sl_table *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                   -1, 0);
    *table = NULL;
    if (memory == MAP_FAILED)
        return sl_out_of_memory(f);
    struct sl_table_host with_totals = *host;
    bool has_totals = kind->intervals && !host->interval;
    if (has_totals) {
        with_totals.interval = sl_interval_totals_add;
        with_totals.context = &memory->totals;
    }
    int error = sl_table_make(table, kind, config, &with_totals, memory, f);
    if (error < 0) {
        munmap(memory, bytes);
        return error;
    }
    memory->mapped_bytes = bytes;
    memory->has_totals = has_totals;
    memory->totals.memory_bytes = host->memory_bytes;
    return 0;
}

int sl_table_reset(struct sl_table *table, struct sl_failure *f)
{
    SL_REQUIRE(f, table);
    if (table->kind->close)
        table->kind->close(table->state);
    sl_interval_totals_free(&table->totals);
    memset(table->state, 0, table->state_bytes);
    table->finished = false;
    return table->kind->init(table->state, table->config, &table->host, f);
}

void sl_table_step(struct sl_table *table, const struct sl_event *event)
{
    if (table && event)
        table->kind->step(table->state, event);
}

void sl_table_observe(struct sl_table *table, const struct sl_batch *batch)
{
    if (table && batch && batch->n && batch->tuple_id && batch->names)
        table->kind->observe(table->state, batch);
}

void sl_table_add(struct sl_table *table, uint32_t tuple_id, uint64_t times, uint64_t weight)
{
    table->kind->totals->add(table->state, tuple_id, times, weight);
}

void sl_table_rest(struct sl_table *table)
{
    if (table->kind->large)
        table->kind->large->rest(table->state);
}

uint32_t sl_table_delay(const struct sl_table *table, const struct sl_event *event)
{
    return table->kind->timing->delay(table->state, event);
}

size_t sl_table_cut(const struct sl_table *table, const struct sl_batch *batch)
{
    const struct sl_table_intervals *intervals = table->kind->intervals;
    return intervals ? intervals->cut(table->state, batch) : batch->n;
}

void sl_table_finish(struct sl_table *table)
{
    if (!table || table->finished)
        return;
    if (table->kind->finish)
        table->kind->finish(table->state);
    table->finished = true;
}

void sl_table_drain(const struct sl_table *table, const struct sl_tuple_names *names,
                    bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    if (!table || !emit)
        return;
    if (!table->has_totals) {
        sl_table_drain_kind(table->kind, table->state, names, emit, context);
        return;
    }
    struct sl_interval_totals_drain drain = {(struct sl_interval_totals *)&table->totals, emit,
                                             context, false};
    if (!table->finished) /* else the last interval is in the totals */
        sl_table_drain_kind(table->kind, table->state, names, sl_interval_totals_in_progress,
                            &drain);
    sl_interval_totals_emit(&drain);
}

uint64_t sl_table_drain_heavy(const struct sl_table *table, const struct sl_tuple_names *names,
                              const uint64_t *least,
                              bool (*emit)(void *context, const struct sl_entry *entry),
                              void *context)
{
    if (table->kind->large && !table->has_totals)
        return table->kind->large->drain_heavy(table->state, names, least, emit, context);
    sl_table_drain(table, names, emit, context);
    return 0;
}

const struct sl_phase *sl_table_phases(const struct sl_table *table, size_t *n)
{
    const struct sl_table_order *order = table->kind->order;
    *n = 0;
    return order && order->phases ? order->phases(table->state, n) : NULL;
}

bool sl_table_sequence(const struct sl_table *table, struct sl_sequence *sequence)
{
    return table->kind->order->sequence(table->state, sequence);
}

size_t sl_table_parameters(const struct sl_table *table, struct sl_parameter *out)
{
    return table->kind->parameters ? table->kind->parameters(table->state, out) : 0;
}

void sl_table_status(const struct sl_table *table, struct sl_table_status *status)
{
    if (!(table && status))
        return;
    sl_table_status_kind(table->kind, table->state, status);
    if (table->kind->storage_bits)
        status->storage_bits = table->kind->storage_bits(table->config);
    if (!table->has_totals)
        return;
    status->distinct = 0;
    sl_table_drain(table, NULL, count_entry, &status->distinct);
    if (table->totals.lost)
        snprintf(status->note, sizeof status->note,
                 "the totals of all intervals used up their memory (%.1f MB): %llu candidates are "
                 "not included; raise the memory limit",
                 (double)table->totals.memory_bytes / 1e6, (unsigned long long)table->totals.lost);
}

void sl_table_close(struct sl_table *table)
{
    if (!table)
        return;
    if (table->kind->close)
        table->kind->close(table->state);
    sl_interval_totals_free(&table->totals);
    if (table->mapped_bytes)
        munmap(table, table->mapped_bytes);
}
