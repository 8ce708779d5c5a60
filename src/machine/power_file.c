/* SPDX-License-Identifier: MIT */
/* Readers of the power model's files (data/power): power table, instruction groups, cache costs. A
 * file has one item per line, as words separated by blanks; # begins a comment:
 *
 *     power table                 A 47.27 38.45       a group, mW: if only cache stalls count as
 *                                 stall 31.85 44.34   stalls / if all pipeline stalls do
 *                                 correction 33.9 10 9.5 55   optional: mean stalls in %, divisor,
 *                                                     lowest, highest
 *     groups of instructions      word 0xfc00003f 0x00000018 E    mask, and value of those bits
 *                                 class load 1 E                  class and bytes accessed
 *                                 class load D                    class
 *                                 any C                           the last line
 *     costs of cache events       l2access 5          relative to an access to L1I
 *
 * An instruction belongs to the group of the first line that matches it. Its word is its first four
 * bytes as a number, in the byte order of the instruction set. */
#include "power.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "failure.h"

#define WORDS_MAX 5
#define NUMBER_MAX 1e6 /* mW; costs */

/* A line, split into words. */
struct line {
    char *word[WORDS_MAX + 1];
    unsigned n; /* one word too many is stored, so that it can be refused */
    const char *path;
    unsigned number;
    struct sl_failure *f;
    int error; /* the first one; nothing is read after it */
};

__attribute__((format(printf, 2, 3))) static void wrong(struct line *l, const char *format, ...)
{
    char message[512];
    va_list arguments;
    if (l->error)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    l->error = sl_fail(l->f, SL_EFORMAT, "%.200s, line %u: %s", l->path, l->number, message);
}

/* ---- words ---- */

static double read_number(struct line *l, unsigned at)
{
    const char *word = l->word[at];
    double number;
    if (sl_number_real(word, strlen(word), &number) && number >= 0 && number <= NUMBER_MAX)
        return number;
    wrong(l, "\"%.40s\" is not a number from 0 to 1000000", word);
    return 0;
}

static uint32_t read_unsigned(struct line *l, unsigned at, uint32_t low, uint32_t high,
                              const char *what)
{
    const char *word = l->word[at];
    uint64_t value;
    if (sl_number_unsigned(word, strlen(word), 1000, &value) && value >= low && value <= high)
        return (uint32_t)value;
    wrong(l, "\"%.40s\" is not %s", word, what);
    return 0;
}

static uint8_t read_group(struct line *l, unsigned at)
{
    const char *word = l->word[at];
    if (word[0] >= 'A' && word[0] < 'A' + SL_POWER_GROUPS && !word[1])
        return (uint8_t)(word[0] - 'A');
    wrong(l, "\"%.40s\" is not a group from A to F", word);
    return 0;
}

/* ---- files ---- */

static void split(struct line *l, char *text)
{
    char *rest;
    text[strcspn(text, "#")] = 0;
    l->n = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word && l->n <= WORDS_MAX;
         word = strtok_r(NULL, " \t\r\n", &rest))
        l->word[l->n++] = word;
}

/* Passes each line that is not empty to `parse`. */
static void read_lines(const char *name, void (*parse)(void *context, struct line *l),
                       void *context, struct line *l)
{
    char text[512];
    char *path = sl_data_file("power", name);
    FILE *file = path ? fopen(path, "re") : NULL;
    if (!file) {
        l->error = path
                       ? sl_fail_errno(l->f, errno == ENOENT ? SL_EUSAGE : SL_EIO,
                                       "cannot open %.200s", path)
                       : sl_fail(l->f, SL_EUSAGE,
                                 "no file power/%.40s.txt next to sluice, in ../share/sluice or in "
                                 "the directory $SLUICE_DATA; for your own file, give its path: "
                                 "./%.40s",
                                 name, name);
        free(path);
        return;
    }
    for (l->path = path; !l->error && fgets(text, sizeof text, file);) {
        l->number++;
        if (!strchr(text, '\n') && !feof(file))
            wrong(l, "the line is longer than 510 characters");
        split(l, text);
        if (!l->error && l->n)
            parse(context, l);
    }
    if (!l->error && ferror(file))
        l->error = sl_fail_errno(l->f, SL_EIO, "cannot read %.200s", path);
    fclose(file);
}

/* Reports an error of the whole file, and frees it. */
static int finish(struct line *l, const char *missing)
{
    if (!l->error && missing)
        l->error = sl_fail(l->f, SL_EFORMAT, "%.200s: %s", l->path, missing);
    free((char *)l->path);
    return l->error;
}

/* ---- a table of powers ---- */

struct table_reader {
    struct sl_power_table *table;
    bool given[SL_POWER_GROUPS + 1];
};

static void parse_correction(struct sl_power_correction *c, struct line *l)
{
    if (l->n != 5) {
        wrong(l, "expected the mean stall rate in percent, a divisor, the lowest and the highest "
                 "stall rate, for example: correction 33.9 10 9.5 55");
        return;
    }
    if (c->divisor > 0)
        wrong(l, "\"correction\" appears twice");
    c->mean = read_number(l, 1);
    c->divisor = read_number(l, 2);
    c->low = read_number(l, 3);
    c->high = read_number(l, 4);
    if (!(c->divisor > 0 && c->low <= c->mean && c->mean <= c->high && c->high <= 100))
        wrong(l, "the divisor must be greater than 0, and the mean stall rate must be between the "
                 "lowest and the highest stall rate, which is at most 100 (percent)");
}

