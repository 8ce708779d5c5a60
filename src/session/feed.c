#include "feed.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

void sl_feed_prepare(struct sl_feed *feed, const struct sl_profile_spec *spec,
                     struct sl_events *buffer)
{
    *feed = (struct sl_feed){.n_members = spec->n_detectors, .metric = spec->metric,
                             .text = spec->detecting, .buffer = buffer};
    for (size_t i = 0; i < feed->n_members; i++)
        feed->member[i] = (struct sl_member){.kind = spec->detector[i].kind,
                                             .config = spec->detector[i].config};
}

/* One detector's events for a whole slice go behind what is there. */
#define MERGED_MAX (2 * (size_t)SL_EVENTS_MAX)

int sl_feed_open(struct sl_feed *feed, const struct sl_watch *watch, struct sl_failure *f)
{
    int error = 0;
    if (feed->n_members > 1) {
        feed->merged.number = malloc(MERGED_MAX * sizeof *feed->merged.number);
        feed->merged.value = malloc(MERGED_MAX * sizeof *feed->merged.value);
        feed->merged.weight = malloc(MERGED_MAX * sizeof *feed->merged.weight);
        if (!feed->merged.number || !feed->merged.value || !feed->merged.weight)
            return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    for (size_t i = 0; i < feed->n_members && error >= 0; i++) {
        struct sl_member *m = &feed->member[i];
        if (!(m->state = calloc(1, m->kind->state_size)))
            return sl_fail(f, SL_ENOMEM, "out of memory");
        error = m->kind->init(m->state, m->config, watch, f);
        m->opened = error >= 0;
    }
    return error;
}

int sl_feed_sync(struct sl_feed *feed, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < feed->n_members && error >= 0; i++)
        error = feed->member[i].kind->sync(feed->member[i].state, f);
    return error;
}

/* ---- one detector -------------------------------------------------------- */

static void clear(struct sl_events *events)
{
    events->n = 0;
    events->number_in_place = NULL;
    events->value_in_place = NULL;
}

/* The buffer as a batch of the member's own numbers. */
static struct sl_batch batch_of(const struct sl_feed *feed, struct sl_member *m,
                                struct sl_names *names)
{
    const struct sl_events *events = feed->buffer;
    m->kind->names(m->state, names);
    struct sl_batch batch = {
        .n = events->n,
        .number = events->number_in_place ? events->number_in_place : events->number,
        .value = names->value              ? NULL
                 : events->value_in_place ? events->value_in_place
                                          : events->value,
        .weight = feed->metric->weigh ? events->weight : NULL,
        .names = names,
    };
    m->events += batch.n;
    m->weight += batch.weight ? 0 : batch.n;
    for (size_t i = 0; batch.weight && i < batch.n; i++)
        m->weight += batch.weight[i];
    return batch;
}

static void give_merged(struct sl_feed *feed)
{
    struct sl_names names;
    sl_feed_names(feed, &names);
    struct sl_batch batch = {feed->merged.n, feed->merged.number, feed->merged.value,
                             feed->metric->weigh ? feed->merged.weight : NULL, &names};
    if (batch.n)
        feed->give(feed->context, &batch);
    feed->merged.n = 0;
}

/* Numbers of the feed's own for what the detector has named since. */
static bool number_new(struct sl_feed *feed, struct sl_member *m, const struct sl_names *names)
{
    uint64_t tag = (uint64_t)(m - feed->member) << SL_TAG_SHIFT;
    size_t n_new = names->n - m->n_numbers;
    if (!SL_GROW(m->number, m->room_numbers, names->n) ||
        !SL_GROW(feed->pc, feed->room_pcs, feed->n_pcs + n_new))
        return false;
    for (; m->n_numbers < names->n; m->n_numbers++) {
        m->number[m->n_numbers] = (uint32_t)feed->n_pcs;
        feed->pc[feed->n_pcs++] = names->pc[m->n_numbers] | tag;
    }
    return true;
}

static int merge(struct sl_feed *feed, struct sl_member *m, struct sl_failure *f)
{
    struct sl_names names;
    struct sl_batch batch = batch_of(feed, m, &names);
    struct sl_events *merged = &feed->merged;
    if (m->n_numbers < names.n && !number_new(feed, m, &names))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (size_t i = 0; i < batch.n; i++) {
        merged->number[merged->n] = m->number[batch.number[i]];
        merged->value[merged->n] = batch.value ? batch.value[i] : names.value[batch.number[i]];
        merged->weight[merged->n++] = batch.weight ? batch.weight[i] : 1;
    }
    if (merged->n > SL_EVENTS_MAX)
        give_merged(feed);
    return 0;
}

