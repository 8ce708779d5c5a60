/* SPDX-License-Identifier: MIT */
/* Accounting of costs by function: charges the costs of a thread to functions, as exclusive or
 * inclusive costs. function_account.h describes the two kinds. */
#include "function_account.h"

#include <stdio.h>
#include <string.h>

#include "grow.h"
#include "index_map.h"

void sl_account_reserve(struct sl_account *a, uint32_t function)
{
    if (a->keep_totals && function != SL_NO_INDEX &&
        !SL_GROW(a->totals, a->totals_capacity, (size_t)function + 1))
        a->out_of_memory = true;
}

void sl_account_emit(struct sl_account *a, struct sl_account_out to, struct sl_held event)
{
    struct sl_events *out = to.out;
    if (!event.weight)
        return;
    if (a->keep_totals) {
        sl_account_reserve(a, event.function);
        if (a->out_of_memory)
            return;
        a->totals[event.function].times++;
        a->totals[event.function].weight += event.weight;
    } else if (out->n < SL_EVENTS_MAX) {
        if (out->position)
            out->position[out->n] = to.position;
        if (out->part)
            memcpy(out->part[out->n], event.part, sizeof event.part);
        out->tuple_id[out->n] = event.function;
        out->weight[out->n++] = event.weight;
    } else if (SL_GROW(a->held, a->held_capacity, a->n_held + 1)) {
        event.thread = out->thread;
        a->held[a->n_held++] = event;
    } else {
        a->out_of_memory = true;
    }
}

void sl_account_charge(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                       struct sl_account_out to)
{
    struct sl_events *out = to.out;
    if (a->inclusive)
        return;
    /* The most common case: emits the event directly. */
    if (!a->keep_totals && !out->part && !out->position && out->n < SL_EVENTS_MAX) {
        out->tuple_id[out->n] = function;
        out->weight[out->n] = t->weight;
        out->n += t->weight != 0;
        t->weight = 0;
        return;
    }
    struct sl_held event = {.function = function, .weight = t->weight};
    t->weight = 0;
    if (out->part) {
        memcpy(event.part, t->part, sizeof event.part);
        memset(t->part, 0, sizeof t->part);
    }
    sl_account_emit(a, to, event);
}

void sl_account_enter(struct sl_account *a, struct sl_account_thread *t, uint32_t function)
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
    sl_account_emit(a, to, event);
}

void sl_account_finish(struct sl_account *a, struct sl_account_out to)
{
    if (a->n_held)
        to.out->thread = a->held[a->n_held - 1].thread;
    while (a->n_held && to.out->n < SL_EVENTS_MAX &&
           a->held[a->n_held - 1].thread == to.out->thread)
        sl_account_emit(a, to, a->held[--a->n_held]);
}

/* ---- misplaced weight ---- */

void sl_misplaced_warning(const struct sl_misplaced *m, char *out, size_t capacity)
{
    if (m->weight)
        snprintf(out, capacity,
                 "%llu of the weight (%.2f%%) is charged to the wrong function, because tail=0 "
                 "does not recognize tail calls and signal handlers: use tail=1",
                 (unsigned long long)m->weight, 100.0 * (double)m->weight / (double)m->all);
}
