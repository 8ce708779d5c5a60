/* SPDX-License-Identifier: MIT */
/* Types in mangled names. */
#include <string.h>

#include "mangled.h"

/* By their letters; NULL where there is none. */
static const char *const letters[26] = {
    ['a' - 'a'] = "signed char", ['b' - 'a'] = "bool",
    ['c' - 'a'] = "char",        ['d' - 'a'] = "double",
    ['e' - 'a'] = "long double", ['f' - 'a'] = "float",
    ['g' - 'a'] = "__float128",  ['h' - 'a'] = "unsigned char",
    ['i' - 'a'] = "int",         ['j' - 'a'] = "unsigned int",
    ['l' - 'a'] = "long",        ['m' - 'a'] = "unsigned long",
    ['n' - 'a'] = "__int128",    ['o' - 'a'] = "unsigned __int128",
    ['s' - 'a'] = "short",       ['t' - 'a'] = "unsigned short",
    ['v' - 'a'] = "void",        ['w' - 'a'] = "wchar_t",
    ['x' - 'a'] = "long long",   ['y' - 'a'] = "unsigned long long",
    ['z' - 'a'] = "...",
};

static const struct {
    char letter; /* behind D */
    const char *text;
} more[] = {
    {'a', "auto"},      {'c', "decltype(auto)"}, {'d', "decimal64"}, {'e', "decimal128"},
    {'f', "decimal32"}, {'h', "half"},           {'i', "char32_t"},  {'n', "decltype(nullptr)"},
    {'s', "char16_t"},  {'u', "char8_t"},
};

uint8_t sl_mangled_qualifiers(struct sl_mangled *m)
{
    uint8_t flags = 0;
    for (;; m->at++) {
        if (*m->at == 'r')
            flags |= SL_MANGLED_RESTRICT;
        else if (*m->at == 'V')
            flags |= SL_MANGLED_VOLATILE;
        else if (*m->at == 'K')
            flags |= SL_MANGLED_CONST;
        else
            return flags;
    }
}

static bool ends_types(const struct sl_mangled *m)
{
    return *m->at == '\0' || *m->at == 'E' || *m->at == '.' ||
           ((*m->at == 'R' || *m->at == 'O') && m->at[1] == 'E'); /* & or && of this */
}

uint32_t sl_mangled_types(struct sl_mangled *m)
{
    struct sl_mangled_series list = {0};
    if (sl_mangled_take(m, "v")) {
        if (ends_types(m))
            return sl_mangled_make(m, SL_MANGLED_FUNCTION, 0, 0);
        m->at--;
    }
    while (!ends_types(m))
        if (!sl_mangled_append(m, &list, sl_mangled_type(m)))
            return 0;
    return list.first ? sl_mangled_make(m, SL_MANGLED_FUNCTION, 0, list.first) : 0;
}

/* Do: noexcept. DO expression E: noexcept(expression). Dw types E: throw(types). Dx:
 * transaction_safe. */
static bool read_promises(struct sl_mangled *m, uint8_t *flags, uint32_t *throws)
{
    while (*m->at == 'D') {
        if (sl_mangled_take(m, "Do")) {
            *flags |= SL_MANGLED_NOEXCEPT;
        } else if (sl_mangled_take(m, "Dx")) {
            *flags |= SL_MANGLED_TRANSACTION;
        } else if (sl_mangled_take(m, "DO")) {
            *flags |= SL_MANGLED_NOEXCEPT;
            *throws = sl_mangled_expression(m);
            if (!*throws || !sl_mangled_take(m, "E"))
                return false;
        } else if (sl_mangled_take(m, "Dw")) {
            *throws = sl_mangled_types(m);
            if (!*throws || !sl_mangled_take(m, "E"))
                return false;
            *throws = m->node[*throws].b;
        } else {
            return false;
        }
    }
    return true;
}

