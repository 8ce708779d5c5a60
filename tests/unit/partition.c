/* SPDX-License-Identifier: MIT */
/* Unit tests of hardware/software partitioning, the selection of functions to move to hardware
 * (partition.h). The results equal numbers computed by hand for the call tree in context_support.h.
 *
 *     filter  300 + 30 + 200 = 530 of 800 = 66.25 %    encode  100 + 330      = 430 = 53.75 %
 *     decode  50 + 200 + 70  = 320        = 40 %       copy    70 + 20        =  90 = 11.25 %
 *
 * 10 times as fast: filter 1 / (0.3375 + 0.06625) = 2.4768, encode 1 / (0.4625 + 0.05375) = 1.9370,
 * decode 1 / (0.6 + 0.04) = 1.5625, copy 1 / (0.8875 + 0.01125) = 1.1127.
 *
 * With filter moved, encode adds 100, decode 50 + 70 = 120 and copy 90: decode comes second
 * although encode costs more. Then encode adds 100, and copy 20. */
#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "context_support.h"

static char *partition(const char *format, double factor, size_t n, int wanted)
{
    struct sl_report_config config = {
        .size = sizeof config, .format = format, .n = n, .partition = factor};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int result = sl_report(path, &config, out, &f);
    fclose(out);
    if (result != wanted)
        printf("# %d, wanted %d: %s\n", result, wanted, f.text);
    return text;
}

static bool near(json_t *object, const char *key, double wanted)
{
    json_t *value = json_object_get(object, key);
    bool is = value && fabs(json_number_value(value) / wanted - 1) < 1e-5;
    if (!is)
        printf("# %s is %g, wanted %g\n", key, value ? json_number_value(value) : 0, wanted);
    return is;
}

struct row {
    const char *function;
    double cost, speedup, energy_after;
};

static bool same_rows(json_t *list, const struct row *row, size_t n)
{
    bool same = json_array_size(list) == n;
    for (size_t i = 0; i < n && same; i++) {
        json_t *object = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(object, "function"));
        same = name && !strcmp(name, row[i].function) && near(object, "cost", row[i].cost) &&
               near(object, "fraction", row[i].cost / 800) &&
               near(object, "speedup", row[i].speedup) &&
               near(object, "energy_after", row[i].energy_after);
    }
    return same;
}

/* Energy: 270 * 1000 + 530 * 3000 = 1860000 in all. filter 1590000, encode 100000 + 990000,
 * decode 120000 + 600000, copy 90000. */
static void by_hand(void)
{
    static const struct row alone[] = {
        {"filter", 530, 1 / 0.40375, 270000 + 159000},
        {"encode", 430, 1 / 0.51625, 770000 + 109000},
        {"decode", 320, 1 / 0.64, 1140000 + 72000},
        {"copy", 90, 1 / 0.89875, 1770000 + 9000},
    };
    static const struct row together[] = {
        {"filter", 530, 1 / 0.40375, 270000 + 159000},
        {"decode", 650, 1 / (0.1875 + 0.08125), 150000 + 171000},
        {"encode", 750, 1 / (0.0625 + 0.09375), 50000 + 181000},
        {"copy", 770, 1 / (0.0375 + 0.09625), 30000 + 183000},
    };
    write_database();
    char *text = partition("json", 10, 0, 0);
    json_t *said = json_loads(text, 0, NULL), *out = json_object_get(said, "excluded");
    ok(same_rows(json_object_get(said, "functions"), alone, 4),
       "each by itself: cost with all that it calls, recursion once; speed-up; energy");
    ok(same_rows(json_object_get(said, "cumulative"), together, 4),
       "together: what one calls for another counts once, and the best is taken first");
    ok(near(said, "cost", 800) && near(said, "energy", 1860000) &&
           near(said, "assumed_speedup", 10) && json_array_size(out) == 2,
       "the program itself, main and what calls it, is no candidate");
    json_decref(said);
    free(text);
    text = partition("json", 10, 2, 0);
    said = json_loads(text, 0, NULL);
    ok(same_rows(json_object_get(said, "functions"), alone, 2) &&
           same_rows(json_object_get(said, "cumulative"), together, 2),
       "as many as requested");
    json_decref(said);
    free(text);
}

static void in_words(void)
{
    size_t lines;
    write_database();
    char *text = partition(NULL, 10, 0, 0);
    golden_text("partition.txt", strdup(text));
    ok(longest_line(text, &lines) <= 100, "no line is longer than 100");
    free(text);
    text = partition("text", 1, 0, 0);
    ok(strstr(text, "1 times as fast") && strstr(text, "  1.00  ") && !strstr(text, "  1.01  "),
       "what is no faster saves nothing");
    free(text);
}

/* One by energy alone has no cost to choose by; one by instructions has no energy. */
static void other_profiles(void)
{
    results.n_profiles = 1;
    profiles[BY_CYCLES].metric = "instructions";
    write_database();
    char *text = partition(NULL, 10, 0, 0);
    ok(strstr(text, "of 800 instructions;") && !strstr(text, "energy"),
       "without a machine: instructions, and no word of energy");
    free(text);
    text = partition("json", 10, 1, 0);
    ok(strstr(text, "\"energy\": null") && strstr(text, "\"energy_rank\": null"),
       "in JSON, that is null");
    free(text);
    profiles[BY_CYCLES].metric = "count";
    write_database();
    free(partition(NULL, 10, 0, SL_EUSAGE));
    ok(f.code == SL_EUSAGE && strstr(f.text, "context:cycles"), "without contexts: %s", f.text);
    profiles[BY_CYCLES].metric = "cycles";
    results.n_profiles = N_PROFILES;
}

/* Contexts whose callers were not saved. */
static void cut(void)
{
    write_database();
    change("DELETE FROM entry WHERE pc = 0x401200");
    char *text = partition(NULL, 10, 0, 0);
    ok(strstr(text, "! the callers of 1 contexts are unknown") != NULL, "the cut part is reported");
    free(text);
    write_database();
    change("UPDATE entry SET value = 77 * 64 WHERE rank = 1 AND profile = 0");
    text = partition(NULL, 10, 0, 0);
    ok(strstr(text, "! the callers of 1 contexts") && strstr(text, "of 800 cycles"),
       "so is a context that hangs nowhere");
    free(text);
}

static void refused(void)
{
    write_database();
    free(partition(NULL, 0.5, 0, SL_EUSAGE));
    ok(strstr(f.text, "at least 1, not 0.5") != NULL, "refused: %s", f.text);
    free(partition("bolt", 10, 0, SL_EUSAGE));
    ok(strstr(f.text, "text or json") != NULL, "refused: %s", f.text);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-partition-%d.db", (int)getpid());
    by_hand();
    in_words();
    other_profiles();
    cut();
    refused();
    unlink(path);
    return done_testing();
}
