/* SPDX-License-Identifier: MIT */
/* Expansion of grids: a text with alternatives and ranges in braces is expanded to one text for
 * each combination. */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "options.h"
#include "utf8.h"

/* A text whose braces are replaced from left to right. */
struct expansion {
    struct sl_grid *grid;
    const char *text; /* as given, for messages */
    struct sl_failure *f;
};

static int expand(const struct expansion *e, const char *done, const char *rest);

bool sl_grid_add(struct sl_grid *grid, const char *text)
{
    char *copy = SL_GROW(grid->text, grid->capacity, grid->n + 1) ? strdup(text) : NULL;
    if (copy) {
        grid->text[grid->n++] = copy;
        grid->bytes += strlen(copy);
    }
    return copy;
}

/* Continues with `alternative` in place of the braces; `rest` is the text after them. */
static int put(const struct expansion *e, const char *done, const char *alternative, size_t size,
               const char *rest)
{
    char *more = sl_asprintf("%s%.*s", done, (int)size, alternative);
    int error = more ? expand(e, more, rest) : sl_out_of_memory(e->f);
    free(more);
    return error;
}

/* ---- ranges ---- */

static const char suffixes[] = "KMG";

/* A number such as "256Ki": digits and suffix (0 none, 1 K, 2 M, 3 G). */
struct number {
    uint64_t digits;
    unsigned suffix;
    bool with_i;
};

static bool read_number(const char *text, size_t size, struct number *out)
{
    const char *at = text, *end = text + size;
    *out = (struct number){0};
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        if (at - text >= 15)
            return false;
        else
            out->digits = 10 * out->digits + (uint64_t)(*at - '0');
    if (at == text)
        return false;
    const char *suffix = at < end ? strchr(suffixes, *at) : NULL;
    if (suffix) {
        out->suffix = (unsigned)(suffix - suffixes) + 1;
        at++;
        if ((out->with_i = at < end && *at == 'i'))
            at++;
    }
    return at == end;
}

/* The number in units of the smaller suffix, saturated so that it can still be doubled. */
static uint64_t scaled(const struct number *number, unsigned suffix)
{
    uint64_t value = number->digits;
    for (unsigned i = suffix; i < number->suffix; i++)
        value = value < UINT64_MAX / 4096 ? 1024 * value : UINT64_MAX / 4;
    return value;
}

static int put_number(const struct expansion *e, const char *done, uint64_t value, unsigned suffix,
                      unsigned highest, bool with_i, const char *rest)
{
    char word[32];
    for (; suffix < highest && value % 1024 == 0; suffix++)
        value /= 1024;
    int size = snprintf(word, sizeof word, "%llu%.*s%s", (unsigned long long)value, suffix ? 1 : 0,
                        suffix ? &suffixes[suffix - 1] : "", suffix && with_i ? "i" : "");
    return put(e, done, word, (size_t)size, rest);
}

static int put_range(const struct expansion *e, const char *done, const char *word, size_t size,
                     const char *dots, const char *rest)
{
    const char *end = word + size, *plus = memchr(dots, '+', (size_t)(end - dots));
    struct number low, high, step = {0};
    size_t at = (size_t)(word - e->text);
    if (!read_number(word, (size_t)(dots - word), &low) ||
        !read_number(dots + 2, (size_t)((plus ? plus : end) - dots - 2), &high) ||
        (plus && !read_number(plus + 1, (size_t)(end - plus - 1), &step)))
        return sl_text_fail(e->f, e->text, at,
                            "invalid range: use LOW..HIGH (doubles LOW up to HIGH) or "
                            "LOW..HIGH+STEP, with whole numbers, for example 256K..2M");
    unsigned unit = low.suffix;
    uint64_t first = low.digits, last = scaled(&high, unit), add = scaled(&step, unit);
    if (high.suffix < unit || step.suffix < (plus ? unit : 0) || first > last ||
        (!first && !plus) || (plus && !add))
        return sl_text_fail(e->f, e->text, at,
                            "invalid range: LOW must be above 0 and not above HIGH, and HIGH and "
                            "STEP must not have a smaller unit than LOW");
    int error = 0;
    for (uint64_t value = first; value <= last && error >= 0;
         value = plus ? value + add : 2 * value)
        error = put_number(e, done, value, unit, high.suffix, low.with_i || high.with_i, rest);
    return error;
}

/* ---- braces ---- */

/* Returns the end of the word that begins at `at`: a comma or the closing brace; NULL if there is
 * none. */
static const char *end_of_word(const char *at)
{
    unsigned depth = 0;
    for (; *at && *at != '{'; at++) {
        if (!depth && (*at == ',' || *at == '}'))
            return at;
        depth += *at == '(' || *at == '[';
        depth -= depth && (*at == ')' || *at == ']');
    }
    return NULL;
}

static int expand(const struct expansion *e, const char *done, const char *rest)
{
    const char *brace = strchr(rest, '{'), *after = brace;
    if (e->grid->n >= SL_GRID_MAX || e->grid->bytes >= SL_GRID_BYTES)
        return sl_fail(e->f, SL_EUSAGE,
                       "the grid has more than %u points or %u MiB of text: use fewer alternatives",
                       SL_GRID_MAX, SL_GRID_BYTES >> 20);
    if (!brace) {
        char *whole = sl_asprintf("%s%s", done, rest);
        bool added = whole && sl_grid_add(e->grid, whole);
        free(whole);
        return added ? 0 : sl_out_of_memory(e->f);
    }
    while (after && *after != '}')
        after = end_of_word(after + 1);
    if (!after)
        return sl_text_fail(
            e->f, e->text, (size_t)(brace - e->text),
            "closing brace not found: write alternatives as {1,2,4} or {1..4}, without nesting");
    char *prefix = sl_asprintf("%s%.*s", done, (int)(brace - rest), rest);
    int error = prefix ? 0 : sl_out_of_memory(e->f);
    for (const char *word = brace + 1; error >= 0;) {
        const char *end = end_of_word(word);
        size_t size = (size_t)(end - word);
        const char *dots = memmem(word, size, "..", 2);
        error = dots ? put_range(e, prefix, word, size, dots, after + 1)
                     : put(e, prefix, word, size, after + 1);
        if (*end == '}')
            break;
        word = end + 1;
    }
    free(prefix);
    return error;
}

int sl_grid_expand(struct sl_grid *grid, const char *text, struct sl_failure *f)
{
    struct expansion e = {grid, text, f};
    size_t braces = 0;
    for (const char *at = text; (at = strchr(at, '{')); at++)
        if (braces++ == SL_GRID_BRACES)
            return sl_fail(f, SL_EUSAGE, "a grid may have at most %u pairs of braces",
                           SL_GRID_BRACES);
    return expand(&e, "", text);
}

void sl_grid_free(struct sl_grid *grid)
{
    for (size_t i = 0; i < grid->n; i++)
        free(grid->text[i]);
    free(grid->text);
    *grid = (struct sl_grid){0};
}
