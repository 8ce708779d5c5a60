/* The options of all commands, declared once. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct option_help {
    char letter; /* also what a command names it by; capitals have no short form */
    const char *name;
    const char *argument; /* NULL: takes none; in brackets: may be left out */
    const char *help;
};

static const struct option_help option_helps[] = {
    {'p', "profile", "SPEC", "profile to make, DETECTOR[:METRIC][@TABLE]; may be repeated"},
    {'m', "machine", "NAME[,K=V]", "processor to model, any key overridden (sluice list machines)"},
    {'o', "output", "FILE", "where the result goes"},
    {'n', "number", "N", "entries to show of each profile"},
    {'X', "exact", NULL, "keep the exact profile beside each table and report the error"},
    {'D', "window", "N", "instructions of a window of the dynamic overlap (default: 100M)"},
    {'E', "every", "N", "measure the error after each N events, too"},
    {'N', "runs", "N", "repeat what takes a seed with N of them; how errors are spread"},
    {'B', "error-of", "N,S%,C%", "limits of what is in the error (default: 1000,10%,40%)"},
    {'T', "limit", "PERCENT", "the error to get below, and stay there (default: 5%)"},
    {'f', "format", "NAME", "format of the report (sluice list formats)"},
    {'F', "object", "FILE", "file that bolt, profgen, autofdo are about (default: the program)"},
    {'P', "partition", "[FACTOR]", "what to move to hardware, that much faster (default: 10)"},
    {'J', "json", NULL, "the report as JSON, on standard output"},
    {'R', "range", "LO-HI|SYMBOL", "only instructions at these addresses, or of this function"},
    {'O', "only", "CLASS,...", "only instructions of these classes: load, float, conditional, ..."},
    {'M', "marked", NULL, "only between SLUICE_BEGIN() and SLUICE_END() in the program"},
    {'Y', "memory", "SIZE", "memory for exact tables, as 500M, 4G (default: 2Gi or half of free)"},
    {'K', "keep", "N|all", "entries of each profile to save (default: 100000, all contexts)"},
    {'L', "lossy", NULL, "drop events, and count them, rather than make the program wait"},
    {'Q', "qemu", "FILE", "emulator to use (default: qemu-ARCH in PATH)"},
    {'S', "sysroot", "DIR", "where a foreign program's libraries are"},
    {'G', "program", "NAME", "only this program of the lab's; may be repeated"},
    {'U', "quick", NULL, "small inputs: minutes instead of an hour"},
    {'I', "tiny", NULL, "tiny inputs: whether it works at all"},
    {'A', "again", NULL, "also what was done before"},
    {'W', "write", NULL, "only write the pages again, from what was measured"},
    {'j', "jobs", "N", "steps at a time (default: as many as processors)"},
    {'q', "quiet", NULL, "no progress and no report, only the result"},
    {'h', "help", NULL, "this help"},
    {0, NULL, NULL, NULL},
};

static bool takes(const struct cli_command *command, char letter)
{
    return letter == 'h' || strchr(command->options, letter);
}

void cli_print_help(const struct cli_command *command, FILE *out)
{
    fprintf(out, "usage: sluice %s %s\n\n%s.\n\n", command->name, command->usage, command->summary);
    for (const struct option_help *o = option_helps; o->letter; o++) {
        char left[64];
        if (!takes(command, o->letter))
            continue;
        bool short_too = o->letter >= 'a';
        snprintf(left, sizeof left, "%c%c%s --%s%s%s", short_too ? '-' : ' ',
                 short_too ? o->letter : ' ', short_too ? "," : " ", o->name,
                 !o->argument ? "" : *o->argument == '[' ? "[=" : " ",
                 !o->argument ? "" : o->argument + (*o->argument == '['));
        fprintf(out, "  %-28s %s\n", left, o->help);
    }
    fprintf(out, "\n%s", command->details);
}

int cli_complain_usage(const struct cli_command *command, const char *sentence)
{
    fprintf(stderr, "sluice: %s\nusage: sluice %s %s ('sluice %s --help' says more)\n", sentence,
            command->name, command->usage, command->name);
    return EXIT_USAGE;
}

/* "12", "500M", "4G", "16Ki": sizes and counts as people write them. */
static bool parse_number(const char *text, uint64_t *number)
{
    static const struct {
        const char *suffix;
        uint64_t factor;
    } suffixes[] = {{"", 1}, {"K", 1000}, {"M", 1000000}, {"G", 1000000000},
                    {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || text[0] < '0' || text[0] > '9') /* no sign, and no blanks before it */
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(end, suffixes[i].suffix) && value <= UINT64_MAX / suffixes[i].factor) {
            *number = value * suffixes[i].factor;
            return true;
        }
    return false;
}

static int take_number(const struct cli_command *command, const char *name, const char *text,
                       uint64_t *number)
{
    char sentence[200];
    if (parse_number(text, number) && *number > 0)
        return -1;
    snprintf(sentence, sizeof sentence, "--%s %.50s: give a number above 0, such as 20, 500M or 4G",
             name, text);
    return cli_complain_usage(command, sentence);
}

/* "5", "2.5%": a share of 1, above 0 and at most 1. Sets *end behind it. */
static bool parse_percent(const char *text, double *share, const char **end)
{
    char *behind;
    *share = strtod(text, &behind) / 100;
    *end = behind + (*behind == '%');
    return behind != text && *share > 0 && *share <= 1;
}

