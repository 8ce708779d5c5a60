/* SPDX-License-Identifier: MIT */
/* Predictors of the direction of conditional branches, modelled after `bpred` in SimpleScalar and
 * after McFarling, "Combining branch predictors" (1993). The predictor TAGE is in tage.c.
 *
 * Bimodal, gshare and two-level are one structure with different sizes. The address a = pc >> shift
 * selects a history register; history and address select a 2-bit counter, which predicts taken from
 * 2 on:
 *
 *         a mod histories                        b bits of history
 *      a ───────────────► | h | h | h | ... |  ───┐
 *      │                                          ▼
 *      └──────────────────────────────► index = (h ^ (a mod 2^b if gshare)) | a << b
 *                                                 │ mod entries
 *                                                 ▼
 *                                          | 2 bits | 2 bits | 2 bits | ... |
 *
 *                  histories       b                entries
 *      bimodal     1               0                bimodal_entries
 *      gshare      1               history          gshare_entries
 *      two-level   local_histories local_history    local_entries
 *
 * A table larger than 2^b also distinguishes branches by their lowest address bits; a smaller one
 * ignores the oldest outcomes. This is the index of SimpleScalar's two-level predictor, for which
 * the published ss4 was measured. Its bimodal predictor and chooser also fold the bits from 19 on
 * into the index; ours do not.
 *
 * Combined: both predictors always predict and learn. A third table of 2-bit counters, indexed by
 * a, selects the prediction: that of the second one from 2 on. It learns only if the two disagree.
 *
 * Initially histories are 0, counters weakly taken (2), choosers weakly for the first (1).
 * SimpleScalar initializes entries to 1 and 2 in turn, so that its first predictions depend on the
 * linker's layout.
 *
 * Not modelled: the time between prediction and retirement. A branch learns its outcome before the
 * next one is predicted; no wrong path changes histories. Hardware predicts slightly worse, the
 * more so the deeper its pipeline. */
#include "predictor.h"

#include <string.h>

#include "failure.h"

#define COUNTERS_MAX (UINT64_C(1) << 24)

static const char *const kinds[] = {"none",      "static",   "bimodal", "gshare",
                                    "two-level", "combined", "tage",    NULL};
static const char *const parts[] = {"bimodal", "gshare", "two-level", NULL};

#define ENTRIES(field, initial, help)                                              \
    SL_UNSIGNED_FLAGS(struct sl_direction_config, field, initial, 1, COUNTERS_MAX, \
                      SL_OPTION_POWER_OF_2, help)
const struct sl_option sl_direction_options[] = {
    SL_CHOICE(struct sl_direction_config, kind, "bimodal", kinds,
              "predictor of conditional branches"),
    SL_CHOICE(struct sl_direction_config, first, "bimodal", parts, "combined: first predictor"),
    SL_CHOICE(struct sl_direction_config, second, "gshare", parts, "combined: second predictor"),
    SL_UNSIGNED(struct sl_direction_config, shift, "2", 0, 16,
                "number of low address bits that the branch predictor ignores"),
    ENTRIES(bimodal_entries, "2Ki", "bimodal: 2-bit counters"),
    ENTRIES(gshare_entries, "4Ki", "gshare: 2-bit counters"),
    SL_UNSIGNED(struct sl_direction_config, history, "12", 0, 32, "gshare: bits of global history"),
    ENTRIES(local_entries, "1Ki", "two-level: 2-bit counters"),
    ENTRIES(local_histories, "1Ki", "two-level: local history registers"),
    SL_UNSIGNED(struct sl_direction_config, local_history, "10", 0, 32,
                "two-level: bits per history register"),
    ENTRIES(chooser_entries, "1Ki",
            "combined: number of 2-bit counters, which select the first or the second predictor"),
    SL_UNSIGNED(struct sl_direction_config, tage_tables, "6", 1, SL_TAGE_TABLES,
                "tage: number of tagged tables, in addition to the base table, whose size is "
                "bimodal_entries"),
    ENTRIES(tage_entries, "512", "tage: entries per tagged table"),
    SL_UNSIGNED(struct sl_direction_config, tage_tag, "9", 2, 16, "tage: bits per tag"),
    SL_UNSIGNED(struct sl_direction_config, tage_shortest, "5", 1, SL_TAGE_HISTORY,
                "tage: length of the branch history that indexes the first tagged table"),
    SL_UNSIGNED(struct sl_direction_config, tage_longest, "130", 1, SL_TAGE_HISTORY,
                "tage: length of the branch history that indexes the last tagged table"),
    SL_UNSIGNED(struct sl_direction_config, tage_reset, "256Ki", 1, UINT64_C(1) << 32,
                "tage: number of branches between resets of the useful bits"),
    SL_OPTIONS_END,
};

int sl_direction_check(const struct sl_direction_config *config, struct sl_failure *f)
{
    if (config->kind == SL_DIRECTION_COMBINED && config->first == config->second)
        return sl_fail(f, SL_EUSAGE,
                       "bpred.first and bpred.second are both %s: combine two different "
                       "predictors, or set bpred.kind=%s",
                       parts[config->first], parts[config->first]);
    if (config->kind == SL_DIRECTION_TAGE && config->tage_shortest > config->tage_longest)
        return sl_fail(f, SL_EUSAGE,
                       "bpred.tage_shortest is larger than bpred.tage_longest: history "
                       "lengths must increase from table to table");
    return 0;
}

/* ---- one predictor ---- */

