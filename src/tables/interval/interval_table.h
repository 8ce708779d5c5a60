/* SPDX-License-Identifier: MIT */
/* Interval profilers (tables `singlehash` and `multihash`): hardware models that find the
 * frequent tuples of each interval of the stream.
 *
 * Paper: Narayanasamy, Sherwood, Sair, Calder, Varghese, "Catching Accurate Profiles in Hardware",
 * 2003; single hash in section 5, multi-hash in section 6.
 *
 * In each interval of L events they find every tuple that makes up at least a fraction t of the
 * events, T = ceil(L * t), without software:
 *
 *     tuple ──► accumulator: <tuple, count>, fully associative, 1/t entries
 *                 │ miss
 *                 ▼
 *               table 0 .. n-1 of counters, each with its own hash function
 *                 │ all n counters of the tuple are now >= T
 *                 └─► promotion: the tuple gets an entry in the accumulator
 *
 * Algorithm. A tuple in the accumulator is counted there and does not touch the counters
 * (*shielding*). Otherwise its n counters are raised: all of them, or with `conservative` only as
 * far as the smallest one plus one. A promoted tuple gets the lowest empty entry; else that of the
 * *replaceable* entry with the lowest count, the lowest slot on a tie; else the promotion is
 * dropped and counted. The new entry starts with the smallest of its counters. With `reset`, these
 * are then zeroed; a dropped promotion leaves them unchanged.
 *
 * At the end of an interval, entries with a count of T or more are its candidates, and the counters
 * are zeroed. With `retain` the candidates stay, with count 0 and replaceable until they reach T
 * again; otherwise the accumulator is emptied.
 *
 * Weights. An event of weight w raises the counters below (smallest + w) to that value, or adds w
 * to all. (Adding w to the smallest only could leave it below the tuple's weight, but a
 * conservative counter must not be too low.) An event of weight 0 changes nothing. An interval ends
 * with the event that brings the sum of weights to L or more; no event is split.
 *
 * Bounds of an entry, for all options:
 *   - retained since the start of the interval: exact;
 *   - promoted by an event of weight w when its smallest counter was m: up to then the tuple had at
 *     least w and at most m + w, plus what was lost. Lost is what promotions of other tuples zeroed
 *     (`reset`): lost[] adds it up per counter, and a tuple lost at most the sum over its n
 *     counters. Lost is also the count of a replaced entry: at most the largest such count so far.
 *     If the counter is saturated, the upper bound is the weight of the interval so far.
 *
 * A tuple that is no candidate has less than T, with the same exceptions (`unlisted_high`); one
 * whose promotion was dropped has at most the smallest of the tables' largest counters.
 *
 * Results. Candidates go to host.interval at the end of each interval, and those of the last,
 * partial one when the table is finished. drain() emits the entries of the current interval,
 * candidates or not.
 *
 * Departures from the paper
 *   1. Fields of a tuple have 64 bits; the paper's accumulator entry of 10 bytes could not hold
 *      them.
 *   2. Counts of the accumulator do not saturate.
 *   3. lost[] and bounds are not part of the hardware and not in storage_bits.
 *   4. With `ways`, the accumulator is set-associative (interval_sets.c); with `base`, counters are
 *      approximate (interval_approximate.c).
 *
 * Assumed: names of static tuples (batches without values) are distinct and keep their tuple ids;
 * the weights of an interval add up to less than 2^60. */
#ifndef SL_INTERVAL_TABLE_H
#define SL_INTERVAL_TABLE_H

#include "byte_hash.h"
#include "draws.h"
#include "hash.h"
#include "index_map.h"
#include "table.h"

#define SL_INTERVAL_ENTRIES_MAX 32767u /* of the accumulator: a slot number has 15 bits */
#define SL_INTERVAL_WORDS (SL_BYTE_HASH_MAX / SL_PACKED_FUNCTIONS)

struct sl_interval_config {
    uint64_t tables, counters, bits, interval, accumulator, ways, seed, word;
    double threshold, base;
    bool conservative, reset, retain;
    uint64_t threshold_units; /* set by check, in units of 10^-14, so that 0.07% is exact */
};