/* What the detector left in the buffer goes to the tables. */
static int pass_on(struct sl_feed *feed, struct sl_member *m, struct sl_failure *f)
{
    if (feed->n_members > 1)
        return merge(feed, m, f);
    struct sl_names names;
    struct sl_batch batch = batch_of(feed, m, &names);
    if (batch.n)
        feed->give(feed->context, &batch);
    return 0;
}

static int feed_member(struct sl_feed *feed, struct sl_member *m, struct sl_slice slice,
                       struct sl_failure *f)
{
    uint32_t thread = slice.chunk->thread;
    if (!SL_GROW(m->thread_joined, m->room_threads, (size_t)thread + 1))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    bool fed = slice.active || m->kind->follows;
    slice.joined = slice.joined && m->thread_joined[thread];
    m->thread_joined[thread] = fed;
    if (!fed)
        return 0;
    clear(feed->buffer);
    int error = m->kind->feed(m->state, &slice, feed->buffer, f);
    return error < 0 ? error : pass_on(feed, m, f);
}

/* ---- several ------------------------------------------------------------- */

/* Block by block and each detector in its turn, so that the events are in the
 * program's order: what a branch did is known when the block after it comes, before
 * what that block loads, and a call's method-table slot when its block has loaded. */
static unsigned turn_of(const struct sl_detector_kind *kind)
{
    return kind->wants & SL_WANT_ADDRESSES ? 2 : kind->wants & SL_WANT_VALUES ? 1 : 0;
}

static int feed_members(struct sl_feed *feed, const struct sl_slice *slice, struct sl_failure *f)
{
    const struct sl_chunk *chunk = slice->chunk;
    struct sl_slice one = *slice;
    int error = 0;
    /* What a block that began in the chunk before still loads comes first. */
    one.block_high = one.block_low;
    for (uint32_t block = slice->block_low; error >= 0; block++) {
        bool last = block >= slice->block_high;
        one.mem_high = last                                          ? slice->mem_high
                       : chunk->block_mem && block < chunk->n_blocks ? chunk->block_mem[block]
                                                                     : one.mem_low;
        for (unsigned turn = 0; turn < 3; turn++)
            for (size_t i = 0; i < feed->n_members && error >= 0; i++)
                if (turn_of(feed->member[i].kind) == turn)
                    error = feed_member(feed, &feed->member[i], one, f);
        if (last)
            break;
        one.joined = true;
        one.block_low = block;
        one.block_high = block + 1;
        one.mem_low = one.mem_high;
    }
    if (error >= 0)
        give_merged(feed);
    return error;
}

int sl_feed_slice(struct sl_feed *feed, const struct sl_slice *slice, struct sl_failure *f)
{
    return feed->n_members > 1 ? feed_members(feed, slice, f)
                               : feed_member(feed, &feed->member[0], *slice, f);
}

int sl_feed_finish(struct sl_feed *feed, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < feed->n_members; i++) {
        struct sl_member *m = &feed->member[i];
        do {
            clear(feed->buffer);
            if (m->opened && m->kind->finish)
                m->kind->finish(m->state, feed->buffer);
            error = feed->buffer->n && error >= 0 ? pass_on(feed, m, f) : error;
        } while (feed->buffer->n && error >= 0);
    }
    if (feed->n_members > 1)
        give_merged(feed);
    return error;
}

void sl_feed_names(struct sl_feed *feed, struct sl_names *names)
{
    if (feed->n_members > 1)
        *names = (struct sl_names){feed->pc, NULL, feed->n_pcs};
    else
        feed->member[0].kind->names(feed->member[0].state, names);
}

void sl_feed_close(struct sl_feed *feed)
{
    for (size_t i = 0; i < feed->n_members; i++) {
        struct sl_member *m = &feed->member[i];
        if (m->opened)
            m->kind->close(m->state);
        free(m->state);
        free(m->thread_joined);
        free(m->number);
    }
    free(feed->merged.number);
    free(feed->merged.value);
    free(feed->merged.weight);
    free(feed->pc);
}
