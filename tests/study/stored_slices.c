/* SPDX-License-Identifier: MIT */
/* Unit tests of reading a list of slices (slices.txt): all values of a complete list are read, and
 * incomplete lists and all kinds of invalid lines are refused with an error message. */
#include "stored_slices.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char directory[] = "/tmp/stored_slices.XXXXXX";
static char path[200];

static void write_list(const char *text)
{
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

static void test_complete(void)
{
    struct sl_stored_slices slices;
    struct sl_failure f = {.text = ""};
    char trace[220];
    write_list("sluice-slices 2\n"
               "# a comment\n"
               "\n"
               "trace slices.slt\n"
               "instructions 5000   # of the whole run\n"
               "interval\t100\n"
               "warm-up 20\n"
               "slice start 300 length 101 weight 0.25\n"
               "slice start 401 length 99 weight 0.75");
    snprintf(trace, sizeof trace, "%s/slices.slt", directory);
    int by_file = sl_slices_read(&slices, path, &f);
    ok(!by_file && slices.instructions == 5000 && slices.interval == 100 && slices.warm_up == 20,
       "the numbers of the list, with comments and tabs: %s", f.text);
    ok(!by_file && !strcmp(slices.trace, trace), "the trace is in the directory of the list");
    ok(!by_file && slices.n == 2 && slices.slice[0].start == 300 && slices.slice[0].length == 101 &&
           slices.slice[0].weight == 0.25 && slices.slice[1].start == 401,
       "the slices; one may begin where the previous one ends");
    if (!by_file)
        sl_slices_free(&slices);
    int by_directory = sl_slices_read(&slices, directory, &f);
    ok(!by_directory && slices.n == 2, "a directory that contains the list");
    if (!by_directory)
        sl_slices_free(&slices);
}

static void test_trace(void)
{
    struct sl_stored_slices slices;
    struct sl_failure f = {.text = ""};
    write_list("sluice-slices 2\ntrace /tmp/a.slt\ninstructions 9\n"
               "slice start 0 length 9 weight 1\n");
    int result = sl_slices_read(&slices, path, &f);
    ok(!result && !strcmp(slices.trace, "/tmp/a.slt") && !slices.warm_up,
       "a trace with an absolute path; without warm-up");
    if (!result)
        sl_slices_free(&slices);
}

static void refuse(const char *line, const char *message)
{
    struct sl_stored_slices slices;
    struct sl_failure f = {.text = ""};
    char text[9000];
    snprintf(text, sizeof text,
             "sluice-slices 2\ntrace a.slt\nslice start 100 length 50 weight 0.5\n%s\n"
             "slice start 400 length 50 weight 0.5\ninstructions 1000\n",
             line);
    write_list(text);
    int result = sl_slices_read(&slices, path, &f);
    if (!ok(result == SL_EFORMAT && strstr(f.text, message), "refused: %.60s", line))
        printf("# %d: %s\n", result, f.text);
}

static void test_wrong_lines(void)
{
    static const char slice[] = "expected \"slice start N length N weight W\"";
    char long_line[5000];
    refuse("trace b.slt", "line 4: expected one line \"trace FILE\"");
    refuse("interval -1", "line 4: expected a whole number");
    refuse("interval 1.5", "line 4: expected a whole number");
    refuse("interval", "line 4: expected a whole number");
    refuse("interval 99999999999999999999", "line 4: expected a whole number");
    refuse("interval 5 6", "line 4: unexpected text");
    refuse("slices 1", "line 4: the first word must be trace");
    refuse("slice start 200 length 5", slice);
    refuse("slice length 5 start 200 weight 0", slice);
    refuse("slice start 200 length 5 weight nan", slice);
    refuse("slice start 200 length 5 weight 1.5", slice);
    refuse("slice start 200 length 5 weight -0.1", slice);
    refuse("slice start 200 length 0 weight 0", "line 4: a slice must have at least one");
    refuse("slice start 200 length 18446744073709551615 weight 0", "line 4: a slice must");
    refuse("slice start 149 length 9 weight 0", "line 4: the slice begins before the end");
    refuse("slice start 399 length 9 weight 0", "line 5: the slice begins before the end");
    refuse("slice start 200 length 9 weight 0.01", "the sum of the weights is 1.01, not 1");
    memset(long_line, ' ', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = '\0';
    refuse(long_line, "line 4: line too long");
}

static void test_incomplete(void)
{
    static const char *const lists[] = {
        "",
        "sluice-slices 2\n",
        "sluice-slices 2\ntrace a\ninstructions 9\n",
        "sluice-slices 2\ntrace a\nslice start 0 length 9 weight 1\n",
        "sluice-slices 2\ninstructions 9\nslice start 0 length 9 weight 1\n",
        "sluice-slices 1\ntrace a\ninstructions 9\nslice start 0 length 9 weight 1\n",
        "trace a\ninstructions 9\nslice start 0 length 9 weight 1\n",
    };
    struct sl_stored_slices slices;
    struct sl_failure f;
    size_t refused = 0, n = sizeof lists / sizeof *lists;
    for (size_t i = 0; i < n; i++) {
        write_list(lists[i]);
        refused += sl_slices_read(&slices, path, &f) == SL_EFORMAT;
    }
    ok(refused == n, "lists that are incomplete or of another version are refused");
    unlink(path);
    ok(sl_slices_read(&slices, directory, &f) == SL_EFORMAT &&
           strstr(f.text, "is a directory without slices"),
       "a directory without slices: %s", f.text);
    ok(sl_slices_read(&slices, path, &f) == SL_EIO, "a missing file");
}

int main(void)
{
    if (!mkdtemp(directory))
        return 1;
    snprintf(path, sizeof path, "%s/%s", directory, SL_SLICES_FILE);
    test_complete();
    test_trace();
    test_wrong_lines();
    test_incomplete();
    rmdir(directory);
    return done_testing();
}
