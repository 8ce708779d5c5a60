/* SPDX-License-Identifier: MIT */
#include "path_number.h"

#include <stdlib.h>

#include "path_stack.h"

bool sl_path_numbers_init(struct sl_path_numbers *numbers, const struct sl_watch *watch)
{
    *numbers = (struct sl_path_numbers){
        .watch = watch, .memo = calloc((size_t)1 << SL_PATH_MEMO_LOG2, sizeof *numbers->memo)};
    return numbers->memo;
}

void sl_path_numbers_free(struct sl_path_numbers *numbers)
{
    sl_dictionary_free(&numbers->tuples);
    free(numbers->memo);
}

uint32_t sl_path_recall(struct sl_path_numbers *numbers, struct sl_path_memo *memo, uint64_t path)
{
    const struct sl_statics *statics = numbers->watch->statics;
    const struct sl_block *start = &statics->block[path >> SL_PATH_TRAIL_BITS];
    uint32_t number = SL_NO_INDEX;
    if (numbers->watch->selection->chosen[statics->block_insn[start->insns_at]]) {
        number = sl_dictionary_number(&numbers->tuples, start->pc,
                                      sl_path_value(path & SL_PATH_TRAIL));
        numbers->out_of_memory |= number == SL_NO_INDEX;
    }
    *memo = (struct sl_path_memo){path, number};
    return number;
}
