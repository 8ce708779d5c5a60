/* SPDX-License-Identifier: MIT */
/* Runs the detectors of a group and merges their events into batches in program order
 * (detector_set.h). With several detectors, tuples get ids of the set, and a tag in the pc tells
 * their detectors apart. With a clock, the events of a block are spread evenly over the block's
 * cycles. */
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

static void clock_close(struct sl_detector_set_clock *clock)
{
    free(clock->end);
    free(clock->time);
    free(clock->place);
}

/* Starts a chunk; `cycles` are those of its blocks. */
static void clock_chunk(struct sl_detector_set_clock *clock, uint32_t n_blocks,
                        const uint64_t *cycles)
{
    for (uint32_t i = 0; i < n_blocks; i++) {
        clock->end[i] = clock->now;
        clock->now += cycles[i];
    }
    clock->end[n_blocks] = clock->now;
}

static uint64_t advance(struct sl_detector_set_clock *clock, uint64_t time)
{
    uint64_t first = clock->last ? clock->last : 1;
    return clock->last = time > first ? time : first;
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
        for (size_t i = at; i < next; i++)
            clock->time[i] = advance(clock, end - took * (next - 1 - i) / (next - at));
    }
    return clock->time;
}

/* ---- open ---- */

void sl_detector_set_prepare(struct sl_detector_set *feed, const struct sl_profile_spec *spec)
{
    *feed = (struct sl_detector_set){.n_members = spec->n_detectors, .text = spec->detecting};
    for (size_t i = 0; i < feed->n_members; i++)
        feed->member[i] = (struct sl_detector_slot){.kind = spec->detector[i].kind,
                                                    .config = spec->detector[i].config,
                                                    .metric = spec->detector[i].metric};
}

static bool allocate(struct sl_events *events, size_t n, bool places)
{
    events->number = malloc(n * sizeof *events->number);
    events->value = malloc(n * sizeof *events->value);
    events->weight = malloc(n * sizeof *events->weight);
    events->place = places ? malloc(n * sizeof *events->place) : NULL;
    return events->number && events->value && events->weight && (events->place || !places);
}

static void release(struct sl_events *events)
{
    free(events->number);
    free(events->value);
    free(events->weight);
    free(events->place);
}

/* Order of events at the same block: the outcome of a branch is known when the next block starts,
 * before that block's loads; the method-table slot of a call is known after its block's loads. */
static unsigned turn_of(const struct sl_detector_kind *kind)
{
    return kind->stream_needs & SL_NEED_ADDRESSES ? 2 : kind->stream_needs & SL_NEED_VALUES ? 1 : 0;
}

static bool prepare_merging(struct sl_detector_set *feed)
{
    size_t n = 0;
    feed->static_words = true;
    bool done = allocate(&feed->merged, feed->n_members * (size_t)SL_EVENTS_MAX,
                         feed->clock.cycles);
    for (unsigned turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < feed->n_members; i++)
            if (turn_of(feed->member[i].kind) == turn) {
                feed->order[n++] = &feed->member[i];
                feed->static_words &= !feed->member[i].kind->second_in_event;
                feed->weights |= feed->member[i].metric->weigh ||
                                 feed->member[i].kind->machine_events;
                done = allocate(&feed->member[i].buffer, SL_EVENTS_MAX, true) && done;
            }
    return done;
}

int sl_detector_set_open(struct sl_detector_set *feed, const struct sl_detector_env *watch,
                         struct sl_failure *f)
{
    int error = 0;
    if (feed->keeps_parts && !(feed->part = malloc(SL_EVENTS_MAX * sizeof *feed->part)))
        return sl_out_of_memory(f);
    if (feed->clock.cycles && !clock_open(&feed->clock, feed->n_members * (size_t)SL_EVENTS_MAX))
        return sl_out_of_memory(f);
    if (feed->n_members > 1 && !prepare_merging(feed))
        return sl_out_of_memory(f);
    for (size_t i = 0; i < feed->n_members && error >= 0; i++) {
        struct sl_detector_slot *m = &feed->member[i];
        if (!(m->state = calloc(1, m->kind->state_size)))
            return sl_out_of_memory(f);
        error = m->kind->init(m->state, m->config, watch, f);
        m->opened = error >= 0;
    }
    return error;
}

int sl_detector_set_sync(struct sl_detector_set *feed, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < feed->n_members && error >= 0; i++)
        error = feed->member[i].kind->sync(feed->member[i].state, f);
    return error;
}

/* ---- one detector ---- */

static void clear(struct sl_events *events)
{
    events->n = 0;
    events->number_in_place = NULL;
    events->value_in_place = NULL;
    events->weight_in_place = NULL;
}

