/* SPDX-License-Identifier: MIT */
/* Shortens names of C++, Rust and Go functions to a given width (sl_short_name() in sluice.h). The
 * least important parts are removed first:
 *
 *     std::vector<int, std::allocator<int> >::push_back(int const&)
 *     std::vector<...>::push_back(int const&)      template arguments, the longest first
 *     std::vector<...>::push_back(...)             then parameters
 *     ...::push_back(...)                          then namespaces and classes
 *     github.com/user/tool/parse.(*Lexer).next     a Go import path goes before all else:
 *     parse.(*Lexer).next
 *
 * A name that has none of these parts, or is still too long, loses its end. Pairs of brackets
 * are found without parsing the languages. The '<' and '>' of arrows, comparisons and operator
 * names do not count as brackets. */
#include <ctype.h>
#include <string.h>

#include "sluice.h"
#include "utf8.h"

static const char dots[] = "...";

/* True if a list begins at `at`: not an arrow, a comparison, or the name of an operator. */
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

/* The end of the list that begins at `at`; NULL: it has none. */
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

/* Replaces the content of the longest list by dots. Returns false if no list has more than dots. */
static bool empty_longest(char *text, char open)
{
    char *longest = NULL, *end = NULL;
    for (char *at = text; (at = strchr(at, open)); at++) {
        char *close = opens(text, at) ? closing(at) : NULL;
        if (close && close - at > (ptrdiff_t)sizeof dots &&
            (!longest || close - at > end - longest)) {
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

/* Removes the import path of "github.com/user/parse.next". */
static bool drop_path(char *text)
{
    char *dot = strrchr(text, '.'), *slash = strrchr(text, '/');
    bool is_path = slash && dot > slash && isalpha((unsigned char)slash[1]) && !strchr(text, ':') &&
                   !strchr(text, ' ');
    if (is_path)
        memmove(text, slash + 1, strlen(slash));
    return is_path;
}

/* Removes the outermost namespace of "a::b::f(...)". */
static bool drop_outer(char *text)
{
    text += !strncmp(text, "-> ", 3) ? 3 : 0;
    size_t from = !strncmp(text, "...::", 5) ? 5 : 0, depth = 0;
    for (char *c = text + from; *c && *c != '(' && *c != ' '; c++) {
        depth += *c == '<';
        depth -= *c == '>' && depth;
        if (depth || c[0] != ':' || c[1] != ':' || c == text + from)
            continue;
        if (!from && c - text < 4)
            continue; /* dots would not be shorter; the next namespace may help */
        memcpy(text, "...", 3);
        memmove(text + 3, c, strlen(c) + 1);
        return true;
    }
    return false;
}

/* Removes the return type of "void a<...>::f(...)+0x1c", also after "-> ". */
static bool drop_returned(char *text)
{
    static const char *const words[] = {"operator ", "in ", "for ", "to ", "thunk "};
    char *from = text + (!strncmp(text, "-> ", 3) ? 3 : 0), *name = NULL;
    size_t depth = 0;
    for (char *c = from; *c && (depth || *c != '('); c++) {
        depth += *c == '<';
        depth -= *c == '>' && depth;
        if (!depth && *c == ',')
            return false;
        if (depth || *c != ' ')
            continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if ((size_t)(c + 1 - from) >= strlen(words[i]) &&
                !strncmp(c + 1 - strlen(words[i]), words[i], strlen(words[i])))
                return false;
        name = c + 1;
    }
    /* Text that is no signature stays unchanged. */
    bool is_name = name && (isalpha((unsigned char)*name) || *name == '_') && strpbrk(name, "(<:");
    if (is_name)
        memmove(from, name, strlen(name) + 1);
    return is_name;
}

/* Removes the first occurrence of `list`, an empty list such as "(...)". */
static bool drop_list(char *text, const char *list)
{
    char *at = strstr(text, list);
    if (at)
        memmove(at, at + strlen(list), strlen(at + strlen(list)) + 1);
    return at;
}

/* Removes the other function of "main+0x1c (is_prime)" and "is_prime (in main)". */
static bool drop_other(char *text)
{
    char *at = strstr(text, "+0x"), *in = strstr(text, " (in ");
    at = in ? in : at ? strstr(at, " (") : NULL;
    if (at)
        *at = '\0';
    return at;
}

bool sl_short_name(char *text, size_t width)
{
    if (!text)
        return true;
    if (sl_utf8_length(text) > width)
        drop_path(text);
    while (sl_utf8_length(text) > width && empty_longest(text, '<'))
        ;
    while (sl_utf8_length(text) > width && empty_longest(text, '('))
        ;
    if (sl_utf8_length(text) > width)
        drop_returned(text);
    if (sl_utf8_length(text) > width)
        drop_other(text);
    while (sl_utf8_length(text) > width && drop_outer(text))
        ;
    while (sl_utf8_length(text) > width &&
           (drop_list(text, "(...)") || drop_list(text, "<...>") || drop_list(text, "...::")))
        ;
    bool whole = sl_utf8_length(text) <= width;
    sl_utf8_shorten(text, width);
    return whole;
}