/* What the model stores about an entry besides tuple and count. */
struct sl_interval_note {
    uint64_t below, above; /* count - low, high - count */
    uint64_t key;          /* sl_accumulator_key */
    uint32_t tuple_id;     /* of the static tuple, or SL_NO_INDEX */
    bool used, retained;
};

#define SL_SLOT_ABSENT 0x8000u /* value of name_slot[]: the tuple has no entry */

/* The accumulator. Slots are numbered from 1; 0 is no slot. An entry is found by its key, through
 * chains:
 *
 *     key         | bit | byte | bit | byte | 32 bits |      of the filter; the highest bits also
 *     head[key]   | more (1) | slot (15) |                   select the head
 *     next[slot]  | slot |
 *
 * `more` marks a chain of more than one entry, so that a search that finds another tuple at the
 * head knows whether to continue without another memory access.
 *
 * Two structures reject most tuples without an entry: a filter of two times 256 bytes, small enough
 * for vector registers, in which each entry sets a bit in either half; and `mark`, one byte for
 * each of many hash values. Removed entries stay in both until the interval ends.
 *
 * The cache has the tuple that was found last for each key prefix: most hits need only one
 * cache line. */
struct sl_accumulator_cache {
    uint64_t value;
    uint32_t tuple_id; /* of the name; SL_NO_INDEX: empty */
    uint16_t slot;
};

struct sl_accumulator {
    size_t capacity;
    struct sl_tuple *tuple;
    uint64_t *count;
    struct sl_interval_note *note;
    uint16_t *head, *next;
    uint8_t filter[2][256];
    uint8_t *mark;                      /* 1: some entry has a key with these highest bits */
    struct sl_accumulator_cache *cache; /* by the highest bits of the key */
    unsigned head_shift, mark_shift, cache_shift; /* 64 - log2(number of elements) */
    size_t empty;                                 /* no slot below this one is empty */
    bool closed;            /* no empty or replaceable entry until the interval ends */
    uint64_t replaced_high; /* largest count of a replaced entry in this interval */
};

#define SL_HEAD_MORE 0x8000u
#define SL_HEAD_SLOT 0x7fffu

/* Implementations of observe(), with equal results. */
enum sl_interval_form {
    SL_INTERVAL_PLAIN, /* step() for each event: the definition */
    SL_INTERVAL_PORTABLE,
    SL_INTERVAL_AVX512, /* with VBMI */
    SL_INTERVAL_FORMS,
};

/* Approximate counters (interval_approximate.c). */
struct sl_interval_approximate {
    uint64_t *estimates; /* number of events by counter value; NULL: exact counters */
    uint32_t top;        /* largest value */
    uint32_t threshold;  /* first value whose estimate is T or more */
    struct sl_draws draws;
};

struct sl_interval_table {
    struct sl_interval_config config;
    struct sl_table_host host;
    size_t bytes; /* of the whole state */
    unsigned index_bits, words;
    uint32_t counter_max;
    enum sl_interval_form form;

    uint64_t length, threshold; /* L and T */
    uint64_t number, first_event;
    uint64_t events, weight, drops, drops_weight; /* in it */
    uint64_t weight_before, drops_before, drops_weight_before;

    uint32_t *counter; /* table k from k << index_bits */
    struct sl_interval_approximate approximate;
    uint64_t *lost; /* by counter: weight that was zeroed; NULL without `reset` */
    uint8_t (*byte_table)[256];
    struct sl_packed_hash *packed; /* `words` of them; NULL with more than 2^16 counters */
    uint64_t
        packed_base[SL_INTERVAL_WORDS]; /* first counters of the tables, packed in the same way */
    struct sl_accumulator accumulator;
    struct sl_entry *report;

    /* For the first host.names tuple ids: the packed hash with packed_base, of the whole tuple if
     * it is static, else of the pc; and the slot of a static tuple. */
    size_t names_stored, names_hashed;
    uint64_t *name_hash; /* word w of name i at i * words + w */
    uint16_t *name_slot; /* 0: unknown */
    bool names_static, slots_stale;
};

/* ---- interval_table.c, interval_config.c: shared by both tables ---- */

