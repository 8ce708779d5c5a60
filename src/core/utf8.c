#include "utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length in bytes of the valid character at `text`, 0 if there is none.
 * Overlong forms, surrogates and what is above U+10FFFF are not valid. */
static size_t character(const unsigned char *text)
{
    size_t n = text[0] < 0x80 ? 1 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
             : text[0] >= 0xe0 && text[0] < 0xf0 ? 3 : text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

static char *clean(const char *text, bool printable)
{
    const unsigned char *from = (const unsigned char *)text;
    char *out = malloc(3 * strlen(text) + 1), *to = out;
    while (out && *from) {
        size_t n = character(from);
        bool control = *from < 0x20 || *from == 0x7f || (*from == 0xc2 && from[1] < 0xa0);
        if (n && printable && control) {
            *to++ = '?';
        } else if (n) {
            memcpy(to, from, n);
            to += n;
        } else {
            memcpy(to, "\xef\xbf\xbd", 3);
            to += 3;
        }
        from += n ? n : 1;
    }
    if (out)
        *to = '\0';
    return out;
}

char *sl_utf8_clean(const char *text)
{
    return clean(text, false);
}

char *sl_utf8_printable(const char *text)
{
    return clean(text, true);
}

size_t sl_utf8_length(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

static char *skip(char *text, size_t n)
{
    while (n--)
        for (text++; (*text & 0xc0) == 0x80; text++)
            ;
    return text;
}

void sl_utf8_shorten(char *text, size_t width)
{
    size_t length = sl_utf8_length(text);
    if (length <= width)
        return;
    size_t dots = width < 3 ? width : 3, tail = (width - dots) / 2, head = width - dots - tail;
    char *end = skip(text, length - tail);
    char *cut = skip(text, head);
    memmove(cut, "...", dots);
    memmove(cut + dots, end, strlen(end) + 1);
}

char *sl_own_printable(char *text)
{
    char *clean = text ? sl_utf8_printable(text) : NULL;
    free(text);
    return clean;
}

char *sl_own_format(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}
