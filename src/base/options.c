/* SPDX-License-Identifier: MIT */
/* Parser of component options in the notation `name(key=value,key=value)` (options.h). The text
 * between the parentheses is split at commas that are not inside further parentheses. Each item is
 * `key=value`, the name of a bool option, or the value of the one option whose name may be left
 * out. */
#include "options.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "failure.h"

/* A part of the spec's text. */
struct piece {
    const char *at;
    size_t size;
};

static bool piece_is(struct piece p, const char *word)
{
    return strlen(word) == p.size && !memcmp(word, p.at, p.size);
}

/* ---- messages ---- */

void sl_text_show(char out[SL_SHOWN + 1], const char *text, size_t size)
{
    size_t n = size < SL_SHOWN ? size : SL_SHOWN;
    for (size_t i = 0; i < n; i++)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    if (size > SL_SHOWN)
        memcpy(out + SL_SHOWN - 3, "...", 3);
    out[n] = 0;
}

int sl_text_fail(struct sl_failure *f, const char *text, size_t at, const char *format, ...)
{
    char message[512], around[SL_SHOWN + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* Of a long text, show the part up to a little after the error. */
    size_t length = strlen(text), end = at + 8 < length ? at + 8 : length;
    size_t from = end > SL_SHOWN ? end - SL_SHOWN : 0;
    sl_text_show(around, text + from, length - from);
    return sl_fail(f, SL_EUSAGE, "%s (character %zu of \"%s%s\")", message, at + 1,
                   from ? "..." : "", around);
}

#define wrong(f, spec, at, ...) sl_text_fail(f, (spec)->text, at, __VA_ARGS__)

static int wrong_value(struct sl_failure *f, const struct sl_spec *spec, const struct sl_option *o,
                       struct piece value)
{
    char allowed[256], shown[SL_SHOWN + 1];
    sl_option_allowed(o, allowed, sizeof allowed);
    sl_text_show(shown, value.at, value.size);
    return wrong(f, spec, (size_t)(value.at - spec->text), "%.*s: option %s must be %s, not \"%s\"",
                 (int)(spec->name_end - spec->name), spec->text + spec->name, o->name, allowed,
                 shown);
}

/* ---- values ---- */

static bool set_choice(const char *const *choices, struct piece value, unsigned *out)
{
    for (unsigned i = 0; choices[i]; i++)
        if (piece_is(value, choices[i])) {
            *out = i;
            return true;
        }
    return false;
}

static bool set_bool(struct piece value, bool *out)
{
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true", "off", "on", NULL};
    unsigned word;
    bool known = set_choice(words, value, &word);
    *out = known && word % 2;
    return known;
}

static bool set_real(const struct sl_option *o, struct piece value, double *out)
{
    if (o->kind == SL_OPTION_PERCENT) {
        if (!value.size || value.at[value.size - 1] != '%')
            return false;
        value.size--;
    }
    return sl_number_real(value.at, value.size, out) && *out >= o->real_low && *out <= o->real_high;
}

static bool in_bounds(const struct sl_option *o, uint64_t number)
{
    return number >= o->low && number <= o->high &&
           (!(o->flags & SL_OPTION_POWER_OF_2) || (number && !(number & (number - 1))));
}

bool sl_option_allows(const struct sl_option *o, uint64_t number)
{
    return in_bounds(o, number) || (o->flags & SL_OPTION_NONE && number == UINT64_MAX);
}

static bool set_unsigned(const struct sl_option *o, struct piece value, uint64_t *out)
{
    if (o->flags & SL_OPTION_NONE && piece_is(value, "none")) {
        *out = UINT64_MAX;
        return true;
    }
    uint64_t kilo = o->flags & (SL_OPTION_BYTES | SL_OPTION_POWER_OF_2) ? 1024 : 1000;
    return sl_number_unsigned(value.at, value.size, kilo, out) && in_bounds(o, *out);
}

bool sl_option_set(const struct sl_option *o, const char *text, size_t size, void *config)
{
    struct piece value = {text, size};
    void *field = (char *)config + o->offset;
    switch (o->kind) {
    case SL_OPTION_UNSIGNED:
        return set_unsigned(o, value, field);
    case SL_OPTION_REAL:
    case SL_OPTION_PERCENT:
        return set_real(o, value, field);
    case SL_OPTION_BOOL:
        return set_bool(value, field);
    case SL_OPTION_CHOICE:
        return set_choice(o->choices, value, field);
    case SL_OPTION_TEXT:
        if (value.size < o->low || value.size > o->high)
            return false;
        memcpy(field, value.at, value.size);
        ((char *)field)[value.size] = 0;
        return true;
    }
    return false;
}

void sl_options_defaults(const struct sl_option *options, void *config)
{
    for (const struct sl_option *o = options; o->name; o++) {
        bool parsed = sl_option_set(o, o->initial, strlen(o->initial), config);
        assert(parsed);
        (void)parsed;
    }
}

/* ---- items ---- */

/* End of the item, name or body that starts at `at`: the first `stop` character outside of
 * parentheses, or `end`. */
static size_t scan(const char *text, size_t at, size_t end, char stop)
{
    size_t depth = 0;
    for (; at < end; at++) {
        if (!depth && text[at] == stop)
            break;
        if (strchr("([{", text[at]))
            depth++;
        else if (strchr(")]}", text[at]) && depth)
            depth--;
    }
    return at;
}

static int unknown(struct sl_failure *f, const struct sl_spec *spec,
                   const struct sl_option *options, struct piece name)
{
    char shown[SL_SHOWN + 1], known[384] = "";
    size_t used = 0;
    size_t at = (size_t)(name.at - spec->text);
    int name_size = (int)(spec->name_end - spec->name);
    const char *owner = spec->text + spec->name;
    sl_text_show(shown, name.at, name.size);
    if (!options->name)
        return wrong(f, spec, at, "%.*s has no options: remove \"%s\"", name_size, owner, shown);
    for (const struct sl_option *o = options; o->name && used < sizeof known; o++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 o == options ? ""
                                 : o[1].name  ? ", "
                                              : " and ",
                                 o->name);
    return wrong(f, spec, at, "%.*s has no option \"%s\"; its options are %s", name_size, owner,
                 shown, known);
}

const struct sl_option *sl_option_find(const struct sl_option *options, const char *name,
                                       size_t size)
{
    for (const struct sl_option *o = options; o->name; o++)
        if (piece_is((struct piece){name, size}, o->name))
            return o;
    return NULL;
}

/* Finds the option that an item sets, and reduces *item to the value. */
static const struct sl_option *item_option(const struct sl_option *options, struct piece *item)
{
    size_t equals = scan(item->at, 0, item->size, '=');
    if (equals < item->size) {
        struct piece name = {item->at, equals};
        *item = (struct piece){item->at + equals + 1, item->size - equals - 1};
        const struct sl_option *o = sl_option_find(options, name.at, name.size);
        if (!o)
            *item = name;
        return o;
    }
    for (const struct sl_option *o = options; o->name; o++)
        if (o->kind == SL_OPTION_BOOL && piece_is(*item, o->name)) {
            *item = (struct piece){"1", 1};
            return o;
        }
    for (const struct sl_option *o = options; o->name; o++)
        if (o->flags & SL_OPTION_POSITIONAL)
            return o;
    return NULL;
}

int sl_options_parse(const struct sl_option *options, const struct sl_spec *spec, void *config,
                     struct sl_failure *f)
{
    uint64_t given = 0;
    sl_options_defaults(options, config);
    for (size_t at = spec->body; at < spec->body_end;) {
        size_t end = scan(spec->text, at, spec->body_end, ',');
        struct piece item = {spec->text + at, end - at};
        if (!item.size)
            return wrong(f, spec, at, "expected an option before the comma");
        const struct sl_option *o = item_option(options, &item);
        if (!o)
            return unknown(f, spec, options, item);
        assert(o - options < 64);
        if (given >> (o - options) & 1)
            return wrong(f, spec, at, "%.*s: option %s is given twice",
                         (int)(spec->name_end - spec->name), spec->text + spec->name, o->name);
        given |= UINT64_C(1) << (o - options);
        if (!sl_option_set(o, item.at, item.size, config))
            return wrong_value(f, spec, o, item);
        at = end + 1;
        if (end < spec->body_end && at == spec->body_end)
            return wrong(f, spec, end, "an option must follow the comma");
    }
    return 0;
}

/* ---- specs ---- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

int sl_spec_split(struct sl_spec *spec, const char *text, size_t from, struct sl_failure *f)
{
    size_t length = strlen(text), at = from;
    while (is_name(text[at]))
        at++;
    *spec = (struct sl_spec){text, from, at, at, at, at};
    if (at == from)
        return wrong(f, spec, at, "expected a name");
    if (text[at] != '(')
        return 0;
    size_t close = scan(text, at + 1, length, ')');
    if (close == length)
        return wrong(f, spec, at, "this parenthesis is never closed");
    spec->body = at + 1;
    spec->body_end = close;
    spec->end = close + 1;
    return 0;
}

bool sl_spec_is(const struct sl_spec *spec, const char *name)
{
    return piece_is((struct piece){spec->text + spec->name, spec->name_end - spec->name}, name);
}
