/* SPDX-License-Identifier: MIT */
/* Detector of program phases: starts a new phase of the run when the percentages of the paths in a
 * hot path table change by more than a limit. phases.h describes the algorithm. */
#include "phases.h"

#include <stdlib.h>

#include "grow.h"
#include "table.h"

#define RISES_MAX (UINT32_C(1) << 20)

static uint64_t fraction_of(uint64_t part, uint64_t whole)
{
    return whole ? (uint64_t)(((unsigned __int128)part << 32) / whole) : 0;
}

/* ---- growth of the counters ---- */

/* Index of the tuple in rise[]; SL_NO_INDEX if out of memory. */
static uint32_t index_of(struct sl_phases *p, struct sl_tuple tuple)
{
    uint32_t at = sl_index_find(&p->map, tuple.pc, tuple.value);
    size_t n = p->map.n_keys + 1;
    if (at != SL_NO_INDEX)
        return at;
    if (n > RISES_MAX || !SL_GROW(p->rise, p->rises_capacity, n) ||
        !SL_GROW(p->fresh, p->fresh_capacity, n))
        return SL_NO_INDEX;
    at = sl_index_add(&p->map, tuple.pc, tuple.value);
    if (at != SL_NO_INDEX) {
        p->rise[at] = (struct sl_phase_path){tuple, 0};
        p->fresh[at] = 0;
    }
    return at;
}

/* Computes the growth of each counter in the window. Returns the sum. */
static uint64_t read_rises(struct sl_phases *p, const struct sl_tuple *tuple, const uint64_t *count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n_entries; i++) {
        uint64_t then = p->count[i] && sl_tuple_same(p->tuple[i], tuple[i]) ? p->count[i] : 0;
        uint64_t rise = count[i] > then ? count[i] - then : 0;
        uint32_t at = rise && !p->full ? index_of(p, tuple[i]) : SL_NO_INDEX;
        p->full |= rise && at == SL_NO_INDEX;
        p->tuple[i] = tuple[i];
        p->count[i] = count[i];
        if (at == SL_NO_INDEX)
            continue;
        p->fresh[at] += rise;
        sum += rise;
    }
    return sum;
}

/* Turnover of the window. `known`: the part of its weight that is in the counters. */
static uint64_t turnover_of(const struct sl_phases *p, uint64_t known, uint64_t weight)
{
    uint64_t common = 0, all = p->now.weight;
    uint64_t a = fraction_of(weight - known, weight), b = fraction_of(all - p->known, all);
    common += a < b ? a : b;
    for (size_t i = 0; i < p->map.n_keys; i++) {
        a = fraction_of(p->fresh[i], weight);
        b = fraction_of(p->rise[i].weight, all);
        common += a < b ? a : b;
    }
    return common < UINT64_C(1) << 32 ? (UINT64_C(1) << 32) - common : 0;
}

static bool heavier(const struct sl_phase_path *a, const struct sl_phase_path *b)
{
    return a->weight != b->weight       ? a->weight > b->weight
           : a->tuple.pc != b->tuple.pc ? a->tuple.pc < b->tuple.pc
                                        : a->tuple.value < b->tuple.value;
}

static void choose_paths(const struct sl_phases *p, struct sl_phase *phase)
{
    for (size_t i = 0; i < p->map.n_keys; i++) {
        size_t at = phase->n_paths;
        if (!p->rise[i].weight)
            continue;
        if (at == SL_PHASE_PATHS && !heavier(&p->rise[i], &phase->path[at - 1]))
            continue;
        if (at == SL_PHASE_PATHS)
            at--;
        else
            phase->n_paths++;
        for (; at && heavier(&p->rise[i], &phase->path[at - 1]); at--)
            phase->path[at] = phase->path[at - 1];
        phase->path[at] = p->rise[i];
    }
}

/* ---- kinds ---- */

static uint64_t listed(const struct sl_phase *phase)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < phase->n_paths; i++)
        sum += phase->path[i].weight;
    return sum;
}

static bool alike(const struct sl_phase *a, const struct sl_phase *b)
{
    uint64_t all_a = listed(a), all_b = listed(b), common = 0;
    for (size_t i = 0; i < a->n_paths; i++)
        for (size_t j = 0; j < b->n_paths; j++)
            if (sl_tuple_same(a->path[i].tuple, b->path[j].tuple)) {
                uint64_t of_a = fraction_of(a->path[i].weight, all_a);
                uint64_t of_b = fraction_of(b->path[j].weight, all_b);
                common += of_a < of_b ? of_a : of_b;
            }
    return common >= UINT64_C(1) << 31;
}

static uint64_t kind_of(struct sl_phases *p, const struct sl_phase *phase)
{
    uint64_t next = 1;
    for (size_t i = 0; i < p->n; i++) {
        bool first = p->phase[i].kind == next;
        if (first && alike(&p->phase[i], phase))
            return next;
        next += first;
    }
    p->n_kinds = next;
    return next;
}

/* ---- windows ---- */

static void end_phase(struct sl_phases *p)
{
    struct sl_phase phase = p->now;
    if (!SL_GROW(p->phase, p->capacity, p->n + 1)) {
        p->full = true;
        return;
    }
    choose_paths(p, &phase);
    phase.kind = kind_of(p, &phase);
    p->phase[p->n++] = phase;
    p->now = (struct sl_phase){.first_event = phase.first_event + phase.events};
    p->known = 0;
}

static void begin_phase(struct sl_phases *p, uint64_t turnover)
{
    end_phase(p);
    p->now.turnover = turnover;
    for (size_t i = 0; i < p->map.n_keys; i++)
        p->rise[i].weight = 0;
}

void sl_phases_read(struct sl_phases *p, const struct sl_tuple *tuple, const uint64_t *count,
                    uint64_t events, uint64_t weight, bool last)
{
    uint64_t in_window = weight - p->weight, known = read_rises(p, tuple, count);
    if (known > in_window)
        known = in_window;
    if (!p->events)
        p->now.turnover = UINT64_C(1) << 32;
    if (p->now.weight && in_window && events - p->events == p->window && !p->full &&
        p->n + 1 < SL_PHASES_MAX) {
        uint64_t turnover = turnover_of(p, known, in_window);
        if (turnover > p->most)
            begin_phase(p, turnover);
    }
    for (size_t i = 0; i < p->map.n_keys; i++) { /* the window is part of the current phase */
        p->rise[i].weight += p->fresh[i];
        p->fresh[i] = 0;
    }
    p->known += known;
    p->now.events += events - p->events;
    p->now.weight += in_window;
    p->events = events;
    p->weight = weight;
    p->left = p->window;
    if (last && p->now.events)
        end_phase(p);
}

void sl_phases_free(struct sl_phases *p)
{
    sl_index_free(&p->map);
    free(p->rise);
    free(p->fresh);
    free(p->phase);
}
