/* SPDX-License-Identifier: MIT */
/* The options of the command line: each is a row of cli_option_rows[] (option_rows.c), which says
 * how it is written, what it takes, which parser reads that and where the value goes. The reader of
 * the command line, --help, completion and the spelling in the library's sentences all read that
 * row. To add one: a row, a field of struct cli_options, its name in the commands that take it,
 * a paragraph in their manual pages. */
#ifndef SL_CLI_OPTION_ROWS_H
#define SL_CLI_OPTION_ROWS_H

#include "cli.h"

struct cli_option_row {
    char letter; /* of the short form; 0: none */
    const char *name;
    const char *argument; /* NULL: takes none; in brackets: may be left out */
    /* Reads the argument (NULL where there is none) into `place`. Returns NULL, or what should
     * have been given instead, as "give a number above 0". */
    const char *(*parser)(const char *text, void *place);
    size_t place; /* in struct cli_options */
    const char *help;
};

extern const struct cli_option_row cli_option_rows[]; /* without a name at the end */

bool cli_takes(const struct cli_command *command, const struct cli_option_row *row);

/* Parsers, by the type of the place. */
const char *cli_parse_text(const char *text, void *place); /* const char * */
const char *cli_parse_once(const char *text, void *place); /* likewise; refuses a second */
const char *cli_parse_machine(const char *text,
                              void *place); /* struct cli_machines; may be repeated */
const char *cli_parse_flag(const char *text, void *place);   /* bool: true */
const char *cli_parse_list(const char *text, void *place);   /* struct cli_list: one more */
const char *cli_parse_number(const char *text, void *place); /* uint64_t above 0 */
const char *cli_parse_level(const char *text, void *place);  /* the same, of compression */
const char *cli_parse_limit(const char *text, void *place);  /* the same, of instructions */
const char *cli_parse_stretches(const char *text, void *place);
const char *cli_parse_keep(const char *text, void *place);     /* likewise, or all */
const char *cli_parse_percent(const char *text, void *place);  /* double: a share of 1 */
const char *cli_parse_factor(const char *text, void *place);   /* double, 10 if left out */
const char *cli_parse_error_of(const char *text, void *place); /* struct cli_error_of */
const char *cli_parse_by(const char *text, void *place);       /* struct cli_by */
const char *cli_parse_under(const char *text, void *place);    /* uint64_t above 0, 1K is 1024 */
const char *cli_parse_live(const char *text, void *place);     /* struct cli_live_wish */
const char *cli_parse_names(const char *text, void *place);    /* const char *: "" if left out */
const char *cli_parse_json(const char *text, void *place);     /* const char *: "json" */

#endif
