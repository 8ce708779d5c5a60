/* SPDX-License-Identifier: MIT */
/* Unit tests of the text output and the JSON output of `sluice compare`. The results that are
 * printed are defined in the test and do not come from a run. */
#include <jansson.h>
#include <math.h>

#include "comparison.h"
#include "unit/report_support.h"

static struct sl_failure f;

/* ---- invented rows ---- */

#define AT(after, is)                    \
    {                                    \
        .events = (after), .error = (is) \
    }
static struct sl_curve_point falling[] = {
    AT(100000, 0.4),    AT(200000, 0.08), AT(300000, 0.04),
    AT(400000, 0.0625), AT(500000, 0.03), AT(600000, 0.01),
};
static struct sl_curve_point slow[] = {
    AT(100000, 0.4),  AT(200000, 0.35), AT(300000, 0.3),
    AT(400000, 0.25), AT(500000, 0.22), AT(600000, 0.2),
};
static struct sl_curve_point right[] = {AT(300000, 0), AT(400000, 0), AT(500000, 0), AT(600000, 0)};
static struct sl_curve curves[] = {
    {.point = falling, .n = 6},
    {.point = slow, .n = 6},
    {.point = right, .n = 4},
    {.n = 0},
};

static struct sl_comparison rows[] = {
    {.spec = "value:count@H[P256]2048(seed=1,estimate=sum,width=16)",
     .given = "value@H[P256]2048",
     .status = {.events = 600000,
                .storage_bits = 16384,
                .sends = true,
                .messages = 2300,
                .interrupts = 23,
                .residue = 11200,
                .gap_min = 1,
                .gap_median = 128},
     .seconds = 0.002,
     .measured = true,
     .error = 0.01,
     .interval_error = NAN,
     .curve = &curves[0]},
    {.spec = "value:count@R256(seed=1,estimate=sum,width=16)",
     .status = {.events = 600000, .storage_bits = 64, .sends = true, .messages = 1},
     .seconds = 0.0005,
     .measured = true,
     .error = 0.2,
     .interval_error = NAN,
     .curve = &curves[1]},
    {.spec = "value:count@exact",
     .status = {.events = 600000, .storage_bits = 12800000},
     .seconds = 0.01,
     .measured = true,
     .interval_error = NAN,
     .curve = &curves[2]},
    {.spec = "edge:count@P256",
     .status = {.events = 3, .storage_bits = 9, .sends = true},
     .interval_error = NAN,
     .curve = &curves[3]},
};
static struct sl_comparisons all = {.row = rows, .n = 4, .instructions = 1000000};

/* ---- text ---- */

static double limit;

static char *print(bool json)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (sl_compare(&all,
                   &(struct sl_compare_config){
                       .size = sizeof(struct sl_compare_config), .json = json, .below = limit},
                   out, &f))
        fprintf(out, "# %s\n", f.text);
    fclose(out);
    return text;
}

static void test_text(void)
{
    size_t lines;
    char *text = print(false);
    ok(!strstr(text, "below") && !strstr(text, "error by events"),
       "without points between there is no limit and no plot");
    ok(longest_line(text, &lines) <= 100, "no line is above 100 columns");
    golden_text("comparison.txt", text);
    all.every = 100000;
    text = print(false);
    ok(longest_line(text, &lines) <= 100, "nor with a plot");
    ok(lines <= 40, "which fits a screen");
    ok(!strstr(text, "by interval"), "without interval tables there is no such column");
    golden_text("comparison-every.txt", text);
    rows[0].interval_error = 0.0625;
    all.warning = "the trace is cut";
    text = print(false);
    ok(strstr(text, "by interval") && strstr(text, " 6.25%"), "with them, their error is shown");
    ok(strstr(text, "! the trace is cut") == text, "a warning comes first");
    rows[0].interval_error = NAN;
    rows[0].overlap = 0.5;
    rows[0].overlap_dynamic = 0.875;
    ok(!strstr(text, "dynamic"), "without whole windows there are no overlaps");
    free(text);
    rows[0].windows = 3;
    text = print(false);
    ok(strstr(text, "dynamic") && strstr(text, " 50.00%   87.50%") &&
           longest_line(text, &lines) <= 100,
       "with them, both overlaps are side by side");
    rows[0].windows = 0;
    free(text);
    all.warning = NULL;
    limit = 0.001;
    text = print(false);
    ok(strstr(text, "below 0.1% from") != NULL, "the limit is named as it was given");
    free(text);
    limit = 0;
    all.every = 0;
}

/* The first row of the plot in which the letter stands; SIZE_MAX if in none. */
static size_t plot_row(const char *text, char letter)
{
    const char *at = strstr(text, "error by events\n") + 16;
    for (size_t row = 0; (at = strchr(at, '|')); row++) {
        size_t length = strcspn(at, "\n");
        if (memchr(at, letter, length))
            return row;
        at += length;
    }
    return SIZE_MAX;
}

