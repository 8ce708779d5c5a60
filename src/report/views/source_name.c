/* SPDX-License-Identifier: MIT */
/* Removes compiler suffixes, "@plt" and thunk prefixes from the name of a symbol
 * (source_functions.h). The list `pieces` has the suffixes of GCC and LLVM. */
#include "source_functions.h"

#include <ctype.h>
#include <string.h>

/* Suffixes that compilers append, up to the next dot. */
static const char *const pieces[] = {".cold", ".part", ".isra", ".constprop", ".lto_priv", ".llvm"};

/* True if the rest consists of numbers: ".0", ".123.4", "". */
static bool only_numbers(const char *c, const char *end)
{
    while (c < end) {
        if (*c != '.' || c + 1 == end || !isdigit((unsigned char)c[1]))
            return false;
        for (c++; c < end && isdigit((unsigned char)*c);)
            c++;
    }
    return true;
}

/* Length of the name without its last suffix; its whole length if it has none. */
static size_t without_piece(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t size = strlen(pieces[i]);
        for (size_t at = length; at-- > 1;)
            if (name[at] == '.' && length - at >= size && !strncmp(name + at, pieces[i], size) &&
                only_numbers(name + at + size, name + length))
                return at;
    }
    return length;
}

/* Removes the brackets of "f(int) [clone .cold]". */
static size_t without_clone(const char *name, size_t length)
{
    static const char mark[] = " [clone ";
    if (length < sizeof mark || name[length - 1] != ']')
        return length;
    for (size_t at = length - 1; at-- > 1;)
        if (!strncmp(name + at, mark, sizeof mark - 1))
            return at;
    return length;
}

char *sl_source_name(const char *symbol, bool *stub)
{
    static const char *const thunks[] = {"non-virtual thunk to ", "virtual thunk to ",
                                         "covariant return thunk to "};
    for (size_t i = 0; i < sizeof thunks / sizeof *thunks; i++)
        if (!strncmp(symbol, thunks[i], strlen(thunks[i])) && symbol[strlen(thunks[i])])
            symbol += strlen(thunks[i]);
    size_t length = strlen(symbol), before;
    static const char plt[] = "@plt";
    *stub = length > sizeof plt - 1 && !strcmp(symbol + length - (sizeof plt - 1), plt);
    length -= *stub ? sizeof plt - 1 : 0;
    do {
        before = length;
        length = without_clone(symbol, without_piece(symbol, length));
    } while (length < before);
    return strndup(symbol, length);
}
