/* SPDX-License-Identifier: MIT */
/* Parser and printer of CPU model descriptions. A description consists of items `section.key =
 * value`, one per line. A list of overrides has the same items, separated by commas. The same
 * parser reads descriptions and overrides; only the positions in error messages differ. */
#include "machine_text.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "failure.h"

#define SECTIONS_MAX 32

struct reader {
    const struct sl_machine_section *sections;
    uint64_t given[SECTIONS_MAX]; /* bit i: option i of the section was set */
    const char *file;             /* NULL: overrides */
    size_t line;
    const char *list;
    struct sl_failure *f;
};

/* A part of the text, without surrounding white space. */
struct piece {
    const char *at;
    size_t size;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct piece trimmed(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    while (at < end && is_space(end[-1]))
        end--;
    return (struct piece){at, (size_t)(end - at)};
}

/* ---- messages ---- */

__attribute__((format(printf, 3, 4))) static int wrong(const struct reader *r, const char *at,
                                                       const char *format, ...)
{
    char message[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!r->file)
        return sl_text_fail(r->f, r->list, (size_t)(at - r->list), "%s", message);
    return sl_fail(r->f, SL_EFORMAT, "%.200s, line %zu: %s", r->file, r->line, message);
}

/* A list of words in a message, cut at the end of the buffer. */
struct word_list {
    char text[512];
    size_t used;
};

static void add_word(struct word_list *w, const char *word)
{
    if (w->used < sizeof w->text)
        w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "%s%s",
                                    w->used ? ", " : "", word);
}

static int wrong_section(const struct reader *r, struct piece name)
{
    char shown[SL_SHOWN + 1];
    struct word_list known = {.used = 0};
    for (const struct sl_machine_section *s = r->sections; s->name; s++)
        if (s == r->sections || strcmp(s->name, s[-1].name))
            add_word(&known, s->name);
    sl_text_show(shown, name.at, name.size);
    return wrong(r, name.at, "unknown section \"%s\"; the sections are %s", shown, known.text);
}

static int wrong_key(const struct reader *r, const struct sl_machine_section *section,
                     struct piece key)
{
    char shown[SL_SHOWN + 1];
    struct word_list known = {.used = 0};
    for (const struct sl_machine_section *s = section; s->name && !strcmp(s->name, section->name);
         s++)
        for (const struct sl_option *o = s->options; o->name; o++)
            add_word(&known, o->name);
    sl_text_show(shown, key.at, key.size);
    return wrong(r, key.at, "unknown key \"%s\" in section %s; its keys are %s", shown,
                 section->name, known.text);
}

static int wrong_value(const struct reader *r, const struct sl_machine_section *s,
                       const struct sl_option *o, struct piece value)
{
    char shown[SL_SHOWN + 1], allowed[256];
    sl_option_allowed(o, allowed, sizeof allowed);
    sl_text_show(shown, value.at, value.size);
    return wrong(r, value.at, "%s.%s must be %s, not \"%s\"", s->name, o->name, allowed, shown);
}

/* ---- items ---- */

/* Returns the option of that name in *s or in a section of the same name, to which *s is set. */
static const struct sl_option *find_key(const struct sl_machine_section **s, struct piece key)
{
    const struct sl_machine_section *first = *s;
    for (; (*s)->name && !strcmp((*s)->name, first->name); ++*s) {
        const struct sl_option *o = sl_option_find((*s)->options, key.at, key.size);
        if (o)
            return o;
    }
    *s = first;
    return NULL;
}

/* Refuses values that a description cannot represent: comments and line ends. */
static bool is_printable(struct piece value)
{
    for (size_t i = 0; i < value.size; i++)
        if (value.at[i] == '#' || (unsigned char)value.at[i] < ' ')
            return false;
    return true;
}

