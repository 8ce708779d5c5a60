/* SPDX-License-Identifier: MIT */
/* Rust symbol names, version 0 (RFC 2603 of the Rust language, by Michael Woerister), written out
 * as they are read: a name is a path, whose parts are types and further paths, and may refer back
 * to any part before itself, which is then read again.
 *
 *     _RNvMNtCs1_4core3stre4trim       <core::str::str>::trim
 *     _RINvCs1_1a1fhE                  a::f::<u8>
 *
 * A reference back can double what is written, so there are bounds: SL_READABLE_MAX bytes of text,
 * DEPTH levels, STEPS parts. Identifiers in Punycode stay as they are, in braces. Not read:
 * constants that are structures, and what later compilers add; such names stay mangled. */
#include "rust_v0.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mangled.h"

#define DEPTH 200
#define STEPS 100000u

struct reading {
    const char *start, *at; /* behind _R */
    char *text;
    size_t n;
    unsigned depth, steps;
    uint64_t bound; /* lifetimes that binders around have named */
    bool silent;    /* nothing is written: what is read is not shown */
    bool bad;
};

static void read_path(struct reading *r, bool in_value);
static void read_type(struct reading *r);
static void read_const(struct reading *r);

/* ---- writing ---- */

static void put(struct reading *r, const char *text, size_t n)
{
    if (r->silent || r->bad)
        return;
    if (n > SL_READABLE_MAX - 1 - r->n) {
        r->bad = true;
        return;
    }
    memcpy(r->text + r->n, text, n);
    r->n += n;
}

static void say(struct reading *r, const char *text)
{
    put(r, text, strlen(text));
}

static void say_number(struct reading *r, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    say(r, text);
}

/* ---- letters and numbers ---- */

static bool take(struct reading *r, char letter)
{
    if (r->bad || *r->at != letter)
        return false;
    r->at++;
    return true;
}

/* The end of a list, or of a name that is none. */
static bool ends(struct reading *r)
{
    return r->bad || take(r, 'E');
}

/* "_" is 0, "0_" 1, "Z_" 62. */
static uint64_t read_base62(struct reading *r)
{
    uint64_t number = 0;
    unsigned digits = 0;
    if (take(r, '_'))
        return 0;
    while (!r->bad && *r->at != '_') {
        char c = *r->at;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36
                                                : 99;
        if (digit == 99 || ++digits > 11 || number > (UINT64_MAX - 63) / 62)
            r->bad = true;
        else
            r->at++;
        number = number * 62 + digit;
    }
    if (!r->bad)
        r->at++;
    return number + 1;
}

/* What a letter says that it is there: one more than its number; else 0. */
static uint64_t read_optional(struct reading *r, char letter)
{
    return take(r, letter) ? read_base62(r) + 1 : 0;
}

static size_t read_decimal(struct reading *r)
{
    size_t number = 0;
    if (*r->at < '0' || *r->at > '9')
        r->bad = true;
    else if (*r->at == '0')
        r->at++;
    else
        while (*r->at >= '0' && *r->at <= '9' && number < SL_MANGLED_MAX)
            number = number * 10 + (size_t)(*r->at++ - '0');
    return number;
}

/* Where a reference back leads, to be read from there. Only to what comes before it. */
static const char *read_back(struct reading *r, const char *letter)
{
    uint64_t place = read_base62(r);
    r->bad |= place >= (uint64_t)(letter - r->start);
    return r->bad ? r->start : r->start + place;
}

static bool enter(struct reading *r)
{
    r->bad |= ++r->depth > DEPTH || ++r->steps > STEPS;
    return !r->bad;
}

/* ---- parts of paths ---- */

struct identifier {
    const char *text;
    size_t n;
    bool puny;
};

static struct identifier read_undisambiguated(struct reading *r)
{
    struct identifier id = {.puny = take(r, 'u')};
    id.n = read_decimal(r);
    take(r, '_');
    id.text = r->at;
    r->bad |= id.n > strlen(r->at);
    if (!r->bad)
        r->at += id.n;
    return id;
}

