/* SPDX-License-Identifier: MIT */
#include "rust_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HASH 16 /* digits */

/* Where "::h" and the hash begin; NULL: it is no such name. */
static char *hash_of(char *name)
{
    size_t length = strlen(name);
    if (length <= HASH + 3)
        return NULL;
    char *hash = name + length - HASH - 3;
    if (strncmp(hash, "::h", 3))
        return NULL;
    for (const char *c = hash + 3; *c; c++)
        if (!isdigit((unsigned char)*c) && (*c < 'a' || *c > 'f'))
            return NULL;
    return hash;
}

/* What stands between two dollars; 0 if nobody knows. */
static char meaning(const char *code, size_t length)
{
    static const struct {
        const char *code;
        char letter;
    } known[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'},
                 {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].code) == length && !strncmp(code, known[i].code, length))
            return known[i].letter;
    char *end;
    unsigned long letter = length > 1 && length < 4 && *code == 'u' ? strtoul(code + 1, &end, 16)
                                                                    : 0;
    return letter > 0x1f && letter < 0x7f && end == code + length ? (char)letter : 0;
}

void sl_rust_name(char *name)
{
    char *hash = hash_of(name), *to = name;
    if (!hash)
        return;
    *hash = '\0';
    for (const char *from = name; *from;) {
        const char *dollar = *from == '$' ? strchr(from + 1, '$') : NULL;
        char letter = dollar ? meaning(from + 1, (size_t)(dollar - from - 1)) : 0;
        bool first = from == name || from[-1] == ':';
        if (letter) {
            *to++ = letter;
            from = dollar + 1;
        } else if (*from == '_' && from[1] == '$' && first) {
            from++; /* so that a part begins with a letter */
        } else if (from[0] == '.' && from[1] == '.') {
            *to++ = ':';
            *to++ = ':';
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}
