/* SPDX-License-Identifier: MIT */
/* Precomputes how a sequence of eight consecutive blocks (an n-gram, ngrams.h) changes the path
 * stack, so that the detector `path` can cache the result. */
#include "path.h"

struct making {
    const uint32_t *block;
    struct sl_path_ngram *ngram;
    struct sl_path_ngram_part *part; /* the one being made */
    uint32_t *whole;                 /* end of the ids so far */
};

/* The branch before block `at` updates the path on top. False if the path has its maximum length.
 */
static bool update(struct making *m, uint32_t taken, uint8_t at, const struct sl_path_rules *rules)
{
    struct sl_path_ngram_part *part = m->part;
    part->from = at;
    if (part->start) {
        bool fits = part->trail < rules->trail_max;
        part->trail = (uint8_t)(part->trail << 1 | taken);
        return fits;
    }
    part->head = (uint8_t)(part->head << 1 | taken);
    part->capacity = part->head_bits++;
    return true;
}

/* The branch also replaces the path on top. */
static void replace(struct making *m, uint8_t at, struct sl_path_ids *ids)
{
    struct sl_path_ngram_part *part = m->part;
    if (part->start) {
        uint64_t start = (uint64_t)m->block[part->start] << SL_PATH_TRAIL_BITS;
        *m->whole = sl_path_id(ids, start | part->trail);
        part->n_whole = (uint8_t)(part->n_whole + (*m->whole != SL_NO_INDEX));
        m->whole += *m->whole != SL_NO_INDEX;
    }
    part->start = at;
    part->trail = 1;
}

/* Adds the branch before block `at`. False if its effect cannot be cached. */
static bool turn(struct making *m, uint32_t word, uint8_t at, const struct sl_path_rules *rules,
                 struct sl_path_ids *ids)
{
    if (word == SL_FLOW_UNKNOWN)
        return false;
    if (word & SL_TURN_MORE) {
        m->part->end = at;
        m->part++->word = word;
        return true;
    }
    if (!update(m, word & SL_TURN_TAKEN, at, rules))
        return false;
    if (word & SL_TURN_POP)
        replace(m, at, ids);
    return true;
}

void sl_path_ngram_cache(struct sl_path_ngram *ngram, uint32_t serial, const uint32_t *block,
                         const struct sl_flow *flow, const struct sl_path_rules *rules,
                         struct sl_path_ids *ids)
{
    struct making m = {block, ngram, ngram->part, ngram->whole};
    *ngram = (struct sl_path_ngram){.serial = serial, .usable = true};
    for (uint8_t at = 1; at <= SL_NGRAM_TRANSFERS && ngram->usable; at++) {
        uint32_t word = sl_flow_known(flow, block[at - 1], block[at]);
        if (word != SL_TURN_NONE && word != SL_FLOW_NOTHING)
            ngram->usable = turn(&m, word, at, rules, ids);
    }
    m.part->end = SL_NGRAM_TRANSFERS;
    ngram->single = ngram->usable && m.part == ngram->part && m.part->from;
}