static void say_identifier(struct reading *r, struct identifier id)
{
    if (r->bad)
        return;
    say(r, id.puny ? "{" : "");
    put(r, id.text, id.n);
    say(r, id.puny ? "}" : "");
}

/* _ is one that was erased; others are named from the innermost binder out. */
static void say_lifetime(struct reading *r, uint64_t number)
{
    char name[3] = {'\'', '_', '\0'};
    r->bad |= number > r->bound;
    uint64_t place = r->bound - number;
    if (number && place < 26)
        name[1] = (char)('a' + place);
    say(r, number && place >= 26 ? "'_" : name);
    if (number && place >= 26)
        say_number(r, place);
}

static void read_generic(struct reading *r)
{
    if (take(r, 'L'))
        say_lifetime(r, read_base62(r));
    else if (take(r, 'K'))
        read_const(r);
    else
        read_type(r);
}

static void read_list(struct reading *r, void (*each)(struct reading *r))
{
    for (bool first = true; !ends(r); first = false) {
        say(r, first ? "" : ", ");
        each(r);
    }
}

/* Closures and the like have no name of their own. */
static void say_special(struct reading *r, char space, struct identifier id, uint64_t number)
{
    say(r, "::{");
    if (space == 'C')
        say(r, "closure");
    else if (space == 'S')
        say(r, "shim");
    else
        put(r, &space, 1);
    if (id.n) {
        say(r, ":");
        say_identifier(r, id);
    }
    say(r, "#");
    say_number(r, number);
    say(r, "}");
}

static void read_nested(struct reading *r, bool in_value)
{
    char space = *r->at;
    bool special = space >= 'A' && space <= 'Z';
    if (!special && (space < 'a' || space > 'z')) {
        r->bad = true;
        return;
    }
    r->at++;
    read_path(r, in_value);
    uint64_t number = read_optional(r, 's');
    struct identifier id = read_undisambiguated(r);
    if (special) {
        say_special(r, space, id, number);
    } else if (id.n) {
        say(r, "::");
        say_identifier(r, id);
    }
}

/* Where an implementation is says nothing that people would write. */
static void read_place(struct reading *r)
{
    bool silent = r->silent;
    read_optional(r, 's');
    r->silent = true;
    read_path(r, false);
    r->silent = silent;
}

static void read_implementation(struct reading *r, char kind)
{
    if (kind != 'Y')
        read_place(r);
    say(r, "<");
    read_type(r);
    if (kind != 'M') {
        say(r, " as ");
        read_path(r, false);
    }
    say(r, ">");
}

static void read_path(struct reading *r, bool in_value)
{
    const char *letter = r->at;
    if (!enter(r))
        return;
    r->at += *letter != '\0';
    switch (*letter) {
    case 'C':
        read_optional(r, 's');
        say_identifier(r, read_undisambiguated(r));
        break;
    case 'N':
        read_nested(r, in_value);
        break;
    case 'M':
    case 'X':
    case 'Y':
        read_implementation(r, *letter);
        break;
    case 'I':
        read_path(r, in_value);
        say(r, in_value ? "::<" : "<");
        read_list(r, read_generic);
        say(r, ">");
        break;
    case 'B': {
        const char *to = read_back(r, letter), *behind = r->at;
        r->at = to;
        if (!r->silent)
            read_path(r, in_value);
        r->at = behind;
        break;
    }
    default:
        r->bad = true;
    }
    r->depth--;
}

/* ---- types ---- */

static const char *basic_type(char letter)
{
    static const char *const name[26] = {"i8",   "bool",  "char",  "f64", "str", "f32", NULL,
                                         "u8",   "isize", "usize", NULL,  "i32", "u32", "i128",
                                         "u128", "_",     NULL,    NULL,  "i16", "u16", "()",
                                         "...",  NULL,    "i64",   "u64", "!"};
    return letter >= 'a' && letter <= 'z' ? name[letter - 'a'] : NULL;
}

