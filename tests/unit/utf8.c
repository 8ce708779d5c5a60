/* SPDX-License-Identifier: MIT */
/* Unit tests of UTF-8 text: validation, copying and shortening, compared with the definition of the
 * encoding. */
#include "utf8.h"

#include <string.h>

#include "random.h"
#include "tap.h"

/* The definition: encodes a code point; returns its size. */
static size_t encode(uint32_t code, char out[4])
{
    static const uint32_t limit[] = {0x80, 0x800, 0x10000, 0x110000};
    size_t size = 1;
    while (code >= limit[size - 1])
        size++;
    for (size_t i = size; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(size == 1 ? code : (0xf00u >> size & 0xff) | code);
    return size;
}

static bool is_character(uint32_t code)
{
    return code < 0x110000 && (code < 0xd800 || code > 0xdfff);
}

static void all_characters(void)
{
    bool sizes = true, codes = true, beginnings = true, surrogates = true;
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[4];
        size_t size = encode(code, text);
        if (!is_character(code)) {
            surrogates &= sl_utf8_size(text, size) == 0;
            continue;
        }
        sizes &= sl_utf8_size(text, size) == size;
        codes &= sl_utf8_code(text, size) == code;
        for (size_t n = 1; n < size; n++)
            beginnings &= sl_utf8_size(text, n) > n;
    }
    ok(sizes, "every character has its size");
    ok(codes, "every character has its code");
    ok(beginnings, "the first bytes of a character ask for more");
    ok(surrogates, "surrogates are not valid");
}

/* Three-byte sequences of any bytes are valid if, and only if, they encode a character. */
static void any_bytes(void)
{
    bool right = true;
    for (uint32_t bytes = 0; bytes < 1u << 24; bytes += 7) {
        char text[3] = {(char)(bytes >> 16), (char)(bytes >> 8), (char)bytes}, again[4];
        size_t size = text[0] ? sl_utf8_size(text, 3) : 0;
        if (size && size <= 3) {
            uint32_t code = sl_utf8_code(text, size);
            right &= is_character(code) && encode(code, again) == size &&
                     !memcmp(again, text, size);
        }
    }
    ok(right, "what is taken for a character is the shortest encoding of one");
}

static bool is_valid(const char *text)
{
    for (size_t left = strlen(text), n; left; text += n, left -= n)
        if (!(n = sl_utf8_size(text, left)) || n > left)
            return false;
    return true;
}

static bool is_printable(const char *text)
{
    for (size_t n; *text; text += n)
        if (sl_utf8_hidden(sl_utf8_code(text, n = sl_utf8_size(text, 4))))
            return false;
    return true;
}

static void copies(void)
{
    uint64_t random = 3;
    bool valid = true, printable = true, same = true, once = true;
    for (unsigned round = 0; round < tap_rounds(20000, 200); round++) {
        char text[40] = "";
        size_t n = 0;
        for (unsigned i = 0; i < 6; i++) {
            uint32_t code = (uint32_t)sl_random_below(&random, i % 2 ? 0x300 : 0x11000);
            if (code && is_character(code))
                n += encode(code, text + n);
            if (!sl_random_below(&random, 3))
                text[n++] = (char)(0x80 + sl_random_below(&random, 128));
        }
        text[n] = 0;
        char *clean = sl_utf8_clean(text), *shown = sl_utf8_printable(text);
        char *again = sl_utf8_clean(clean), *own = sl_own_printable(strdup(text));
        valid &= is_valid(clean);
        printable &= is_valid(shown) && is_printable(shown);
        same &= !is_valid(text) || !strcmp(clean, text);
        once &= !strcmp(clean, again) && !strcmp(own, shown);
        free(clean);
        free(shown);
        free(again);
        free(own);
    }
    ok(valid, "a clean copy is valid");
    ok(printable, "a printable copy is valid and has no hidden character");
    ok(same, "a valid text is its own clean copy");
    ok(once, "cleaning twice changes nothing, and sl_own_printable() gives the same");
    ok(!sl_own_printable(NULL), "sl_own_printable() of NULL is NULL");
}

static void shortening(void)
{
    static const char long_name[] = "a\303\244b\342\202\254c\360\237\230\200d-0123456789";
    bool fits = true, ends = true;
    for (size_t width = 0; width < 25; width++) {
        char text[sizeof long_name];
        strcpy(text, long_name);
        size_t length = sl_utf8_length(text);
        sl_utf8_shorten(text, width);
        fits &= is_valid(text) && sl_utf8_length(text) == (width < length ? width : length);
        if (width >= 5 && width < length)
            ends &= !strncmp(text, long_name, strlen(text) - 3) &&
                    !strcmp(text + strlen(text) - 3, "...");
    }
    ok(fits, "a shortened text has the width, in characters");
    ok(ends, "it is cut at its end, which becomes three dots");
}

int main(void)
{
    all_characters();
    any_bytes();
    copies();
    shortening();
    char *text = sl_asprintf("%d-%s", 7, "x");
    ok(text && !strcmp(text, "7-x"), "sl_asprintf() prints as printf");
    free(text);
    return done_testing();
}
