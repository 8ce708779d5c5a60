/* SPDX-License-Identifier: MIT */
/* Validates UTF-8, replaces bytes and characters that must not be sent to a terminal, and shortens
 * text (utf8.h). The length of a text is its number of characters. Double-width and combining
 * characters count as one character. */
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Overlong forms, surrogates and codes above U+10FFFF are invalid. */
size_t sl_utf8_size(const char *text, size_t n)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t size = c[0] < 0x80                   ? 1
                  : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                  : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                  : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                : 0;
    for (size_t i = 1; i < size && i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if (n > 1 && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                  (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f)))
        return 0;
    return size;
}

uint32_t sl_utf8_code(const char *text, size_t size)
{
    uint32_t code = (unsigned char)text[0];
    if (size > 1)
        code &= 0x7fu >> size;
    for (size_t i = 1; i < size; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

/* Controls (C0, DEL, C1), and characters without width or that change the direction of writing:
 * marks, embeddings, overrides and isolates, line and paragraph separators, the byte order mark,
 * annotations, tags. The joiners U+200C and U+200D are allowed: some scripts need them. */
bool sl_utf8_hidden(uint32_t code)
{
    static const uint32_t range[][2] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
        {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},
        {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i][0] && code <= range[i][1])
            return true;
    return false;
}

static char *clean(const char *text, bool printable)
{
    size_t left = strlen(text);
    char *out = malloc(3 * left + 1), *to = out;
    for (size_t n; out && left; text += n, left -= n) {
        size_t size = sl_utf8_size(text, left);
        bool valid = size && size <= left;
        n = valid ? size : 1;
        if (valid && printable && sl_utf8_hidden(sl_utf8_code(text, n))) {
            *to++ = '?';
        } else if (valid) {
            memcpy(to, text, n);
            to += n;
        } else {
            memcpy(to, "\xef\xbf\xbd", 3);
            to += 3;
        }
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

size_t sl_utf8_bytes(const char *text, size_t n)
{
    size_t i = 0;
    while (text[i] && n--)
        for (i++; (text[i] & 0xc0) == 0x80; i++)
            ;
    return i;
}

void sl_utf8_shorten(char *text, size_t width)
{
    size_t length = sl_utf8_length(text);
    if (length <= width)
        return;
    size_t dots = width < 3 ? width : 3, tail = (width - dots) / 2, head = width - dots - tail;
    char *end = text + sl_utf8_bytes(text, length - tail);
    char *cut = text + sl_utf8_bytes(text, head);
    memmove(cut, "...", dots);
    memmove(cut + dots, end, strlen(end) + 1);
}

char *sl_own_printable(char *text)
{
    char *clean = text ? sl_utf8_printable(text) : NULL;
    free(text);
    return clean;
}

const char *sl_file_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

bool sl_is_called(const char *name, const char *asked)
{
    size_t length = strlen(asked);
    return name && !strncmp(name, asked, length) && (!name[length] || name[length] == '(');
}

bool sl_same_text(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

char *sl_asprintf(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}