/* [promises] F [Y] returns takes [R or O] E */
static uint32_t read_function(struct sl_mangled *m, uint8_t flags)
{
    uint32_t throws = 0;
    if (!read_promises(m, &flags, &throws) || !sl_mangled_take(m, "F"))
        return 0;
    sl_mangled_take(m, "Y");
    uint32_t returned = sl_mangled_type(m), function = returned ? sl_mangled_types(m) : 0;
    if (!function)
        return 0;
    if (*m->at == 'R' || *m->at == 'O')
        flags |= *m->at++ == 'R' ? SL_MANGLED_LVALUE_THIS : SL_MANGLED_RVALUE_THIS;
    m->node[function].a = returned;
    m->node[function].c = throws;
    m->node[function].flags = flags;
    m->node[function].parameters |= m->node[returned].parameters | m->node[throws].parameters;
    return sl_mangled_take(m, "E") ? function : 0;
}

static bool at_function(const struct sl_mangled *m)
{
    return *m->at == 'F' || (*m->at == 'D' && m->at[1] && strchr("oOwx", m->at[1]));
}

static uint32_t read_qualified(struct sl_mangled *m)
{
    uint8_t flags = sl_mangled_qualifiers(m);
    if (at_function(m))
        return read_function(m, flags);
    uint32_t type = sl_mangled_type(m), node = 0;
    if (type)
        node = sl_mangled_make(m, SL_MANGLED_QUALIFIED, type, 0);
    m->node[node].flags = flags;
    return node;
}

/* A number of elements: digits, an expression, or nothing. Up to its _. */
static bool read_extent(struct sl_mangled *m, uint32_t *extent)
{
    const char *from = m->at;
    uint32_t number;
    *extent = 0;
    if (sl_mangled_take(m, "_"))
        return true;
    if (*from >= '0' && *from <= '9') {
        if (!sl_mangled_decimal(m, &number))
            return false;
        *extent = sl_mangled_text(m, from, (size_t)(m->at - from));
    } else {
        *extent = sl_mangled_expression(m);
    }
    return *extent && sl_mangled_take(m, "_");
}

static uint32_t read_array(struct sl_mangled *m, enum sl_mangled_kind kind)
{
    uint32_t extent;
    if (kind == SL_MANGLED_VECTOR)
        sl_mangled_take(m, "_"); /* an expression follows */
    if (!read_extent(m, &extent))
        return 0;
    uint32_t type = sl_mangled_type(m);
    return type ? sl_mangled_make(m, kind, extent, type) : 0;
}

static uint32_t read_member(struct sl_mangled *m)
{
    uint32_t class = sl_mangled_type(m), type = class ? sl_mangled_type(m) : 0;
    return type ? sl_mangled_make(m, SL_MANGLED_MEMBER, class, type) : 0;
}

static uint32_t read_decltype(struct sl_mangled *m)
{
    uint32_t expression = sl_mangled_expression(m);
    if (!expression || !sl_mangled_take(m, "E"))
        return 0;
    return sl_mangled_make(m, SL_MANGLED_DECLTYPE, expression, 0);
}

static uint32_t read_expansion(struct sl_mangled *m)
{
    uint32_t type = sl_mangled_type(m), node = 0;
    if (type)
        node = sl_mangled_make(m, SL_MANGLED_EXPANSION, type, 0);
    m->node[node].parameters = 0;
    return node;
}

/* DF 128 _ : _Float128 */
static uint32_t read_sized_float(struct sl_mangled *m)
{
    uint32_t bits;
    const char *from = m->at;
    if (!sl_mangled_decimal(m, &bits))
        return 0;
    if (sl_mangled_take(m, "b"))
        return bits == 16 ? sl_mangled_text(m, "std::bfloat16_t", 15) : 0;
    uint32_t digits = sl_mangled_text(m, from, (size_t)(m->at - from));
    bool longer = sl_mangled_take(m, "x");
    if (!digits || (!longer && !sl_mangled_take(m, "_")))
        return 0;
    uint32_t node = sl_mangled_make(m, SL_MANGLED_SPECIAL, digits, 0);
    m->node[node].text = "_Float";
    m->node[node].number = 6;
    return longer ? 0 : node;
}

/* Behind D. `known` is set where nothing can refer to it. */
static uint32_t read_d(struct sl_mangled *m, bool *known)
{
    char letter = *m->at;
    if (letter == 't' || letter == 'T' || letter == 'p' || letter == 'v' || letter == 'F')
        m->at++;
    if (letter == 't' || letter == 'T')
        return read_decltype(m);
    if (letter == 'p')
        return read_expansion(m);
    if (letter == 'v')
        return read_array(m, SL_MANGLED_VECTOR);
    *known = true;
    if (letter == 'F')
        return read_sized_float(m);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i].letter == letter)
            return m->at++, sl_mangled_text(m, more[i].text, strlen(more[i].text));
    return 0;
}

