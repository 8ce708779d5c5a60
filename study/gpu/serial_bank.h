/* SPDX-License-Identifier: MIT */
/* GPU versions of the tables that process events one by one: hot path tables, and the
 * first component of each stream compressor.
 *
 * The lanes load 32 events and compute their indices. Then the events are processed in order: in a
 * compressor by one lane, with the same step function as on the CPU; in a hot path table by one
 * lane per way.
 *
 * Messages of a component are passed on by the CPU, through the following A components to
 * software, since messages are rare. State, in words of 32 bits:
 *
 *     | generator: 2 | sent | dropped | counters, countdowns or tagged entries |     compressor
 *     | 0 | 0 | 0 | dropped | counts | tuples | last uses (lru) |                    hot path table
 */
#ifndef SL_SERIAL_BANK_H
#define SL_SERIAL_BANK_H

#include "bank_table.h"
#include "sampler.h"
#include "tagged.h"

enum sl_serial_head { SL_SERIAL_RANDOM, SL_SERIAL_SENT = 2, SL_SERIAL_DROPS, SL_SERIAL_HEAD };
enum { SL_SERIAL_LFU, SL_SERIAL_LRU, SL_SERIAL_AGE }; /* as enum sl_hpt_replacement */

SL_BANK void sl_serial_report(const struct sl_bank_table *t, const uint32_t *state, uint32_t n,
                              const struct sl_bank_out *out)
{
    struct sl_bank_report report = {t->found,
                                    n < t->found_capacity ? n : (uint32_t)t->found_capacity,
                                    state[SL_SERIAL_DROPS], 0, n > t->found_capacity};
    out->report[t->report] = report;
}

/* ---- compressors ---- */

SL_BANK struct sl_gap_source sl_serial_gaps(const struct sl_bank_table *t, uint32_t *state,
                                            const struct sl_bank_in *in)
{
    struct sl_gap_source from = {(uint64_t(*)[SL_GAP_BLOCK])(in->gaps + t->gaps),
                                 (uint64_t *)state};
    return from;
}

/* Initializes the state as compressor.c does. Called by one lane. */
SL_BANK void sl_serial_begin(const struct sl_bank_table *t, uint32_t *state,
                             const struct sl_bank_in *in)
{
    struct sl_countdown *countdown = (struct sl_countdown *)(state + SL_SERIAL_HEAD);
    *(uint64_t *)state = t->seed;
    if (t->component != SL_COMPONENT_R && t->component != SL_COMPONENT_RD &&
        t->component != SL_COMPONENT_CR)
        return;
    for (uint32_t i = 0; i < 1u << t->index_bits; i++)
        sl_countdown_draw(&countdown[i], sl_serial_gaps(t, state, in),
                          (enum sl_component)t->component, t->rate);
}

/* Returns the count of the message that an event causes, or 0. Called by one lane. */
SL_BANK uint64_t sl_serial_step(const struct sl_bank_table *t, uint32_t *state,
                                const struct sl_bank_in *in, uint32_t index, uint32_t tag)
{
    uint32_t *first = state + SL_SERIAL_HEAD;
    if (t->component == SL_COMPONENT_T) {
        struct sl_tagged_config config = {t->rate,     t->capacity,     t->ways,
                                          t->tag_bits, t->integer != 0, t->first_counts != 0};
        return sl_tagged_step(&config, (struct sl_tagged_entry *)first + (uint64_t)index * t->ways,
                              (uint16_t)tag, 1);
    }
    if (t->component == SL_COMPONENT_P)
        return sl_sample_periodic(&first[index], t->rate, 1).count;
    return sl_sample_random((struct sl_countdown *)first + index, sl_serial_gaps(t, state, in),
                            (enum sl_component)t->component, t->rate, 1)
        .count;
}

SL_BANK uint32_t sl_serial_tag(const struct sl_bank_table *t, const struct sl_bank_in *in,
                               uint32_t i)
{
    uint64_t both = in->events.pc[in->events.tuple_id[i]] ^ sl_bank_second(&in->events, i);
    return (uint32_t)sl_xorfold(both << t->tag_mask_bits >> t->tag_mask_bits, t->tag_bits);
}

