/* SPDX-License-Identifier: MIT */
/* Parser of the command line: calls getopt_long(3) with the options of the table in option_rows.c,
 * and reports wrong options. */
#include <getopt.h>
#include <string.h>

#include "option_rows.h"

enum {
    ROWS_MAX = 96,
    LONG_ONLY = 256
}; /* getopt's code of row i without a letter: LONG_ONLY + i */

int cli_usage_error(const struct cli_command *command, const char *message)
{
    sl_print_line(stderr, "sluice: %s", message);
    sl_print_line(stderr, "usage: sluice %s %s (details: sluice %s --help)", command->name,
                  command->usage, command->name);
    return EXIT_USAGE;
}

/* Short and long options of a command, in the form that getopt_long(3) takes. */
struct accepted {
    char shorts[2 * ROWS_MAX];
    struct option longs[ROWS_MAX];
};

static void collect_options(struct accepted *w, const struct cli_command *command)
{
    size_t n = 0;
    /* '+': parsing ends at PROGRAM; what follows are its arguments. */
    char *letter = stpcpy(w->shorts, strstr(command->usage, "PROGRAM") ? "+:" : ":");
    for (const struct cli_option_row *row = cli_option_rows; row->name; row++) {
        if (!cli_accepts(command, row) || n == ROWS_MAX - 1)
            continue;
        int has = !row->argument          ? no_argument
                  : *row->argument == '[' ? optional_argument
                                          : required_argument;
        int number = row->letter ? row->letter : LONG_ONLY + (int)(row - cli_option_rows);
        w->longs[n++] = (struct option){row->name, has, NULL, number};
        if (row->letter) {
            *letter++ = row->letter;
            if (row->argument)
                *letter++ = ':';
        }
    }
}

static const struct cli_option_row *row_of(int number)
{
    if (number >= LONG_ONLY)
        return cli_option_rows + (number - LONG_ONLY);
    const struct cli_option_row *row = cli_option_rows;
    while (row->letter != number)
        row++;
    return row;
}

/* "", or "; did you mean --X?" with the most similar option of the command. */
static const char *nearest_option(const struct cli_command *command, const char *word,
                                  char question[SL_NEAREST_BYTES])
{
    struct sl_nearest nearest;
    word += 2;
    sl_nearest_start(&nearest, word, strcspn(word, "="));
    for (const struct cli_option_row *row = cli_option_rows; row->name; row++)
        if (cli_accepts(command, row))
            sl_nearest_offer(&nearest, row->name);
    if (!nearest.best)
        return "";
    snprintf(question, SL_NEAREST_BYTES, "; did you mean --%s?", nearest.best);
    return question;
}

/* If several short options are joined, `word`, the last argument that getopt has finished, is not
 * the one with the wrong letter: optopt is used then. */
static int report_option(const struct cli_command *command, const struct accepted *w,
                         const char *word, bool lacks_argument)
{
    char message[200], letter[] = {'-', (char)optopt, 0}, question[SL_NEAREST_BYTES];
    bool known = optopt >= LONG_ONLY || (optopt && strchr(w->shorts, optopt));
    bool is_long = !strncmp(word, "--", 2) && (!optopt || known);
    snprintf(message, sizeof message, "%.100s %s%s", is_long ? word : letter,
             lacks_argument ? "needs an argument" : "is not an option of this command",
             is_long && !lacks_argument ? nearest_option(command, word, question) : "");
    return cli_usage_error(command, message);
}

static int report_value(const struct cli_command *command, const struct cli_option_row *row,
                        const char *text, const char *instead)
{
    char message[200];
    snprintf(message, sizeof message, "--%s%c%.50s: %s", row->name,
             *row->argument == '[' ? '=' : ' ', text, instead);
    return cli_usage_error(command, message);
}

static int report_twice(const struct cli_command *command, const char *name, const char *text)
{
    char message[200];
    snprintf(message, sizeof message, "--%s %.50s: given twice", name, text);
    return cli_usage_error(command, message);
}

int cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_options *options)
{
    struct accepted w = {0};
    int number;
    *options = (struct cli_options){0};
    collect_options(&w, command);
    opterr = 0;
    while ((number = getopt_long(argc, argv, w.shorts, w.longs, NULL)) != -1) {
        if (number == '?' || number == ':')
            return report_option(command, &w, argv[optind - 1], number == ':');
        const struct cli_option_row *row = row_of(number);
        const char *instead = row->parser(optarg, (char *)options + row->field);
        if (instead)
            return report_value(command, row, optarg, instead);
        if (options->help) {
            cli_print_help(command, stdout);
            return 0;
        }
    }
    if (options->machine.other.n && !command->machines)
        return report_twice(command, "machine", options->machine.other.word[0]);
    options->first_argument = optind;
    return -1;
}
