/* SPDX-License-Identifier: MIT */
/* What leap and snoopp share: counters of a program's functions, and an account of what
 * had none. The two differ in how they find the counter.
 *
 * They are made for one program, and what its functions are is known when its file has
 * been mapped: of a program with shared libraries, after the loader has run for a while.
 * Until then, and for code that is not in that file (libraries, code made at run time),
 * nobody has a counter: such events are dropped, and counted as drops.
 *
 * A function has one counter, or, where weights are made of parts and the table keeps those,
 * one for each (of several put together, their mean counts), in as many storages:
 *
 *     energy   | A | B | C | D | E | F | stalls |    instructions, cycles
 *
 * What a function weighs is what its counters hold, each times what one of its part weighs,
 * which software reckons when it has read them. */
#ifndef SL_FUNCTION_COUNTERS_H
#define SL_FUNCTION_COUNTERS_H

#include "table.h"

/* ---- counter storage ---- */

/* Counter storage: what the function profilers keep, a counter for each function, in
 * words of `bits` bits. Two ways to do with narrow ones:
 *
 *     shift=0   A counter that is full stays full. That is seen, and what it lost is known
 *               to the model.
 *     shift=1   When one would overflow, all are shifted right by one, and from then on
 *               each unit stands for twice as much. What is less than a unit stays in the
 *               data counter, and goes to the function that is charged next; the bits
 *               shifted out are lost. So ratios hold, and no certain bounds.
 *
 * The document has words of 32 and 64 bits, and names detection and shifting as work to
 * be done, after a loop detector whose counters are halved when one is full. That one goes
 * on to count by ones, so that old events fade; here they keep their weight.
 *
 * Sum of the counts + what is lost = what was added. Not modelled: the N cycles that
 * shifting takes. Assumed: all that is added is less than 2^63. */
struct sl_counter_config {
    uint64_t bits;
    bool shift;
    uint64_t capacity; /* functions, or ranges, that there are counters for; 0: all */
};

/* The options of a table whose configuration is a struct sl_counter_config. */
#define SL_COUNTER_OPTIONS                                                                    \
    SL_UNSIGNED(struct sl_counter_config, bits, "32", 1, 64, "of a counter"),                 \
        SL_BOOL(struct sl_counter_config, shift, "0", "halve all counters when one is full"), \
        SL_UNSIGNED(struct sl_counter_config, capacity, "0", 0, 1 << 20,                      \
                    "counters that there are; 0: as many as are needed")

struct sl_counter_storage {
    uint64_t *count; /* the caller's */
    size_t n;
    uint64_t max;
    bool shift;
    unsigned exponent;  /* a unit is 1 << exponent */
    uint64_t carry;     /* less than a unit: what the data counter has kept */
    uint64_t overflows; /* additions that lost something */
    uint64_t lost;      /* in full counters, and shifted out */
};

void sl_counters_init(struct sl_counter_storage *s, const struct sl_counter_config *config,
                      uint64_t *count, size_t n);

/* An addition for which there is no room. */
void sl_counters_overflow(struct sl_counter_storage *s, size_t i, uint64_t units);

static inline void sl_counters_add(struct sl_counter_storage *s, size_t i, uint64_t weight)
{
    uint64_t sum = s->carry + weight, units = sum >> s->exponent;
    s->carry = sum - (units << s->exponent);
    if (__builtin_expect(units > s->max - s->count[i], 0))
        sl_counters_overflow(s, i, units);
    else
        s->count[i] += units;
}

/* What counter i says. */
static inline uint64_t sl_counters_get(const struct sl_counter_storage *s, size_t i)
{
    return s->count[i] << s->exponent;
}

/* ---- counters of functions ---- */

struct sl_function_counters {
    struct sl_counter_config config;
    const struct sl_function_list *functions; /* the host's; NULL: it has none */
    bool ready, failed;                       /* it is made; it cannot be, and `failure` says why */
    struct sl_failure failure;
    struct sl_counter_storage storage[SL_PARTS];
    unsigned n_storages;
    /* With more than one: which a part goes to, and what one in each weighs. */
    unsigned storage_of[SL_PARTS];
    uint64_t unit[SL_PARTS];
    const struct sl_parts *parts; /* the host's */
    uint64_t *changes;            /* by counter */
    size_t turned_away;           /* functions or ranges beyond the capacity */
    uint64_t events, weight, strangers, strangers_weight;
};

void sl_function_counters_init(struct sl_function_counters *c,
                               const struct sl_counter_config *config,
                               const struct sl_table_host *host);

/* Weights are to be kept by their parts, the last by itself and the others as `groups`; to be
 * said before the counters are made. */
void sl_function_counters_split(struct sl_function_counters *c, const struct sl_parts *parts,
                                unsigned groups);

/* To be made now: the functions are known, and it was not tried before. */
static inline bool sl_function_counters_due(const struct sl_function_counters *c)
{
    return !c->ready && !c->failed && c->functions && c->functions->n;
}

/* Of n functions or ranges, those that there are counters for: the first ones. */
size_t sl_function_counters_room(struct sl_function_counters *c, size_t n);

/* The rest of making it: n counters. `error` is what it came to so far, with a sentence in
 * c->failure; returns what it comes to. */
int sl_function_counters_make(struct sl_function_counters *c, size_t n, int error);

/* The parts of a weight, which go to the counters of one function. */
void sl_function_counters_add_parts(struct sl_function_counters *c, size_t counter,
                                    const uint64_t *part);

/* One event. `counter` is any number from their number on where there is none; `part` is only
 * looked at by those that keep parts. */
static inline void sl_function_counters_add(struct sl_function_counters *c, size_t counter,
                                            uint64_t weight, const uint64_t *part)
{
    c->events++;
    c->weight += weight;
    if (counter >= c->storage[0].n) {
        c->strangers++;
        c->strangers_weight += weight;
    } else if (c->n_storages == 1) {
        sl_counters_add(&c->storage[0], counter, weight);
    } else {
        sl_function_counters_add_parts(c, counter, part);
    }
}

/* What a function's counters say, added up over those of its pieces. */
struct sl_function_reading {
    uint64_t weight;
    uint64_t slack; /* it may be off by this */
    bool full;      /* of a counter without room */
};
void sl_function_counters_read(const struct sl_function_counters *c, size_t counter,
                               struct sl_function_reading *reading);

/* The entry of the function at `pc`. */
bool sl_function_counters_emit(const struct sl_function_counters *c, uint64_t pc,
                               const struct sl_function_reading *reading,
                               bool (*emit)(void *context, const struct sl_entry *entry),
                               void *context);

/* All but distinct and storage_bits. */
void sl_function_counters_status(const struct sl_function_counters *c, const char *table,
                                 struct sl_table_status *out);

void sl_function_counters_close(struct sl_function_counters *c);

/* ---- address_ranges.c ---- */

/* Ranges of addresses as they are written: [0x401000-0x401200,0x405000-0x405800], hexadecimal, the
 * first address of each and the one behind its last. */
#define SL_ADDRESS_RANGES_MAX 64u

struct sl_address_ranges {
    uint64_t start[SL_ADDRESS_RANGES_MAX];
    struct sl_function_piece piece[SL_ADDRESS_RANGES_MAX]; /* each of a function of its own */
    size_t n;
};

/* In ascending order, whatever their order was. SL_EUSAGE if it is not written so, if one is
 * empty, or if two overlap. */
int sl_address_ranges_parse(struct sl_address_ranges *ranges, const char *text,
                            struct sl_failure *f);

#endif
