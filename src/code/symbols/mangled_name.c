/* SPDX-License-Identifier: MIT */
/* Mangled names: single ones, references, templates and scopes. */
#include <string.h>

#include "mangled.h"

/* ---- single names ---- */

/* Which of several of the same name it is; nobody is shown that. */
static bool skip_discriminator(struct sl_mangled *m)
{
    uint32_t number;
    if (m->at[0] == '_' && m->at[1] == '_' && sl_mangled_is_digit(m->at[2])) {
        m->at += 2;
        return sl_mangled_decimal(m, &number) && sl_mangled_take(m, "_");
    }
    if (m->at[0] == '_' && sl_mangled_is_digit(m->at[1]))
        m->at += 2;
    return true;
}

static uint32_t read_source(struct sl_mangled *m)
{
    static const char anonymous[] = "(anonymous namespace)";
    uint32_t length;
    if (!sl_mangled_decimal(m, &length) || !length || strnlen(m->at, length) < length)
        return 0;
    const char *text = m->at;
    m->at += length;
    if (length >= 10 && !strncmp(text, "_GLOBAL_", 8) && strchr("._$", text[8]) && text[9] == 'N')
        return sl_mangled_text(m, anonymous, sizeof anonymous - 1);
    return sl_mangled_text(m, text, length);
}

static uint32_t read_operator(struct sl_mangled *m)
{
    int number = sl_mangled_find_operator(m->at);
    uint32_t node;
    if (sl_mangled_take(m, "cv")) {
        bool outer = m->conversion;
        m->conversion = true;
        uint32_t type = sl_mangled_type(m);
        m->conversion = outer;
        return type ? sl_mangled_make(m, SL_MANGLED_CONVERSION, type, 0) : 0;
    }
    if (sl_mangled_take(m, "li")) {
        uint32_t name = read_source(m);
        return name ? sl_mangled_make(m, SL_MANGLED_SUFFIX, name, 0) : 0;
    }
    if (number < 0)
        return 0;
    m->at += 2;
    node = sl_mangled_make(m, SL_MANGLED_OPERATOR, 0, 0);
    m->node[node].number = (uint32_t)number;
    return node;
}

/* The last name of a scope, after which its constructors are called. */
static uint32_t own_name(struct sl_mangled *m, uint32_t scope)
{
    const struct sl_mangled_node *n = &m->node[scope];
    for (;; n = &m->node[scope]) {
        if (n->kind == SL_MANGLED_NESTED || n->kind == SL_MANGLED_LOCAL)
            scope = n->b;
        else if (n->kind == SL_MANGLED_TEMPLATE || n->kind == SL_MANGLED_TAGGED)
            scope = n->a;
        else
            break;
    }
    if (n->kind != SL_MANGLED_STD)
        return scope;
    const char *own = sl_mangled_abbreviations[n->number].own;
    return sl_mangled_text(m, own, strlen(own));
}

static uint32_t read_structor(struct sl_mangled *m, uint32_t scope)
{
    bool constructs = *m->at == 'C';
    uint32_t name = scope ? own_name(m, scope) : 0;
    m->at++;
    bool inherits = constructs && sl_mangled_take(m, "I");
    if (!name || *m->at < '0' || *m->at > '5')
        return 0;
    m->at++;
    if (inherits && !sl_mangled_type(m))
        return 0;
    return sl_mangled_make(m, constructs ? SL_MANGLED_CONSTRUCTOR : SL_MANGLED_DESTRUCTOR, name, 0);
}

/* Behind Ul: what the lambda takes, and which of its scope it is. */
static uint32_t read_lambda(struct sl_mangled *m)
{
    uint32_t function = sl_mangled_types(m), order, node;
    if (!function || !sl_mangled_take(m, "E") || !sl_mangled_order(m, &order))
        return 0;
    node = sl_mangled_make(m, SL_MANGLED_LAMBDA, m->node[function].b, 0);
    m->node[node].number = order + 1;
    m->node[node].parameters = 0;
    return node;
}

static uint32_t read_unnamed(struct sl_mangled *m)
{
    uint32_t order, node;
    if (!sl_mangled_order(m, &order))
        return 0;
    node = sl_mangled_make(m, SL_MANGLED_UNNAMED, 0, 0);
    m->node[node].number = order + 1;
    return node;
}