#define SL_INTERVAL_OPTION(kind, field, ...) kind(struct sl_interval_config, field, __VA_ARGS__)
#define SL_INTERVAL_OPTIONS(reset_)                                                             \
    SL_INTERVAL_OPTION(SL_UNSIGNED_FLAGS, counters, "2048", 1, 1 << 24, SL_OPTION_BYTES,        \
                       "number of counters, in all tables together"),                           \
        SL_INTERVAL_OPTION(SL_UNSIGNED, bits, "24", 4, 32,                                      \
                           "width of a counter in bits; it saturates"),                         \
        SL_INTERVAL_OPTION(SL_REAL, base, "1", 1, 2,                                            \
                           "above 1: approximate counters, which are "                          \
                           "incremented with probability base^-X"),                             \
        SL_INTERVAL_OPTION(SL_UNSIGNED, interval, "1M", 1, UINT64_C(1) << 40,                   \
                           "length of an interval, in events or in total weight"),              \
        SL_INTERVAL_OPTION(SL_PERCENT, threshold, "0.1%", 0.000001, 100,                        \
                           "percentage of an interval that makes a tuple a candidate"),         \
        SL_INTERVAL_OPTION(SL_BOOL, reset, reset_, "1: zero the counters of a promoted tuple"), \
        SL_INTERVAL_OPTION(SL_BOOL, retain, "1",                                                \
                           "1: candidates stay in the accumulator for the next interval"),      \
        SL_INTERVAL_OPTION(SL_UNSIGNED, accumulator, "0", 0, SL_INTERVAL_ENTRIES_MAX,           \
                           "entries of the accumulator; 0: the maximum number of candidates"),  \
        SL_INTERVAL_OPTION(SL_UNSIGNED, ways, "0", 0, 256,                                      \
                           "associativity of the accumulator; 0: fully "                        \
                           "associative"),                                                      \
        SL_INTERVAL_OPTION(SL_UNSIGNED, seed, "1", 0, UINT64_MAX,                               \
                           "seed of the hash functions and, with "                              \
                           "base, of the random draws"),                                        \
        SL_INTERVAL_OPTION(SL_UNSIGNED_FLAGS, word, "64", 32, 64, SL_OPTION_POWER_OF_2,         \
                           "bits of each field of a tuple that are hashed")

#define SL_INTERVAL_KIND                                                                         \
    .storage = "counters * bits, and 80 bits per accumulator entry as in the paper: a count of " \
               "24 bits, a shortened tuple and state of 56 bits (with complete 64-bit fields "   \
               "it would have 154)",                                                             \
    .config_size = sizeof(struct sl_interval_config), .storage_bits = sl_interval_storage_bits,  \
    .size = sl_interval_size, .init = sl_interval_init, .step = sl_interval_step,                \
    .observe = sl_interval_observe, .finish = sl_interval_finish, .entry = sl_interval_entry,    \
    .status = sl_interval_status, .intervals = &(const struct sl_table_intervals)                \
    {                                                                                            \
        .cut = sl_interval_cut, .length = sl_interval_length                                     \
    }

int sl_interval_check(void *config, struct sl_failure *f);
uint64_t sl_interval_storage_bits(const void *config);
uint64_t sl_interval_length(const void *config);
size_t sl_interval_size(const void *config, const struct sl_table_host *host);
int sl_interval_init(void *state, const void *config, const struct sl_table_host *host,
                     struct sl_failure *f);
void sl_interval_step(void *state, const struct sl_event *event);
size_t sl_interval_cut(const void *state, const struct sl_batch *batch);
void sl_interval_finish(void *state);
bool sl_interval_entry(const void *state, size_t i, struct sl_entry *entry);
void sl_interval_status(const void *state, struct sl_table_status *status);

/* The pc's contribution to the first word of the packed hash, as stored by tuple id. Fields of
 * unused hash functions contain bits of the pc, because the accumulator's key is made from it. */
static inline uint64_t sl_interval_pc_part(const struct sl_interval_table *t, uint64_t pc)
{
    uint64_t mixed = sl_mix(pc);
    if (!t->packed)
        return mixed;
    uint64_t part = sl_packed_pc(t->packed, pc) ^ t->packed_base[0];
    return t->config.tables < SL_PACKED_FUNCTIONS ? part | mixed << 16 * t->config.tables : part;
}

/* ceil(length * threshold). */
uint64_t sl_interval_threshold(const struct sl_interval_config *config, uint64_t length);

/* Indices of the tuple's counters in t->counter, by the definition of the hash functions. */
void sl_interval_find_counters(const struct sl_interval_table *t, struct sl_tuple tuple,
                               uint32_t *at);

