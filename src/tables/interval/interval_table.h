/* SPDX-License-Identifier: MIT */
/* The interval profilers, single-hash and multi-hash: one machine, two kinds of table.
 *
 * Inside each interval of `L` events it finds every tuple that makes up at least a share
 * `t` of them, T = ceil(L * t) events, with no software in the loop:
 *
 *     tuple ──► accumulator: <tuple, count>, fully associative, 1/t entries
 *                 │ not in it
 *                 ▼
 *               table 0 .. n-1 of counters, each with a hash function of its own
 *                 │ all n counters of the tuple are now >= T
 *                 └─► promoted: an entry in the accumulator
 *
 * (With `ways` a tuple can be in some of them only: interval_sets.c.)
 *
 * A tuple in the accumulator is counted there and does not touch the tables
 * (*shielding*). Otherwise its n counters go up: with `conservative` only as far as
 * the smallest of them plus one, without it all of them. A promoted tuple takes the
 * lowest empty entry; without one, that of the *replaceable* entry with the lowest
 * count (the lowest slot on a tie); without one of those, the promotion is dropped,
 * and counted. The new entry starts with the smallest of its counters. With `reset`
 * these are then zeroed; a dropped promotion leaves them as they are.
 *
 * When the interval ends, entries with a count of T or more are its candidates; the
 * tables are zeroed. With `retain` the candidates stay, with count 0 and replaceable
 * until they have T again; otherwise the accumulator is emptied.
 *
 * Weights. An event of weight w does what w unit events at once would do to the
 * counters: it raises those below (smallest + w) to that, or adds w to all. (To add w
 * to the smallest only would let a counter that is little larger hold the tuple back:
 * a conservative table could then under-count, which it must not.) An event of weight 0
 * changes nothing: counters that others raised to T do not promote a tuple that has
 * nothing. The interval ends with the event that brings the sum of weights to L or more;
 * no event is split.
 *
 * Bounds of an entry, true for every setting:
 *   - retained since the interval's start: exact;
 *   - promoted by an event of weight w when its smallest counter was m: before the
 *     promotion the tuple had at least w and at most m + w (each of its counters is at
 *     least what it had), unless something was lost. Lost is what another's promotion
 *     zeroed (`reset`): a note beside each counter adds up how much that was, and a
 *     tuple lost no more than the notes of its n counters say. Lost is also what a
 *     replaced entry had counted in this interval: no more than the largest such count
 *     so far. And a counter at its limit says nothing: then, and at most in any case,
 *     it is the weight of the interval up to there.
 * A tuple that is no candidate has less than T, with the same exceptions (`unlisted_high`);
 * one whose promotion was dropped has no more than some counter of each table says.
 *
 * What is told. Candidates go to host.interval when their interval ends, the last one
 * (`partial`) when the table is finished. Without a host.interval they are gone with their
 * interval; the status has a note then. To drain gives what the accumulator holds of the
 * interval under way, candidates or not, and changes nothing.
 *
 * Departures and what is not modelled. The words of a tuple have 64 bits; the document's
 * 10 bytes an accumulator entry could not hold them. The accumulator's counts do not
 * saturate. Notes and bounds are no part of the hardware and not in its storage. The length is
 * fixed, as there: one that followed the program (doubled while candidates stayed, halved when
 * they changed) was tried, and foretold no more than fixed lengths with as many reports.
 *
 * Assumed: names of static tuples (batches without values) are distinct and keep
 * their numbers; the weights of an interval add up to less than 2^60. */
#ifndef SL_INTERVAL_TABLE_H
#define SL_INTERVAL_TABLE_H

#include "byte_hash.h"
#include "draws.h"
#include "hash.h"
#include "table.h"

#define SL_INTERVAL_ENTRIES_MAX 32767u /* in the accumulator: a slot has 15 bits */
#define SL_INTERVAL_WORDS (SL_BYTE_HASH_MAX / SL_PACKED_FUNCTIONS)

struct sl_interval_config {
    uint64_t tables, counters, bits, interval, accumulator, ways, seed, word;
    double threshold, base;
    bool conservative, reset, retain;
    uint64_t threshold_units; /* filled by check: of 10^-14, so that 0.07% is exact */
};

/* What an entry has beside its tuple and count. */
struct sl_interval_note {
    uint64_t below, above; /* count - low, high - count */
    uint64_t key;          /* sl_accumulator_key */
    uint32_t number;       /* of the static tuple, or SL_NO_NUMBER */
    bool used, retained;
};

#define SL_NO_NUMBER UINT32_MAX
#define SL_SLOT_ABSENT 0x8000u /* a name's slot: it is known to have none */

/* Slots are numbered from 1; 0 is no slot. An entry is found by its key, with chains:
 *
 *     key         | bit | byte | bit | byte | 32 bits |      of the filter; the highest bits
 *     head[key]   | more (1) | slot (15) |                   also say which head
 *     next[slot]  | slot |
 *
 * `more` says that the chain goes on, so that who finds another tuple at its head
 * knows whether to look further without another access.
 *
 * A filter of two times 256 bytes, small enough to be in registers, says of most tuples
 * that they are not in: each entry has a bit in either half (a removed one leaves them
 * until the interval ends). Where registers do not hold it, a byte for each of
 * many hashes does the same (`mark`).
 *
 * Who was found last is in front, by the key and the number of its name: mostly one line of the
 * cache says that a tuple is in, and where. */
