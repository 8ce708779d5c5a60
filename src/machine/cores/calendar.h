/* SPDX-License-Identifier: MIT */
/* Reservation calendar of the out-of-order core model: counts, for each upcoming cycle, how many
 * issue slots, execution units and ports of each kind are reserved. The calendar covers a window of
 * cycles, which advances as instructions are dispatched.
 *
 *     clean ... past | base                              base + 8192 | ...
 *    | ...           | cycle | cycle | ...                   | cycle |   a ring of twice that size
 *
 *     cycle:  | 0 | 0 | port | fp mul | fp | mul | alu | issue |     a byte each
 *
 * A byte starts at 127 minus the available number and counts up: 127 means none is left, and one
 * more sets its highest bit. So one addition requests everything that an instruction needs, and one
 * mask tests whether all of it was available.
 *
 * Past cycles are cleared in steps of some cycles; the ring is long enough for that.
 *
 * Beyond the window nothing is recorded, and everything is available. An instruction that issues so
 * long after dispatch has waited for thousands of cycles, so that a few more do not matter. */
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

#define SL_SLOTS_MAX 64u /* per kind */
#define SL_CALENDAR_CYCLES 8192u
#define SL_CALENDAR_RING (2 * SL_CALENDAR_CYCLES)
#define SL_CALENDAR_CLEAR_STEP 64u /* cycles cleared at a time */
#define SL_CALENDAR_FULL UINT64_C(0x8080808080808080)

/* One of each kind; an instruction's needs are a sum of these. */
#define SL_SLOT(kind) (UINT64_C(1) << 8 * (kind))

struct sl_calendar {
    uint64_t base;  /* no request is for an earlier cycle */
    uint64_t clean; /* entries of the ring belong to this cycle or later ones */
    uint64_t empty; /* a cycle without reservations */
    uint64_t reserved[SL_CALENDAR_RING];
};

static inline void sl_calendar_init(struct sl_calendar *c, const uint64_t available[SL_SLOTS])
{
    c->base = c->clean = c->empty = 0;
    for (unsigned kind = 0; kind < SL_SLOTS; kind++)
        c->empty |= (127 - available[kind]) << 8 * kind;
    for (uint64_t i = 0; i < SL_CALENDAR_RING; i++)
        c->reserved[i] = c->empty;
}

static __attribute__((noinline)) void sl_calendar_clear(struct sl_calendar *c)
{
    uint64_t n = c->base - c->clean;
    for (uint64_t i = 0; i < (n < SL_CALENDAR_RING ? n : SL_CALENDAR_RING); i++)
        c->reserved[(c->clean + i) % SL_CALENDAR_RING] = c->empty;
    c->clean = c->base;
}

/* Advances the window: no request is for a cycle before `base`. */
static inline void sl_calendar_advance(struct sl_calendar *c, uint64_t base)
{
    c->base = base;
    if (__builtin_expect(base - c->clean >= SL_CALENDAR_CLEAR_STEP, 0))
        sl_calendar_clear(c);
}

/* Reserves `needs` in the first cycle from `from` on that has it. Returns that cycle and its
 * reservations. `base` is c->base or its next value. */
static inline uint64_t sl_calendar_reserve_in(struct sl_calendar *c, uint64_t base, uint64_t from,
                                              uint64_t needs, uint64_t *reserved)
{
    uint64_t cycle = from;
    for (; cycle - base < SL_CALENDAR_CYCLES; cycle++) {
        uint64_t *at = &c->reserved[cycle % SL_CALENDAR_RING], with = *at + needs;
        if (!(with & SL_CALENDAR_FULL)) {
            *at = *reserved = with;
            return cycle;
        }
    }
    *reserved = c->empty;
    return cycle;
}

static inline uint64_t sl_calendar_reserve(struct sl_calendar *c, uint64_t base, uint64_t from,
                                           uint64_t needs)
{
    uint64_t reserved;
    return sl_calendar_reserve_in(c, base, from, needs, &reserved);
}

/* As above from c->base on, but reserves `unit` for `cycles` consecutive cycles. */
static inline uint64_t sl_calendar_occupy(struct sl_calendar *c, uint64_t from, uint64_t needs,
                                          uint64_t unit, uint64_t cycles)
{
    uint64_t first = from;
    for (uint64_t i = 0; i < cycles && first + i - c->base < SL_CALENDAR_CYCLES; i++)
        if ((c->reserved[(first + i) % SL_CALENDAR_RING] + unit + (i ? 0 : needs)) &
            SL_CALENDAR_FULL) {
            first += i + 1;
            i = UINT64_MAX; /* restarts the search */
        }
    for (uint64_t i = 0; i < cycles && first + i - c->base < SL_CALENDAR_CYCLES; i++)
        c->reserved[(first + i) % SL_CALENDAR_RING] += unit + (i ? 0 : needs);
    return first;
}

/* Reservations of a cycle; none beyond the window. */
static inline uint64_t sl_calendar_at(const struct sl_calendar *c, uint64_t cycle)
{
    return cycle - c->base < SL_CALENDAR_CYCLES ? c->reserved[cycle % SL_CALENDAR_RING] : c->empty;
}

/* The byte of a kind in a cycle: 127 minus what is left. */
static inline uint8_t sl_calendar_byte(uint64_t reserved, enum sl_slot kind)
{
    return (uint8_t)(reserved >> 8 * kind);
}

#endif
