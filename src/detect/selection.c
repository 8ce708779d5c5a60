#include "selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

static int parse_range(struct sl_selection *s, const char *range, struct sl_failure *f)
{
    char *end;
    s->by_range = true;
    /* A number first means addresses: no symbol starts with a digit. */
    if (range[0] < '0' || range[0] > '9') {
        s->symbol = range;
        return 0;
    }
    errno = 0;
    s->low = strtoull(range, &end, 16);
    if (*end == '-')
        s->high = strtoull(end + 1, &end, 16);
    if (*end || errno || s->high <= s->low)
        return sl_fail_setting(f, "range", "\"%s\" is no range; give two hexadecimal addresses, the "
                               "lower one first, as in 0x401000-0x401fff, or a function's name",
                               range);
    s->found = true;
    return 0;
}

/* The class `jump` is every change of flow that is not conditional; direct jumps
 * alone need a word of their own. */
static const char *branch_word(int branch)
{
    return branch == SL_BRANCH_JUMP ? "direct-jump" : sl_branch_name((enum sl_branch)branch);
}

static int parse_one_class(struct sl_selection *s, const char *name, size_t length,
                           struct sl_failure *f)
{
    for (int i = 0; i < SL_CLASS_COUNT; i++)
        if (strlen(sl_class_name(i)) == length && !strncmp(sl_class_name(i), name, length)) {
            s->classes |= 1u << i;
            return 0;
        }
    for (int i = SL_BRANCH_NONE + 1; i < SL_BRANCH_COUNT; i++)
        if (strlen(branch_word(i)) == length && !strncmp(branch_word(i), name, length)) {
            s->branches |= 1u << i;
            return 0;
        }
    char known[400] = "";
    for (int i = 0; i < SL_CLASS_COUNT; i++)
        strcat(strcat(known, i ? " " : ""), sl_class_name(i));
    for (int i = SL_BRANCH_NONE + 1; i < SL_BRANCH_COUNT; i++)
        strcat(strcat(known, " "), branch_word(i));
    return sl_fail_setting(f, "only", "there is no class %.*s; there are: %s", (int)length, name,
                           known);
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
static void look_for_symbol(struct sl_selection *s, const struct sl_statics *statics,
                            struct sl_symbols *symbols)
{
    if (s->found || !s->symbol || s->n_objects_seen == statics->n_objects)
        return;
    s->n_objects_seen = statics->n_objects;
    uint64_t start, end;
    if (sl_symbols_find(symbols, s->symbol, &start, &end)) {
        s->low = start;
        s->high = end > start ? end : start + 1;
        s->found = true;
    }
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
    look_for_symbol(s, code->statics, symbols);
    if (!SL_GROW(s->chosen, s->room_chosen, code->n_insns))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (; s->n_chosen < code->n_insns; s->n_chosen++) {
        uint64_t pc = code->statics->insn[s->n_chosen].pc;
        bool in_range = !s->by_range || (s->found && pc >= s->low && pc < s->high);
        s->chosen[s->n_chosen] = in_range && in_class(s, code, (uint32_t)s->n_chosen);
    }
    return 0;
}

int sl_selection_check(const struct sl_selection *s, struct sl_failure *f)
{
    if (s->symbol && !s->found)
        return sl_fail_setting(f, "range", "the program loaded no function called %s", s->symbol);
    return 0;
}

void sl_selection_free(struct sl_selection *s)
{
    free(s->chosen);
}
