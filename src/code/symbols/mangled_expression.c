/* SPDX-License-Identifier: MIT */
/* Expressions in mangled names: arguments of templates, decltype, noexcept, lengths of arrays. */
#include <string.h>

#include "mangled.h"

/* Expressions until E: a list, which may be empty. */
static bool read_list(struct sl_mangled *m, uint32_t *first, char end)
{
    struct sl_mangled_series list = {0};
    while (*m->at != end)
        if (!sl_mangled_append(m, &list, sl_mangled_expression(m)))
            return false;
    m->at++;
    *first = list.first;
    return true;
}

/* L type value E, or L_Z name E. A negative value has an n. */
uint32_t sl_mangled_literal(struct sl_mangled *m)
{
    uint32_t type, node;
    if (sl_mangled_take(m, "_Z") || sl_mangled_take(m, "Z")) {
        node = sl_mangled_encoding(m);
        return sl_mangled_take(m, "E") ? node : 0;
    }
    bool null = !strncmp(m->at, "Dn", 2);
    type = sl_mangled_type(m);
    if (!type)
        return 0;
    if (null && (sl_mangled_take(m, "E") || sl_mangled_take(m, "0E")))
        return type;
    bool negative = sl_mangled_take(m, "n");
    const char *from = m->at;
    while (*m->at && *m->at != 'E')
        m->at++;
    node = sl_mangled_make(m, SL_MANGLED_LITERAL, type, 0);
    m->node[node].text = from;
    m->node[node].number = (uint32_t)(m->at - from);
    m->node[node].flags = negative;
    return sl_mangled_take(m, "E") && m->at - 1 > from ? node : 0;
}

/* fp_ fp0_ ... fpT, fL0p_ ... */
static uint32_t read_argument(struct sl_mangled *m)
{
    uint32_t order, level, node;
    if (sl_mangled_take(m, "pT")) {
        order = 0;
    } else {
        if (sl_mangled_take(m, "L") && !sl_mangled_decimal(m, &level))
            return 0;
        if (!sl_mangled_take(m, "p"))
            return 0;
        sl_mangled_qualifiers(m);
        if (!sl_mangled_order(m, &order))
            return 0;
        order++;
    }
    node = sl_mangled_make(m, SL_MANGLED_ARGUMENT, 0, 0);
    m->node[node].number = order;
    return node;
}

static uint32_t with_arguments(struct sl_mangled *m, uint32_t name)
{
    return name && *m->at == 'I' ? sl_mangled_template(m, name) : name;
}

/* on operator, dn destructor, or a plain name; each may have arguments. */
static uint32_t read_member_name(struct sl_mangled *m)
{
    uint32_t name;
    if (sl_mangled_take(m, "dn")) {
        name = *m->at >= '0' && *m->at <= '9' ? sl_mangled_unqualified(m, 0) : sl_mangled_type(m);
        return name ? sl_mangled_make(m, SL_MANGLED_DESTRUCTOR, name, 0) : 0;
    }
    sl_mangled_take(m, "on");
    return with_arguments(m, sl_mangled_unqualified(m, 0));
}

/* sr type name, sr names E name, srN type names E name: a member of what is not known before the
 * template has its arguments. */
static uint32_t read_unresolved(struct sl_mangled *m)
{
    bool plain = *m->at >= '0' && *m->at <= '9', several = plain || sl_mangled_take(m, "N");
    uint32_t scope = plain ? with_arguments(m, sl_mangled_unqualified(m, 0)) : sl_mangled_type(m);
    while (several && scope && !sl_mangled_take(m, "E")) {
        uint32_t name = with_arguments(m, sl_mangled_unqualified(m, 0));
        scope = name ? sl_mangled_make(m, SL_MANGLED_NESTED, scope, name) : 0;
    }
    uint32_t name = scope ? read_member_name(m) : 0;
    return name ? sl_mangled_make(m, SL_MANGLED_NESTED, scope, name) : 0;
}

