#include "function_account.h"

#include "grow.h"
#include "index_map.h"

static void give(struct sl_account *a, struct sl_account_out to, uint32_t function,
                 uint64_t weight)
{
    struct sl_events *out = to.out;
    if (!weight)
        return;
    if (out->n < SL_EVENTS_MAX) {
        if (out->place)
            out->place[out->n] = to.place;
        out->number[out->n] = function;
        out->weight[out->n++] = weight;
    } else if (SL_GROW(a->held, a->room_held, a->n_held + 1)) {
        a->held[a->n_held++] = (struct sl_held){function, weight};
    } else {
        a->out_of_memory = true;
    }
}

void sl_account_charge(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                       struct sl_account_out to)
{
    if (!a->inclusive) {
        give(a, to, function, t->weight);
        t->weight = 0;
    }
}

void sl_account_come(struct sl_account *a, struct sl_account_thread *t, uint32_t function)
{
    if (!a->inclusive || function == SL_NO_INDEX)
        return;
    if (!SL_GROW(t->presence, t->room_presence, (size_t)function + 1)) {
        a->out_of_memory = true;
        return;
    }
    if (!t->presence[function].times++)
        t->presence[function].from = t->weight;
}

void sl_account_leave(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                      struct sl_account_out to)
{
    if (!a->inclusive || function >= t->room_presence)
        return;
    struct sl_presence *presence = &t->presence[function];
    if (presence->times && !--presence->times)
        give(a, to, function, t->weight - presence->from);
}

void sl_account_finish(struct sl_account *a, struct sl_account_out to)
{
    while (a->n_held && to.out->n < SL_EVENTS_MAX) {
        struct sl_held last = a->held[--a->n_held];
        give(a, to, last.function, last.weight);
    }
}