static void parse_power(void *context, struct line *l)
{
    struct table_reader *r = context;
    if (!strcmp(l->word[0], "correction")) {
        parse_correction(&r->table->correction, l);
        return;
    }
    if (l->n != 3) {
        wrong(l, "expected a group or `stall`, and two powers in mW, for example: A 47.27 38.45");
        return;
    }
    unsigned group = strcmp(l->word[0], "stall") ? read_group(l, 0) : SL_POWER_GROUPS;
    double *power = group < SL_POWER_GROUPS ? r->table->group[group] : r->table->stall;
    power[SL_STALLS_CACHE] = read_number(l, 1);
    power[SL_STALLS_PIPELINE] = read_number(l, 2);
    if (r->given[group])
        wrong(l, "\"%.40s\" appears twice", l->word[0]);
    r->given[group] = true;
}

int sl_power_read_table(struct sl_power_table *table, const char *name, struct sl_failure *f)
{
    struct table_reader r = {.table = table};
    struct line l = {.f = f};
    *table = (struct sl_power_table){.correction = {0}};
    read_lines(name, parse_power, &r, &l);
    bool all = true;
    for (unsigned i = 0; i <= SL_POWER_GROUPS; i++)
        all = all && r.given[i];
    return finish(
        &l,
        all ? NULL
            : "the file must have one line for each of the groups A to F and one line for `stall`");
}

/* ---- groups of instructions ---- */

static uint8_t read_class(struct line *l)
{
    for (uint8_t class = 0; class < SL_CLASS_COUNT; class ++)
        if (!strcmp(l->word[1], sl_class_name(class)))
            return class;
    char known[256] = "";
    for (unsigned i = 0, used = 0; i < SL_CLASS_COUNT && used < sizeof known; i++)
        used += (unsigned)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                   sl_class_name(i));
    wrong(l, "unknown class \"%.40s\"; the classes are %s", l->word[1], known);
    return SL_CLASS_COUNT;
}

static void parse_rule(void *context, struct line *l)
{
    struct sl_power_rules *rules = context;
    static const char bits[] = "a 32-bit number, for example 0xfc00003f";
    struct sl_power_rule rule = {.class = SL_CLASS_COUNT};
    if (rules->n == SL_POWER_RULES) {
        wrong(l, "the file has more than %d rules", SL_POWER_RULES);
        return;
    }
    if (!strcmp(l->word[0], "word") && l->n == 4) {
        rule.mask = read_unsigned(l, 1, 0, UINT32_MAX, bits);
        rule.value = read_unsigned(l, 2, 0, UINT32_MAX, bits);
        if (rule.value & ~rule.mask)
            wrong(l,
                  "the rule matches no instruction: %.40s has bits that are not in the mask %.40s",
                  l->word[2], l->word[1]);
    } else if (!strcmp(l->word[0], "class") && (l->n == 3 || l->n == 4)) {
        rule.class = read_class(l);
        if (l->n == 4)
            rule.width = (uint8_t)read_unsigned(l, 2, 1, 255,
                                                "a number of accessed bytes from 1 to 255");
    } else if (strcmp(l->word[0], "any") || l->n != 2) {
        wrong(l, "expected `word MASK BITS GROUP`, `class NAME [BYTES] GROUP` or `any GROUP`");
    }
    rule.group = read_group(l, l->n - 1);
    rules->rule[rules->n++] = rule;
}

int sl_power_read_rules(struct sl_power_rules *rules, const char *name, struct sl_failure *f)
{
    struct line l = {.f = f};
    rules->n = 0;
    read_lines(name, parse_rule, rules, &l);
    const struct sl_power_rule *last = rules->n ? &rules->rule[rules->n - 1] : NULL;
    bool complete = last && !last->mask && last->class == SL_CLASS_COUNT;
    return finish(&l, complete ? NULL : "the last line must be `any GROUP`");
}

/* ---- costs of cache events ---- */

static void parse_cost(void *context, struct line *l)
{
    struct sl_cache_costs *costs = context;
    unsigned i = 0;
    if (l->n != 2) {
        wrong(l, "expected an event and its cost, for example: l2access 5");
        return;
    }
    while (i < SL_MACHINE_EVENTS && strcmp(l->word[0], sl_machine_event_names[i].name))
        i++;
    if (i < SL_MACHINE_FETCH_LINES || i > SL_MACHINE_DTLB_MISS || i == SL_MACHINE_DATA_HALVES)
        wrong(l,
              "\"%.40s\" is not a cache event; the cache events are fetch, access, imiss, dmiss, "
              "dwriteback, l2access, l2miss, l3access, l3miss, prefetch, prefetchhit, memory, "
              "itlbmiss and dtlbmiss",
              l->word[0]);
    else if (costs->cost[i])
        wrong(l, "\"%.40s\" appears twice", l->word[0]);
    else
        costs->cost[i] = (uint64_t)(1000 * read_number(l, 1) + 0.5);
}

int sl_power_read_costs(struct sl_cache_costs *costs, const char *name, struct sl_failure *f)
{
    struct line l = {.f = f};
    *costs = (struct sl_cache_costs){0};
    read_lines(name, parse_cost, costs, &l);
    return finish(&l, NULL);
}
