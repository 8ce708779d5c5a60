/* Workload: a calculator. Like Dhrystone, it is a mixture of typical integer code: strings,
 * records, pointers, conditions and calls. A scanner and a recursive-descent parser turn a text of
 * assignments into trees, and an interpreter evaluates the trees with a table of variables. The
 * result is checked against the same formulas in C. */
#include "workload.h"

enum kind { NUMBER, NAME, SIGN, STOP };

struct token {
    enum kind kind;
    char text[12];
    int32_t value;
};

struct variable {
    struct variable *next;
    char name[12];
    int32_t value;
};

struct node {
    char operation; /* '#': a number; '$': a variable */
    int32_t number;
    struct variable *variable;
    struct node *left, *right;
};

struct scanner {
    const char *at;
    struct token token;
};

#define N_LISTS 8u
#define NODES_MAX 128u

static struct variable *list[N_LISTS], variables[16];
static struct node nodes[NODES_MAX];
static uint32_t n_variables, n_nodes;

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

PART void next_token(struct scanner *s)
{
    struct token *t = &s->token;
    uint32_t n = 0;
    while (*s->at == ' ')
        s->at++;
    t->kind = !*s->at ? STOP : is_letter(*s->at) ? NAME : is_digit(*s->at) ? NUMBER : SIGN;
    t->value = 0;
    switch (t->kind) {
    case NAME:
        while (is_letter(*s->at) && n + 1 < sizeof t->text)
            t->text[n++] = *s->at++;
        break;
    case NUMBER:
        while (is_digit(*s->at))
            t->value = 10 * t->value + (*s->at++ - '0');
        break;
    case SIGN: t->text[n++] = *s->at++; break;
    case STOP: break;
    }
    t->text[n] = '\0';
}

PART struct variable *find(const char *name)
{
    uint32_t sum = 0;
    for (const char *c = name; *c; c++)
        sum = 31 * sum + (unsigned char)*c;
    struct variable **at = &list[sum % N_LISTS];
    while (*at && strcmp((*at)->name, name))
        at = &(*at)->next;
    if (!*at) {
        if (n_variables == COUNT(variables))
            workload_wrong("mix", "too many variables", n_variables);
        *at = &variables[n_variables++];
        **at = (struct variable){0};
        strcpy((*at)->name, name);
    }
    return *at;
}

PART struct node *make_node(char operation, struct node *left, struct node *right)
{
    if (n_nodes == NODES_MAX)
        workload_wrong("mix", "too many nodes", n_nodes);
    struct node *node = &nodes[n_nodes++];
    *node = (struct node){.operation = operation, .left = left, .right = right};
    return node;
}

static bool take(struct scanner *s, char sign)
{
    if (s->token.kind != SIGN || s->token.text[0] != sign)
        return false;
    next_token(s);
    return true;
}

PART struct node *parse_sum(struct scanner *s);

PART struct node *parse_factor(struct scanner *s)
{
    struct node *node;
    if (take(s, '(')) {
        node = parse_sum(s);
        if (!take(s, ')'))
            workload_wrong("mix", "no bracket at token", (uint32_t)s->token.kind);
    } else {
        node = make_node(s->token.kind == NAME ? '$' : '#', NULL, NULL);
        node->number = s->token.value;
        node->variable = s->token.kind == NAME ? find(s->token.text) : NULL;
        next_token(s);
    }
    return node;
}

PART struct node *parse_product(struct scanner *s)
{
    struct node *node = parse_factor(s);
    for (;;) {
        if (take(s, '*'))
            node = make_node('*', node, parse_factor(s));
        else if (take(s, '/'))
            node = make_node('/', node, parse_factor(s));
        else
            return node;
    }
}

PART struct node *parse_sum(struct scanner *s)
{
    struct node *node = parse_product(s);
    for (;;) {
        if (take(s, '+'))
            node = make_node('+', node, parse_product(s));
        else if (take(s, '-'))
            node = make_node('-', node, parse_product(s));
        else
            return node;
    }
}

PART int32_t evaluate(const struct node *node)
{
    if (node->operation == '#')
        return node->number;
    if (node->operation == '$')
        return node->variable->value;
    int32_t left = evaluate(node->left), right = evaluate(node->right);
    switch (node->operation) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    default: return right ? left / right : 0;
    }
}

/* NAME = SUM ; and so on. */
PART void run(const char *text)
{
    struct scanner s = {.at = text};
    next_token(&s);
    while (s.token.kind == NAME) {
        struct variable *variable = find(s.token.text);
        next_token(&s);
        n_nodes = 0;
        if (!take(&s, '='))
            workload_wrong("mix", "no = in the text at", (uint32_t)(s.at - text));
        variable->value = evaluate(parse_sum(&s));
        if (!take(&s, ';'))
            workload_wrong("mix", "no ; in the text at", (uint32_t)(s.at - text));
    }
}

#define FORMULAS(sign)                                                                             \
    year = year + 1 sign leap = year / 4 - year / 100 + year / 400 sign                            \
    days = year * 365 + leap sign week = days - days / 7 * 7 sign                                  \
    golden = year - year / 19 * 19 + 1 sign century = year / 100 + 1 sign                          \
    gregorian = 3 * century / 4 - 12 sign                                                          \
    clavian = (8 * century + 5) / 25 - 5 - gregorian sign                                          \
    epact = 11 * golden + 20 + clavian - (11 * golden + 20 + clavian) / 30 * 30 sign               \
    moon = 44 - epact + (((days + epact) * 17 - year) / (golden + 1)) * (week - 3) sign
#define SEMICOLON ;
#define WRITTEN(...) #__VA_ARGS__
#define TEXT(...) WRITTEN(__VA_ARGS__)

PART int32_t in_c(uint32_t rounds)
{
    int32_t year = 1582, leap, days, week, golden, century, gregorian, clavian, epact, moon = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        FORMULAS(SEMICOLON)
    }
    return moon;
}

int main(int argc, char **argv)
{
    static const char text[] = TEXT(FORMULAS(;));
    uint32_t rounds = workload_rounds(argc, argv, 300), sum = 0;
    find("year")->value = 1582;
    for (uint32_t round = 0; round < rounds; round++) {
        run(text);
        sum = workload_mix(sum, (uint32_t)find("moon")->value);
        if (round == rounds / 2 && find("moon")->value != in_c(round + 1))
            workload_wrong("mix", "the moon of round", round);
    }
    if (find("moon")->value != in_c(rounds))
        workload_wrong("mix", "the last moon", rounds);
    return workload_done("mix", sum);
}
/* SPDX-License-Identifier: MIT */