struct sl_accumulator_front {
    uint64_t value;
    uint32_t number; /* of the name; SL_NO_NUMBER: nobody */
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
    struct sl_accumulator_front *front; /* who was found last, by the highest bits of the key */
    unsigned head_shift, mark_shift, front_shift; /* 64 - log2 of how many there are */
    size_t empty;                                 /* no empty slot below this one */
    bool closed;            /* nothing empty and nothing replaceable until the interval ends */
    uint64_t replaced_high; /* largest count in this interval that was replaced */
};

#define SL_HEAD_MORE 0x8000u
#define SL_HEAD_SLOT 0x7fffu

/* How batches are worked on; the result is the same. */
enum sl_interval_form {
    SL_INTERVAL_PLAIN, /* one event after the other, the definition */
    SL_INTERVAL_PORTABLE,
    SL_INTERVAL_AVX512, /* with VBMI */
    SL_INTERVAL_FORMS,
};

/* What counters that count approximately have beside them. */
struct sl_interval_approximate {
    uint64_t *stands_for; /* by what a counter holds; NULL: they count exactly */
    uint32_t top;         /* what it holds at most */
    uint32_t threshold;   /* the first that stands for T or more */
    struct sl_draws draws;
};

struct sl_interval_table {
    struct sl_interval_config config;
    struct sl_table_host host;
    size_t bytes; /* of all this */
    unsigned index_bits, words;
    uint32_t counter_max;
    enum sl_interval_form form;

    uint64_t length, threshold; /* L and T of the interval under way */
    uint64_t number, first_event;
    uint64_t events, weight, drops, drops_weight; /* in it */
    uint64_t weight_before, drops_before, drops_weight_before;

    uint32_t *counter; /* table k from k << index_bits */
    struct sl_interval_approximate approximate;
    uint64_t *lost; /* by counter: what was zeroed; NULL without `reset` */
    uint8_t (*byte_table)[256];
    struct sl_packed_hash *packed; /* `words` of them; NULL with more than 2^16 counters */
    uint64_t packed_base[SL_INTERVAL_WORDS]; /* where the tables begin, packed likewise */
    struct sl_accumulator accumulator;
    struct sl_entry *report;

    /* Kept for the first host.names numbers: the packed hash, of the whole tuple where
     * it is static and of the pc otherwise, with packed_base; and a static tuple's slot. */
    size_t names_kept, names_hashed;
    uint64_t *name_hash; /* word w of name i at i * words + w */
    uint16_t *name_slot; /* 0: has to be looked up */
    bool names_static, slots_stale;
};

/* ---- interval_table.c: what the two kinds share ---- */

#define SL_INTERVAL_OPTION(kind, field, ...) kind(struct sl_interval_config, field, __VA_ARGS__)
#define SL_INTERVAL_OPTIONS(reset_)                                                               \
    SL_INTERVAL_OPTION(SL_UNSIGNED_FLAGS, counters, "2048", 1, 1 << 24, SL_OPTION_BYTES,          \
                       "counters in all"),                                                        \
        SL_INTERVAL_OPTION(SL_UNSIGNED, bits, "24", 4, 32, "bits of a counter, which saturates"), \
        SL_INTERVAL_OPTION(SL_REAL, base, "1", 1, 2,                                              \
                           "above 1: a counter at X goes up with "                                \
                           "probability base^-X, and few bits will do"),                          \
        SL_INTERVAL_OPTION(SL_UNSIGNED, interval, "1M", 1, UINT64_C(1) << 40,                     \
                           "events of an interval, or the sum of their weights"),                 \
        SL_INTERVAL_OPTION(SL_PERCENT, threshold, "0.1%", 0.000001, 100,                          \
                           "share of an interval that makes a candidate"),                        \
        SL_INTERVAL_OPTION(SL_BOOL, reset, reset_, "zero the counters of what is promoted"),      \
        SL_INTERVAL_OPTION(SL_BOOL, retain, "1", "keep the candidates for the next interval"),    \
        SL_INTERVAL_OPTION(SL_UNSIGNED, accumulator, "0", 0, SL_INTERVAL_ENTRIES_MAX,             \
                           "entries of the accumulator; 0: as many as there can be candidates"),  \
        SL_INTERVAL_OPTION(SL_UNSIGNED, ways, "0", 0, 256,                                        \
                           "of those, entries that a tuple can be "                               \
                           "in, by its hash; 0: all"),                                            \
        SL_INTERVAL_OPTION(SL_UNSIGNED, seed, "1", 0, UINT64_MAX,                                 \
                           "of the hash functions, and with "                                     \
                           "base of what is random"),                                             \
        SL_INTERVAL_OPTION(SL_UNSIGNED_FLAGS, word, "64", 32, 64, SL_OPTION_POWER_OF_2,           \
                           "bits of the words of a tuple that the hash functions look at")

