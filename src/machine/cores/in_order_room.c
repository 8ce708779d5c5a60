/* SPDX-License-Identifier: MIT */
/* The room for remembered ways (in_order_way.h). It is bounded. */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "in_order_way.h"

#define WORDS_MAX (UINT32_C(1) << 21)
#define FORKS_MAX (UINT32_C(1) << 19)
#define EXITS_MAX (UINT32_C(1) << 18)
#define PENDING_MAX (UINT32_C(1) << 21)

/* The most that one block adds. */
#define WORDS_OF_WAY (3 * SL_IN_ORDER_QUESTIONS + 4)

static void free_all(struct sl_in_order_paths *p)
{
    free(p->word);
    free(p->beside);
    free(p->fork);
    free(p->exit);
    free(p->state);
    free(p->pending);
    free(p->entry_word);
    sl_index_free(&p->states);
    sl_index_free(&p->entries);
}

void sl_in_order_forget(struct sl_in_order *c)
{
    if (c->paths)
        free_all(c->paths);
    free(c->paths);
    c->paths = NULL;
}

bool sl_in_order_paths_full(const struct sl_in_order_paths *p)
{
    return p->n_words + WORDS_OF_WAY > WORDS_MAX ||
           p->n_forks + SL_IN_ORDER_QUESTIONS > FORKS_MAX || p->n_exits == EXITS_MAX ||
           p->entries.n_keys >= EXITS_MAX || p->n_pending + 2 * SL_OP_REGISTERS > PENDING_MAX;
}

/* Exits lie in lines of our own cache, so they do not grow as others do. */
static bool grow_exits(struct sl_in_order_paths *p)
{
    if (p->n_exits < p->room_exits)
        return true;
    size_t room = p->room_exits ? 2 * p->room_exits : 1024;
    struct sl_way_exit *exit = aligned_alloc(sizeof *exit, room * sizeof *exit);
    if (!exit)
        return false;
    if (p->room_exits)
        memcpy(exit, p->exit, p->room_exits * sizeof *exit);
    free(p->exit);
    p->exit = exit;
    p->room_exits = room;
    return true;
}

bool sl_in_order_paths_make_room(struct sl_in_order_paths *p)
{
    p->n_words += !p->n_words;
    p->n_forks += !p->n_forks;
    p->n_exits += !p->n_exits;
    return SL_GROW(p->word, p->room_words, p->n_words + WORDS_OF_WAY) &&
           SL_GROW(p->beside, p->room_beside, p->n_words + WORDS_OF_WAY) &&
           SL_GROW(p->fork, p->room_forks, p->n_forks + SL_IN_ORDER_QUESTIONS) && grow_exits(p) &&
           SL_GROW(p->state, p->room_states, p->states.n_keys + 2) &&
           SL_GROW(p->pending, p->room_pending, p->n_pending + 2 * SL_OP_REGISTERS) &&
           SL_GROW(p->entry_word, p->room_entries, p->entries.n_keys + 1);
}

bool sl_in_order_paths_prepare(struct sl_in_order *c)
{
    if (!c->paths)
        c->paths = calloc(1, sizeof *c->paths);
    return c->paths && sl_in_order_paths_make_room(c->paths);
}
