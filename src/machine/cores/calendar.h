/* SPDX-License-Identifier: MIT */
/* Who takes what in which cycle: how many issue slots, units and ports of each kind
 * are taken, cycle by cycle, in a window that moves with dispatching.
 *
 *     clean ... past | base                              base + 8192 | ...
 *    | ...           | cycle | cycle | ...                   | cycle |   a ring of twice as many
 *
 *     cycle:  | 0 | 0 | port | fp mul | fp | mul | alu | issue |     a byte each
 *
 * A byte starts at 127 less what there is, and counts up: when nothing is left it is
 * 127, and one more sets its highest bit. So one addition asks for everything that an
 * instruction needs at once, and one mask says whether there was enough of all.
 *
 * Cycles that are past are emptied some at a time: the ring has room for that.
 *
 * Beyond the window nothing is written down, and there is always enough: whoever
 * issues so far behind dispatching has waited for thousands of cycles, and some cycles
 * more are no matter. */
#ifndef SL_CALENDAR_H
#define SL_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

enum sl_slot {
    SL_SLOT_ISSUE,
    SL_SLOT_ALU,
    SL_SLOT_MULTIPLY,
    SL_SLOT_FLOAT,
    SL_SLOT_FLOAT_MULTIPLY,
    SL_SLOT_PORT,
    SL_SLOTS
};

#define SL_SLOTS_MAX 64u /* of a kind */
#define SL_CALENDAR_CYCLES 8192u
#define SL_CALENDAR_RING (2 * SL_CALENDAR_CYCLES)
#define SL_CALENDAR_CLEANED 64u /* at a time */
#define SL_CALENDAR_FULL UINT64_C(0x8080808080808080)

/* One of a kind; sums of different kinds are what an instruction needs. */
#define SL_SLOT(kind) (UINT64_C(1) << 8 * (kind))

struct sl_calendar {
    uint64_t base;  /* nothing is asked for before it */
    uint64_t clean; /* what is in the ring is of this cycle or later */
    uint64_t empty; /* a cycle in which nothing is taken */
    uint64_t taken[SL_CALENDAR_RING];
};

static inline void sl_calendar_init(struct sl_calendar *c, const uint64_t there_are[SL_SLOTS])
{
    c->base = c->clean = c->empty = 0;
    for (unsigned kind = 0; kind < SL_SLOTS; kind++)
        c->empty |= (127 - there_are[kind]) << 8 * kind;
    for (uint64_t i = 0; i < SL_CALENDAR_RING; i++)
        c->taken[i] = c->empty;
}

static __attribute__((noinline)) void sl_calendar_clean(struct sl_calendar *c)
{
    uint64_t n = c->base - c->clean;
    for (uint64_t i = 0; i < (n < SL_CALENDAR_RING ? n : SL_CALENDAR_RING); i++)
        c->taken[(c->clean + i) % SL_CALENDAR_RING] = c->empty;
    c->clean = c->base;
}

/* Nothing will be asked for before `base`. */
static inline void sl_calendar_advance(struct sl_calendar *c, uint64_t base)
{
    c->base = base;
    if (__builtin_expect(base - c->clean >= SL_CALENDAR_CLEANED, 0))
        sl_calendar_clean(c);
}

/* Takes what is needed in the first cycle from `from` on that has it, and returns that
 * cycle, and what is taken in it then. `base` is c->base, or what that is about to be. */
static inline uint64_t sl_calendar_take_of(struct sl_calendar *c, uint64_t base, uint64_t from,
                                           uint64_t needs, uint64_t *taken)
{
    uint64_t cycle = from;
    for (; cycle - base < SL_CALENDAR_CYCLES; cycle++) {
        uint64_t *at = &c->taken[cycle % SL_CALENDAR_RING], with = *at + needs;
        if (!(with & SL_CALENDAR_FULL)) {
            *at = *taken = with;
            return cycle;
        }
    }
    *taken = c->empty;
    return cycle;
}

static inline uint64_t sl_calendar_take(struct sl_calendar *c, uint64_t base, uint64_t from,
                                        uint64_t needs)
{
    uint64_t taken;
    return sl_calendar_take_of(c, base, from, needs, &taken);
}

/* As above from c->base on, and takes `unit` not for one cycle but for `cycles` in a row. */
static inline uint64_t sl_calendar_occupy(struct sl_calendar *c, uint64_t from, uint64_t needs,
                                          uint64_t unit, uint64_t cycles)
{
    uint64_t first = from;
    for (uint64_t i = 0; i < cycles && first + i - c->base < SL_CALENDAR_CYCLES; i++)
        if ((c->taken[(first + i) % SL_CALENDAR_RING] + unit + (i ? 0 : needs)) &
            SL_CALENDAR_FULL) {
            first += i + 1;
            i = UINT64_MAX; /* begins anew with the addition */
        }
    for (uint64_t i = 0; i < cycles && first + i - c->base < SL_CALENDAR_CYCLES; i++)
        c->taken[(first + i) % SL_CALENDAR_RING] += unit + (i ? 0 : needs);
    return first;
}

/* What is taken in a cycle; nothing beyond the window. */
static inline uint64_t sl_calendar_at(const struct sl_calendar *c, uint64_t cycle)
{
    return cycle - c->base < SL_CALENDAR_CYCLES ? c->taken[cycle % SL_CALENDAR_RING] : c->empty;
}

/* The byte of a kind in what is taken in a cycle: 127 less what is left. */
static inline uint8_t sl_calendar_byte(uint64_t taken, enum sl_slot kind)
{
    return (uint8_t)(taken >> 8 * kind);
}

#endif