#define SL_INTERVAL_KIND                                                                        \
    .storage = "counters * bits, and for each accumulator entry 80 bits as the document "       \
               "reckons: 24 of count, 56 of a shortened tuple and its state (whole 64-bit "     \
               "words would make it 154)",                                                      \
    .config_size = sizeof(struct sl_interval_config), .storage_bits = sl_interval_storage_bits, \
    .size = sl_interval_size, .init = sl_interval_init, .step = sl_interval_step,               \
    .observe = sl_interval_observe, .finish = sl_interval_finish, .drain = sl_interval_drain,   \
    .status = sl_interval_status, .intervals = &(const struct sl_table_intervals)               \
    {                                                                                           \
        .cut = sl_interval_cut, .length = sl_interval_length                                    \
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
void sl_interval_drain(const void *state, const struct sl_names *names,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_interval_status(const void *state, struct sl_table_status *status);

/* The pc's part of the first word of the packed hash, as it is kept by number. In the fields of
 * functions that there are not, it has bits of the pc: tuples are to differ in it. */
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

/* Where a tuple's counters are, in t->counter: by the definition of the hash. */
void sl_interval_find_counters(const struct sl_interval_table *t, struct sl_tuple tuple,
                               uint32_t *at);

/* Adds the event to the accumulator, if there is room. Its counters, t->counter[at[k]],
 * have been raised already; `smallest` is what the smallest was before that, or, where they
 * count approximately, what it is now. The event is in t->events and t->weight. */
void sl_interval_promote(struct sl_interval_table *t, const struct sl_event *event,
                         const uint32_t *at, uint32_t smallest);

/* How many of n events belong to the interval; `weight` is theirs or NULL. */
size_t sl_interval_cut_at(const struct sl_interval_table *t, const uint64_t *weight, size_t n);

/* Reports the interval, and begins the next. To be called when t->weight >= t->length. */
void sl_interval_end(struct sl_interval_table *t);

/* ---- interval_observe.c: the fast form ---- */

void sl_interval_observe(void *state, const struct sl_batch *batch);

/* The best form for this machine and configuration; a given one, for tests (false, and
 * nothing changes, if it cannot be). */
void sl_interval_choose_form(struct sl_interval_table *t);
bool sl_interval_force_form(struct sl_interval_table *t, enum sl_interval_form form);

/* ---- interval_accumulator.c ---- */

/* From the value and what the fast form has at hand for the pc (sl_interval_pc_part). */
#define SL_KEY_FACTOR UINT64_C(0xc2b2ae3d27d4eb4f)
static inline uint64_t sl_accumulator_key(uint64_t pc_part, uint64_t value)
{
    return (pc_part ^ value) * SL_KEY_FACTOR;
}

/* Heads that an accumulator of this capacity has: a power of two. */
size_t sl_accumulator_heads(size_t capacity);

/* The tuple's slot, or 0, in the chain behind `slot`. */
size_t sl_accumulator_follow(const struct sl_accumulator *a, size_t slot, uint64_t pc,
                             uint64_t value);

/* The tuple's slot, or 0. Without a branch that depends on the answer; slot 0 has a tuple
 * that may be equal, and is 0 all the same. */
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

/* The slot for a new entry: the lowest empty one, or the one to replace, or 0. */
size_t sl_accumulator_room(struct sl_accumulator *a, uint64_t threshold);

/* Takes an entry out of the chains and the slot; puts a tuple into an unused slot. */
void sl_accumulator_remove(struct sl_accumulator *a, size_t slot);
void sl_accumulator_insert(struct sl_accumulator *a, size_t slot, uint64_t key,
                           struct sl_tuple tuple);

/* Makes the filter anew from the entries that are there. */
void sl_accumulator_refilter(struct sl_accumulator *a);

/* ---- interval_sets.c: an accumulator in sets ---- */

/* How many entries there are, so that the sets are a power of two. */
int sl_interval_check_sets(struct sl_interval_config *config, struct sl_failure *f);

/* As sl_accumulator_room, for a tuple with these counters. */
size_t sl_interval_room_in_set(const struct sl_interval_table *t, const uint32_t *at);

/* ---- interval_approximate.c ---- */

/* With a base above 1: what a counter holds at most; what each value up to there stands for
 * (NULL: that is not wanted) and what the last does. */
uint32_t sl_interval_approximate_top(const struct sl_interval_config *config);
uint64_t sl_interval_stand_for(const struct sl_interval_config *config, uint64_t *stands_for);

/* Memory for it; its making in that of `stands_for`, when the rest is known. */
size_t sl_interval_approximate_bytes(const struct sl_interval_config *config);
void sl_interval_approximate_init(struct sl_interval_table *t);

/* Counts an event in t->counter[at[k]]; what the smallest holds then. */
uint32_t sl_interval_approximate_raise(struct sl_interval_table *t, const uint32_t *at,
                                       uint64_t weight);

#endif