static uint32_t read_binding(struct sl_mangled *m)
{
    struct sl_mangled_series names = {0};
    while (!sl_mangled_take(m, "E"))
        if (!sl_mangled_append(m, &names, read_source(m)))
            return 0;
    return names.first ? sl_mangled_make(m, SL_MANGLED_BINDING, names.first, 0) : 0;
}

static uint32_t read_tags(struct sl_mangled *m, uint32_t node)
{
    while (node && sl_mangled_take(m, "B")) {
        uint32_t tag = read_source(m), name = node;
        if (!tag)
            return 0;
        node = sl_mangled_make(m, SL_MANGLED_TAGGED, name, 0);
        m->node[node].text = m->node[tag].text;
        m->node[node].number = m->node[tag].number;
    }
    return node;
}

uint32_t sl_mangled_unqualified(struct sl_mangled *m, uint32_t scope)
{
    uint32_t node;
    if (sl_mangled_is_digit(*m->at)) {
        node = read_source(m);
    } else if (*m->at == 'L') { /* known to its file only */
        m->at++;
        node = read_source(m);
        if (!skip_discriminator(m))
            return 0;
    } else if (sl_mangled_take(m, "Ul")) {
        node = read_lambda(m);
    } else if (sl_mangled_take(m, "Ut")) {
        node = read_unnamed(m);
    } else if (sl_mangled_take(m, "DC")) {
        node = read_binding(m);
    } else if (*m->at == 'C' || *m->at == 'D') {
        node = read_structor(m, scope);
    } else {
        node = read_operator(m);
    }
    return read_tags(m, node);
}

/* ---- references ---- */

static uint32_t read_abbreviation(struct sl_mangled *m, bool prefix)
{
    for (uint32_t i = 0; sl_mangled_abbreviations[i].letter; i++) {
        if (sl_mangled_abbreviations[i].letter != *m->at)
            continue;
        m->at++;
        uint32_t node = sl_mangled_make(m, SL_MANGLED_STD, 0, 0);
        m->node[node].number = i;
        if (prefix && (*m->at == 'C' || *m->at == 'D'))
            m->node[node].flags = SL_MANGLED_FULL;
        if (*m->at != 'B')
            return node;
        node = read_tags(m, node);
        return sl_mangled_remember(m, node) ? node : 0;
    }
    return 0;
}

/* At its S. In a prefix, std::string's constructor has the long name of its class. */
uint32_t sl_mangled_substitution(struct sl_mangled *m, bool prefix)
{
    uint32_t order;
    m->at++;
    if (*m->at >= 'a' && *m->at <= 'z')
        return read_abbreviation(m, prefix);
    return sl_mangled_order_36(m, &order) && order < m->n_substitutions ? m->substitution[order]
                                                                        : 0;
}

/* At its T. What it stands for depends on where it is written: S_ may refer to a T_ of another
 * function than its own. */
uint32_t sl_mangled_parameter(struct sl_mangled *m)
{
    uint32_t order, node;
    if (!sl_mangled_take(m, "T") || !sl_mangled_order(m, &order))
        return 0;
    node = sl_mangled_make(m, SL_MANGLED_PARAMETER, 0, 0);
    m->node[node].number = order;
    m->node[node].parameters = node && order < 64 ? UINT64_C(1) << order : 0;
    return node;
}

uint32_t sl_mangled_arguments(struct sl_mangled *m, char end)
{
    struct sl_mangled_series list = {0};
    while (*m->at != end) {
        uint32_t node;
        if (sl_mangled_take(m, "X")) {
            node = sl_mangled_expression(m);
            if (!sl_mangled_take(m, "E"))
                return 0;
        } else if (sl_mangled_take(m, "L")) {
            node = sl_mangled_literal(m);
        } else if (*m->at == 'J' || *m->at == 'I') {
            if (++m->depth > SL_MANGLED_DEPTH)
                return 0;
            m->at++;
            node = sl_mangled_arguments(m, 'E');
            m->depth--;
        } else {
            node = sl_mangled_type(m);
        }
        if (!sl_mangled_append(m, &list, node))
            return 0;
    }
    m->at++;
    return sl_mangled_make(m, SL_MANGLED_PACK, list.first, 0);
}

/* ---- scopes ---- */