/* cv type expression, or cv type _ expressions E */
static uint32_t read_cast(struct sl_mangled *m)
{
    bool outer = m->conversion;
    m->conversion = false;
    uint32_t type = sl_mangled_type(m), value;
    m->conversion = outer;
    if (!type)
        return 0;
    if (sl_mangled_take(m, "_")) {
        if (!read_list(m, &value, 'E'))
            return 0;
        return sl_mangled_make(m, SL_MANGLED_CALL, sl_mangled_make(m, SL_MANGLED_CAST, type, 0),
                               value);
    }
    value = sl_mangled_expression(m);
    return value ? sl_mangled_make(m, SL_MANGLED_CAST, type, value) : 0;
}

static uint32_t read_named_cast(struct sl_mangled *m, const char *words)
{
    uint32_t type = sl_mangled_type(m), value = type ? sl_mangled_expression(m) : 0, node = 0;
    if (value)
        node = sl_mangled_make(m, SL_MANGLED_NAMED_CAST, type, value);
    m->node[node].text = words;
    m->node[node].number = (uint32_t)strlen(words);
    return node;
}

/* [gs] nw placement _ type (E or pi arguments E) */
static uint32_t read_new(struct sl_mangled *m, bool array)
{
    uint32_t placement, type, values = 0, node;
    bool has_values = false;
    if (!read_list(m, &placement, '_'))
        return 0;
    type = sl_mangled_type(m);
    if (!type)
        return 0;
    if (sl_mangled_take(m, "pi")) {
        has_values = true;
        if (!read_list(m, &values, 'E'))
            return 0;
    } else if (!sl_mangled_take(m, "E")) {
        return 0;
    }
    node = sl_mangled_make(m, SL_MANGLED_NEW, placement, type);
    m->node[node].c = values;
    m->node[node].flags = has_values;
    m->node[node].number = array;
    return node;
}

/* fl fr fL fR operator pack [initial value] */
static uint32_t read_fold(struct sl_mangled *m)
{
    char kind = *m->at++;
    int number = sl_mangled_find_operator(m->at);
    if (number < 0)
        return 0;
    m->at += 2;
    uint32_t a = sl_mangled_expression(m), b = 0, node;
    if (!a || ((kind == 'L' || kind == 'R') && !(b = sl_mangled_expression(m))))
        return 0;
    node = sl_mangled_make(m, SL_MANGLED_FOLD, a, b);
    m->node[node].flags = (uint8_t)kind;
    m->node[node].number = (uint32_t)number;
    m->node[node].parameters = 0;
    return node;
}

static uint32_t read_braces(struct sl_mangled *m, bool typed)
{
    uint32_t type = typed ? sl_mangled_type(m) : 0, list;
    if ((typed && !type) || !read_list(m, &list, 'E'))
        return 0;
    return sl_mangled_make(m, SL_MANGLED_BRACES, type, list);
}

static uint32_t make_unary(struct sl_mangled *m, int number, uint32_t a)
{
    uint32_t node = a ? sl_mangled_make(m, SL_MANGLED_UNARY, a, 0) : 0;
    m->node[node].number = (uint32_t)number;
    return node;
}

static uint32_t read_expansion(struct sl_mangled *m)
{
    uint32_t a = sl_mangled_expression(m),
             node = a ? sl_mangled_make(m, SL_MANGLED_EXPANSION, a, 0) : 0;
    m->node[node].parameters = 0;
    return node;
}

static uint32_t read_call(struct sl_mangled *m)
{
    uint32_t function = sl_mangled_expression(m), list;
    if (!function || !read_list(m, &list, 'E'))
        return 0;
    return sl_mangled_make(m, SL_MANGLED_CALL, function, list);
}

/* sZ parameter, sP arguments E: how many they are. */
static uint32_t read_count(struct sl_mangled *m, bool several)
{
    uint32_t a = several ? sl_mangled_arguments(m, 'E') : sl_mangled_expression(m);
    return a ? sl_mangled_make(m, SL_MANGLED_COUNT, a, 0) : 0;
}

