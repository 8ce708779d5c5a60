/* SPDX-License-Identifier: MIT */
/* Runs the detectors of a group of profiles and merges their events into batches in program order
 * (detector_set.h). */
#include "detector_set.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* ---- times ---- */

/* For batches of at most `events` events. Returns false if out of memory. */
static bool clock_open(struct sl_detector_set_clock *clock, size_t events)
{
    clock->end = calloc(SL_CHUNK_BLOCKS + 1, sizeof *clock->end);
    clock->time = malloc(events * sizeof *clock->time);
    clock->place = malloc(events * sizeof *clock->place);
    return clock->end && clock->time && clock->place;
}

/* The times of n events; `place` is sl_events.place, NULL for events that were held back. */
static const uint64_t *clock_times(struct sl_detector_set_clock *clock, const uint32_t *place,
                                   size_t n)
{
    for (size_t at = 0, next; at < n; at = next) {
        next = at + 1;
        while (next < n && (!place || place[next] == place[at]))
            next++;
        uint64_t end = place ? clock->end[place[at]] : clock->now;
        uint64_t took = place && place[at] ? end - clock->end[place[at] - 1] : 0;
        for (size_t i = at; i < next; i++) {
            uint64_t first = clock->last ? clock->last : 1;
            uint64_t time = end - took * (next - 1 - i) / (next - at);
            clock->time[i] = clock->last = time > first ? time : first;
        }
    }
    return clock->time;
}

/* ---- open ---- */

void sl_detector_set_prepare(struct sl_detector_set *set, const struct sl_profile_spec *spec)
{
    *set = (struct sl_detector_set){.n_members = spec->n_detectors, .text = spec->detecting};
    for (size_t i = 0; i < set->n_members; i++)
        set->member[i] = (struct sl_detector_slot){.kind = spec->detector[i].kind,
                                                   .config = spec->detector[i].config,
                                                   .metric = spec->detector[i].metric};
}

bool sl_events_allocate(struct sl_events *events, size_t n, bool places)
{
    events->tuple_id = malloc(n * sizeof *events->tuple_id);
    events->value = malloc(n * sizeof *events->value);
    events->weight = malloc(n * sizeof *events->weight);
    events->position = places ? malloc(n * sizeof *events->position) : NULL;
    return events->tuple_id && events->value && events->weight && (events->position || !places);
}

void sl_events_free(struct sl_events *events)
{
    free(events->tuple_id);
    free(events->value);
    free(events->weight);
    free(events->position);
}

/* Order of events at the same block: the outcome of a branch is known when the next block starts,
 * before that block's loads; the method-table slot of a call is known after its block's loads. */
static unsigned turn_of(const struct sl_detector_kind *kind)
{
    return kind->stream_needs & SL_NEED_ADDRESSES ? 2 : kind->stream_needs & SL_NEED_VALUES ? 1 : 0;
}

static bool prepare_merging(struct sl_detector_set *set)
{
    size_t n = 0;
    set->static_words = true;
    bool done = sl_events_allocate(&set->merged, set->n_members * (size_t)SL_EVENTS_MAX,
                                   set->clock.cycles);
    for (unsigned turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < set->n_members; i++)
            if (turn_of(set->member[i].kind) == turn) {
                set->order[n++] = &set->member[i];
                set->static_words &= !set->member[i].kind->second_in_event;
                set->weights |= set->member[i].metric->weigh || set->member[i].kind->machine_events;
                done = sl_events_allocate(&set->member[i].buffer, SL_EVENTS_MAX, true) && done;
            }
    return done;
}

int sl_detector_set_open(struct sl_detector_set *set, const struct sl_detector_env *env,
                         struct sl_failure *f)
{
    int error = 0;
    if (set->keeps_parts && !(set->part = malloc(SL_EVENTS_MAX * sizeof *set->part)))
        return sl_out_of_memory(f);
    if (set->clock.cycles && !clock_open(&set->clock, set->n_members * (size_t)SL_EVENTS_MAX))
        return sl_out_of_memory(f);
    if (set->n_members > 1 && !prepare_merging(set))
        return sl_out_of_memory(f);
    for (size_t i = 0; i < set->n_members && error >= 0; i++) {
        struct sl_detector_slot *m = &set->member[i];
        if (!(m->state = calloc(1, m->kind->state_size)))
            return sl_out_of_memory(f);
        error = m->kind->init(m->state, m->config, env, f);
        m->opened = error >= 0;
    }
    return error;
}

int sl_detector_set_sync(struct sl_detector_set *set, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < set->n_members && error >= 0; i++)
        if (set->member[i].kind->sync)
            error = set->member[i].kind->sync(set->member[i].state, f);
    return error;
}

/* ---- one detector ---- */

static void clear(struct sl_events *events)
{
    events->n = 0;
    events->tuple_id_in_place = NULL;
    events->value_in_place = NULL;
    events->weight_in_place = NULL;
}