uint32_t sl_mangled_template(struct sl_mangled *m, uint32_t name)
{
    m->at++;
    uint32_t pack = sl_mangled_arguments(m, 'E');
    return pack ? sl_mangled_make(m, SL_MANGLED_TEMPLATE, name, m->node[pack].a) : 0;
}

/* One step of a nested name: the scope so far, with what comes next. */
static uint32_t read_step(struct sl_mangled *m, uint32_t scope, bool *known)
{
    uint32_t node;
    *known = false;
    if (*m->at == 'I')
        return scope ? sl_mangled_template(m, scope) : 0;
    if (*m->at == 'S') {
        /* What is referred to is remembered already; so is std, which needs no place. */
        *known = !(m->at[1] == 't' && scope);
        return scope ? 0 : sl_mangled_substitution(m, true);
    }
    if (*m->at == 'T')
        return scope ? 0 : sl_mangled_parameter(m);
    if (*m->at == 'D' && (m->at[1] == 't' || m->at[1] == 'T'))
        return scope ? 0 : (*known = true, sl_mangled_type(m));
    node = sl_mangled_unqualified(m, scope);
    return node && scope ? sl_mangled_make(m, SL_MANGLED_NESTED, scope, node) : node;
}

/* N [qualifiers] scope::...::name E */
static uint32_t read_nested(struct sl_mangled *m)
{
    uint32_t scope = 0;
    m->at++;
    uint8_t flags = sl_mangled_qualifiers(m);
    if (*m->at == 'R' || *m->at == 'O')
        flags |= *m->at++ == 'R' ? SL_MANGLED_LVALUE_THIS : SL_MANGLED_RVALUE_THIS;
    while (!sl_mangled_take(m, "E")) {
        bool known;
        if (scope && sl_mangled_take(m, "M")) /* a member whose initial value a lambda is in */
            continue;
        scope = read_step(m, scope, &known);
        if (!scope || (!known && *m->at != 'E' && !sl_mangled_remember(m, scope)))
            return 0;
    }
    m->this_flags = flags;
    return scope;
}

/* Z function E name */
static uint32_t read_local(struct sl_mangled *m)
{
    m->at++;
    uint32_t function = sl_mangled_encoding(m), name, order;
    if (!function || !sl_mangled_take(m, "E"))
        return 0;
    if (m->node[function].kind ==
        SL_MANGLED_ENCODING) /* which of several is said by what it takes */
        m->node[m->node[function].b].a = 0;
    m->this_flags = 0;
    if (sl_mangled_take(m, "s")) {
        static const char word[] = "string literal";
        name = sl_mangled_text(m, word, sizeof word - 1);
    } else if (sl_mangled_take(m, "d")) {
        if (!sl_mangled_order(m, &order))
            return 0;
        uint32_t inside = sl_mangled_name(m);
        name = inside ? sl_mangled_make(m, SL_MANGLED_DEFAULT, inside, 0) : 0;
        m->node[name].number = order + 1;
    } else {
        name = sl_mangled_name(m);
    }
    if (!name || !skip_discriminator(m))
        return 0;
    return sl_mangled_make(m, SL_MANGLED_LOCAL, function, name);
}

static uint32_t name_at_depth(struct sl_mangled *m)
{
    uint32_t name;
    m->this_flags = 0;
    if (*m->at == 'N')
        return read_nested(m);
    if (*m->at == 'Z')
        return read_local(m);
    if (*m->at == 'S' && m->at[1] == 't') {
        uint32_t std = sl_mangled_substitution(m, false);
        name = std ? sl_mangled_unqualified(m, 0) : 0;
        name = name ? sl_mangled_make(m, SL_MANGLED_NESTED, std, name) : 0;
    } else if (*m->at == 'S') {
        name = sl_mangled_substitution(m, false);
        return name && *m->at == 'I' ? sl_mangled_template(m, name) : name;
    } else {
        name = sl_mangled_unqualified(m, 0);
    }
    if (!name || *m->at != 'I')
        return name;
    return sl_mangled_remember(m, name) ? sl_mangled_template(m, name) : 0;
}

uint32_t sl_mangled_name(struct sl_mangled *m)
{
    if (m->depth >= SL_MANGLED_DEPTH)
        return 0;
    m->depth++;
    uint32_t name = name_at_depth(m);
    m->depth--;
    return name;
}
