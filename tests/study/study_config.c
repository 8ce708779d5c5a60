/* SPDX-License-Identifier: MIT */
/* Unit tests of the public functions in sluice-study.h: each function refuses a configuration
 * structure whose member `size` is not set, and one from a newer version of the library. */
#include <string.h>

#include "sluice-study.h"
#include "tap.h"

static unsigned n_refused, n_called;

static void check(const char *name, int result, struct sl_failure *f)
{
    bool refused = result == SL_EUSAGE && strstr(f->text, "struct ") && strstr(f->text, name);
    if (!refused)
        fprintf(stderr, "# %s was not refused: %d %s\n", name, result, f->text);
    n_refused += refused;
    n_called++;
    *f = (struct sl_failure){0};
}

/* With a size that is 0 if `more` is 0, else larger by `more` bytes than the library's. */
static void call_all(size_t more)
{
#define SIZE(type) (more ? sizeof(struct type) + more : 0)
    struct sl_failure f = {0};
    char text[8] = "x";
    struct sl_compare_config compare = {.size = SIZE(sl_compare_config)};
    struct sl_sweep_config sweep = {.size = SIZE(sl_sweep_config)};
    struct sl_sweep_report_config sweep_report = {.size = SIZE(sl_sweep_report_config)};
    struct sl_simpoint_config simpoint = {.size = SIZE(sl_simpoint_config)};
    struct sl_slices_config slices = {.size = SIZE(sl_slices_config)};
    struct sl_convert_config convert = {.size = SIZE(sl_convert_config)};
    struct sl_rtl_config rtl = {.size = SIZE(sl_rtl_config)};
    n_called = n_refused = 0;
    check("sl_compare_config", sl_compare(NULL, &compare, stdout, &f), &f);
    check("sl_sweep_config", sl_sweep("/nowhere", &sweep, &f), &f);
    check("sl_sweep_report_config", sl_sweep_report("/nowhere", &sweep_report, stdout, &f), &f);
    check("sl_simpoint_config", sl_simpoint("/nowhere", "/nowhere", &simpoint, &f), &f);
    check("sl_slices_config", sl_slices_report("/nowhere", &slices, stdout, &f), &f);
    check("sl_convert_config", sl_convert(NULL, &convert, text, sizeof text, &f), &f);
    check("sl_rtl_config", sl_rtl(&rtl, stdout, &f), &f);
    ok(n_refused == n_called && !text[0], "all %u functions refuse a size that is %s", n_called,
       more ? "larger than the library's" : "0");
#undef SIZE
}

int main(void)
{
    call_all(0);
    call_all(1);
    call_all(64);
    return done_testing();
}