/* Promotes the tuple of the event, or drops the promotion. Its counters, t->counter[at[k]], have
 * been raised; `smallest` is the smallest one before that or, for approximate counters, after it.
 * The event is included in t->events and t->weight. */
void sl_interval_promote(struct sl_interval_table *t, const struct sl_event *event,
                         const uint32_t *at, uint32_t smallest);

/* How many of n events belong to the current interval; `weight` may be NULL. */
size_t sl_interval_cut_at(const struct sl_interval_table *t, const uint64_t *weight, size_t n);

/* Reports the interval and starts the next one. Call it when t->weight >= t->length. */
void sl_interval_end(struct sl_interval_table *t);

/* ---- interval_observe.c ---- */

void sl_interval_observe(void *state, const struct sl_batch *batch);

/* Selects the fastest form for this CPU and configuration; or a given one, for tests. The latter
 * returns false, without a change, if that form is not possible. */
void sl_interval_choose_form(struct sl_interval_table *t);
bool sl_interval_force_form(struct sl_interval_table *t, enum sl_interval_form form);

/* ---- interval_accumulator.c ---- */

/* Key of a tuple, from the value and sl_interval_pc_part(). */
#define SL_KEY_FACTOR UINT64_C(0xc2b2ae3d27d4eb4f)
static inline uint64_t sl_accumulator_key(uint64_t pc_part, uint64_t value)
{
    return (pc_part ^ value) * SL_KEY_FACTOR;
}

/* The tuple's slot in the chain after `slot`, or 0. */
size_t sl_accumulator_follow(const struct sl_accumulator *a, size_t slot, uint64_t pc,
                             uint64_t value);

/* The tuple's slot, or 0, without a branch on the result. tuple[0] may be equal by chance; the
 * result is 0 in either case. */
static inline size_t sl_accumulator_find(const struct sl_accumulator *a, uint64_t key, uint64_t pc,
                                         uint64_t value)
{
    uint16_t head = a->head[key >> a->head_shift];
    size_t slot = head & SL_HEAD_SLOT;
    bool differs = ((a->tuple[slot].pc ^ pc) | (a->tuple[slot].value ^ value)) != 0;
    if (__builtin_expect(differs & (head >= SL_HEAD_MORE), 0))
        return sl_accumulator_follow(a, slot, pc, value);
    return slot & ((size_t)differs - 1);
}

/* The slot for a new entry: the lowest empty one, else the one to replace, else 0. */
size_t sl_accumulator_find_free(struct sl_accumulator *a, uint64_t threshold);

/* Removes an entry; adds a tuple in an unused slot. */
void sl_accumulator_remove(struct sl_accumulator *a, size_t slot);
void sl_accumulator_insert(struct sl_accumulator *a, size_t slot, uint64_t key,
                           struct sl_tuple tuple);

/* Rebuilds filter and marks from the entries. */
void sl_accumulator_refilter(struct sl_accumulator *a);

/* ---- interval_sets.c: an accumulator in sets ---- */

/* Rounds the number of entries so that the number of sets is a power of two. Returns 0 or
 * SL_EUSAGE. */
int sl_interval_check_sets(struct sl_interval_config *config, struct sl_failure *f);

/* Like sl_accumulator_find_free(), for a tuple with these counters. */
size_t sl_interval_find_free_in_set(const struct sl_interval_table *t, const uint32_t *at);

/* ---- interval_approximate.c ---- */

/* With a base above 1: the largest value of a counter, and the estimated number of events of each
 * value, in an array that may be NULL. The latter returns the estimate of the largest value. */
uint32_t sl_interval_approximate_top(const struct sl_interval_config *config);
uint64_t sl_interval_estimates(const struct sl_interval_config *config, uint64_t *estimates);

/* Memory for estimates[] and the draws; initializes both, after the rest of the table. */
size_t sl_interval_approximate_bytes(const struct sl_interval_config *config);
void sl_interval_approximate_init(struct sl_interval_table *t);

/* Counts an event in t->counter[at[k]] and returns the smallest of them. */
uint32_t sl_interval_approximate_raise(struct sl_interval_table *t, const uint32_t *at,
                                       uint64_t weight);

#endif
