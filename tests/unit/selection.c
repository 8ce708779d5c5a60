/* SPDX-License-Identifier: MIT */
/* Unit tests of the selection of instructions (--range, --only): which instructions of a small
 * program are selected, and which option texts are refused. */
#include "selection.h"

#include "view_support.h"

static struct sl_code code;
static struct sl_symbols *symbols;

/* Checks the chosen instructions, one character each: 'x' is chosen. */
static void chooses(const char *range, const char *only, const char *wanted, const char *name)
{
    struct sl_selection s;
    char got[12] = "";
    bool good = sl_selection_init(&s, range, only, &f) >= 0 &&
                sl_selection_sync(&s, &code, symbols, &f) >= 0;
    for (size_t i = 0; good && i < statics.n_insns; i++)
        got[i] = i < s.n_chosen && !s.chosen[i] ? '-' : 'x';
    if (!ok(!strcmp(got, wanted), "%s", name))
        printf("# got %s, wanted %s\n", got, wanted);
    ok(sl_selection_check(&s, &f) >= 0, "%s: the range is found", name);
    sl_selection_free(&s);
}

static void refuses(const char *range, const char *only)
{
    struct sl_selection s;
    ok(sl_selection_init(&s, range, only, &f) == SL_EUSAGE && f.text[0], "refused: %s%s: %s",
       range ? range : "", only ? only : "", f.text);
    sl_selection_free(&s);
}

int main(void)
{
    char range[64];
    make_code();
    symbols = sl_symbols_open(&statics);
    if (!symbols || sl_code_init(&code, &statics, &f) < 0 || sl_code_sync(&code, &f) < 0)
        return 1;
    chooses(NULL, NULL, "xxxxxxxxxxx", "without limits, every instruction");
    snprintf(range, sizeof range, "0x%" PRIx64 "-0x%" PRIx64, w, w + SKIPPED);
    chooses(range, NULL, "xxx--------", "a range ends before its second address");
    snprintf(range, sizeof range, "0x%" PRIx64, w + CALL);
    chooses(range, NULL, "-------x---", "an address is one instruction");
    chooses("helper", NULL, "---------xx", "a symbol is its function");
    snprintf(range, sizeof range, "0x%" PRIx64 ",0x%" PRIx64, w, h);
    chooses(range, NULL, "x--------x-", "several ranges are added");
    chooses(NULL, "load", "x----------", "a class of instructions");
    chooses(NULL, "conditional", "--x--------", "a kind of branch");
    chooses("work", "load,conditional", "x-x--------", "a range and classes: both must hold");
    refuses(NULL, "lode");
    refuses("0x10-0x5", NULL);
    struct sl_selection s;
    bool good = sl_selection_init(&s, "no_such_function", NULL, &f) >= 0 &&
                sl_selection_sync(&s, &code, symbols, &f) >= 0;
    ok(good && sl_selection_check(&s, &f) == SL_EUSAGE, "a symbol that is not found is an error");
    sl_selection_free(&s);
    sl_code_free(&code);
    sl_symbols_close(symbols);
    for (size_t i = 0; i < statics.n_objects; i++)
        free(objects[i].path);
    return done_testing();
}
