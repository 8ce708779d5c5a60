/* SPDX-License-Identifier: MIT */
/* What happened at an instruction, in words. Texts are to be freed; NULL when memory ran out. */
#ifndef SL_ANNOTATION_WORDS_H
#define SL_ANNOTATION_WORDS_H

#include "annotation.h"

/* "taken 4.6%", "-> add", "brings 0x7 100%"; "" if there is nothing to say. The instruction is
 * known. */
char *sl_annotation_say(const struct sl_annotation *a, const struct sl_annotated_insn *insn);

/* "weigh, inlined in total, inlined in main". */
char *sl_annotation_inlined(const struct sl_annotated_insn *insn);

/* In percent. */
static inline double sl_annotation_share(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

#endif