/* A detector's events as a batch with its own numbers. */
static struct sl_batch batch_of(const struct sl_detector_set *feed, struct sl_detector_slot *m,
                                const struct sl_events *events, struct sl_tuple_names *names)
{
    m->kind->names(m->state, names);
    bool weighed = m->metric->weigh || m->kind->machine_events;
    struct sl_batch batch = {
        .n = events->n,
        .number = events->number_in_place ? events->number_in_place : events->number,
        .value = names->value             ? NULL
                 : events->value_in_place ? events->value_in_place
                                          : events->value,
        .weight = events->weight_in_place ? events->weight_in_place
                  : weighed               ? events->weight
                                          : NULL,
        .names = names,
        .part = (const uint64_t(*)[SL_PARTS])feed->part,
        .thread = events->thread,
    };
    m->events += batch.n;
    m->weight += batch.weight ? 0 : batch.n;
    for (size_t i = 0; batch.weight && i < batch.n; i++)
        m->weight += batch.weight[i];
    return batch;
}

static int feed_member(const struct sl_detector_set *feed, struct sl_detector_slot *m,
                       struct sl_slice slice, struct sl_events *events, struct sl_failure *f)
{
    uint32_t thread = slice.chunk->thread;
    slice.block_weight = m->weights ? feed->weight[m->weights - 1] : NULL;
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
static void emit(struct sl_detector_set *feed, struct sl_batch *batch, const uint32_t *place)
{
    if (feed->clock.cycles)
        batch->time = clock_times(&feed->clock, place, batch->n);
    if (batch->n)
        feed->emit(feed->context, batch);
}

static void emit_single(struct sl_detector_set *feed, bool held)
{
    struct sl_tuple_names names;
    struct sl_batch batch = batch_of(feed, &feed->member[0], feed->buffer, &names);
    emit(feed, &batch, held ? NULL : feed->buffer->place);
}

/* ---- several ---- */

/* Assigns numbers of the feed to the detector's new tuples. Returns false if out of memory. */
static bool number_new(struct sl_detector_set *feed, struct sl_detector_slot *m,
                       const struct sl_tuple_names *names)
{
    uint64_t tag = (uint64_t)(m - feed->member) << SL_TAG_SHIFT;
    size_t n_new = names->n - m->n_numbers;
    if (!SL_GROW(m->number, m->numbers_capacity, names->n) ||
        !SL_GROW(feed->pc, feed->pcs_capacity, feed->n_names + n_new) ||
        !SL_GROW(feed->value, feed->values_capacity, feed->n_names + n_new))
        return false;
    for (; m->n_numbers < names->n; m->n_numbers++) {
        m->number[m->n_numbers] = (uint32_t)feed->n_names;
        feed->value[feed->n_names] = names->value ? names->value[m->n_numbers] : 0;
        feed->pc[feed->n_names++] = names->pc[m->n_numbers] | tag;
    }
    return true;
}

/* Events of a detector that are still to be merged. */
struct source {
    struct sl_batch batch;
    struct sl_tuple_names names;
    const uint32_t *place, *number;
    size_t at;
};

/* Appends the events up to `place` to `merged`. */
static void append(struct source *s, uint32_t place, struct sl_events *merged)
{
    for (; s->at < s->batch.n && s->place[s->at] <= place; s->at++) {
        uint32_t number = s->batch.number[s->at];
        merged->number[merged->n] = s->number[number];
        if (merged->place)
            merged->place[merged->n] = s->place[s->at];
        merged->value[merged->n] = s->batch.value ? s->batch.value[s->at] : s->names.value[number];
        merged->weight[merged->n++] = s->batch.weight ? s->batch.weight[s->at] : 1;
    }
}

/* Emits the events in the detectors' buffers, merged in program order. */
static int emit_merged(struct sl_detector_set *feed, uint32_t thread, bool held,
                       struct sl_failure *f)
{
    struct source source[SL_SPEC_DETECTORS];
    struct sl_events *merged = &feed->merged;
    struct sl_tuple_names names;
    for (size_t i = 0; i < feed->n_members; i++) {
        struct sl_detector_slot *m = feed->order[i];
        struct source *s = &source[i];
        s->batch = batch_of(feed, m, &m->buffer, &s->names);
        if (m->n_numbers < s->names.n && !number_new(feed, m, &s->names))
            return sl_out_of_memory(f);
        s->place = m->buffer.place;
        s->number = m->number;
        s->at = 0;
    }
    clear(merged);
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < feed->n_members; i++)
            if (source[i].at < source[i].batch.n && source[i].place[source[i].at] < next)
                next = source[i].place[source[i].at];
        if (next == UINT32_MAX)
            break;
        for (size_t i = 0; i < feed->n_members; i++)
            append(&source[i], next, merged);
    }
    sl_detector_set_names(feed, &names);
    struct sl_batch batch = {.n = merged->n,
                             .number = merged->number,
                             .value = feed->static_words ? NULL : merged->value,
                             .weight = feed->weights ? merged->weight : NULL,
                             .names = &names,
                             .thread = thread};
    emit(feed, &batch, held ? NULL : merged->place);
    return 0;
}