/* Lifetimes that a binder names: "for<'a, 'b> ". To be taken back by who called. */
static void read_binder(struct reading *r)
{
    uint64_t n = read_optional(r, 'G');
    if (n > 100)
        r->bad = true;
    for (uint64_t i = 0; i < n && !r->bad; i++) {
        say(r, i ? ", " : "for<");
        r->bound++;
        say_lifetime(r, 1);
    }
    say(r, n && !r->bad ? "> " : "");
}

static void read_function(struct reading *r)
{
    uint64_t bound = r->bound;
    read_binder(r);
    say(r, take(r, 'U') ? "unsafe " : "");
    if (take(r, 'K')) {
        say(r, "extern \"");
        if (take(r, 'C'))
            say(r, "C");
        else {
            struct identifier abi = read_undisambiguated(r);
            for (size_t i = 0; i < abi.n && !r->bad; i++)
                put(r, abi.text[i] == '_' ? "-" : &abi.text[i], 1);
        }
        say(r, "\" ");
    }
    say(r, "fn(");
    read_list(r, read_type);
    say(r, ")");
    if (!take(r, 'u')) {
        say(r, " -> ");
        read_type(r);
    }
    r->bound = bound;
}

/* A trait, whose associated types stand among its arguments; whether that left one open. */
static bool read_trait_path(struct reading *r)
{
    const char *letter = r->at;
    if (take(r, 'B')) {
        const char *to = read_back(r, letter), *behind = r->at;
        bool open = false;
        if (enter(r) && !r->silent) {
            r->at = to;
            open = read_trait_path(r);
        }
        r->depth--;
        r->at = behind;
        return open;
    }
    if (!take(r, 'I')) {
        read_path(r, false);
        return false;
    }
    read_path(r, false);
    say(r, "<");
    read_list(r, read_generic);
    return true;
}

static void read_trait(struct reading *r)
{
    bool open = read_trait_path(r);
    while (take(r, 'p')) {
        say(r, open ? ", " : "<");
        open = true;
        say_identifier(r, read_undisambiguated(r));
        say(r, " = ");
        read_type(r);
    }
    say(r, open ? ">" : "");
}

static void read_dyn(struct reading *r)
{
    uint64_t bound = r->bound;
    say(r, "dyn ");
    read_binder(r);
    for (bool first = true; !ends(r); first = false) {
        say(r, first ? "" : " + ");
        read_trait(r);
    }
    r->bound = bound;
    if (!take(r, 'L')) {
        r->bad = true;
        return;
    }
    uint64_t lifetime = read_base62(r);
    if (lifetime) {
        say(r, " + ");
        say_lifetime(r, lifetime);
    }
}

static void read_tuple(struct reading *r)
{
    size_t n = 0;
    say(r, "(");
    for (; !ends(r); n++) {
        say(r, n ? ", " : "");
        read_type(r);
    }
    say(r, n == 1 ? ",)" : ")");
}

static void read_reference(struct reading *r, bool changes)
{
    say(r, "&");
    uint64_t lifetime = take(r, 'L') ? read_base62(r) : 0;
    if (lifetime) {
        say_lifetime(r, lifetime);
        say(r, " ");
    }
    say(r, changes ? "mut " : "");
    read_type(r);
}

static void read_array(struct reading *r, bool sized)
{
    say(r, "[");
    read_type(r);
    if (sized) {
        say(r, "; ");
        read_const(r);
    }
    say(r, "]");
}

