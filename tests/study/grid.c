/* SPDX-License-Identifier: MIT */
/* Unit tests of the grids of `sluice sweep`, which are profile specs with alternatives in braces: a
 * grid expands to the right specs in the right order, and invalid grids are refused. */
#include "grid.h"

#include <string.h>

#include "tap.h"

static void denoted(const char *text, const char *wanted)
{
    struct sl_grid grid = {0};
    struct sl_failure f;
    char all[1000] = "";
    int error = sl_grid_expand(&grid, text, &f);
    for (size_t i = 0; i < grid.n; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? " " : "", grid.text[i]);
    }
    ok(!error && !strcmp(all, wanted), "%s is %s", text, wanted);
    if (error || strcmp(all, wanted))
        printf("# %s\n", error ? f.text : all);
    sl_grid_free(&grid);
}

static void refuses(const char *text, const char *part)
{
    struct sl_grid grid = {0};
    struct sl_failure f = {0};
    int error = sl_grid_expand(&grid, text, &f);
    ok(error == SL_EUSAGE && strstr(f.text, part), "%.60s is refused: %s", text, part);
    if (error != SL_EUSAGE || !strstr(f.text, part))
        printf("# %d: %s\n", error, f.text);
    sl_grid_free(&grid);
}

int main(void)
{
    denoted("value@exact", "value@exact");
    denoted("", "");
    denoted("a{1,2}", "a1 a2");
    denoted("{a,b}x{1,2}", "ax1 ax2 bx1 bx2");
    denoted("{a}", "a");
    denoted("x{,y}", "x xy");
    denoted("{f(1,2),g[3,4]}", "f(1,2) g[3,4]");
    denoted("{1..8}", "1 2 4 8");
    denoted("{3..20}", "3 6 12");
    denoted("{1K..4K}", "1K 2K 4K");
    denoted("{256K..2M}", "256K 512K 1M 2M");
    denoted("{256Ki..1Mi}", "256Ki 512Ki 1Mi");
    denoted("{512..2K}", "512 1K 2K");
    denoted("{1..9+4}", "1 5 9");
    denoted("{0..2+1}", "0 1 2");
    denoted("{1,4..16,100}", "1 4 8 16 100");
    denoted("{0.1%,1%}", "0.1% 1%");
    denoted("H[P{64,128}]2048+A16", "H[P64]2048+A16 H[P128]2048+A16");
    refuses("a{1,2", "character 2");
    refuses("a{1,{2}}", "character 2");
    refuses("{8..1}", "above 0");
    refuses("{0..8}", "above 0");
    refuses("{1..8+0}", "above 0");
    refuses("{1K..2K+512}", "above 0");
    refuses("{1K..100}", "above 0");
    refuses("{1..}", "invalid range");
    refuses("{..8}", "invalid range");
    refuses("{1.5..8}", "invalid range");
    refuses("{a..b}", "invalid range");
    refuses("{1..99999999999999999999}", "invalid range");
    refuses("{1..1000000+1}{1..1000000+1}", "points");
    static char braces[3 * 100000 + 1];
    for (size_t i = 0; i < sizeof braces - 1; i++)
        braces[i] = "{a}"[i % 3];
    refuses(braces, "braces");
    return done_testing();
}
