/* SPDX-License-Identifier: MIT */
/* Parsers of the arguments of command-line options, for example numbers with a suffix and
 * percentages (option_rows.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "option_rows.h"

const char *cli_parse_text(const char *text, void *field)
{
    *(const char **)field = text;
    return NULL;
}

const char *cli_parse_once(const char *text, void *field)
{
    return *(const char **)field ? "given twice" : cli_parse_text(text, field);
}

const char *cli_parse_flag(const char *text, void *field)
{
    (void)text;
    *(bool *)field = true;
    return NULL;
}

const char *cli_parse_json(const char *text, void *field)
{
    (void)text;
    return cli_parse_text("json", field);
}

/* "json", "json:FILE", "json:3". */
const char *cli_parse_live(const char *text, void *field)
{
    struct cli_live_options *live = field;
    static const char *const wrong = "give json, json:FILE or json:N (N: a file descriptor)";
    if (live->wanted)
        return "given twice";
    if (strncmp(text, "json", 4) || (text[4] && (text[4] != ':' || !text[5])))
        return wrong;
    const char *to = text[4] ? text + 5 : "1";
    *live = (struct cli_live_options){.wanted = true};
    if (strspn(to, "0123456789") != strlen(to))
        live->file = to;
    else if (strlen(to) < 7)
        live->descriptor = atoi(to);
    else
        return wrong;
    return NULL;
}

const char *cli_parse_list(const char *text, void *field)
{
    struct cli_list *list = field;
    const char **word = realloc(list->word, (list->n + 1) * sizeof *word);
    if (!word)
        abort(); /* no memory for a list of arguments: a message would need more */
    list->word = word;
    list->word[list->n++] = text;
    return NULL;
}

const char *cli_parse_machine(const char *text, void *field)
{
    struct cli_machines *machines = field;
    return machines->first ? cli_parse_list(text, &machines->other)
                           : cli_parse_text(text, &machines->first);
}

const char *cli_parse_names(const char *text, void *field)
{
    return text && (!*text || strchr(text, '='))
               ? "give names of environment variables, separated by commas"
               : cli_parse_text(text ? text : "", field);
}

/* Parses "12", "500M", "4G", "16Ki"; `kilo` is the value of K. */
static bool read_number_of(const char *text, uint64_t kilo, uint64_t *number)
{
    const struct {
        const char *suffix;
        uint64_t factor;
    } suffixes[] = {
        {"", 1},          {"K", kilo},      {"M", kilo * kilo}, {"G", kilo * kilo * kilo},
        {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || text[0] < '0' || text[0] > '9') /* strtoull() would accept a sign and blanks */
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(end, suffixes[i].suffix) && value <= UINT64_MAX / suffixes[i].factor) {
            *number = value * suffixes[i].factor;
            return *number > 0;
        }
    return false;
}

static bool read_number(const char *text, uint64_t *number)
{
    return read_number_of(text, 1000, number);
}

const char *cli_parse_under(const char *text, void *field)
{
    return read_number_of(text, 1024, field) ? NULL : "give a number above 0, for example 4K";
}

/* Parses "storage,error". Splits the text itself, which is in argv and stays valid. */
const char *cli_parse_by(const char *text, void *field)
{
    struct cli_by *by = field;
    char *comma = strchr((char *)text, ',');
    if (!comma || comma == text || !comma[1] || strchr(comma + 1, ',') || by->x)
        return "give the option once, with two measures, for example storage,error";
    *comma = '\0';
    *by = (struct cli_by){text, comma + 1};
    return NULL;
}

const char *cli_parse_number(const char *text, void *field)
{
    return read_number(text, field) ? NULL : "give a number above 0, for example 20, 500M or 4G";
}

const char *cli_parse_level(const char *text, void *field)
{
    uint64_t level;
    if (!read_number(text, &level) || level > SL_RECORDING_LEVEL_MAX)
        return "give a compression level from 1 (fast) to 19 (small)";
    *(uint64_t *)field = level;
    return NULL;
}

const char *cli_parse_limit(const char *text, void *field)
{
    return read_number(text, field) ? NULL
                                    : "give a number of instructions above 0, for example 500M (to "
                                      "limit the error, use sluice compare --below)";
}

const char *cli_parse_keep(const char *text, void *field)
{
    if (strcmp(text, "all"))
        return cli_parse_number(text, field);
    *(uint64_t *)field = INT64_MAX;
    return NULL;
}

/* "16", "16x64Ki". */
const char *cli_parse_sample_loads(const char *text, void *field)
{
    struct sl_load_sampling *sampling = field;
    char number[32];
    const char *times = strchr(text, 'x');
    size_t length = times ? (size_t)(times - text) : strlen(text);
    uint64_t of = 0, blocks = CLI_WINDOW_BLOCKS;
    if (length < sizeof number) {
        memcpy(number, text, length);
        number[length] = '\0';
        if (read_number(number, &of) && of <= SL_SAMPLING_WINDOWS_MAX &&
            (!times || read_number(times + 1, &blocks)) && blocks <= SL_SAMPLING_BLOCKS_MAX) {
            *sampling = (struct sl_load_sampling){(uint32_t)of, (uint32_t)blocks};
            return NULL;
        }
    }
    return "give N or NxBLOCKS, for example 16 or 16x64Ki: load values are traced in 1 of N "
           "windows "
           "of BLOCKS blocks";
}

/* Parses "5" or "2.5%" into a fraction, above 0 and at most 1. Sets *end to the character after
 * it. */
static bool read_percent(const char *text, double *share, const char **end)
{
    char *after;
    *share = strtod(text, &after) / 100;
    *end = after + (*after == '%');
    return after != text && *share > 0 && *share <= 1;
}

const char *cli_parse_percent(const char *text, void *field)
{
    const char *end;
    return read_percent(text, field, &end) && !*end ? NULL
                                                    : "give a percentage above 0, for example 5%";
}

const char *cli_parse_factor(const char *text, void *field)
{
    double *factor = field;
    char *end;
    *factor = 10;
    if (!text)
        return NULL;
    *factor = strtod(text, &end);
    return end != text && !*end && *factor >= 1 && *factor <= 1e9
               ? NULL
               : "give a speedup of at least 1, for example 10";
}

/* "1000,10%,40%". */
const char *cli_parse_error_of(const char *text, void *field)
{
    struct cli_error_of *of = field;
    char number[32];
    const char *comma = strchr(text, ','), *end;
    size_t length = comma ? (size_t)(comma - text) : sizeof number;
    if (length < sizeof number) {
        memcpy(number, text, length);
        number[length] = '\0';
        if (read_number(number, &of->executions) && read_percent(comma + 1, &of->share, &end) &&
            *end == ',' && read_percent(end + 1, &of->covered, &end) && !*end)
            return NULL;
    }
    return "give a number of executions and two percentages above 0, for example 1000,10%,40%";
}