SL_BANK void sl_bank_process_compressor(const struct sl_bank_table *t, uint32_t *state,
                                        const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    uint32_t index[SL_LANES], tag[SL_LANES];
    SL_ONE
    if (!in->from)
        sl_serial_begin(t, state, in);
    for (uint32_t from = 0; from < in->n; from += SL_WARP) {
        uint32_t n = in->n - from < SL_WARP ? in->n - from : SL_WARP;
        SL_EACH(l)
        {
            uint32_t i = from + (SL_LANE(l) < n ? SL_LANE(l) : 0);
            index[l] = t->index_bits ? (uint32_t)(in->packed[t->family[0] + i] & 0xffff) : 0;
            tag[l] = t->component == SL_COMPONENT_T ? sl_serial_tag(t, in, in->from + i) : 0;
        }
        for (uint32_t j = 0; j < n; j++) {
            uint32_t index_of = sl_pick(index, j), tag_of = sl_pick(tag, j);
            SL_ONE
            {
                uint64_t count = sl_serial_step(t, state, in, index_of, tag_of);
                if (count) {
                    struct sl_bank_found sent = {in->from + from + j, (uint32_t)count};
                    uint32_t at = state[SL_SERIAL_SENT]++;
                    if (at < t->found_capacity)
                        out->found[t->found + at] = sent;
                }
            }
        }
    }
    SL_ONE
    if (in->last)
        sl_serial_report(t, state, state[SL_SERIAL_SENT], out);
}

/* ---- hot path tables ---- */

SL_BANK uint32_t sl_serial_set(const struct sl_bank_table *t, const struct sl_bank_in *in,
                               uint32_t i)
{
    uint64_t start = sl_xorfold(in->events.pc[in->events.tuple_id[i]], t->index_bits);
    if (t->by_start || !t->index_bits)
        return (uint32_t)start;
    uint64_t rest = sl_xorfold(sl_bank_second(&in->events, i), t->index_bits);
    uint64_t mask = (UINT64_C(1) << t->index_bits) - 1;
    return (uint32_t)(start ^ ((rest << t->turn | rest >> (t->index_bits - t->turn)) & mask));
}

/* Processes one event in its set; each lane handles one way. */
SL_BANK void sl_serial_enter(const struct sl_bank_table *t, uint32_t *state, uint32_t set,
                             uint32_t tuple, uint32_t now)
{
    uint32_t *count = state + SL_SERIAL_HEAD + set * t->ways, *tuples = count + t->capacity;
    uint32_t *used = tuples + t->capacity, is[SL_LANES], key[SL_LANES];
    SL_EACH(l)
    {
        bool there = SL_LANE(l) < t->ways;
        is[l] = there && count[SL_LANE(l)] && tuples[SL_LANE(l)] == tuple;
        key[l] = !there                            ? UINT32_MAX
                 : t->replacement == SL_SERIAL_LRU ? used[SL_LANE(l)]
                                                   : count[SL_LANE(l)];
    }
    uint32_t hit = sl_ballot(is), least = sl_least(key);
    SL_EACH(l)
    is[l] = key[l] == least;
    unsigned way = sl_first_lane(hit ? hit : sl_ballot(is));
    sl_meet();
    SL_ONE
    {
        if (hit && count[way] >= t->most) {
            state[SL_SERIAL_DROPS]++;
        } else if (hit) {
            count[way]++;
        } else if (t->replacement == SL_SERIAL_AGE && count[way] > 1) {
            count[way]--;
            state[SL_SERIAL_DROPS] += 2;
        } else {
            state[SL_SERIAL_DROPS] += count[way];
            count[way] = 1;
            tuples[way] = tuple;
        }
        if (t->replacement == SL_SERIAL_LRU)
            used[way] = now;
    }
    sl_meet();
}

SL_BANK void sl_bank_process_hpt(const struct sl_bank_table *t, uint32_t *state,
                                 const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    uint32_t set[SL_LANES], tuple[SL_LANES];
    for (uint32_t from = 0; from < in->n; from += SL_WARP) {
        uint32_t n = in->n - from < SL_WARP ? in->n - from : SL_WARP;
        SL_EACH(l)
        {
            uint32_t i = from + (SL_LANE(l) < n ? SL_LANE(l) : 0);
            set[l] = sl_serial_set(t, in, in->from + i);
            tuple[l] = in->tuple[i];
        }
        for (uint32_t j = 0; j < n; j++)
            sl_serial_enter(t, state, sl_pick(set, j), sl_pick(tuple, j), in->from + from + j + 1);
    }
    const uint32_t *count = state + SL_SERIAL_HEAD, *tuples = count + t->capacity;
    SL_EACH(l)
    for (uint32_t i = SL_LANE(l); in->last && i < t->capacity; i += SL_WARP) {
        struct sl_bank_found entry = {count[i] ? out->event_of[tuples[i] - 1] - 1 : 0, count[i]};
        out->found[t->found + i] = entry;
    }
    SL_ONE
    if (in->last)
        sl_serial_report(t, state, t->capacity, out);
}

#endif