/* One curve each that is level: what is larger must stand higher. */
static void test_plot(void)
{
    struct sl_curve_point level[3][2];
    struct sl_curve curve[3];
    struct sl_comparison row[3];
    size_t lines;
    for (size_t i = 0; i < 3; i++) {
        double error = (double[]){0.5, 0, 0.02}[i];
        level[i][0] = (struct sl_curve_point)AT(10, error);
        level[i][1] = (struct sl_curve_point)AT(20, error);
        curve[i] = (struct sl_curve){.point = level[i], .n = 2};
        row[i] = (struct sl_comparison){.spec = "x",
                                        .measured = true,
                                        .interval_error = NAN,
                                        .error = error,
                                        .curve = &curve[i]};
    }
    struct sl_comparisons kept = all;
    all = (struct sl_comparisons){.row = row, .n = 3, .every = 10};
    char *text = print(false);
    ok(plot_row(text, 'a') == 0 && plot_row(text, 'a') < plot_row(text, 'c') &&
           plot_row(text, 'c') < plot_row(text, 'b') && plot_row(text, 'b') != SIZE_MAX,
       "in the plot a larger error stands higher, none at all at the bottom");
    free(text);
    all.row = &row[1];
    all.n = 1;
    text = print(false);
    ok(plot_row(text, 'a') != SIZE_MAX && longest_line(text, &lines) <= 100,
       "errors that are all 0 can be plotted");
    free(text);
    all = kept;
}

/* ---- JSON ---- */

static json_t *rows_of(json_t **parsed)
{
    char *text = print(true);
    *parsed = json_loads(text, 0, NULL);
    free(text);
    return json_object_get(*parsed, "rows");
}

/* The values under some keys of a row, divided by blanks. */
static void is_row(json_t *row, const char *keys, const char *wanted, const char *name)
{
    char got[512] = "", key[64];
    for (int n = 0; sscanf(keys, "%63s%n", key, &n) == 1; keys += n) {
        json_t *value = json_object_get(row, key);
        char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)) : NULL;
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, "%s%s", used ? " " : "", text ? text : "absent");
        free(text);
    }
    if (!ok(!strcmp(got, wanted), "%s", name))
        printf("# got:      %s\n# expected: %s\n", got, wanted);
}

static void test_json(void)
{
    static const char messages[] = "messages interrupts cycles overhead overhead_of residue "
                                   "gap_min gap_median gap_unit";
    json_t *parsed, *list = rows_of(&parsed), *row = json_array_get(list, 0);
    ok(json_array_size(list) == 4, "a row for each profile");
    is_row(row, "spec storage_bits events error events_per_second",
           "\"value:count@H[P256]2048(seed=1,estimate=sum,width=16)\" 16384 600000 0.01 3e8",
           "a row has the resolved spec, storage, error and speed");
    is_row(row, messages, "2300 23 69000 0.069 \"instructions\" 11200 1 128 \"events\"",
           "a message costs 30 cycles, its overhead is relative to the instructions");
    is_row(json_array_get(list, 1), messages, "1 0 30 3e-5 \"instructions\" 0 null null null",
           "there is no gap before a second message");
    is_row(json_array_get(list, 2), messages, "null null null null null null null null null",
           "for a table that sends nothing, all about messages is null");
    is_row(json_array_get(list, 2), "error", "0.0", "an error of 0 is one");
    is_row(json_array_get(list, 3), "error events_per_second error_curve", "null null []",
           "what was not measured is null");
    is_row(row, "events_until_below", "null", "without points between, no limit was reached");
    json_decref(parsed);

    all.every = 100000;
    list = rows_of(&parsed);
    is_row(json_array_get(list, 0), "events_until_below", "500000",
           "below the limit from where it stays there");
    is_row(json_array_get(list, 1), "events_until_below", "null", "null if it never does");
    is_row(json_array_get(list, 2), "events_until_below error_curve",
           "300000 [[300000, 0.0], [400000, 0.0], [500000, 0.0], [600000, 0.0]]",
           "the curve is there, point by point");
    json_decref(parsed);
    limit = 0.0625;
    list = rows_of(&parsed);
    is_row(json_array_get(list, 0), "events_until_below", "300000", "at the limit is not above it");
    json_decref(parsed);
    limit = 0;
    all.every = 0;

    all.instructions = 0;
    list = rows_of(&parsed);
    is_row(json_array_get(list, 0), "messages cycles overhead", "2300 69000 null",
           "of no instructions there is no share");
    json_decref(parsed);
    all.instructions = 1000000;
}

static void test_machine(void)
{
    json_t *parsed, *list;
    all.cycles = 6900000;
    list = rows_of(&parsed);
    is_row(json_array_get(list, 0), "messages cycles overhead overhead_of",
           "2300 69000 0.01 \"cycles\"", "with a CPU model the overhead is relative to its cycles");
    json_decref(parsed);
    char *text = print(false);
    ok(strstr(text, " 1.00%") && strstr(text, "percentage of 6,900,000 cycles of the CPU model"),
       "and the text says so");
    free(text);
    all.cycles = 0;
}

static void test_unwritable(void)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    ok(sl_compare(&all, &(struct sl_compare_config){.size = sizeof(struct sl_compare_config)}, full,
                  &f) == SL_EIO,
       "text that cannot be written: %s", f.text);
    fclose(full);
    full = fopen("/dev/full", "w");
    ok(sl_compare(
           &all,
           &(struct sl_compare_config){.size = sizeof(struct sl_compare_config), .json = true},
           full, &f) == SL_EIO,
       "nor JSON: %s", f.text);
    fclose(full);
}

int main(void)
{
    test_text();
    test_plot();
    test_json();
    test_machine();
    test_unwritable();
    return done_testing();
}