static int take_limit(const struct cli_command *command, const char *text, double *limit)
{
    char sentence[200];
    const char *end;
    if (parse_percent(text, limit, &end) && !*end)
        return -1;
    snprintf(sentence, sizeof sentence, "--limit %.50s: give a percentage above 0, such as 5%%",
             text);
    return cli_complain_usage(command, sentence);
}

static int take_factor(const struct cli_command *command, const char *text, double *factor)
{
    char sentence[200], *end;
    *factor = 10;
    if (!text)
        return -1;
    *factor = strtod(text, &end);
    if (end != text && !*end && *factor >= 1 && *factor <= 1e9)
        return -1;
    snprintf(sentence, sizeof sentence, "--partition=%.50s: give how many times as fast hardware "
             "is, such as 10", text);
    return cli_complain_usage(command, sentence);
}

/* "1000,10%,40%". */
static int take_error_of(const struct cli_command *command, const char *text, struct cli_options *o)
{
    char sentence[200], number[32];
    const char *comma = strchr(text, ','), *end;
    size_t length = comma ? (size_t)(comma - text) : sizeof number;
    if (length < sizeof number) {
        memcpy(number, text, length);
        number[length] = '\0';
        if (parse_number(number, &o->error_executions) && o->error_executions &&
            parse_percent(comma + 1, &o->error_share, &end) && *end == ',' &&
            parse_percent(end + 1, &o->error_covered, &end) && !*end)
            return -1;
    }
    snprintf(sentence, sizeof sentence,
             "--error-of %.50s: give a number of executions and two percentages above 0, such as "
             "1000,10%%,40%%", text);
    return cli_complain_usage(command, sentence);
}

static int take(const struct cli_command *command, struct cli_options *o, int letter, char *argument)
{
    switch (letter) {
    case 'p':
    case 'G': /* no command takes both */
        o->spec = realloc(o->spec, (o->n_specs + 1) * sizeof *o->spec);
        if (!o->spec)
            abort();
        o->spec[o->n_specs++] = argument;
        return -1;
    case 'U':
        o->size = SL_LAB_QUICK;
        return -1;
    case 'I':
        o->size = SL_LAB_TINY;
        return -1;
    case 'A':
        o->again = true;
        return -1;
    case 'W':
        o->write = true;
        return -1;
    case 'j':
        return take_number(command, "jobs", argument, &o->jobs);
    case 'm':
        o->machine = argument;
        return -1;
    case 'o':
        o->output = argument;
        return -1;
    case 'n':
        return take_number(command, "number", argument, &o->n);
    case 'X':
        o->exact = true;
        return -1;
    case 'D':
        return take_number(command, "window", argument, &o->window);
    case 'E':
        return take_number(command, "every", argument, &o->every);
    case 'N':
        return take_number(command, "runs", argument, &o->runs);
    case 'B':
        return take_error_of(command, argument, o);
    case 'T':
        return take_limit(command, argument, &o->limit);
    case 'f':
        o->format = argument;
        return -1;
    case 'F':
        o->object = argument;
        return -1;
    case 'P':
        return take_factor(command, argument, &o->partition);
    case 'J':
        o->format = "json";
        return -1;
    case 'R':
        o->range = argument;
        return -1;
    case 'O':
        o->only = argument;
        return -1;
    case 'M':
        o->marked = true;
        return -1;
    case 'Y':
        return take_number(command, "memory", argument, &o->memory_bytes);
    case 'K':
        if (!strcmp(argument, "all")) {
            o->keep = INT64_MAX;
            return -1;
        }
        return take_number(command, "keep", argument, &o->keep);
    case 'L':
        o->lossy = true;
        return -1;
    case 'Q':
        o->qemu = argument;
        return -1;
    case 'S':
        o->sysroot = argument;
        return -1;
    case 'q':
        o->quiet = true;
        return -1;
    default:
        cli_print_help(command, stdout);
        return 0;
    }
}

/* Of several letters in a word, getopt may have stopped at any: then `word`, the
 * last that it is through with, is not the one. */
static int complain_option(const struct cli_command *command, const char *word, bool lacks_argument)
{
    char sentence[200], letter[] = {'-', (char)optopt, 0};
    bool is_long = !strncmp(word, "--", 2) && (!optopt || takes(command, (char)optopt));
    snprintf(sentence, sizeof sentence, "%.100s %s", is_long ? word : letter,
             lacks_argument ? "needs an argument" : "is not an option here");
    return cli_complain_usage(command, sentence);
}

int cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_options *options)
{
    struct option longs[sizeof option_helps / sizeof *option_helps] = {0};
    /* What comes after a program's name is the program's. */
    char shorts[64] = "+:";
    if (!strstr(command->usage, "PROGRAM"))
        strcpy(shorts, ":");
    size_t n = 0;
    *options = (struct cli_options){0};
    for (const struct option_help *o = option_helps; o->letter; o++) {
        if (!takes(command, o->letter))
            continue;
        int has = !o->argument ? no_argument
                  : *o->argument == '[' ? optional_argument
                                        : required_argument;
        longs[n++] = (struct option){o->name, has, NULL, o->letter};
        if (o->letter >= 'a') {
            char added[3] = {o->letter, o->argument ? ':' : 0, 0};
            strcat(shorts, added);
        }
    }
    opterr = 0;
    int letter;
    while ((letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (letter == '?' || letter == ':')
            return complain_option(command, argv[optind - 1], letter == ':');
        int status = take(command, options, letter, optarg);
        if (status >= 0)
            return status;
    }
    options->first_argument = optind;
    return -1;
}