/* A detector's events as a batch with its own tuple ids. */
static struct sl_batch batch_of(const struct sl_detector_set *set, struct sl_detector_slot *m,
                                const struct sl_events *events, struct sl_tuple_names *names)
{
    m->kind->names(m->state, names);
    bool weighed = m->metric->weigh || m->kind->machine_events;
    struct sl_batch batch = {
        .n = events->n,
        .tuple_id = events->tuple_id_in_place ? events->tuple_id_in_place : events->tuple_id,
        .value = names->value             ? NULL
                 : events->value_in_place ? events->value_in_place
                                          : events->value,
        .weight = events->weight_in_place ? events->weight_in_place
                  : weighed               ? events->weight
                                          : NULL,
        .names = names,
        .part = (const uint64_t(*)[SL_PARTS])set->part,
        .thread = events->thread,
    };
    m->events += batch.n;
    m->weight += batch.weight ? 0 : batch.n;
    for (size_t i = 0; batch.weight && i < batch.n; i++)
        m->weight += batch.weight[i];
    return batch;
}

static int feed_member(const struct sl_detector_set *set, struct sl_detector_slot *m,
                       struct sl_slice slice, struct sl_events *events, struct sl_failure *f)
{
    uint32_t thread = slice.chunk->thread;
    slice.block_weight = m->weights ? set->weight[m->weights - 1] : NULL;
    slice.step = m->metric->step;
    slice.access = m->metric->access;
    clear(events);
    events->thread = thread;
    if (!SL_GROW(m->thread_joined, m->threads_capacity, (size_t)thread + 1))
        return sl_out_of_memory(f);
    bool fed = slice.active || m->kind->feed_inactive;
    slice.joined = slice.joined && m->thread_joined[thread];
    m->thread_joined[thread] = fed;
    return fed ? m->kind->feed(m->state, &slice, events, f) : 0;
}

/* Adds the times of the events, if there is a clock, and emits the batch. */
static void emit(struct sl_detector_set *set, struct sl_batch *batch, const uint32_t *place)
{
    if (set->clock.cycles)
        batch->time = clock_times(&set->clock, place, batch->n);
    if (batch->n)
        set->emit(set->context, batch);
}

static void emit_single(struct sl_detector_set *set, bool held)
{
    struct sl_tuple_names names;
    struct sl_batch batch = batch_of(set, &set->member[0], set->buffer, &names);
    emit(set, &batch, held ? NULL : set->buffer->position);
}

/* ---- several ---- */

/* Assigns tuple ids of the detector set to the detector's new tuples. Returns false if out of
 * memory. */
static bool add_tuple_ids(struct sl_detector_set *set, struct sl_detector_slot *m,
                          const struct sl_tuple_names *names)
{
    uint64_t tag = (uint64_t)(m - set->member) << SL_TAG_SHIFT;
    size_t n_new = names->n - m->n_tuple_ids;
    if (!SL_GROW(m->tuple_id, m->tuple_ids_capacity, names->n) ||
        !SL_GROW(set->pc, set->pcs_capacity, set->n_names + n_new) ||
        !SL_GROW(set->value, set->values_capacity, set->n_names + n_new))
        return false;
    for (; m->n_tuple_ids < names->n; m->n_tuple_ids++) {
        m->tuple_id[m->n_tuple_ids] = (uint32_t)set->n_names;
        set->value[set->n_names] = names->value ? names->value[m->n_tuple_ids] : 0;
        set->pc[set->n_names++] = names->pc[m->n_tuple_ids] | tag;
    }
    return true;
}

/* Events of a detector that are still to be merged. */
struct source {
    struct sl_batch batch;
    struct sl_tuple_names names;
    const uint32_t *place, *tuple_id;
    size_t at;
};

/* Appends the events up to `place` to `merged`. */
static void append(struct source *s, uint32_t place, struct sl_events *merged)
{
    for (; s->at < s->batch.n && s->place[s->at] <= place; s->at++) {
        uint32_t tuple_id = s->batch.tuple_id[s->at];
        merged->tuple_id[merged->n] = s->tuple_id[tuple_id];
        if (merged->position)
            merged->position[merged->n] = s->place[s->at];
        merged->value[merged->n] = s->batch.value ? s->batch.value[s->at]
                                                  : s->names.value[tuple_id];
        merged->weight[merged->n++] = s->batch.weight ? s->batch.weight[s->at] : 1;
    }
}