struct part {
    uint8_t *counter;
    uint32_t *history;
    uint64_t counter_mask, histories_mask;
    uint64_t xor_mask;
    uint32_t history_mask;
    unsigned history_bits;
};

struct sl_direction {
    unsigned kind, shift;
    struct part part[2]; /* part[1] only if combined */
    uint8_t *chooser;
    uint64_t chooser_mask;
    struct sl_tage *tage; /* follows the struct in memory; NULL: not used */
};

struct sizes {
    uint64_t histories, history_bits, entries;
};

static struct sizes sizes_of(const struct sl_direction_config *c, unsigned part)
{
    switch (part) {
    case SL_PART_BIMODAL:
        return (struct sizes){1, 0, c->bimodal_entries};
    case SL_PART_GSHARE:
        return (struct sizes){1, c->history, c->gshare_entries};
    default:
        return (struct sizes){c->local_histories, c->local_history, c->local_entries};
    }
}

/* The next value of a 2-bit counter. */
static uint8_t updated(uint8_t counter, bool up)
{
    static const uint8_t next[4][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    return next[counter][up];
}

static bool part_step(struct part *p, uint64_t a, bool taken)
{
    uint32_t *history = &p->history[a & p->histories_mask];
    uint64_t index = ((*history ^ (a & p->xor_mask)) | a << p->history_bits) & p->counter_mask;
    uint8_t counter = p->counter[index];
    p->counter[index] = updated(counter, taken);
    *history = (*history << 1 | taken) & p->history_mask;
    return counter >= 2;
}

/* ---- all predictors ---- */

static bool combined_step(struct sl_direction *d, uint64_t a, bool taken)
{
    uint8_t *chooser = &d->chooser[a & d->chooser_mask];
    bool first = part_step(&d->part[0], a, taken);
    bool second = part_step(&d->part[1], a, taken);
    bool predicted = *chooser >= 2 ? second : first;
    if (first != second)
        *chooser = updated(*chooser, second == taken);
    return predicted;
}

bool sl_direction_step(struct sl_direction *d, uint64_t pc, bool backward, bool taken)
{
    switch (d->kind) {
    case SL_DIRECTION_NONE:
        return false;
    case SL_DIRECTION_STATIC:
        return backward;
    case SL_DIRECTION_COMBINED:
        return combined_step(d, pc >> d->shift, taken);
    case SL_DIRECTION_TAGE:
        return sl_tage_step(d->tage, pc >> d->shift, taken);
    default:
        return part_step(&d->part[0], pc >> d->shift, taken);
    }
}

/* ---- initialization ---- */

/* Returns the number of component predictors: 0, 1 or 2. */
static unsigned parts_of(const struct sl_direction_config *c, unsigned part[2])
{
    switch (c->kind) {
    case SL_DIRECTION_NONE:
    case SL_DIRECTION_STATIC:
    case SL_DIRECTION_TAGE:
        return 0;
    case SL_DIRECTION_COMBINED:
        part[0] = c->first, part[1] = c->second;
        return 2;
    default:
        part[0] = c->kind - SL_DIRECTION_BIMODAL;
        return 1;
    }
}

static size_t chooser_bytes(const struct sl_direction_config *c)
{
    return c->kind == SL_DIRECTION_COMBINED ? (size_t)c->chooser_entries : 0;
}

/* All histories follow the struct, then all counters, so that each is aligned. */
size_t sl_direction_bytes(const struct sl_direction_config *config)
{
    unsigned part[2];
    size_t bytes = sizeof(struct sl_direction) + chooser_bytes(config);
    if (config->kind == SL_DIRECTION_TAGE)
        return bytes + sl_tage_bytes(config);
    for (unsigned i = 0, n = parts_of(config, part); i < n; i++) {
        struct sizes s = sizes_of(config, part[i]);
        bytes += (size_t)s.histories * sizeof(uint32_t) + (size_t)s.entries;
    }
    return bytes;
}

void sl_direction_init(struct sl_direction *d, const struct sl_direction_config *config)
{
    unsigned part[2], n = parts_of(config, part);
    struct sizes sizes[2];
    uint32_t *history = (uint32_t *)(d + 1);
    *d = (struct sl_direction){.kind = config->kind, .shift = (unsigned)config->shift};
    for (unsigned i = 0; i < n; i++) {
        struct sizes s = sizes[i] = sizes_of(config, part[i]);
        uint32_t history_mask = (uint32_t)((UINT64_C(1) << s.history_bits) - 1);
        d->part[i] = (struct part){
            .history = history,
            .histories_mask = s.histories - 1,
            .counter_mask = s.entries - 1,
            .history_bits = (unsigned)s.history_bits,
            .history_mask = history_mask,
            .xor_mask = part[i] == SL_PART_GSHARE ? history_mask : 0,
        };
        memset(history, 0, (size_t)s.histories * sizeof *history);
        history += s.histories;
    }
    uint8_t *counter = (uint8_t *)history;
    for (unsigned i = 0; i < n; i++) {
        d->part[i].counter = memset(counter, 2, (size_t)sizes[i].entries);
        counter += sizes[i].entries;
    }
    d->chooser = memset(counter, 1, chooser_bytes(config));
    d->chooser_mask = config->chooser_entries - 1;
    if (config->kind == SL_DIRECTION_TAGE) {
        d->tage = (struct sl_tage *)(d + 1);
        sl_tage_init(d->tage, config);
    }
}
