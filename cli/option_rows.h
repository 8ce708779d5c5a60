/* SPDX-License-Identifier: MIT */
/* Options of the command line. Each option is one row of cli_option_rows[] (option_rows.c), with
 * its group in --help, its name, its argument, the parser of the argument, and the field of struct
 * cli_options for the value. The command-line parser, --help, completion and error messages all use
 * these rows. To add an option, add a row and a field of struct cli_options, add the option's name
 * to .options of each command that accepts it, and describe the option in the manual page of each
 * such command. */
#ifndef SL_CLI_OPTION_ROWS_H
#define SL_CLI_OPTION_ROWS_H

#include "cli.h"

/* Groups of options in --help; the rows of a group are consecutive. */
enum cli_option_group { CLI_COMMON, CLI_SELECT, CLI_OUTPUT, CLI_ACCURACY, CLI_RESOURCES };

struct cli_option_row {
    enum cli_option_group group;
    char letter; /* of the short form; 0: none */
    const char *name;
    const char *argument; /* NULL: takes none; in brackets: optional */
    /* Parses the argument (NULL: none given) into `field`. Returns NULL, or the end of
     * an error message that says what to give instead: "give a number above 0". */
    const char *(*parser)(const char *text, void *field);
    size_t field;     /* in struct cli_options */
    const char *help; /* a command can have a text of its own: cli_option_text() */
};

extern const struct cli_option_row cli_option_rows[]; /* ends with a row without name */

bool cli_accepts(const struct cli_command *command, const struct cli_option_row *row);

/* Help text of the option for this command. */
const char *cli_option_text(const struct cli_command *command, const struct cli_option_row *row);

/* Parsers, with the type of the field that they set. */
const char *cli_parse_text(const char *text, void *field); /* const char * */
const char *cli_parse_once(const char *text, void *field); /* const char *; refuses a second use */
const char *cli_parse_machine(const char *text,
                              void *field); /* struct cli_machines; may be repeated */
const char *cli_parse_flag(const char *text, void *field);   /* bool: true */
const char *cli_parse_list(const char *text, void *field);   /* struct cli_list: appends */
const char *cli_parse_number(const char *text, void *field); /* uint64_t above 0 */
const char *cli_parse_level(const char *text, void *field);  /* uint64_t: compression level */
const char *cli_parse_limit(const char *text, void *field);  /* uint64_t: instructions, above 0 */
const char *cli_parse_sample_loads(const char *text, void *field); /* struct sl_load_sampling */
const char *cli_parse_keep(const char *text, void *field);         /* uint64_t above 0, or "all" */
const char *cli_parse_percent(const char *text,
                              void *field); /* double: a fraction, above 0 and at most 1 */
const char *cli_parse_factor(const char *text, void *field);   /* double; 10 without an argument */
const char *cli_parse_error_of(const char *text, void *field); /* struct cli_error_of */
const char *cli_parse_by(const char *text, void *field);       /* struct cli_by */
const char *cli_parse_under(const char *text, void *field);    /* uint64_t above 0; 1K is 1024 */
const char *cli_parse_live(const char *text, void *field);     /* struct cli_live_options */
const char *cli_parse_names(const char *text,
                            void *field); /* const char *; "" without an argument */
const char *cli_parse_json(const char *text, void *field); /* const char *: "json" */

#endif
