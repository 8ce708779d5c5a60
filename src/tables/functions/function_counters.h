/* SPDX-License-Identifier: MIT */
/* Counters of a program's functions: the common part of the tables `leap` and `snoopp`. The two
 * tables differ in how they find the counter of an event.
 *
 * A table is made for one program. Its functions are known when its file has been mapped: with
 * shared libraries, after the dynamic loader has run for a while. Until then, and for code outside
 * of the file (libraries, generated code), there are no counters: such events are dropped and
 * counted.
 *
 * A function has one counter or, if weights have parts that the table stores, one per part (or per
 * group of parts, which use the mean unit), each in its own storage:
 *
 *     energy   | A | B | C | D | E | F | stalls |    instructions, cycles
 *
 * The weight of a function is the sum over its counters, each times the unit of its part, computed
 * by software. */
#ifndef SL_FUNCTION_COUNTERS_H
#define SL_FUNCTION_COUNTERS_H

#include "table.h"

/* ---- counter storage ---- */

/* Counters of `bits` bits. Two ways to handle overflow:
 *
 *     shift=0   A full counter saturates. The model knows what it lost.
 *     shift=1   If one would overflow, all are shifted right by one, and a unit counts twice as
 *               much from then on. The remainder below a unit stays in the data counter and goes
 *               to the function that is charged next; bits shifted out are lost. Ratios hold,
 *               certain bounds do not.
 *
 * The paper has 32 and 64 bits and names detection and shifting as future work, after a loop
 * detector that halves its counters when one is full. That one continues to count by ones, so that
 * old events fade; here they keep their weight.
 *
 * Sum of the counts + lost = sum of the additions. Not modelled: the N cycles of a shift. Assumed:
 * the sum of all additions is below 2^63. */
struct sl_counter_config {
    uint64_t bits;
    bool shift;
    uint64_t capacity; /* number of counters; 0: as many as needed */
};

/* The options of a table whose configuration is a struct sl_counter_config. */
#define SL_COUNTER_OPTIONS                                                                   \
    SL_UNSIGNED(struct sl_counter_config, bits, "32", 1, 64, "width of a counter, in bits"), \
        SL_BOOL(struct sl_counter_config, shift, "0",                                        \
                "1: halve all counters when one overflows; 0: counters saturate"),           \
        SL_UNSIGNED(struct sl_counter_config, capacity, "0", 0, 1 << 20,                     \
                    "number of counters in hardware; 0: as many as the program needs")

struct sl_counter_storage {
    uint64_t *count; /* array of the caller */
    size_t n;
    uint64_t max;
    bool shift;
    unsigned exponent;  /* a unit is 1 << exponent */
    uint64_t carry;     /* less than a unit, in the data counter */
    uint64_t overflows; /* additions that did not fit */
    uint64_t lost;      /* in saturated counters and shifted out */
};

/* An addition that does not fit. */
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

/* Count of counter i. */
static inline uint64_t sl_counters_get(const struct sl_counter_storage *s, size_t i)
{
    return s->count[i] << s->exponent;
}

/* ---- counters of functions ---- */

struct sl_function_counters {
    struct sl_counter_config config;
    const struct sl_function_list *functions; /* of the host; NULL: none */
    bool ready, failed;                       /* counters exist; cannot be made, see `failure` */
    struct sl_failure failure;
    struct sl_counter_storage storage[SL_PARTS];
    unsigned n_storages;
    /* With more than one: the storage of each part, and the weight of one unit in each storage. */
    unsigned storage_of[SL_PARTS];
    uint64_t unit[SL_PARTS];
    const struct sl_parts *parts; /* the host's */
    uint64_t *changes;            /* by counter */
    size_t beyond_capacity;       /* number of functions or ranges beyond the capacity */
    uint64_t events, weight, uncounted, uncounted_weight;
};

void sl_function_counters_init(struct sl_function_counters *c,
                               const struct sl_counter_config *config,
                               const struct sl_table_host *host);

/* Stores weights by parts: the last one separately, the others in `groups` groups. Call it before
 * sl_function_counters_make(). */
void sl_function_counters_split(struct sl_function_counters *c, const struct sl_parts *parts,
                                unsigned groups);

/* True if the counters must be made now: the functions are known, and it was not tried before. */
static inline bool sl_function_counters_due(const struct sl_function_counters *c)
{
    return !c->ready && !c->failed && c->functions && c->functions->n;
}

/* How many of n functions or ranges have counters: the first ones. */
size_t sl_function_counters_limit(struct sl_function_counters *c, size_t n);

/* Makes n counters, unless `error`, the result of the caller's own steps, is negative, with its
 * message in c->failure. Returns 0 or the error, and records it. */
int sl_function_counters_make(struct sl_function_counters *c, size_t n, int error);

/* Adds the parts of a weight to the counters of one function. */
void sl_function_counters_add_parts(struct sl_function_counters *c, size_t counter,
                                    const uint64_t *part);

/* Counts one event. `counter` is the number of counters or more if there is none for it; `part` is
 * read only if parts are stored. */
static inline void sl_function_counters_add(struct sl_function_counters *c, size_t counter,
                                            uint64_t weight, const uint64_t *part)
{
    c->events++;
    c->weight += weight;
    if (counter >= c->storage[0].n) {
        c->uncounted++;
        c->uncounted_weight += weight;
    } else if (c->n_storages == 1) {
        sl_counters_add(&c->storage[0], counter, weight);
    } else {
        sl_function_counters_add_parts(c, counter, part);
    }
}

/* Count of a function, over all its pieces. */
struct sl_function_reading {
    uint64_t weight;
    uint64_t slack; /* maximal error */
    bool full;      /* a counter is saturated */
};
void sl_function_counters_read(const struct sl_function_counters *c, size_t counter,
                               struct sl_function_reading *reading);

/* The entry of the function at `pc`. */
struct sl_entry sl_function_counters_entry(const struct sl_function_counters *c, uint64_t pc,
                                           const struct sl_function_reading *reading);

/* Fills all but distinct and storage_bits. */
void sl_function_counters_status(const struct sl_function_counters *c, const char *table,
                                 struct sl_table_status *out);

void sl_function_counters_close(struct sl_function_counters *c);

/* ---- address_ranges.c ---- */

/* Address ranges in a spec: [0x401000-0x401200,0x405000-0x405800], hexadecimal, each from its first
 * address to the one after its last. */
#define SL_ADDRESS_RANGES_MAX 64u

struct sl_address_ranges {
    uint64_t start[SL_ADDRESS_RANGES_MAX];
    struct sl_function_piece piece[SL_ADDRESS_RANGES_MAX]; /* each is a function */
    size_t n;
};

/* Parses ranges and sorts them in ascending order. Returns 0, or SL_EUSAGE for a syntax error, an
 * empty range or an overlap. */
int sl_address_ranges_parse(struct sl_address_ranges *ranges, const char *text,
                            struct sl_failure *f);

#endif
