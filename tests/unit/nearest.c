/* SPDX-License-Identifier: MIT */
/* Unit tests of the suggestions for misspelled names: for a name with a typing error, the intended
 * name is suggested, and for an unrelated word, nothing is suggested. */
#include <string.h>

#include "sluice.h"
#include "tap.h"

static const char *nearest_of(const char *word)
{
    static const char *const names[] = {"exact", "multihash", "singlehash", "hpt",
                                        "wpp",   "leap",      NULL};
    struct sl_nearest nearest;
    sl_nearest_start(&nearest, word, strlen(word));
    for (size_t i = 0; names[i]; i++)
        sl_nearest_offer(&nearest, names[i]);
    return nearest.best ? nearest.best : "none";
}

int main(void)
{
    static const struct {
        const char *word, *meant;
    } cases[] = {
        {"hpt", "hpt"},
        {"htp", "hpt"},
        {"hptt", "hpt"},
        {"hp", "hpt"},
        {"wp", "wpp"},
        {"mutlihash", "multihash"},
        {"multhash", "multihash"},
        {"Exact", "exact"},
        {"lea", "leap"},
        {"", "none"},
        {"x", "none"},
        {"value", "none"},
        {"a-name-that-is-longer-than-any-name-can-be", "none"},
    };
    struct sl_nearest nearest;
    char question[SL_NEAREST_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(!strcmp(nearest_of(cases[i].word), cases[i].meant), "\"%s\": %s was meant",
           cases[i].word, cases[i].meant);
    sl_nearest_start(&nearest, "lepa", 4);
    ok(!strcmp(sl_nearest_hint(&nearest, question), ";"), "nothing offered, nothing asked");
    sl_nearest_offer(&nearest, "leap");
    ok(!strcmp(sl_nearest_hint(&nearest, question), "; did you mean leap?"), "the question");
    return done_testing();
}
