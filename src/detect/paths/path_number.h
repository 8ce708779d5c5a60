/* SPDX-License-Identifier: MIT */
/* Numbers of finished paths. Most were finished before, and the same few again and
 * again: a table with the last one that came to each of its places answers for nearly
 * all of them; only the others go to the dictionary. */
#ifndef SL_PATH_NUMBER_H
#define SL_PATH_NUMBER_H

#include "detector.h"
#include "dictionary.h"

#define SL_PATH_MEMO_LOG2 16

struct sl_path_memo {
    uint64_t path;   /* as on the stack; 0: none */
    uint32_t number; /* SL_NO_INDEX: not selected */
};

struct sl_path_numbers {
    const struct sl_watch *watch;
    struct sl_path_memo *memo;
    struct sl_dictionary tuples;
    bool out_of_memory;
};

bool sl_path_numbers_init(struct sl_path_numbers *numbers, const struct sl_watch *watch);
void sl_path_numbers_free(struct sl_path_numbers *numbers);

/* The number of a path that is not in its place, where it is then. */
uint32_t sl_path_recall(struct sl_path_numbers *numbers, struct sl_path_memo *memo, uint64_t path);

/* The number of a path; SL_NO_INDEX if it starts where --range does not reach. */
static inline uint32_t sl_path_number(struct sl_path_numbers *numbers, uint64_t path)
{
    struct sl_path_memo *memo =
        &numbers->memo[path * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SL_PATH_MEMO_LOG2)];
    return memo->path == path ? memo->number : sl_path_recall(numbers, memo, path);
}

#endif
