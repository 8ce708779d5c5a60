/* SPDX-License-Identifier: MIT */
/* Options of components such as detectors and tables: their declaration, and the parser of the
 * notation in which users write them, `name(key=value,key=value)`.
 *
 * A component declares its options once, in an array of `struct sl_option` that
 * ends with SL_OPTIONS_END; the parser, `sluice list`, the man page and the
 * resolved configuration in reports all read that array:
 *
 *     struct config { uint64_t events; double s; bool shuffle; };
 *
 *     static const struct sl_option options[] = {
 *         SL_UNSIGNED(struct config, events, "1M", 1, UINT64_MAX, "events in all"),
 *         SL_REAL(struct config, s, "1.1", 0, 8, "exponent"),
 *         SL_BOOL(struct config, shuffle, "0", "in random order"),
 *         SL_OPTIONS_END,
 *     };
 *
 * The option has the name of its field. How values are written:
 *
 *   unsigned  1000, 0x3e8, 1K 1M 1G (thousands; of bytes, and where only powers of two will do:
 *             powers of 1024), 1Ki 1Mi 1Gi (powers of 1024), 1.5M
 *   real      1.25, -3, 2e-3: at most 15 digits
 *   percent   0.1%; the field holds 0.1. The sign is required: a bare 0.1 could be a fraction or
 *             a percentage
 *   bool      1 0 yes no true false on off; the name alone means 1
 *   choice    one of a list of words; the field holds its index in the list
 *   text      anything; commas only inside (), [] or {}
 *
 * One option may be *positional*: `hpt(512x4)` for `hpt(geometry=512x4)`.
 * Numbers do not depend on the locale. No function here allocates memory. */
#ifndef SL_OPTIONS_H
#define SL_OPTIONS_H

#include "sluice.h"

enum sl_option_kind {
    SL_OPTION_UNSIGNED, /* uint64_t */
    SL_OPTION_REAL,     /* double */
    SL_OPTION_PERCENT,  /* double, in percent */
    SL_OPTION_BOOL,     /* bool */
    SL_OPTION_CHOICE,   /* unsigned, an index into `choices` */
    SL_OPTION_TEXT,     /* char[], with its NUL */
};

enum sl_option_flags {
    SL_OPTION_POSITIONAL = 1, /* gets a value without a name */
    SL_OPTION_POWER_OF_2 = 2, /* unsigned: must be a power of two */
    SL_OPTION_BYTES = 4,      /* unsigned: a size of memory, 2M is 2Mi */
    SL_OPTION_NONE = 8,       /* unsigned: the word none is allowed, and is UINT64_MAX */
};

struct sl_option {
    const char *name;
    const char *help;           /* one line, lower case, no full stop */
    const char *initial;        /* the default, as a user would write it */
    const char *const *choices; /* NULL at the end */
    uint64_t low, high;         /* unsigned: bounds; text: lengths; all inclusive */
    double real_low, real_high; /* real, percent */
    size_t offset;
    enum sl_option_kind kind;
    unsigned flags; /* enum sl_option_flags */
};

/* The field's offset; the compiler warns if the field has another type. */
#define SL_OPTION_AT(config, field, type) \
    (offsetof(config, field) + 0 * sizeof(&((config *)0)->field == (type *)0))

/* clang-format off */
#define SL_UNSIGNED_FLAGS(config, field, initial_, low_, high_, flags_, help_)                 \
    {.name = #field, .kind = SL_OPTION_UNSIGNED, .initial = initial_, .low = low_,             \
     .high = high_, .help = help_, .flags = flags_,                                            \
     .offset = SL_OPTION_AT(config, field, uint64_t)}
#define SL_UNSIGNED(config, field, initial_, low_, high_, help_) \
    SL_UNSIGNED_FLAGS(config, field, initial_, low_, high_, 0, help_)
#define SL_REAL(config, field, initial_, low_, high_, help_)                                   \
    {.name = #field, .kind = SL_OPTION_REAL, .initial = initial_, .real_low = low_,            \
     .real_high = high_, .help = help_, .offset = SL_OPTION_AT(config, field, double)}
#define SL_PERCENT(config, field, initial_, low_, high_, help_)                                \
    {.name = #field, .kind = SL_OPTION_PERCENT, .initial = initial_, .real_low = low_,         \
     .real_high = high_, .help = help_, .offset = SL_OPTION_AT(config, field, double)}
#define SL_BOOL(config, field, initial_, help_)                                                \
    {.name = #field, .kind = SL_OPTION_BOOL, .initial = initial_, .help = help_,               \
     .offset = SL_OPTION_AT(config, field, bool)}
