/* SPDX-License-Identifier: MIT */
/* Options of components: `name(key=value,key=value)`.
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
 *   percent   0.1%; the field holds 0.1. The sign has to be there: nobody can say
 *             whether a bare 0.1 is a share or already a percentage
 *   bool      1 0 yes no true false on off; the name alone means 1
 *   choice    one of the words listed; the field holds its place in the list
 *   text      anything; commas only inside (), [] or {}
 *
 * One option may be *positional*: `hpt(512x4)` for `hpt(geometry=512x4)`.
 * Numbers do not depend on the locale. Nothing here allocates memory. */
#ifndef SL_OPTIONS_H
#define SL_OPTIONS_H

#include "sluice.h"

enum sl_option_kind {
    SL_OPTION_UNSIGNED, /* uint64_t */
    SL_OPTION_REAL,     /* double */
    SL_OPTION_PERCENT,  /* double, in percent */
    SL_OPTION_BOOL,     /* bool */
    SL_OPTION_CHOICE,   /* unsigned, a place in `choices` */
    SL_OPTION_TEXT,     /* char[], with its NUL */
};

enum sl_option_flags {
    SL_OPTION_POSITIONAL = 1, /* a value without a name is this option's */
    SL_OPTION_POWER_OF_2 = 2, /* unsigned: nothing else will do */
    SL_OPTION_BYTES =
        4, /* unsigned, a size in bytes or of a memory: 2M is 2Mi, as sizes of caches are */
    SL_OPTION_NONE = 8, /* unsigned: the word none is UINT64_MAX, whatever the bounds */
};

struct sl_option {
    const char *name;
    const char *help;           /* one line, small letters, no full stop */
    const char *initial;        /* the default, as it would be written */
    const char *const *choices; /* NULL at the end */
    uint64_t low, high;         /* unsigned: bounds; text: lengths; all inclusive */
    double real_low, real_high; /* real, percent */
    size_t offset;
    enum sl_option_kind kind;
    unsigned flags; /* enum sl_option_flags */
};

/* The field's offset; a warning if it is not of the type the kind needs. */
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

/* Where the parts of `name(options)` are in `text`. */
struct sl_spec {
    const char *text; /* all that was written: messages count characters in it */
    size_t name, name_end;
    size_t body, body_end; /* what is between the parentheses; both at `end` without any */
    size_t end;            /* behind the closing one */
};

/* Splits what starts at text[from]: a name (letters, digits, '_', '-') and, if a
 * parenthesis follows, everything up to the one that closes it. What comes after
 * `end` is the caller's. SL_EUSAGE if there is no name or no closing one. */
int sl_spec_split(struct sl_spec *spec, const char *text, size_t from, struct sl_failure *f);

/* True if the spec's name is `name`. */
bool sl_spec_is(const struct sl_spec *spec, const char *name);

/* Sets every option in `config` to its default, then those that the spec's body
 * names. SL_EUSAGE with a sentence that names the option, what it allows and the
 * character at which it is wrong; `config` is then not to be used. */
int sl_options_parse(const struct sl_option *options, const struct sl_spec *spec, void *config,
                     struct sl_failure *f);

/* The defaults alone. Asserts that they parse: a unit test of a component that
 * calls this has checked its table. */
void sl_options_defaults(const struct sl_option *options, void *config);

/* Prints one line for each option: name, default, what is allowed, help. */
void sl_options_list(const struct sl_option *options, FILE *out);

/* Writes the resolved configuration, `name(key=value,...)`, every option in it,
 * such that parsing it gives `config` again. As snprintf: returns the length it
 * would have, and cuts at `room`. */
size_t sl_options_print(const struct sl_option *options, const char *name, const void *config,
                        char *out, size_t room);

/* ---- for notations other than name(key=value) ---- */

/* The option of that name, or NULL. */
const struct sl_option *sl_option_find(const struct sl_option *options, const char *name,
                                       size_t size);

/* Sets the option's field from exactly `size` characters; false, and the field is
 * anything, if they are not what it allows. */
bool sl_option_set(const struct sl_option *o, const char *text, size_t size, void *config);

/* The field's value, such that setting it gives it again. */
void sl_option_value(const struct sl_option *o, const void *config, char *out, size_t room);

/* The field as a number: a percentage as it is written, a choice by its place. NAN of a text. */
double sl_option_number(const struct sl_option *o, const void *config);

/* The same for whoever keeps it elsewhere: as a number, or as a text what is one or is chosen by
 * its name. Put: false, and the field is anything, if that is not what the option allows. */
struct sl_option_stored {
    enum { SL_STORED_NUMBER, SL_STORED_REAL, SL_STORED_TEXT } is;
    uint64_t number;
    double real;
    const char *text;
};
void sl_option_get(const struct sl_option *o, const void *config, struct sl_option_stored *stored);
bool sl_option_put(const struct sl_option *o, const struct sl_option_stored *stored, void *config);

/* Whether an unsigned one allows the number. */
bool sl_option_allows(const struct sl_option *o, uint64_t number);

/* What the option allows, in words: "a power of two from 1 to 64". */
void sl_option_allowed(const struct sl_option *o, char *out, size_t room);

/* What a message repeats of its input, which may hold anything: short and printable. */
#define SL_SHOWN 48
void sl_text_show(char out[SL_SHOWN + 1], const char *text, size_t size);

/* SL_EUSAGE with the sentence and where it is: (character at + 1 of "text"). The second
 * makes the sentence as printf(3) does. */
int sl_text_wrong(struct sl_failure *f, const char *text, size_t at, const char *sentence);
int sl_text_fail(struct sl_failure *f, const char *text, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- numbers ---- */

/* Parse exactly `size` characters in the notation above; return false if they are not a number.
 * strtod() does not do: it takes its decimal point from the locale and accepts "inf", "0x1p3" and
 * white space. `kilo` is the value of a K without an i: 1000, or 1024 for sizes of memory. */
bool sl_number_unsigned(const char *text, size_t size, uint64_t kilo, uint64_t *out);
bool sl_number_real(const char *text, size_t size, double *out);

#endif