static void read_type(struct reading *r)
{
    const char *letter = r->at, *basic = basic_type(*letter);
    if (basic) {
        r->at++;
        say(r, basic);
        return;
    }
    if (!enter(r))
        return;
    r->at += *letter != '\0';
    switch (*letter) {
    case 'R':
    case 'Q':
        read_reference(r, *letter == 'Q');
        break;
    case 'P':
    case 'O':
        say(r, *letter == 'P' ? "*const " : "*mut ");
        read_type(r);
        break;
    case 'A':
    case 'S':
        read_array(r, *letter == 'A');
        break;
    case 'T':
        read_tuple(r);
        break;
    case 'F':
        read_function(r);
        break;
    case 'D':
        read_dyn(r);
        break;
    case 'B': {
        const char *to = read_back(r, letter), *behind = r->at;
        r->at = to;
        if (!r->silent)
            read_type(r);
        r->at = behind;
        break;
    }
    default:
        r->at = letter;
        read_path(r, false);
    }
    r->depth--;
}

/* ---- constants ---- */

/* Its digits; small numbers are those of people, others stay hexadecimal. */
static void read_number(struct reading *r, bool minus)
{
    const char *digits = r->at;
    while ((*r->at >= '0' && *r->at <= '9') || (*r->at >= 'a' && *r->at <= 'f'))
        r->at++;
    size_t n = (size_t)(r->at - digits);
    if (!take(r, '_')) {
        r->bad = true;
        return;
    }
    say(r, minus ? "-" : "");
    if (n <= 16) {
        say_number(r, n ? strtoull(digits, NULL, 16) : 0);
    } else {
        say(r, "0x");
        put(r, digits, n);
    }
}

static void read_letter(struct reading *r)
{
    char *end, text[16];
    uint64_t letter = strtoull(r->at, &end, 16);
    if (end == r->at || end - r->at > 6 || *end != '_') {
        r->bad = true;
        return;
    }
    r->at = end + 1;
    if (letter == '\'' || letter == '\\')
        snprintf(text, sizeof text, "'\\%c'", (char)letter);
    else if (letter >= ' ' && letter < 0x7f)
        snprintf(text, sizeof text, "'%c'", (char)letter);
    else
        snprintf(text, sizeof text, "'\\u{%" PRIx64 "}'", letter);
    say(r, text);
}

static void read_const(struct reading *r)
{
    const char *letter = r->at;
    if (!enter(r))
        return;
    r->at += *letter != '\0';
    if (*letter == 'B') {
        const char *to = read_back(r, letter), *behind = r->at;
        r->at = to;
        if (!r->silent)
            read_const(r);
        r->at = behind;
    } else if (*letter == 'p') {
        say(r, "_");
    } else if (*letter == 'b') {
        bool is = *r->at == '1';
        r->bad |= (*r->at != '0' && !is) || r->at[1] != '_';
        r->at += r->bad ? 0 : 2;
        say(r, is ? "true" : "false");
    } else if (*letter == 'c') {
        read_letter(r);
    } else if (*letter && strchr("aslxnihtmyoj", *letter)) {
        read_number(r, strchr("aslxni", *letter) && take(r, 'n'));
    } else {
        r->bad = true;
    }
    r->depth--;
}

char *sl_rust_v0(const char *name)
{
    if (strncmp(name, "_R", 2) || strlen(name) > SL_MANGLED_MAX || name[2] < 'A' || name[2] > 'Z')
        return NULL;
    struct reading r = {.start = name + 2, .at = name + 2, .text = malloc(SL_READABLE_MAX)};
    r.bad = !r.text;
    read_path(&r, true);
    if (!r.bad && *r.at && *r.at != '.') { /* who made it of a generic one */
        r.silent = true;
        read_path(&r, false);
        r.silent = false;
    }
    if (*r.at == '.') /* as with C++, what a compiler adds */
        say(&r, r.at);
    else
        r.bad |= *r.at != '\0';
    if (r.bad) {
        free(r.text);
        return NULL;
    }
    r.text[r.n++] = '\0';
    char *fitting = realloc(r.text, r.n);
    return fitting ? fitting : r.text;
}
