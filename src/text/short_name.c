#include "short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "utf8.h"

static const char dots[] = "...";

/* Whether a list begins there: not an arrow, a comparison, nor the name of an operator. */
static bool opens(const char *text, const char *at)
{
    static const char *const operators[] = {"operator", "operator<"};
    if (*at == '<' && (!at[1] || strchr(" =<-", at[1])))
        return false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i]);
        if ((size_t)(at - text) >= length && !strncmp(at - length, operators[i], length))
            return false;
    }
    return *at == '<' || (at > text && (isalnum((unsigned char)at[-1]) || strchr("_>])~", at[-1])));
}

/* Where the list that opens there closes; NULL: it does not. */
static char *closing(char *at)
{
    char open = *at, close = open == '<' ? '>' : ')';
    size_t depth = 0;
    for (char *c = at; *c; c++) {
        depth += *c == open;
        bool arrow = *c == '>' && c > at && c[-1] == '-';
        if (*c == close && !arrow && !--depth)
            return c;
    }
    return NULL;
}

/* Leaves the content of the longest list out; false if there is none that has more than dots. */
static bool empty_longest(char *text, char open)
{
    char *longest = NULL, *end = NULL;
    for (char *at = text; (at = strchr(at, open)); at++) {
        char *close = opens(text, at) ? closing(at) : NULL;
        if (close && close - at > (ptrdiff_t)sizeof dots && (!longest || close - at > end - longest)) {
            longest = at;
            end = close;
        }
    }
    if (!longest)
        return false;
    memcpy(longest + 1, dots, sizeof dots - 1);
    memmove(longest + sizeof dots, end, strlen(end) + 1);
    return true;
}

/* "github.com/user/parse.next" without its path. */
static bool drop_path(char *text)
{
    char *dot = strrchr(text, '.'), *slash = strrchr(text, '/');
    bool is_path = slash && dot > slash && isalpha((unsigned char)slash[1]) && !strchr(text, ':') &&
                   !strchr(text, ' ');
    if (is_path)
        memmove(text, slash + 1, strlen(slash));
    return is_path;
}

/* "a::b::f(...)": without the first of the namespaces that are there. */
static bool drop_outer(char *text)
{
    size_t from = !strncmp(text, "...::", 5) ? 5 : 0, depth = 0;
    for (char *c = text + from; *c && *c != '(' && *c != ' '; c++) {
        depth += *c == '<';
        depth -= *c == '>' && depth;
        if (depth || c[0] != ':' || c[1] != ':' || c == text + from)
            continue;
        if (!from && c - text < 4)
            continue; /* no shorter with dots: perhaps with the next */
        memcpy(text, "...", 3);
        memmove(text + 3, c, strlen(c) + 1);
        return true;
    }
    return false;
}

void sl_short_name(char *text, size_t width)
{
    if (sl_utf8_length(text) > width)
        drop_path(text);
    while (sl_utf8_length(text) > width && empty_longest(text, '<'))
        ;
    while (sl_utf8_length(text) > width && empty_longest(text, '('))
        ;
    while (sl_utf8_length(text) > width && drop_outer(text))
        ;
    sl_utf8_shorten(text, width);
}
