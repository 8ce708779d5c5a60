/* SPDX-License-Identifier: MIT */
/* Options of the command line. Each is one row of cli_option_rows[] (option_rows.c): its name, its
 * argument, the parser of the argument and the field of struct cli_options for the value. The
 * command-line parser, --help, completion and error messages all use this row. To add an option,
 * add a row, a field of struct cli_options, its name to .options of the commands that accept it,
 * and a paragraph to their manual pages. */
#ifndef SL_CLI_OPTION_ROWS_H
#define SL_CLI_OPTION_ROWS_H

#include "cli.h"

struct cli_option_row {
    char letter; /* of the short form; 0: none */
    const char *name;
    const char *argument; /* NULL: takes none; in brackets: optional */
    /* Parses the argument (NULL: none given) into the field `place`. Returns NULL, or the end of
     * an error message that says what to give instead: "give a number above 0". */
    const char *(*parser)(const char *text, void *place);
    size_t place; /* in struct cli_options */
    const char *help;
};

extern const struct cli_option_row cli_option_rows[]; /* ends with a row without name */

bool cli_takes(const struct cli_command *command, const struct cli_option_row *row);

/* Parsers, with the type of the field that they set. */
const char *cli_parse_text(const char *text, void *place); /* const char * */
const char *cli_parse_once(const char *text, void *place); /* const char *; refuses a second use */
const char *cli_parse_machine(const char *text,
                              void *place); /* struct cli_machines; may be repeated */
const char *cli_parse_flag(const char *text, void *place);   /* bool: true */
const char *cli_parse_list(const char *text, void *place);   /* struct cli_list: appends */
const char *cli_parse_number(const char *text, void *place); /* uint64_t above 0 */
const char *cli_parse_level(const char *text, void *place);  /* uint64_t: compression level */
const char *cli_parse_limit(const char *text, void *place);  /* uint64_t: instructions, above 0 */
const char *cli_parse_sample_loads(const char *text, void *place); /* struct sl_load_sampling */
const char *cli_parse_keep(const char *text, void *place);         /* uint64_t above 0, or "all" */
const char *cli_parse_percent(const char *text,
                              void *place); /* double: a fraction, above 0 and at most 1 */
const char *cli_parse_factor(const char *text, void *place);   /* double; 10 without an argument */
const char *cli_parse_error_of(const char *text, void *place); /* struct cli_error_of */
const char *cli_parse_by(const char *text, void *place);       /* struct cli_by */
const char *cli_parse_under(const char *text, void *place);    /* uint64_t above 0; 1K is 1024 */
const char *cli_parse_live(const char *text, void *place);     /* struct cli_live_wish */
const char *cli_parse_names(const char *text,
                            void *place); /* const char *; "" without an argument */
const char *cli_parse_json(const char *text, void *place); /* const char *: "json" */

#endif