/* ---- from slices to batches ---- */

void sl_detector_set_chunk(struct sl_detector_set *feed, uint32_t n_blocks)
{
    if (feed->clock.cycles)
        clock_chunk(&feed->clock, n_blocks, feed->weight[feed->clock.cycles - 1]);
}

/* Arrays that a single detector fills in addition to its events. */
static void lend(struct sl_detector_set *feed)
{
    feed->buffer->part = feed->part;
    feed->buffer->place = feed->clock.place;
}

int sl_detector_set_slice(struct sl_detector_set *feed, const struct sl_slice *slice,
                          struct sl_failure *f)
{
    int error = 0;
    lend(feed);
    if (feed->n_members == 1) {
        error = feed_member(feed, &feed->member[0], *slice, feed->buffer, f);
        if (error >= 0)
            emit_single(feed, false);
        return error;
    }
    for (size_t i = 0; i < feed->n_members && error >= 0; i++)
        error = feed_member(feed, &feed->member[i], *slice, &feed->member[i].buffer, f);
    return error < 0 ? error : emit_merged(feed, slice->chunk->thread, false, f);
}

uint32_t sl_detector_set_blocks_max(const struct sl_detector_set *feed)
{
    uint32_t most = 1;
    for (size_t i = 0; i < feed->n_members; i++) {
        const struct sl_detector_slot *m = &feed->member[i];
        uint32_t own = m->kind->max_events_per_block ? m->kind->max_events_per_block(m->config) : 0;
        most = own > most ? own : most;
    }
    return (SL_EVENTS_MAX - 1) / most;
}

static void clear_all(struct sl_detector_set *feed)
{
    lend(feed);
    for (size_t i = 0; i < feed->n_members && feed->n_members > 1; i++)
        clear(&feed->member[i].buffer);
}

static struct sl_events *buffer_of(struct sl_detector_set *feed, struct sl_detector_slot *m)
{
    struct sl_events *events = feed->n_members == 1 ? feed->buffer : &m->buffer;
    clear(events);
    return events;
}

/* Emits held-back events, which are those of one detector; events->thread says of which thread. */
static int emit_held(struct sl_detector_set *feed, struct sl_events *events, struct sl_failure *f)
{
    if (events->n && feed->n_members > 1)
        return emit_merged(feed, events->thread, true, f);
    if (events->n)
        emit_single(feed, true);
    return 0;
}

int sl_detector_set_end_thread(struct sl_detector_set *feed, uint32_t thread, struct sl_failure *f)
{
    int error = 0;
    clear_all(feed);
    for (size_t i = 0; i < feed->n_members && error >= 0; i++) {
        struct sl_detector_slot *m = &feed->member[i];
        struct sl_events *events = buffer_of(feed, m);
        if (m->kind->end_thread)
            m->kind->end_thread(m->state, thread, events);
        error = emit_held(feed, events, f);
        clear(events);
    }
    return error;
}

static int finish_member(struct sl_detector_set *feed, struct sl_detector_slot *m,
                         struct sl_failure *f)
{
    struct sl_events *events;
    int error;
    do {
        events = buffer_of(feed, m);
        m->kind->finish(m->state, events);
        error = emit_held(feed, events, f);
    } while (events->n && error >= 0);
    return error;
}

int sl_detector_set_finish(struct sl_detector_set *feed, struct sl_failure *f)
{
    int error = 0;
    clear_all(feed);
    for (size_t i = 0; i < feed->n_members && error >= 0; i++)
        if (feed->member[i].opened && feed->member[i].kind->finish)
            error = finish_member(feed, &feed->member[i], f);
    return error;
}

void sl_detector_set_names(const struct sl_detector_set *feed, struct sl_tuple_names *names)
{
    if (feed->n_members > 1)
        *names = (struct sl_tuple_names){feed->pc, feed->static_words ? feed->value : NULL,
                                         feed->n_names};
    else
        feed->member[0].kind->names(feed->member[0].state, names);
}

void sl_detector_set_close(struct sl_detector_set *feed)
{
    for (size_t i = 0; i < feed->n_members; i++) {
        struct sl_detector_slot *m = &feed->member[i];
        if (m->opened)
            m->kind->close(m->state);
        free(m->state);
        free(m->thread_joined);
        free(m->number);
        release(&m->buffer);
    }
    release(&feed->merged);
    clock_close(&feed->clock);
    free(feed->part);
    free(feed->pc);
    free(feed->value);
}
