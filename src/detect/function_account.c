/* SPDX-License-Identifier: MIT */
/* Charges costs to functions (function_account.h). */
#include "function_account.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "index_map.h"

void sl_account_know(struct sl_account *a, uint32_t function)
{
    if (a->tallied && function != SL_NO_INDEX &&
        !SL_GROW(a->tally, a->tally_capacity, (size_t)function + 1))
        a->out_of_memory = true;
}

static void give(struct sl_account *a, struct sl_account_out to, struct sl_held event)
{
    struct sl_events *out = to.out;
    if (!event.weight)
        return;
    if (a->tallied) {
        sl_account_know(a, event.function);
        if (a->out_of_memory)
            return;
        a->tally[event.function].times++;
        a->tally[event.function].weight += event.weight;
    } else if (out->n < SL_EVENTS_MAX) {
        if (out->place)
            out->place[out->n] = to.place;
        if (out->part)
            memcpy(out->part[out->n], event.part, sizeof event.part);
        out->number[out->n] = event.function;
        out->weight[out->n++] = event.weight;
    } else if (SL_GROW(a->held, a->held_capacity, a->n_held + 1)) {
        event.thread = out->thread;
        a->held[a->n_held++] = event;
    } else {
        a->out_of_memory = true;
    }
}

void sl_account_give(struct sl_account *a, uint32_t function, uint64_t weight,
                     struct sl_account_out to)
{
    give(a, to, (struct sl_held){.function = function, .weight = weight});
}

void sl_account_charge(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                       struct sl_account_out to)
{
    struct sl_events *out = to.out;
    if (a->inclusive)
        return;
    /* The most common case. */
    if (!a->tallied && !out->part && !out->place && out->n < SL_EVENTS_MAX) {
        out->number[out->n] = function;
        out->weight[out->n] = t->weight;
        out->n += t->weight != 0;
        t->weight = 0;
        return;
    }
    struct sl_held event = {.function = function, .weight = t->weight};
    t->weight = 0;
    if (to.out->part) {
        memcpy(event.part, t->part, sizeof event.part);
        memset(t->part, 0, sizeof t->part);
    }
    give(a, to, event);
}

void sl_account_come(struct sl_account *a, struct sl_account_thread *t, uint32_t function)
{
    if (!a->inclusive || function == SL_NO_INDEX)
        return;
    if (!SL_GROW(t->presence, t->presence_capacity, (size_t)function + 1)) {
        a->out_of_memory = true;
        return;
    }
    struct sl_presence *presence = &t->presence[function];
    if (presence->times++ && !a->twice)
        return;
    presence->from += t->weight;
    for (unsigned i = 0; i < SL_PARTS; i++)
        presence->from_part[i] += t->part[i];
}

void sl_account_leave(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                      struct sl_account_out to)
{
    if (!a->inclusive || function >= t->presence_capacity)
        return;
    struct sl_presence *presence = &t->presence[function];
    if (!presence->times)
        return;
    bool last = !--presence->times;
    if (!last && !a->twice)
        return;
    presence->from -= t->weight;
    for (unsigned i = 0; i < SL_PARTS; i++)
        presence->from_part[i] -= t->part[i];
    if (!last)
        return;
    struct sl_held event = {.function = function, .weight = -presence->from};
    for (unsigned i = 0; i < SL_PARTS; i++)
        event.part[i] = -presence->from_part[i];
    presence->from = 0;
    memset(presence->from_part, 0, sizeof presence->from_part);
    give(a, to, event);
}

void sl_account_finish(struct sl_account *a, struct sl_account_out to)
{
    if (a->n_held)
        to.out->thread = a->held[a->n_held - 1].thread;
    while (a->n_held && to.out->n < SL_EVENTS_MAX &&
           a->held[a->n_held - 1].thread == to.out->thread)
        give(a, to, a->held[--a->n_held]);
}

/* ---- misplaced weight ---- */

bool sl_misplaced_block(struct sl_misplaced *m, size_t block, uint64_t start)
{
    if (!SL_GROW(m->start, m->capacity, block + 1))
        return false;
    m->start[block] = start;
    return true;
}

void sl_misplaced_note(const struct sl_misplaced *m, char *out, size_t capacity)
{
    if (m->weight)
        snprintf(out, capacity,
                 "%llu of the weight (%.2f%%) was executed by other functions than are "
                 "charged with it: without symbols, tail calls and signals are not seen",
                 (unsigned long long)m->weight, 100.0 * (double)m->weight / (double)m->all);
}

void sl_misplaced_free(struct sl_misplaced *m)
{
    free(m->start);
}
