/* SPDX-License-Identifier: MIT */
/* Selects the instructions that are counted, by address and by class. The result for each
 * instruction of the program is computed once and stored. */
#include "selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "utf8.h"

/* Parses LO-HI or one address, up to a comma or the end; false if there is none. */
static bool parse_span(struct sl_selection *s, const char **at)
{
    char *end;
    if (s->n_spans == SL_SELECTION_SPANS || **at < '0' || **at > '9')
        return false;
    errno = 0;
    uint64_t low = strtoull(*at, &end, 16), high = low + 1;
    if (*end == '-')
        high = strtoull(end + 1, &end, 16);
    bool good = !errno && (!*end || *end == ',') && high > low;
    s->span[s->n_spans].low = low;
    s->span[s->n_spans++].high = high;
    *at = end;
    return good;
}

static int parse_range(struct sl_selection *s, const char *range, struct sl_failure *f)
{
    const char *at = range;
    s->by_range = true;
    /* Addresses if it starts with a number: no symbol starts with a digit. */
    if (range[0] < '0' || range[0] > '9') {
        s->symbol = range;
        return 0;
    }
    bool good = parse_span(s, &at);
    while (good && *at++ == ',')
        good = parse_span(s, &at);
    if (!good)
        return sl_fail_setting(
            f, "range",
            "\"%s\" is not a range: use the name of a function, or up to %u hexadecimal addresses "
            "or address ranges, separated by commas, for example 0x401000-0x401fff",
            range, SL_SELECTION_SPANS);
    s->found = true;
    return 0;
}

/* Word i of --only: the classes, then the kinds of branches. The class `jump` is every
 * unconditional transfer; direct jumps alone have their own name. */
static const char *word_of(unsigned i)
{
    unsigned branch = i - SL_CLASS_COUNT + SL_BRANCH_NONE + 1;
    if (i < SL_CLASS_COUNT)
        return sl_class_name(i);
    return branch == SL_BRANCH_JUMP ? "direct-jump" : sl_branch_name((enum sl_branch)branch);
}
#define N_WORDS (SL_CLASS_COUNT + SL_BRANCH_COUNT - SL_BRANCH_NONE - 1u)

static int parse_one_class(struct sl_selection *s, const char *name, size_t length,
                           struct sl_failure *f)
{
    char known[400] = "";
    for (unsigned i = 0; i < N_WORDS; i++) {
        if (strlen(word_of(i)) == length && !strncmp(word_of(i), name, length)) {
            if (i < SL_CLASS_COUNT)
                s->classes |= 1u << i;
            else
                s->branches |= 1u << (i - SL_CLASS_COUNT + SL_BRANCH_NONE + 1);
            return 0;
        }
        strcat(strcat(known, i ? " " : ""), word_of(i));
    }
    return sl_fail_setting(f, "only", "unknown instruction class %.*s; the classes are: %s",
                           (int)length, name, known);
}

int sl_selection_init(struct sl_selection *s, const char *range, const char *only,
                      struct sl_failure *f)
{
    *s = (struct sl_selection){0};
    int error = range ? parse_range(s, range, f) : 0;
    for (const char *at = only; at && error >= 0;) {
        size_t length = strcspn(at, ",");
        s->by_class = true;
        error = parse_one_class(s, at, length, f);
        at = at[length] ? at + length + 1 : NULL;
    }
    return error < 0 ? error : 0;
}

/* The object with the function is known before the first block in it. */
static void find_symbol(struct sl_selection *s, const struct sl_statics *statics,
                        struct sl_symbols *symbols)
{
    if (s->n_spans || !s->symbol || s->n_objects_seen == statics->n_objects)
        return;
    s->n_objects_seen = statics->n_objects;
    uint64_t start, end;
    if (sl_symbols_find(symbols, s->symbol, &start, &end)) {
        s->span[0].low = start;
        s->span[0].high = end > start ? end : start + 1;
        s->n_spans = 1;
        s->found = true;
    }
}

/* True if the function was inlined there, or if the code was split off from it. */
static bool is_inlined_or_split(struct sl_selection *s, struct sl_symbols *symbols, uint64_t pc)
{
    if (s->n_spans && sl_symbols_function(symbols, pc) == s->span[0].low)
        return true;
    for (uint64_t in = sl_symbols_inlined(symbols, pc), around; in; in = around)
        if (sl_is_called(sl_symbols_frame(symbols, in, &around).name, s->symbol))
            return s->found = true;
    return false;
}

static bool in_range(struct sl_selection *s, struct sl_symbols *symbols, uint64_t pc)
{
    bool in = !s->by_range;
    for (size_t i = 0; i < s->n_spans && !in; i++)
        in = pc >= s->span[i].low && pc < s->span[i].high;
    return in || (s->symbol && symbols && is_inlined_or_split(s, symbols, pc));
}

static bool in_class(const struct sl_selection *s, const struct sl_code *code, uint32_t insn)
{
    if (!s->by_class)
        return true;
    const struct sl_insn_info *info = sl_code_insn(code, insn);
    return s->classes >> info->class & 1 || s->branches >> info->branch & 1;
}

int sl_selection_sync(struct sl_selection *s, const struct sl_code *code,
                      struct sl_symbols *symbols, struct sl_failure *f)
{
    find_symbol(s, code->statics, symbols);
    const struct sl_statics *statics = code->statics;
    if (!SL_GROW(s->chosen, s->chosen_capacity, code->n_insns) ||
        !SL_GROW(s->chosen_block, s->blocks_capacity, code->n_blocks))
        return sl_out_of_memory(f);
    for (; s->n_chosen < code->n_insns; s->n_chosen++) {
        uint64_t pc = statics->insn[s->n_chosen].pc;
        s->chosen[s->n_chosen] = in_range(s, symbols, pc) &&
                                 in_class(s, code, (uint32_t)s->n_chosen);
    }
    for (; s->n_blocks < code->n_blocks; s->n_blocks++)
        s->chosen_block[s->n_blocks] =
            s->chosen[statics->block_insn[statics->block[s->n_blocks].insns_at]];
    return 0;
}

int sl_selection_check(const struct sl_selection *s, struct sl_failure *f)
{
    if (s->symbol && !s->found)
        return sl_fail_setting(
            f, "range",
            "function %s not found: the program neither loaded it nor executed an "
            "inlined copy of it",
            s->symbol);
    return 0;
}

void sl_selection_free(struct sl_selection *s)
{
    free(s->chosen);
    free(s->chosen_block);
}
