/* SPDX-License-Identifier: MIT */
/* Unit tests of the public configuration structs, whose first member is their size. If a program
 * was compiled with an older and shorter struct, the missing members are zero. Every function
 * refuses a struct without a size, and a struct from a newer version. */
#include "config.h"

#include <string.h>

#include "sluice.h"
#include "tap.h"

struct sample {
    size_t size;
    uint64_t first, second;
    const char *third;
};

/* The definition: the first `size` bytes are given, the rest is zero, the size is the own one. */
static bool is_completed(const struct sample *own, const struct sample *given, size_t size)
{
    const unsigned char *a = (const unsigned char *)own, *b = (const unsigned char *)given;
    bool same = own->size == sizeof *own;
    for (size_t i = sizeof own->size; i < sizeof *own; i++)
        same &= a[i] == (i < size ? b[i] : 0);
    return same;
}

static void copies(void)
{
    struct sample given, own;
    struct sl_failure f;
    bool completed = true;
    memset(&given, 0xa5, sizeof given);
    for (size_t size = sizeof given.size; size <= sizeof given; size++) {
        given.size = size;
        memset(&own, 0x5a, sizeof own);
        completed &= !sl_config_read(&own, sizeof own, &given, "sample", &f) &&
                     is_completed(&own, &given, size);
    }
    ok(completed, "a struct of any smaller size is copied, and what is missing is zero");
}

static void refuses(void)
{
    struct sample given = {0}, own = {.first = 1};
    struct sl_failure f = {0};
    ok(sl_config_read(&own, sizeof own, &given, "sample", &f) == SL_EUSAGE &&
           strstr(f.text, "sizeof(struct sample)") && own.first == 1,
       "a struct without a size is refused, and the message says what to set it to");
    given.size = sizeof given + 1;
    ok(sl_config_read(&own, sizeof own, &given, "sample", &f) == SL_EUSAGE &&
           strstr(f.text, "newer sluice.h"),
       "a struct that is larger than the library's is refused");
    ok(sl_config_read(&own, sizeof own, &given, "sample", NULL) == SL_EUSAGE,
       "a failure need not be requested");
}

/* Calls each public function with a struct of `size` bytes. Returns the number of functions that
 * refused it by its size; the others are named on standard error. */
static unsigned n_refused, n_called;

static void note(const char *name, int result, struct sl_failure *f)
{
    bool refused = result == SL_EUSAGE && strstr(f->text, "struct ") && strstr(f->text, name);
    if (!refused)
        fprintf(stderr, "# %s was not refused: %d %s\n", name, result, f->text);
    n_refused += refused;
    n_called++;
    *f = (struct sl_failure){0};
}

/* With a size that is 0, or larger than the library's by `more`. */
static void call_all(size_t more)
{
#define SIZE(type) (more ? sizeof(struct type) + more : 0)
    struct sl_failure f = {0};
    struct sl_session *session = NULL;
    struct sl_source *source = (struct sl_source *)&f; /* to see that it is set */
    struct sl_regression change = {0};
    struct sl_session_config session_config = {.size = SIZE(sl_session_config)};
    struct sl_report_config report = {.size = SIZE(sl_report_config)};
    struct sl_annotate_config annotate = {.size = SIZE(sl_annotate_config)};
    struct sl_diff_config diff = {.size = SIZE(sl_diff_config)};
    struct sl_guest guest = {.size = SIZE(sl_guest)};
    struct sl_recording recording = {.size = SIZE(sl_recording)};
    n_called = n_refused = 0;
    note("sl_session_config", sl_session_open(&session, &session_config, &f), &f);
    note("sl_report_config", sl_report("/nowhere", &report, stdout, &f), &f);
    note("sl_report_config", sl_report_file("/nowhere", &report, "/nowhere/x", &f), &f);
    note("sl_report_config", sl_report_check(&report, &f), &f);
    note("sl_report_config", sl_report_check_specs(&report, NULL, 0, &f), &f);
    note("sl_annotate_config", sl_annotate("/nowhere", &annotate, stdout, &f), &f);
    note("sl_diff_config", sl_diff("/nowhere", "/nowhere", &diff, stdout, &change, &f), &f);
    note("sl_guest", sl_source_run(&source, &guest, &f), &f);
    note("sl_recording", sl_record(NULL, "/nowhere", &recording, NULL, NULL, &f), &f);
    ok(n_refused == n_called, "all %u public functions refuse a size that is %s", n_called,
       more ? "larger than theirs" : "0");
    ok(!session && !source && !sl_report_default_specs(&report, false),
       "results by pointer are empty then, and the list of default profiles is NULL");
#undef SIZE
}

/* A program whose header ends after `format`. */
static void older(void)
{
    struct sl_failure f = {0};
    struct sl_report_config config = {.size = sizeof config, .format = "bolt", .partition = 0.5};
    config.size = sizeof config;
    ok(sl_report_check(&config, &f) == SL_EUSAGE, "hardware that is slower is refused");
    config.size = offsetof(struct sl_report_config, n);
    ok(!sl_report_check(&config, &f), "members after the size of an older program are not read");
    config.format = "none";
    ok(sl_report_check(&config, &f) == SL_EUSAGE && strstr(f.text, "'none'"),
       "members before it are read");
}

int main(void)
{
    copies();
    refuses();
    call_all(0);
    call_all(1);
    call_all(64);
    older();
    return done_testing();
}
