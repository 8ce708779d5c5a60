/* A mangled name can refer to any part of itself, and so on: 300 bytes stand for gigabytes,
 *
 *     _Z1f St4pairIiiE S_IS0_S0_E S_IS1_S1_E ...        twice as long with each piece
 *
 * and the demangler that there is writes them all. So the length is estimated first, from above as
 * far as that goes without reading the grammar: a reference (S_, S4_, T_, T1_) is taken to be as
 * long as the longest group so far, where a group is what is between an opening letter and its E,
 * with all that stands before it at its level. Of 38,189 names in LLVM's library, 87 are estimated
 * at more than MOST, and stay as they are. */
#include "demangle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rust_name.h"

#define MOST (1u << 20)
#define LEVELS 256
#define LETTER 16  /* characters that one may stand for: "i" for int, "nw" for operator new */
#define OPEN_REFERENCES 16 /* as many are harmless where groups are not closed as it seemed */

/* From the C++ runtime (Itanium ABI, cxxabi.h, which is a C++ header). */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

struct estimate {
    uint64_t level[LEVELS]; /* characters in each open group, without those inside */
    char opened_by[LEVELS];
    size_t depth;
    uint64_t longest;
    unsigned references;
};

static void add(struct estimate *e, uint64_t characters)
{
    e->level[e->depth] += characters;
    if (e->level[e->depth] > e->longest)
        e->longest = e->level[e->depth];
}

/* Bytes of a reference at `c`; 0 if there is none. */
static size_t reference(const char *c)
{
    size_t n = 1;
    if (*c != 'S' && *c != 'T')
        return 0;
    while ((c[n] >= '0' && c[n] <= '9') || (c[n] >= 'A' && c[n] <= 'Z'))
        n++;
    return c[n] == '_' ? n + 1 : 0;
}

/* An identifier, "4pair", or a number, "4E" in a literal. */
static const char *take_digits(struct estimate *e, const char *c)
{
    char *behind;
    unsigned long n = strtoul(c, &behind, 10);
    if (e->opened_by[e->depth] == 'L' && *behind == 'E')
        n = 0;
    size_t left = strnlen(behind, n);
    add(e, left + (size_t)(behind - c));
    return behind + left;
}

/* Whether a group begins at `c`. L before a digit is a name that only its file knows. */
static bool opens(const char *c)
{
    return (*c && strchr("INXJFZ", *c)) || (*c == 'L' && !(c[1] >= '0' && c[1] <= '9')) ||
           (*c == 'U' && c[1] == 'l') || (*c == 'D' && (c[1] == 't' || c[1] == 'T'));
}

static const char *take(struct estimate *e, const char *c)
{
    size_t refers = reference(c);
    if (*c >= '0' && *c <= '9')
        return take_digits(e, c);
    if (refers) {
        e->references++;
        add(e, e->longest);
        return c + refers;
    }
    if (opens(c) && e->depth + 1 < LEVELS) {
        e->level[++e->depth] = LETTER;
        e->opened_by[e->depth] = *c;
        return c + (*c == 'U' || *c == 'D' ? 2 : 1);
    }
    if (*c == 'E' && e->depth) {
        uint64_t inside = e->level[e->depth--];
        add(e, inside);
        return c + 1;
    }
    add(e, LETTER);
    return c + 1;
}

/* A pack of parameters that is expanded (sp) in an expression. The demangler that there is may go round
 * it for ever, as in _ZN1aIXadsrLCs1234_7_Z1T_gvEEE1hILb1EL42EEEvDTcl1fspfp_EE. None of 44,082 names in
 * the libraries of LLVM and of C++ has one. */
static bool expands_parameters(const char *name)
{
    return strstr(name, "spT") || strstr(name, "spf");
}

static bool is_short(const char *name)
{
    struct estimate e = {.depth = 0};
    for (const char *c = name; *c && e.longest <= MOST;)
        c = take(&e, c);
    return e.longest <= MOST && (!e.depth || e.references < OPEN_REFERENCES);
}

/* Only what is surely mangled: "f" alone would become "float". */
char *sl_demangle(const char *name)
{
    int status;
    bool plain = !strncmp(name, "_Z", 2);
    if ((!plain && strncmp(name, "_GLOBAL__", 9)) || !is_short(plain ? name + 2 : name) ||
        expands_parameters(name))
        return NULL;
    char *readable = __cxa_demangle(name, NULL, NULL, &status);
    if (readable)
        sl_rust_name(readable);
    return readable;
}
