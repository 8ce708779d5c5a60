/* SPDX-License-Identifier: MIT */
/* Whole symbols: functions, and what compilers make beside them. */
#include <stdlib.h>
#include <string.h>

#include "mangled.h"

static uint32_t make_special(struct sl_mangled *m, const char *words, uint32_t a, uint32_t b)
{
    uint32_t node = a ? sl_mangled_make(m, SL_MANGLED_SPECIAL, a, b) : 0;
    m->node[node].text = words;
    m->node[node].number = (uint32_t)strlen(words);
    return node;
}

/* How far `this` is moved by a thunk: h number _ or v number _ number _ */
static bool skip_offset(struct sl_mangled *m)
{
    uint32_t number;
    int n = *m->at == 'v' ? 2 : *m->at == 'h' ? 1 : 0;
    bool good = n > 0;
    for (m->at += good; good && n; n--) {
        sl_mangled_take(m, "n");
        good = sl_mangled_decimal(m, &number) && sl_mangled_take(m, "_");
    }
    return good;
}

static uint32_t read_construction_table(struct sl_mangled *m)
{
    uint32_t whole = sl_mangled_type(m), number;
    if (!whole || !sl_mangled_decimal(m, &number) || !sl_mangled_take(m, "_"))
        return 0;
    uint32_t part = sl_mangled_type(m);
    return part ? make_special(m, "construction vtable for ", part, whole) : 0;
}

static uint32_t read_thunk(struct sl_mangled *m, const char *words, int n_offsets)
{
    for (; n_offsets; n_offsets--)
        if (!skip_offset(m))
            return 0;
    return make_special(m, words, sl_mangled_encoding(m), 0);
}

/* GR name number _ */
static uint32_t read_temporary(struct sl_mangled *m)
{
    uint32_t name = sl_mangled_name(m), order, node;
    if (!name || !sl_mangled_order_36(m, &order))
        return 0;
    node = sl_mangled_make(m, SL_MANGLED_REFERENCE_TEMPORARY, name, 0);
    m->node[node].number = order;
    return node;
}

/* 0 with `at` where it was: there is nothing special. */
static uint32_t read_special(struct sl_mangled *m)
{
    static const struct {
        char code[3], what; /* type, name or encoding */
        const char *words;
    } kinds[] = {
        {"TV", 't', "vtable for "},
        {"TT", 't', "VTT for "},
        {"TI", 't', "typeinfo for "},
        {"TS", 't', "typeinfo name for "},
        {"TF", 't', "typeinfo fn for "},
        {"TH", 'n', "TLS init function for "},
        {"TW", 'n', "TLS wrapper function for "},
        {"GV", 'n', "guard variable for "},
        {"GA", 'e', "hidden alias for "},
        {"GTn", 'e', "non-transaction clone for "},
        {"GTt", 'e', "transaction clone for "},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = kinds[i].code[2] && kinds[i].code[1] == 'T' && kinds[i].code[0] == 'G' ? 3
                                                                                               : 2;
        if (strncmp(m->at, kinds[i].code, length))
            continue;
        m->at += length;
        return make_special(m, kinds[i].words,
                            kinds[i].what == 't'   ? sl_mangled_type(m)
                            : kinds[i].what == 'n' ? sl_mangled_name(m)
                                                   : sl_mangled_encoding(m),
                            0);
    }
    if (sl_mangled_take(m, "TC"))
        return read_construction_table(m);
    if (sl_mangled_take(m, "Tc"))
        return read_thunk(m, "covariant return thunk to ", 2);
    if (*m->at == 'T' && (m->at[1] == 'h' || m->at[1] == 'v')) {
        bool is_virtual = *++m->at == 'v';
        return read_thunk(m, is_virtual ? "virtual thunk to " : "non-virtual thunk to ", 1);
    }
    return sl_mangled_take(m, "GR") ? read_temporary(m) : 0;
}

/* The name of a function without the function that it is in. */
static uint32_t innermost(const struct sl_mangled *m, uint32_t name)
{
    while (m->node[name].kind == SL_MANGLED_LOCAL || m->node[name].kind == SL_MANGLED_DEFAULT)
        name = m->node[name].kind == SL_MANGLED_LOCAL ? m->node[name].b : m->node[name].a;
    return name;
}