/* One letter in front of a type. */
static uint32_t read_wrapped(struct sl_mangled *m, enum sl_mangled_kind kind)
{
    uint32_t type = sl_mangled_type(m);
    return type ? sl_mangled_make(m, kind, type, 0) : 0;
}

/* Words of a compiler's behind a type: U name [arguments] type, and C and G for numbers of two
 * parts. */
static uint32_t read_vendor(struct sl_mangled *m, const char *words, size_t length)
{
    uint32_t type = sl_mangled_type(m), node = 0;
    if (type)
        node = sl_mangled_make(m, SL_MANGLED_VENDOR, type, 0);
    m->node[node].text = words;
    m->node[node].number = (uint32_t)length;
    return node;
}

static uint32_t read_vendor_words(struct sl_mangled *m)
{
    uint32_t name = sl_mangled_unqualified(m, 0);
    if (!name || m->node[name].kind != SL_MANGLED_TEXT)
        return 0;
    if (*m->at == 'I' && (m->at++, !sl_mangled_arguments(m, 'E')))
        return 0;
    return read_vendor(m, m->node[name].text, m->node[name].number);
}

/* T_, and a template's arguments behind it if it stands for a template. */
static uint32_t read_parameter(struct sl_mangled *m)
{
    uint32_t node = sl_mangled_parameter(m);
    if (*m->at != 'I' || m->conversion || !node)
        return node;
    return sl_mangled_remember(m, node) ? sl_mangled_template(m, node) : 0;
}

static uint32_t type_at_depth(struct sl_mangled *m, bool *known)
{
    char letter = *m->at;
    bool conversion = m->conversion;
    if (letter != 'T')
        m->conversion = false;
    if (letter >= 'a' && letter <= 'z' && letters[letter - 'a']) {
        m->at++;
        *known = true;
        return sl_mangled_text(m, letters[letter - 'a'], strlen(letters[letter - 'a']));
    }
    switch (letter) {
    case 'r':
    case 'V':
    case 'K':
        m->conversion = conversion;
        return read_qualified(m);
    case 'F':
        return read_function(m, 0);
    case 'P':
    case 'R':
    case 'O':
        m->at++;
        m->conversion = conversion;
        return read_wrapped(m, letter == 'P'   ? SL_MANGLED_POINTER
                               : letter == 'R' ? SL_MANGLED_LVALUE
                                               : SL_MANGLED_RVALUE);
    case 'C':
        m->at++;
        return read_vendor(m, "_Complex", 8);
    case 'G':
        m->at++;
        return read_vendor(m, "_Imaginary", 10);
    case 'A':
        m->at++;
        return read_array(m, SL_MANGLED_ARRAY);
    case 'M':
        m->at++;
        return read_member(m);
    case 'u':
        m->at++;
        return sl_mangled_unqualified(m, 0);
    case 'D':
        if (at_function(m))
            return read_function(m, 0);
        m->at++;
        return read_d(m, known);
    case 'U':
        if (m->at[1] == 'l' || m->at[1] == 't')
            return sl_mangled_name(m);
        m->at++;
        return read_vendor_words(m);
    case 'T':
        if (m->at[1] == 's' || m->at[1] == 'u' || m->at[1] == 'e') { /* struct, union, enum */
            m->at += 2;
            return sl_mangled_name(m);
        }
        return read_parameter(m);
    default:
        return sl_mangled_name(m);
    }
}

/* S_ and the like stand for something that is remembered, unless arguments follow. */
static bool refers(const struct sl_mangled *m, const char *from)
{
    return *from == 'S' && from[1] != 't' && m->at[-1] != 'E';
}

uint32_t sl_mangled_type(struct sl_mangled *m)
{
    const char *from = m->at;
    bool known = false, conversion = m->conversion;
    if (m->depth >= SL_MANGLED_DEPTH)
        return 0;
    m->depth++;
    uint32_t node = type_at_depth(m, &known);
    m->depth--;
    m->conversion = conversion;
    if (!node || known || refers(m, from))
        return node;
    return sl_mangled_remember(m, node) ? node : 0;
}