/* Emits the events in the detectors' buffers, merged in program order. */
static int emit_merged(struct sl_detector_set *set, uint32_t thread, bool held,
                       struct sl_failure *f)
{
    struct source source[SL_SPEC_DETECTORS];
    struct sl_events *merged = &set->merged;
    struct sl_tuple_names names;
    for (size_t i = 0; i < set->n_members; i++) {
        struct sl_detector_slot *m = set->order[i];
        struct source *s = &source[i];
        s->batch = batch_of(set, m, &m->buffer, &s->names);
        if (m->n_tuple_ids < s->names.n && !add_tuple_ids(set, m, &s->names))
            return sl_out_of_memory(f);
        s->place = m->buffer.position;
        s->tuple_id = m->tuple_id;
        s->at = 0;
    }
    clear(merged);
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < set->n_members; i++)
            if (source[i].at < source[i].batch.n && source[i].place[source[i].at] < next)
                next = source[i].place[source[i].at];
        if (next == UINT32_MAX)
            break;
        for (size_t i = 0; i < set->n_members; i++)
            append(&source[i], next, merged);
    }
    sl_detector_set_names(set, &names);
    struct sl_batch batch = {.n = merged->n,
                             .tuple_id = merged->tuple_id,
                             .value = set->static_words ? NULL : merged->value,
                             .weight = set->weights ? merged->weight : NULL,
                             .names = &names,
                             .thread = thread};
    emit(set, &batch, held ? NULL : merged->position);
    return 0;
}

/* ---- from slices to batches ---- */

void sl_detector_set_chunk(struct sl_detector_set *set, uint32_t n_blocks)
{
    struct sl_detector_set_clock *clock = &set->clock;
    for (uint32_t i = 0; clock->cycles && i < n_blocks; i++) {
        clock->end[i] = clock->now;
        clock->now += set->weight[clock->cycles - 1][i];
    }
    if (clock->cycles)
        clock->end[n_blocks] = clock->now;
}

/* Arrays that a single detector fills in addition to its events. */
static void lend(struct sl_detector_set *set)
{
    set->buffer->part = set->part;
    set->buffer->position = set->clock.place;
}

int sl_detector_set_slice(struct sl_detector_set *set, const struct sl_slice *slice,
                          struct sl_failure *f)
{
    int error = 0;
    lend(set);
    if (set->n_members == 1) {
        error = feed_member(set, &set->member[0], *slice, set->buffer, f);
        if (error >= 0)
            emit_single(set, false);
        return error;
    }
    for (size_t i = 0; i < set->n_members && error >= 0; i++)
        error = feed_member(set, &set->member[i], *slice, &set->member[i].buffer, f);
    return error < 0 ? error : emit_merged(set, slice->chunk->thread, false, f);
}

uint32_t sl_detector_set_blocks_max(const struct sl_detector_set *set)
{
    uint32_t most = 1;
    for (size_t i = 0; i < set->n_members; i++) {
        const struct sl_detector_slot *m = &set->member[i];
        uint32_t own = m->kind->max_events_per_block ? m->kind->max_events_per_block(m->config) : 0;
        most = own > most ? own : most;
    }
    return (SL_EVENTS_MAX - 1) / most;
}

/* Emits the events that a detector held back: those of an ended thread or, if `thread` is NULL, all
 * of them. The detector returns the events of one thread at a time. */
static int flush(struct sl_detector_set *set, struct sl_detector_slot *m, const uint32_t *thread,
                 struct sl_failure *f)
{
    struct sl_events *events = set->n_members == 1 ? set->buffer : &m->buffer;
    int error = 0;
    do {
        clear(events);
        if (thread)
            m->kind->end_thread(m->state, *thread, events);
        else
            m->kind->finish(m->state, events);
        if (events->n && set->n_members > 1)
            error = emit_merged(set, events->thread, true, f);
        else if (events->n)
            emit_single(set, true);
    } while (!thread && events->n && error >= 0);
    clear(events);
    return error;
}

int sl_detector_set_flush(struct sl_detector_set *set, const uint32_t *thread, struct sl_failure *f)
{
    int error = 0;
    lend(set);
    /* Only the flushed detector has events then: emit_merged() reads all buffers. */
    for (size_t i = 0; i < set->n_members && set->n_members > 1; i++)
        clear(&set->member[i].buffer);
    for (size_t i = 0; i < set->n_members && error >= 0; i++) {
        struct sl_detector_slot *m = &set->member[i];
        if (m->opened && (thread ? m->kind->end_thread != NULL : m->kind->finish != NULL))
            error = flush(set, m, thread, f);
    }
    return error;
}

void sl_detector_set_names(const struct sl_detector_set *set, struct sl_tuple_names *names)
{
    if (set->n_members > 1)
        *names = (struct sl_tuple_names){set->pc, set->static_words ? set->value : NULL,
                                         set->n_names};
    else
        set->member[0].kind->names(set->member[0].state, names);
}

void sl_detector_set_close(struct sl_detector_set *set)
{
    for (size_t i = 0; i < set->n_members; i++) {
        struct sl_detector_slot *m = &set->member[i];
        if (m->opened)
            m->kind->close(m->state);
        free(m->state);
        free(m->thread_joined);
        free(m->tuple_id);
        sl_events_free(&m->buffer);
    }
    sl_events_free(&set->merged);
    free(set->clock.end);
    free(set->clock.time);
    free(set->clock.place);
    free(set->part);
    free(set->pc);
    free(set->value);
}
