/* SPDX-License-Identifier: MIT */
/* Readable forms of expressions. Operands that are more than a name are in parentheses; so is all
 * that has a > in it, which would seem to end the template's arguments. */
#include <string.h>

#include "mangled_writer.h"

static void put_operand(struct sl_mangled_writer *w, uint32_t node)
{
    uint8_t kind = w->m->node[node].kind;
    bool plain = kind == SL_MANGLED_TEXT || kind == SL_MANGLED_NESTED ||
                 kind == SL_MANGLED_BRACES || kind == SL_MANGLED_ARGUMENT;
    if (!plain)
        sl_mangled_put_word(w, "(");
    sl_mangled_put_node(w, node);
    if (!plain)
        sl_mangled_put_word(w, ")");
}

static void put_in(struct sl_mangled_writer *w, const char *open, uint32_t list, const char *close)
{
    sl_mangled_put_word(w, open);
    sl_mangled_put_list(w, list);
    sl_mangled_put_word(w, close);
}

/* The number as it is written in a program, with the letters of its type, or behind its type. */
static void put_literal(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    static const char *const known[][2] = {{"int", ""},         {"unsigned int", "u"},
                                           {"long", "l"},       {"unsigned long", "ul"},
                                           {"long long", "ll"}, {"unsigned long long", "ull"}};
    const struct sl_mangled_node *type = &w->m->node[n->a];
    bool real = false;
    if (type->kind == SL_MANGLED_TEXT) {
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strlen(known[i][0]) != type->number ||
                strncmp(type->text, known[i][0], type->number))
                continue;
            sl_mangled_put_word(w, n->flags ? "-" : "");
            sl_mangled_put(w, n->text, n->number);
            sl_mangled_put_word(w, known[i][1]);
            return;
        }
        if (type->number == 4 && !strncmp(type->text, "bool", 4) && n->number == 1 && !n->flags &&
            (*n->text == '0' || *n->text == '1')) {
            sl_mangled_put_word(w, *n->text == '0' ? "false" : "true");
            return;
        }
        real = !strncmp(type->text, "float", 5) || !strncmp(type->text, "double", 6) ||
               !strncmp(type->text, "long double", 11) || !strncmp(type->text, "__float128", 10);
    }
    sl_mangled_put_word(w, "(");
    sl_mangled_put_node(w, n->a);
    sl_mangled_put_word(w, n->flags ? ")-" : ")");
    sl_mangled_put_word(w, real ? "[" : "");
    sl_mangled_put(w, n->text, n->number);
    sl_mangled_put_word(w, real ? "]" : "");
}

static void put_unary(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    const struct sl_mangled_operator *op = &sl_mangled_operators[n->number];
    const struct sl_mangled_node *all = w->m->node;
    uint32_t operand = n->a;
    if (!strcmp(op->code, "ad") && all[operand].kind == SL_MANGLED_ENCODING &&
        all[all[operand].a].kind == SL_MANGLED_NESTED)
        operand = all[operand].a; /* the address of a method goes without what it takes */
    sl_mangled_put_word(w, op->text);
    if (op->operands) {
        put_operand(w, operand);
    } else { /* of a type */
        sl_mangled_put_word(w, "(");
        sl_mangled_put_node(w, operand);
        sl_mangled_put_word(w, ")");
    }
}

static void put_binary(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    const struct sl_mangled_operator *op = &sl_mangled_operators[n->number];
    bool greater = !strcmp(op->code, "gt");
    sl_mangled_put_word(w, greater ? "(" : "");
    put_operand(w, n->a);
    if (!strcmp(op->code, "ix")) {
        sl_mangled_put_word(w, "[");
        sl_mangled_put_node(w, n->b);
        sl_mangled_put_word(w, "]");
    } else {
        sl_mangled_put_word(w, op->text);
        put_operand(w, n->b);
    }
    sl_mangled_put_word(w, greater ? ")" : "");
}