static int read_value(struct reader *r, const struct sl_machine_section *s,
                      const struct sl_option *o, struct piece key, struct piece value)
{
    assert(s - r->sections < SECTIONS_MAX && o - s->options < 64);
    uint64_t *given = &r->given[s - r->sections], bit = UINT64_C(1) << (o - s->options);
    if (*given & bit)
        return wrong(r, key.at, "%s.%s is set twice", s->name, o->name);
    *given |= bit;
    if (!is_printable(value) || !sl_option_set(o, value.at, value.size, s->config))
        return wrong_value(r, s, o, value);
    return 0;
}

static int read_item(struct reader *r, struct piece item)
{
    const char *end = item.at + item.size;
    const char *equals = item.size ? memchr(item.at, '=', item.size) : NULL;
    char shown[SL_SHOWN + 1];
    if (!equals) {
        sl_text_show(shown, item.at, item.size);
        return wrong(r, item.at, "\"%s\" has no =: write section.key=value", shown);
    }
    struct piece name = trimmed(item.at, equals);
    const char *dot = name.size ? memchr(name.at, '.', name.size) : NULL;
    if (!dot) {
        sl_text_show(shown, name.at, name.size);
        return wrong(r, name.at, "the key \"%s\" has no section: write section.key=value", shown);
    }
    struct piece section = {name.at, (size_t)(dot - name.at)};
    struct piece key = {dot + 1, name.size - section.size - 1};
    const struct sl_machine_section *s = r->sections;
    while (s->name &&
           (strlen(s->name) != section.size || memcmp(s->name, section.at, section.size)))
        s++;
    s = s->name ? s : NULL;
    const struct sl_option *o = s ? find_key(&s, key) : NULL;
    if (o)
        return read_value(r, s, o, key, trimmed(equals + 1, end));
    return s ? wrong_key(r, s, key) : wrong_section(r, section);
}

/* ---- descriptions and overrides ---- */

int sl_machine_read_text(const struct sl_machine_section *sections, const char *text, size_t size,
                         const char *file, struct sl_failure *f)
{
    struct reader r = {.sections = sections, .file = file, .f = f};
    const char *end = text + size;
    int status = 0;
    while (text < end && !status) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = stop ? stop : end;
        const char *comment = memchr(text, '#', (size_t)(line_end - text));
        struct piece item = trimmed(text, comment ? comment : line_end);
        r.line++;
        if (item.size)
            status = read_item(&r, item);
        text = stop ? stop + 1 : end;
    }
    return status;
}

/* Returns the end of the item at `at`: a comma outside of parentheses. */
static const char *item_end(const char *at)
{
    size_t depth = 0;
    for (; *at && (depth || *at != ','); at++) {
        if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at) && depth)
            depth--;
    }
    return at;
}

int sl_machine_read_overrides(const struct sl_machine_section *sections, const char *list,
                              size_t from, struct sl_failure *f)
{
    struct reader r = {.sections = sections, .list = list, .f = f};
    int status = 0;
    for (const char *at = list + from, *end; !status; at = end + 1) {
        end = item_end(at);
        struct piece item = trimmed(at, end);
        status = item.size ? read_item(&r, item) : wrong(&r, at, "expected section.key=value");
        if (!*end)
            break;
    }
    return status;
}

void sl_machine_defaults(const struct sl_machine_section *sections)
{
    for (const struct sl_machine_section *s = sections; s->name; s++)
        sl_options_defaults(s->options, s->config);
}

size_t sl_machine_print(const struct sl_machine_section *sections, char *out, size_t capacity)
{
    char value[1024];
    size_t used = 0;
    if (capacity)
        *out = 0;
    for (const struct sl_machine_section *s = sections; s->name; s++)
        for (const struct sl_option *o = s->options; o->name; o++) {
            sl_option_value(o, s->config, value, sizeof value);
            used += (size_t)snprintf(used < capacity ? out + used : NULL,
                                     used < capacity ? capacity - used : 0, "%s.%s = %s\n", s->name,
                                     o->name, value);
        }
    return used;
}