#define SL_CHOICE_FLAGS(config, field, initial_, choices_, flags_, help_)                      \
    {.name = #field, .kind = SL_OPTION_CHOICE, .initial = initial_, .choices = choices_,       \
     .help = help_, .flags = flags_, .offset = SL_OPTION_AT(config, field, unsigned)}
#define SL_CHOICE(config, field, initial_, choices_, help_) \
    SL_CHOICE_FLAGS(config, field, initial_, choices_, 0, help_)
#define SL_TEXT_FLAGS(config, field, initial_, flags_, help_)                                  \
    {.name = #field, .kind = SL_OPTION_TEXT, .initial = initial_, .help = help_,               \
     .high = sizeof((config *)0)->field - 1, .flags = flags_,                                  \
     .offset = SL_OPTION_AT(config, field[0], char)}
#define SL_TEXT(config, field, initial_, help_) SL_TEXT_FLAGS(config, field, initial_, 0, help_)
#define SL_OPTIONS_END {.name = NULL}
/* clang-format on */

/* Positions of the parts of `name(options)` in `text`. */
struct sl_spec {
    const char *text; /* the whole input: messages count characters in it */
    size_t name, name_end;
    size_t body, body_end; /* between the parentheses; both are `end` if there are none */
    size_t end;            /* after the closing parenthesis */
};

/* Splits the spec that starts at text[from]: a name (letters, digits, '_', '-') and, if a
 * parenthesis follows, everything up to the closing one. The caller parses what follows `end`.
 * SL_EUSAGE without a name or a closing parenthesis. */
int sl_spec_split(struct sl_spec *spec, const char *text, size_t from, struct sl_failure *f);

/* True if the spec's name is `name`. */
bool sl_spec_is(const struct sl_spec *spec, const char *name);

/* Sets every option in `config` to its default, then those in the spec's body. SL_EUSAGE, with the
 * option, its allowed values and the position in the message; `config` is then undefined. */
int sl_options_parse(const struct sl_option *options, const struct sl_spec *spec, void *config,
                     struct sl_failure *f);

/* Sets all options to their defaults. Asserts that these parse, so that any unit test of a
 * component checks its array. */
void sl_options_defaults(const struct sl_option *options, void *config);

/* Prints one line for each option: name, default, allowed values, help. */
void sl_options_list(const struct sl_option *options, FILE *out);

/* Writes the resolved configuration, `name(key=value,...)`, with every option; parsing it gives
 * `config` again. As snprintf(): returns the full length, and truncates to `capacity`. */
size_t sl_options_print(const struct sl_option *options, const char *name, const void *config,
                        char *out, size_t capacity);

/* ---- for notations other than name(key=value) ---- */

/* The option of that name, or NULL. */
const struct sl_option *sl_option_find(const struct sl_option *options, const char *name,
                                       size_t size);

/* Sets the option's field from exactly `size` characters. Returns false, with an undefined field,
 * if they are not allowed. */
bool sl_option_set(const struct sl_option *o, const char *text, size_t size, void *config);

/* Writes the field's value such that sl_option_set() gives it again. */
void sl_option_value(const struct sl_option *o, const void *config, char *out, size_t capacity);

/* The field as a number: a percentage as it is written, a choice as its index, NAN for text. */
double sl_option_number(const struct sl_option *o, const void *config);

/* A field as it is stored outside of a configuration, in a database for example: a number, or a
 * text for texts and choices. sl_option_put() returns false, with an undefined field, if the value
 * is not allowed. */
struct sl_option_stored {
    enum { SL_STORED_NUMBER, SL_STORED_REAL, SL_STORED_TEXT } is;
    uint64_t number;
    double real;
    const char *text;
};
void sl_option_get(const struct sl_option *o, const void *config, struct sl_option_stored *stored);
bool sl_option_put(const struct sl_option *o, const struct sl_option_stored *stored, void *config);

/* True if the unsigned option allows the number. */
bool sl_option_allows(const struct sl_option *o, uint64_t number);

/* Describes the allowed values: "a power of two from 1 to 64". */
void sl_option_allowed(const struct sl_option *o, char *out, size_t capacity);

/* Copies a part of the input for a message: shortened and printable. */
#define SL_SHOWN 48
void sl_text_show(char out[SL_SHOWN + 1], const char *text, size_t size);

/* Fails with SL_EUSAGE, a message as of printf(3), and (character at + 1 of "text"). */
int sl_text_fail(struct sl_failure *f, const char *text, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- numbers ---- */

/* Parse exactly `size` characters in the notation above; return false if they are not a number.
 * strtod() does not do: it takes its decimal point from the locale and accepts "inf", "0x1p3" and
 * white space. `kilo` is the value of a K without an i: 1000, or 1024 for sizes of memory. */
bool sl_number_unsigned(const char *text, size_t size, uint64_t kilo, uint64_t *out);
bool sl_number_real(const char *text, size_t size, double *out);

#endif
