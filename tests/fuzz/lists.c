/* SPDX-License-Identifier: MIT */
/* Fuzzer for the parsers of text files that are read line by line, for example tables of power
 * values and job files of sweeps (usage: lists.t [SECONDS]).
 *
 * Tables of power, instruction groups and cache costs; jobs of sweeps and their results; and grids,
 * which are one line. The tape selects the sequence of words. Each file is read or refused with a
 * message; a grid expands to no more texts than its limit. */
#define TAPE_MAX 1024u
#include "fuzz.h"
#include "scratch.h"

#include "grid.h"
#include "job_file.h"
#include "power.h"
#include "shard_file.h"

const char fuzz_name[] = "lists";
#define GRID_WORTH 20000u /* texts; larger ones are left to the test of grids, for time */

static char power_path[64], job_path[64], figures_path[64];
static unsigned long n_read, n_refused, n_grids;

void fuzz_begin(void)
{
    make_scratch();
    snprintf(power_path, sizeof power_path, "%s/power.txt", scratch_folder);
    snprintf(job_path, sizeof job_path, "%s/job-1", scratch_folder);
    snprintf(figures_path, sizeof figures_path, "%s/figures-1", scratch_folder);
}

static const char *const power_word[] = {
    "A",
    "B",
    "C",
    "D",
    "E",
    "F",
    "G",
    "stall",
    "correction",
    "47.27",
    "38.45",
    "33.9",
    "10",
    "9.5",
    "55",
    "word",
    "0xfc00003f",
    "0x18",
    "class",
    "load",
    "store",
    "1",
    "any",
    "C",
    "l2access",
    "imiss",
    "memory",
    "5",
    "#",
    "\n",
    "\n",
    "\n",
    "\t",
    "\r",
    "1e9",
    "-1",
    "nan",
    "inf",
    "0x",
    "99999999999999999999",
    "A 1 2\n",
    "any C\n",
    "class load 1 E\n",
    "A 1 1\nB 1 1\nC 1 1\nD 1 1\nE 1 1\nF 1 1\nstall 1 1\n",
    "word 0xff 0x1 A\n",
    "l2access 5\n",
};
static const char *const job_word[] = {
    "sluice job 1 " SL_VERSION "\n",
    "stream a.slt\n",
    "what x\n",
    "described\n",
    "machine rocket\n",
    "range main\n",
    "only load\n",
    "marked 1\n",
    "skip 5\n",
    "limit 7\n",
    "executions 9\n",
    "share 0x1p-1\n",
    "covered nan\n",
    "spec edge\n",
    "spec value@exact\n",
    "end 1\n",
    "label a\n",
    "label a\n",
    "failed why %0a%25%\n",
    "of 3\n",
    "item x\n",
    "0 0x1p+0 nan error\n",
    "1 0x1p+0 0x1p+2 error\n",
    "99999999999999999999 1 1 a-measure-with-a-name-that-is-longer-than-any\n",
    "seconds 0x1p-3\n",
    "figures 1\n",
    "figures 2\n",
    "figures 0\n",
    "figures",
    " ",
    "\n",
    "%",
    "1",
    "nan inf",
    "of -1\n",
};
static const char *const grid_word[] = {
    "{",          "}",
    ",",          "..",
    "+",          "1",
    "2",          "64",
    "1K",         "2M",
    "4Gi",        "0",
    "{1..4}",     "{1,2}",
    "{a,b(c,d)}", "(",
    ")",          "[",
    "]",          "{1K..4K}",
    "{1..9+2}",   "value@multihash(counters=",
    "-",          "{0..0+1}",
    "{5..5}",     "{999999999999999..999999999999999G}",
};

#define WORDS(list) list, sizeof(list) / sizeof *(list)

/* Words of the list, and now and then any byte. */
static size_t make_text(struct tape *t, const char *const *word, size_t n_words, char *text,
                        size_t capacity)
{
    size_t n = 0;
    while (t->at < t->end && n + 100 < capacity)
        if (pick(t, 16) == 1)
            text[n++] = (char)take(t, 1);
        else
            n = (size_t)(stpcpy(text + n, word[pick(t, (unsigned)n_words)]) - text),
            n += pick(t, 2) ? (size_t)(stpcpy(text + n, " ") - (text + n)) : 0;
    text[n] = 0;
    return n;
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file))
        abort();
}

static void evaluate(int error, const struct sl_failure *f)
{
    n_read += error >= 0;
    n_refused += error < 0;
    if (error < 0 && !f->text[0])
        fuzz_wrong("a file that was refused without a word");
}

static void read_power(unsigned kind, struct sl_failure *f)
{
    static struct sl_power_rules rules;
    struct sl_power_table table;
    struct sl_cache_costs costs;
    evaluate(kind == 0   ? sl_power_read_table(&table, power_path, f)
             : kind == 1 ? sl_power_read_rules(&rules, power_path, f)
                         : sl_power_read_costs(&costs, power_path, f),
             f);
}

static void read_jobs(struct sl_failure *f)
{
    struct sl_shard_task task;
    struct sl_job_results figures = {0};
    evaluate(sl_shard_read(scratch_folder, 1, &task, f), f);
    sl_shard_task_free(&task);
    evaluate(sl_job_collect(scratch_folder, 1, &figures, f), f);
    sl_job_results_free(&figures);
}

/* How many texts it has at most: braces times words, where no range is. */
static void expand_grid(const char *text, struct sl_failure *f)
{
    struct sl_grid grid = {0};
    double worth = 1;
    for (const char *at = text; (at = strchr(at, '{')); at++)
        worth *= 60;
    if (worth > GRID_WORTH && strstr(text, "..")) /* ranges that add have any number */
        return;
    n_grids++;
    evaluate(sl_grid_expand(&grid, text, f), f);
    if (grid.n > SL_GRID_MAX)
        fuzz_wrong("a grid of more texts than there may be");
    sl_grid_free(&grid);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    char text[16384];
    struct tape t = tape_of(data, size);
    struct sl_failure f = {0};
    unsigned kind = pick(&t, 8);
    if (kind < 3) {
        write_file(power_path, text, make_text(&t, WORDS(power_word), text, sizeof text));
        read_power(kind, &f);
    } else if (kind < 5) {
        size_t n = (size_t)(stpcpy(text, pick(&t, 8) ? job_word[0] : "") - text);
        n += make_text(&t, WORDS(job_word), text + n, sizeof text - n);
        write_file(job_path, text, n);
        write_file(figures_path, text, n);
        read_jobs(&f);
    } else {
        make_text(&t, WORDS(grid_word), text, sizeof text);
        expand_grid(text, &f);
    }
}

void fuzz_figures(void)
{
    printf("# %lu files and grids read, %lu refused; %lu grids\n", n_read, n_refused, n_grids);
    unlink(power_path);
    unlink(job_path);
    unlink(figures_path);
    fclose(nowhere);
}