/* An operator with as many operands as it takes. */
static uint32_t read_operation(struct sl_mangled *m)
{
    int number = sl_mangled_find_operator(m->at);
    if (number < 0 || !sl_mangled_operators[number].operands)
        return 0;
    uint8_t operands = sl_mangled_operators[number].operands;
    const char *code = sl_mangled_operators[number].code;
    m->at += 2;
    bool steps = operands == 1 && (!strcmp(code, "pp") || !strcmp(code, "mm"));
    bool prefix = !steps || sl_mangled_take(m, "_"); /* pp_ is ++x, pp is x++ */
    uint32_t a = sl_mangled_expression(m), b = 0, c = 0, node;
    if (!a)
        return 0;
    if (operands > 1) {
        bool member = !strcmp(code, "dt") || !strcmp(code, "pt");
        b = member ? (m->at[0] == 's' && m->at[1] == 'r') ? sl_mangled_expression(m)
                                                          : read_member_name(m)
                   : sl_mangled_expression(m);
        if (!b || (operands > 2 && !(c = sl_mangled_expression(m))))
            return 0;
    }
    node = sl_mangled_make(m,
                           operands == 3   ? SL_MANGLED_TERNARY
                           : operands == 2 ? SL_MANGLED_BINARY
                           : prefix        ? SL_MANGLED_UNARY
                                           : SL_MANGLED_POSTFIX,
                           a, b);
    m->node[node].number = (uint32_t)number;
    m->node[node].c = c;
    m->node[node].parameters |= m->node[c].parameters;
    return node;
}

static uint32_t read_special_form(struct sl_mangled *m, bool *found)
{
    static const char *const casts[][2] = {{"dc", "dynamic_cast"},
                                           {"sc", "static_cast"},
                                           {"cc", "const_cast"},
                                           {"rc", "reinterpret_cast"}};
    *found = true;
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (sl_mangled_take(m, casts[i][0]))
            return read_named_cast(m, casts[i][1]);
    if (sl_mangled_take(m, "cl") || sl_mangled_take(m, "cp"))
        return read_call(m);
    if (sl_mangled_take(m, "cv"))
        return read_cast(m);
    if (sl_mangled_take(m, "sr"))
        return read_unresolved(m);
    if (sl_mangled_take(m, "sp"))
        return read_expansion(m);
    if (sl_mangled_take(m, "sZ") || sl_mangled_take(m, "sP"))
        return read_count(m, m->at[-1] == 'P');
    if (!strncmp(m->at, "st", 2) || !strncmp(m->at, "at", 2) || !strncmp(m->at, "ti", 2)) {
        int number = sl_mangled_find_operator(m->at); /* these take a type */
        m->at += 2;
        return make_unary(m, number, sl_mangled_type(m));
    }
    if (sl_mangled_take(m, "tl") || sl_mangled_take(m, "il"))
        return read_braces(m, m->at[-2] == 't');
    if (sl_mangled_take(m, "nw") || sl_mangled_take(m, "na"))
        return read_new(m, m->at[-1] == 'a');
    if (sl_mangled_take(m, "tr"))
        return sl_mangled_text(m, "throw", 5);
    if (*m->at == 'f' && m->at[1] && strchr("lrLR", m->at[1]) &&
        !(m->at[1] == 'L' && m->at[2] >= '0' && m->at[2] <= '9'))
        return m->at++, read_fold(m);
    if (*m->at == 'f')
        return m->at++, read_argument(m);
    *found = false;
    return 0;
}

static uint32_t expression_at_depth(struct sl_mangled *m)
{
    bool found;
    if (sl_mangled_take(m, "L"))
        return sl_mangled_literal(m);
    if (*m->at == 'T')
        return sl_mangled_parameter(m);
    if ((*m->at >= '0' && *m->at <= '9') || !strncmp(m->at, "on", 2) || !strncmp(m->at, "dn", 2))
        return read_member_name(m);
    if (sl_mangled_take(m, "gs")) {
        uint32_t a = sl_mangled_expression(m);
        return a ? sl_mangled_make(m, SL_MANGLED_GLOBAL, a, 0) : 0;
    }
    uint32_t node = read_special_form(m, &found);
    return found ? node : read_operation(m);
}

uint32_t sl_mangled_expression(struct sl_mangled *m)
{
    if (m->depth >= SL_MANGLED_DEPTH)
        return 0;
    m->depth++;
    uint32_t node = expression_at_depth(m);
    m->depth--;
    return node;
}
