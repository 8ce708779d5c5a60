/* SPDX-License-Identifier: MIT */
/* What a phrase (ngrams.h) does to the paths under way. It is cut behind each branch that does
 * more than to update, or update and replace, the path on top (a call, a return). In each of the
 * parts
 *
 *     the path on top     gets `head` behind its trail; if a branch of the part replaces it, it is
 *                         finished then;
 *     other paths         are as a whole in the part, and have their numbers;
 *     the last one        is on top.
 *
 * Only for paths that weigh 1 each. */
#ifndef SL_PATH_NGRAM_H
#define SL_PATH_NGRAM_H

#include "path_branch.h"
#include "ngrams.h"

struct sl_path_ngram {
    _Alignas(64) uint32_t serial;
    bool kept;                              /* that it can be known what it does */
    bool single;                            /* it is of one part, which has a branch */
    uint32_t whole[SL_NGRAM_TRANSFERS - 1]; /* numbers of all parts' whole paths */
    struct sl_path_ngram_part {
        uint8_t head, head_bits; /* outcomes up to where the path on top ends, if it does */
        uint8_t room;            /* how many of them, but for the last */
        uint8_t n_whole;
        uint8_t start; /* which of the phrase's blocks the last path starts with; 0: none does */
        uint8_t trail; /* of that one */
        uint8_t from;  /* the block behind the last branch; 0: there is no branch */
        uint8_t end;   /* its own last block */
        uint32_t
            word; /* of the branch there, if it does more (path_turn.h); 0: it is the last part */
    } part[SL_NGRAM_TRANSFERS + 1];
};
_Static_assert(sizeof(struct sl_path_ngram) == 128, "two lines of a cache");

/* Keeps what the phrase of these blocks does, which were just gone through one by one. */
void sl_path_ngram_keep(struct sl_path_ngram *phrase, uint32_t serial, const uint32_t *block,
                        const struct sl_flow *flow, const struct sl_path_rules *rules,
                        struct sl_path_numbers *numbers);

#endif