uint32_t sl_mangled_own_arguments(const struct sl_mangled *m, uint32_t name)
{
    name = innermost(m, name);
    return m->node[name].kind == SL_MANGLED_TEMPLATE ? m->node[name].b : 0;
}

/* Functions made of templates say what they return, but not those that can return one thing only.
 */
static bool says_what_it_returns(const struct sl_mangled *m, uint32_t name)
{
    if (m->node[name].kind != SL_MANGLED_TEMPLATE)
        return false;
    name = m->node[name].a;
    while (m->node[name].kind == SL_MANGLED_NESTED || m->node[name].kind == SL_MANGLED_TAGGED)
        name = m->node[name].kind == SL_MANGLED_NESTED ? m->node[name].b : m->node[name].a;
    uint8_t kind = m->node[name].kind;
    return kind != SL_MANGLED_CONSTRUCTOR && kind != SL_MANGLED_DESTRUCTOR &&
           kind != SL_MANGLED_CONVERSION;
}

static uint32_t read_function(struct sl_mangled *m, uint32_t name, uint8_t flags)
{
    uint32_t returned = 0, function;
    if (says_what_it_returns(m, innermost(m, name))) {
        returned = sl_mangled_type(m);
        if (!returned)
            return 0;
    }
    function = sl_mangled_types(m);
    if (!function)
        return 0;
    m->node[function].a = returned;
    m->node[function].flags = flags;
    uint32_t node = sl_mangled_make(m, SL_MANGLED_ENCODING, name, function);
    m->node[node].parameters = m->node[name].parameters;
    return node;
}

static bool ends(char c)
{
    return c == '\0' || c == 'E' || c == '.';
}

static uint32_t encoding_at_depth(struct sl_mangled *m)
{
    if (*m->at == 'T' || *m->at == 'G')
        return read_special(m);
    uint32_t name = sl_mangled_name(m);
    uint8_t flags = m->this_flags;
    return !name || ends(*m->at) ? name : read_function(m, name, flags);
}

uint32_t sl_mangled_encoding(struct sl_mangled *m)
{
    if (m->depth >= SL_MANGLED_DEPTH)
        return 0;
    m->depth++;
    uint32_t node = encoding_at_depth(m);
    m->depth--;
    return node;
}

static bool in_suffix(char c)
{
    return sl_mangled_is_digit(c) || (c >= 'a' && c <= 'z') || c == '_';
}

/* .cold, .part.0, .constprop.1 ...: one at a time, each with its number. */
static uint32_t read_clone(struct sl_mangled *m, uint32_t name)
{
    const char *from = m->at;
    if (!in_suffix(m->at[1]))
        return 0;
    for (m->at += 2; in_suffix(*m->at);)
        m->at++;
    while (m->at[0] == '.' && sl_mangled_is_digit(m->at[1]))
        for (m->at += 2; sl_mangled_is_digit(*m->at);)
            m->at++;
    uint32_t node = sl_mangled_make(m, SL_MANGLED_CLONE, name, 0);
    m->node[node].text = from;
    m->node[node].number = (uint32_t)(m->at - from);
    return node;
}

uint32_t sl_mangled_read(struct sl_mangled *m, const char *name)
{
    size_t length = strnlen(name, SL_MANGLED_MAX + 1);
    *m = (struct sl_mangled){.at = name};
    if (length > SL_MANGLED_MAX)
        return 0;
    m->room = 4 * (uint32_t)length + 16; /* no letter makes more than three nodes */
    m->node = malloc(m->room * sizeof *m->node);
    m->substitution = malloc(m->room * sizeof *m->substitution);
    if (!m->node || !m->substitution)
        return 0;
    m->node[0] = (struct sl_mangled_node){0};
    m->n = 1;
    uint32_t node = sl_mangled_encoding(m);
    while (node && *m->at == '.')
        node = read_clone(m, node);
    return *m->at ? 0 : node;
}
