/* SPDX-License-Identifier: MIT */
/* Readable forms of parsed names.
 *
 * Types of C++ are written around what they declare: a pointer to a function is void (*)(int). So
 * each type has a left part and a right part,
 *
 *     POINTER( FUNCTION( void, int ))     left: void (*      right: )(int)
 *
 * and all else is left parts only. */
#include <stdlib.h>
#include <string.h>

#include "mangled_writer.h"

/* ---- types ---- */

static void put_left(struct sl_mangled_writer *w, uint32_t node);
static void put_right(struct sl_mangled_writer *w, uint32_t node);

static uint32_t element(struct sl_mangled_writer *w, uint32_t list, uint32_t number)
{
    for (; list && number && sl_mangled_may_go_on(w); number--)
        list = w->m->node[list].b;
    return w->m->node[list].a;
}

uint32_t sl_mangled_pack(struct sl_mangled_writer *w, uint32_t node)
{
    uint64_t numbers = w->scope && !w->lambdas ? w->m->node[node].parameters : 0;
    for (; numbers; numbers &= numbers - 1) {
        uint32_t argument = element(w, w->scope->arguments, (uint32_t)__builtin_ctzll(numbers));
        if (w->m->node[argument].kind == SL_MANGLED_PACK)
            return argument;
    }
    return 0;
}

/* What a parameter stands for at this place; itself, if nothing is known; 0: no element of its
 * pack. Moves to the scope in which that is to be read. */
static uint32_t meant(struct sl_mangled_writer *w, uint32_t node)
{
    const struct sl_mangled_node *all = w->m->node;
    while (all[node].kind == SL_MANGLED_PARAMETER && w->scope && !w->lambdas &&
           sl_mangled_may_go_on(w)) {
        uint32_t argument = element(w, w->scope->arguments, all[node].number);
        if (!argument)
            return node;
        if (all[argument].kind == SL_MANGLED_PACK) {
            argument = element(w, all[argument].a, w->element);
            if (!argument)
                return 0;
        }
        w->scope = w->scope->outer;
        node = argument;
    }
    return node;
}

/* What is in the way of a pointer's star: an array or a function, behind qualifiers or not. */
static uint8_t kind_of_target(struct sl_mangled_writer *w, uint32_t node)
{
    const struct sl_mangled_scope *scope = w->scope;
    for (node = meant(w, node);
         w->m->node[node].kind == SL_MANGLED_QUALIFIED && sl_mangled_may_go_on(w);)
        node = meant(w, w->m->node[node].a);
    w->scope = scope;
    return w->m->node[node].kind;
}

/* Whether something comes behind what is declared: a function or an array that it points to. */
static bool goes_around(struct sl_mangled_writer *w, uint32_t node)
{
    const struct sl_mangled_scope *scope = w->scope;
    bool going = true, around = false;
    while (going && sl_mangled_may_go_on(w)) {
        node = meant(w, node);
        const struct sl_mangled_node *n = &w->m->node[node];
        around = n->kind == SL_MANGLED_FUNCTION || n->kind == SL_MANGLED_ARRAY;
        going = n->kind == SL_MANGLED_POINTER || n->kind == SL_MANGLED_LVALUE ||
                n->kind == SL_MANGLED_RVALUE || n->kind == SL_MANGLED_QUALIFIED ||
                n->kind == SL_MANGLED_VENDOR || n->kind == SL_MANGLED_MEMBER;
        node = n->kind == SL_MANGLED_MEMBER ? n->b : n->a;
    }
    w->scope = scope;
    return around;
}

static void open_target(struct sl_mangled_writer *w, uint32_t target)
{
    uint8_t kind = kind_of_target(w, target);
    put_left(w, target);
    if (kind == SL_MANGLED_ARRAY)
        sl_mangled_put_word(w, " ");
    if (kind == SL_MANGLED_ARRAY || kind == SL_MANGLED_FUNCTION)
        sl_mangled_put_word(w, "(");
}

static void close_target(struct sl_mangled_writer *w, uint32_t target)
{
    uint8_t kind = kind_of_target(w, target);
    if (kind == SL_MANGLED_ARRAY || kind == SL_MANGLED_FUNCTION)
        sl_mangled_put_word(w, ")");
    put_right(w, target);
}