static void put_call(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    const struct sl_mangled_node *function = &w->m->node[n->a];
    if (function->kind == SL_MANGLED_CAST) {
        sl_mangled_put_node(w, n->a);
    } else {
        put_operand(w, function->kind == SL_MANGLED_ENCODING ? function->a : n->a);
    }
    put_in(w, "(", n->b, ")");
}

static void put_fold(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    const char *text = sl_mangled_operators[n->number].text;
    bool left = n->flags == 'l';
    sl_mangled_put_word(w, "(");
    if (left)
        sl_mangled_put_word(w, "...");
    else
        put_operand(w, n->a);
    sl_mangled_put_word(w, text);
    if (left) {
        put_operand(w, n->a);
    } else {
        sl_mangled_put_word(w, "...");
        if (n->b) {
            sl_mangled_put_word(w, text);
            put_operand(w, n->b);
        }
    }
    sl_mangled_put_word(w, ")");
}

static void put_new(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    sl_mangled_put_word(w, n->number ? "new[] " : "new ");
    if (n->a)
        put_in(w, "(", n->a, ") ");
    sl_mangled_put_node(w, n->b);
    if (n->flags)
        put_in(w, "(", n->c, ")");
}

/* Elements of the packs in it. */
static void put_count(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    uint32_t pack = sl_mangled_pack(w, n->a), number = 0;
    if (!pack && w->m->node[n->a].kind == SL_MANGLED_PACK)
        pack = n->a;
    if (!pack) {
        sl_mangled_put_word(w, "sizeof...");
        put_operand(w, n->a);
        return;
    }
    for (uint32_t list = w->m->node[pack].a; list; list = w->m->node[list].b)
        number++;
    sl_mangled_put_number(w, number);
}

static void put_ternary(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    put_operand(w, n->a);
    sl_mangled_put_word(w, "?");
    put_operand(w, n->b);
    sl_mangled_put_word(w, " : ");
    put_operand(w, n->c);
}

static void put_argument(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    if (!n->number) {
        sl_mangled_put_word(w, "this");
        return;
    }
    sl_mangled_put_word(w, "{parm#");
    sl_mangled_put_number(w, n->number);
    sl_mangled_put_word(w, "}");
}

bool sl_mangled_put_expression(struct sl_mangled_writer *w, const struct sl_mangled_node *n)
{
    switch (n->kind) {
    case SL_MANGLED_LITERAL:
        put_literal(w, n);
        return true;
    case SL_MANGLED_ARGUMENT:
        put_argument(w, n);
        return true;
    case SL_MANGLED_UNARY:
        put_unary(w, n);
        return true;
    case SL_MANGLED_POSTFIX:
        put_operand(w, n->a);
        sl_mangled_put_word(w, sl_mangled_operators[n->number].text);
        return true;
    case SL_MANGLED_BINARY:
        put_binary(w, n);
        return true;
    case SL_MANGLED_TERNARY:
        put_ternary(w, n);
        return true;
    case SL_MANGLED_CALL:
        put_call(w, n);
        return true;
    case SL_MANGLED_CAST:
        sl_mangled_put_word(w, "(");
        sl_mangled_put_node(w, n->a);
        sl_mangled_put_word(w, ")");
        if (n->b)
            put_operand(w, n->b);
        return true;
    case SL_MANGLED_NAMED_CAST:
        sl_mangled_put(w, n->text, n->number);
        sl_mangled_put_word(w, "<");
        sl_mangled_put_node(w, n->a);
        sl_mangled_put_word(w, ">(");
        sl_mangled_put_node(w, n->b);
        sl_mangled_put_word(w, ")");
        return true;
    case SL_MANGLED_BRACES:
        sl_mangled_put_node(w, n->a);
        put_in(w, "{", n->b, "}");
        return true;
    case SL_MANGLED_NEW:
        put_new(w, n);
        return true;
    case SL_MANGLED_FOLD:
        put_fold(w, n);
        return true;
    case SL_MANGLED_GLOBAL:
        sl_mangled_put_word(w, "::");
        sl_mangled_put_node(w, n->a);
        return true;
    case SL_MANGLED_COUNT:
        put_count(w, n);
        return true;
    default:
        return false;
    }
}