/* A reference to a reference is one; && to & is &. Moves to the scope of what it returns. */
static uint32_t collapsed(struct sl_mangled_writer *w, uint32_t target, bool *lvalue)
{
    for (target = meant(w, target); sl_mangled_may_go_on(w);
         target = meant(w, w->m->node[target].a)) {
        uint8_t kind = w->m->node[target].kind;
        if (kind != SL_MANGLED_LVALUE && kind != SL_MANGLED_RVALUE)
            break;
        *lvalue |= kind == SL_MANGLED_LVALUE;
    }
    return target;
}

/* const T where T is const already is const once. Moves to the scope of what it returns. */
static uint32_t all_qualifiers(struct sl_mangled_writer *w, const struct sl_mangled_node *n,
                               uint8_t *flags)
{
    *flags = n->flags;
    uint32_t inner = meant(w, n->a);
    while (w->m->node[inner].kind == SL_MANGLED_QUALIFIED && sl_mangled_may_go_on(w)) {
        *flags |= w->m->node[inner].flags;
        inner = meant(w, w->m->node[inner].a);
    }
    return inner;
}

static void put_flags(struct sl_mangled_writer *w, uint8_t flags)
{
    static const char *const word[] = {" const", " volatile", " __restrict", " &", " &&"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (flags & 1u << i)
            sl_mangled_put_word(w, word[i]);
}

static void put_promises(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    if (n->flags & SL_MANGLED_TRANSACTION)
        sl_mangled_put_word(w, " transaction_safe");
    if (n->flags & SL_MANGLED_NOEXCEPT)
        sl_mangled_put_word(w, " noexcept");
    if (!n->c)
        return;
    sl_mangled_put_word(w, n->flags & SL_MANGLED_NOEXCEPT ? "(" : " throw(");
    if (w->m->node[n->c].kind == SL_MANGLED_LIST)
        sl_mangled_put_list(w, n->c);
    else
        sl_mangled_put_node(w, n->c);
    sl_mangled_put_word(w, ")");
}

static void put_parameters(struct sl_mangled_writer *w, const struct sl_mangled_node *function)
{
    sl_mangled_put_word(w, "(");
    sl_mangled_put_list(w, function->b);
    sl_mangled_put_word(w, ")");
    put_flags(w, function->flags & (uint8_t) ~(SL_MANGLED_NOEXCEPT | SL_MANGLED_TRANSACTION));
    put_promises(w, function);
}

static bool put_type_left(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    uint8_t flags;
    bool lvalue = n->kind == SL_MANGLED_LVALUE;
    uint32_t target;
    switch (n->kind) {
    case SL_MANGLED_POINTER:
        open_target(w, n->a);
        sl_mangled_put_word(w, "*");
        return true;
    case SL_MANGLED_LVALUE:
    case SL_MANGLED_RVALUE:
        target = collapsed(w, n->a, &lvalue);
        open_target(w, target);
        sl_mangled_put_word(w, lvalue ? "&" : "&&");
        return true;
    case SL_MANGLED_MEMBER:
        open_target(w, n->b);
        if (sl_mangled_last(w) != '(')
            sl_mangled_put_word(w, " ");
        sl_mangled_put_node(w, n->a);
        sl_mangled_put_word(w, "::*");
        return true;
    case SL_MANGLED_QUALIFIED:
        target = all_qualifiers(w, n, &flags);
        put_left(w, target);
        put_flags(w, flags);
        return true;
    case SL_MANGLED_VENDOR:
        put_left(w, n->a);
        sl_mangled_put_word(w, " ");
        sl_mangled_put(w, n->text, n->number);
        return true;
    case SL_MANGLED_FUNCTION:
        put_left(w, n->a);
        if (n->a && !goes_around(w, n->a))
            sl_mangled_put_word(w, " ");
        return true;
    case SL_MANGLED_ARRAY:
        put_left(w, n->b);
        return true;
    case SL_MANGLED_VECTOR:
        sl_mangled_put_node(w, n->b);
        sl_mangled_put_word(w, " __vector(");
        sl_mangled_put_node(w, n->a);
        sl_mangled_put_word(w, ")");
        return true;
    default:
        return false;
    }
}

static void put_type_right(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    uint8_t flags;
    bool lvalue = false;
    switch (n->kind) {
    case SL_MANGLED_POINTER:
        close_target(w, n->a);
        break;
    case SL_MANGLED_LVALUE:
    case SL_MANGLED_RVALUE:
        close_target(w, collapsed(w, n->a, &lvalue));
        break;
    case SL_MANGLED_MEMBER:
        close_target(w, n->b);
        break;
    case SL_MANGLED_QUALIFIED:
        put_right(w, all_qualifiers(w, n, &flags));
        break;
    case SL_MANGLED_VENDOR:
        put_right(w, n->a);
        break;
    case SL_MANGLED_FUNCTION:
        put_parameters(w, n);
        put_right(w, n->a);
        break;
    case SL_MANGLED_ARRAY:
        sl_mangled_put_word(w, sl_mangled_last(w) == ']' ? "[" : " [");
        sl_mangled_put_node(w, n->a);
        sl_mangled_put_word(w, "]");
        put_right(w, n->b);
        break;
    default:
        break;
    }
}

/* ---- names ---- */

static void put_template(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    sl_mangled_put_node(w, n->a);
    sl_mangled_put_word(w, sl_mangled_last(w) == '<' ? " <" : "<");
    sl_mangled_put_list(w, n->b);
    sl_mangled_put_word(w, sl_mangled_last(w) == '>' ? " >" : ">");
}

static void put_numbered(struct sl_mangled_writer *w, const char *word, uint32_t number)
{
    sl_mangled_put_word(w, word);
    sl_mangled_put_number(w, number);
    sl_mangled_put_word(w, "}");
}

static void put_lambda(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    sl_mangled_put_word(w, "{lambda(");
    w->lambdas++;
    sl_mangled_put_list(w, n->a);
    w->lambdas--;
    put_numbered(w, ")#", n->number);
}

static void put_operator(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    const char *text = sl_mangled_operators[n->number].text;
    size_t length = strlen(text);
    sl_mangled_put_word(w, *text >= 'a' && *text <= 'z' ? "operator " : "operator");
    sl_mangled_put(w, text, length - (text[length - 1] == ' '));
}

static void put_encoding(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    const struct sl_mangled_node *function = &w->m->node[n->b];
    const struct sl_mangled_scope scope = {sl_mangled_own_arguments(w->m, n->a), w->scope};
    w->scope = &scope;
    if (function->a) {
        put_left(w, function->a);
        if (!goes_around(w, function->a))
            sl_mangled_put_word(w, " ");
    }
    w->scope = scope.outer;
    sl_mangled_put_node(w, n->a);
    w->scope = &scope;
    put_parameters(w, function);
    if (function->a)
        put_right(w, function->a);
    w->scope = scope.outer;
}

/* Each element of the pack in turn; a pack that is not known is a...  */
static void put_expansion(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    uint32_t pack = sl_mangled_pack(w, n->a), outer = w->element;
    if (!pack) {
        sl_mangled_put_node(w, n->a);
        sl_mangled_put_word(w, "...");
        return;
    }
    w->element = 0;
    for (uint32_t list = w->m->node[pack].a; list && !w->failed; list = w->m->node[list].b) {
        if (w->element)
            sl_mangled_put_word(w, ", ");
        sl_mangled_put_node(w, n->a);
        w->element++;
    }
    w->element = outer;
}

static void put_parameter(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    if (!w->lambdas) {
        w->failed = true; /* nothing is known of it */
        return;
    }
    sl_mangled_put_word(w, "auto:");
    sl_mangled_put_number(w, n->number + 1);
}

static void put_special(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    sl_mangled_put(w, n->text, n->number);
    sl_mangled_put_node(w, n->a);
    if (n->b) {
        sl_mangled_put_word(w, "-in-");
        sl_mangled_put_node(w, n->b);
    }
}

static void put_between(struct sl_mangled_writer *w, const char *before, uint32_t node,
                        const char *behind)
{
    sl_mangled_put_word(w, before);
    sl_mangled_put_node(w, node);
    sl_mangled_put_word(w, behind);
}

static void put_name(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    switch (n->kind) {
    case SL_MANGLED_TEXT:
        sl_mangled_put(w, n->text, n->number);
        break;
    case SL_MANGLED_STD:
        sl_mangled_put_word(w, n->flags & SL_MANGLED_FULL
                                   ? sl_mangled_abbreviations[n->number].fully
                                   : sl_mangled_abbreviations[n->number].shortly);
        break;
    case SL_MANGLED_NESTED:
    case SL_MANGLED_LOCAL:
        put_between(w, "", n->a, "::");
        sl_mangled_put_node(w, n->b);
        break;
    case SL_MANGLED_TEMPLATE:
        put_template(w, n);
        break;
    case SL_MANGLED_LIST:
        w->failed = true;
        break;
    case SL_MANGLED_PACK:
        sl_mangled_put_list(w, n->a);
        break;
    case SL_MANGLED_TAGGED:
        put_between(w, "", n->a, "[abi:");
        sl_mangled_put(w, n->text, n->number);
        sl_mangled_put_word(w, "]");
        break;
    case SL_MANGLED_CLONE:
        put_between(w, "", n->a, " [clone ");
        sl_mangled_put(w, n->text, n->number);
        sl_mangled_put_word(w, "]");
        break;
    case SL_MANGLED_CONSTRUCTOR:
        sl_mangled_put_node(w, n->a);
        break;
    case SL_MANGLED_DESTRUCTOR:
        put_between(w, "~", n->a, "");
        break;
    case SL_MANGLED_OPERATOR:
        put_operator(w, n);
        break;
    case SL_MANGLED_CONVERSION:
        put_between(w, "operator ", n->a, "");
        break;
    case SL_MANGLED_SUFFIX:
        put_between(w, "operator\"\" ", n->a, "");
        break;
    case SL_MANGLED_LAMBDA:
        put_lambda(w, n);
        break;
    case SL_MANGLED_UNNAMED:
        put_numbered(w, "{unnamed type#", n->number);
        break;
    case SL_MANGLED_DEFAULT:
        put_numbered(w, "{default arg#", n->number);
        put_between(w, "::", n->a, "");
        break;
    case SL_MANGLED_BINDING:
        sl_mangled_put_word(w, "[");
        sl_mangled_put_list(w, n->a);
        sl_mangled_put_word(w, "]");
        break;
    case SL_MANGLED_SPECIAL:
        put_special(w, n);
        break;
    case SL_MANGLED_REFERENCE_TEMPORARY:
        sl_mangled_put_word(w, "reference temporary #");
        sl_mangled_put_number(w, n->number);
        put_between(w, " for ", n->a, "");
        break;
    case SL_MANGLED_ENCODING:
        put_encoding(w, n);
        break;
    case SL_MANGLED_PARAMETER:
        put_parameter(w, n);
        break;
    case SL_MANGLED_DECLTYPE:
        put_between(w, "decltype (", n->a, ")");
        break;
    case SL_MANGLED_EXPANSION:
        put_expansion(w, n);
        break;
    default:
        w->failed = true;
    }
}

/* ---- all ---- */

static void put_left(struct sl_mangled_writer *w, uint32_t node)
{
    const struct sl_mangled_scope *scope = w->scope;
    node = meant(w, node);
    if (node && sl_mangled_may_go_on(w)) {
        const struct sl_mangled_node *n = &w->m->node[node];
        w->depth++;
        if (n->kind < SL_MANGLED_FIRST_TYPE ||
            (!put_type_left(w, n) && !sl_mangled_put_expression(w, n)))
            put_name(w, n);
        w->depth--;
    }
    w->scope = scope;
}

static void put_right(struct sl_mangled_writer *w, uint32_t node)
{
    const struct sl_mangled_scope *scope = w->scope;
    uint8_t kind = w->m->node[node].kind;
    if (kind < SL_MANGLED_FIRST_TYPE || kind > SL_MANGLED_PARAMETER)
        return;
    node = meant(w, node);
    if (node && sl_mangled_may_go_on(w)) {
        w->depth++;
        put_type_right(w, &w->m->node[node]);
        w->depth--;
    }
    w->scope = scope;
}

void sl_mangled_put_node(struct sl_mangled_writer *w, uint32_t node)
{
    put_left(w, node);
    put_right(w, node);
}

char *sl_mangled_write(const struct sl_mangled *m, uint32_t root)
{
    struct sl_mangled_writer w = {.m = m};
    sl_mangled_put_node(&w, root);
    sl_mangled_put(&w, "", 1);
    if (!w.failed)
        return w.text;
    free(w.text);
    return NULL;
}
