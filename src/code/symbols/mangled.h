/* SPDX-License-Identifier: MIT */
/* Names as C++ compilers mangle them (Itanium C++ ABI, section 5.1), parsed and written within
 * bounds.
 *
 *     _ZN1A1fIiEEvT_   ->   encoding( template( nested( A, f ), int ), function( void, T_ ))
 *                      ->   void A::f<int>(int)
 *
 * A name may refer to parts of itself, so what the parser makes is a graph without copies: S_ and
 * T_ are edges to nodes that are there already. Three hundred bytes can then stand for gigabytes,
 * or, where a template's argument is made to contain itself, for a text without end. So:
 *
 *     parsing    looks ahead but never goes back: its work is linear in the name; so are its nodes
 *     writing    stops at SL_READABLE_MAX bytes, SL_MANGLED_STEPS nodes, SL_MANGLED_DEPTH levels
 *
 * and a name beyond any of them stays as it is. Readable forms are those of GNU's tools. Not read:
 * modules, constraints and other parts of the grammar that came with C++20; and what compilers of
 * other languages write behind _Z. */
#ifndef SL_MANGLED_H
#define SL_MANGLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SL_MANGLED_MAX (1u << 14)  /* bytes of a name that is read at all */
#define SL_READABLE_MAX (1u << 17) /* bytes of its readable form */
#define SL_MANGLED_STEPS (1u << 16)
#define SL_MANGLED_DEPTH 200 /* 160 KB of stack must do */

enum sl_mangled_kind {
    SL_MANGLED_TEXT,     /* an identifier, a type of the language's: text */
    SL_MANGLED_STD,      /* Ss and the like: number of sl_mangled_abbreviation */
    SL_MANGLED_NESTED,   /* a::b */
    SL_MANGLED_LOCAL,    /* a::b, where a is a function */
    SL_MANGLED_TEMPLATE, /* a<list b> */
    SL_MANGLED_LIST,     /* a, and then list b */
    SL_MANGLED_PACK,     /* arguments of which one parameter takes all: list a */
    SL_MANGLED_TAGGED,   /* a[abi:text] */
    SL_MANGLED_CLONE,    /* a [clone text] */
    SL_MANGLED_CONSTRUCTOR,
    SL_MANGLED_DESTRUCTOR,
    SL_MANGLED_OPERATOR,   /* number of sl_mangled_operators */
    SL_MANGLED_CONVERSION, /* operator a */
    SL_MANGLED_SUFFIX,     /* operator"" a */
    SL_MANGLED_LAMBDA,     /* {lambda(list a)#number} */
    SL_MANGLED_UNNAMED,
    SL_MANGLED_DEFAULT, /* {default arg#number}::a */
    SL_MANGLED_BINDING, /* [list a] */
    SL_MANGLED_SPECIAL, /* text a, and -in- b if there is one */
    SL_MANGLED_REFERENCE_TEMPORARY,
    SL_MANGLED_ENCODING,   /* name a, function b */
    SL_MANGLED_FIRST_TYPE, /* up to PARAMETER they may have parts on both sides of a name */
    SL_MANGLED_FUNCTION =
        SL_MANGLED_FIRST_TYPE, /* returns a (0: does not say), takes list b, throws c */
    SL_MANGLED_QUALIFIED,      /* flags */
    SL_MANGLED_VENDOR,         /* a text */
    SL_MANGLED_POINTER,
    SL_MANGLED_LVALUE,
    SL_MANGLED_RVALUE,
    SL_MANGLED_MEMBER,    /* pointer to b of class a */
    SL_MANGLED_ARRAY,     /* of b, a (0: unknown) long */
    SL_MANGLED_VECTOR,    /* as an array */
    SL_MANGLED_PARAMETER, /* of a template's, by number */
    SL_MANGLED_DECLTYPE,
    SL_MANGLED_EXPANSION, /* a... */
    SL_MANGLED_LITERAL,   /* of type a: text, negative if flags */
    SL_MANGLED_ARGUMENT,  /* {parm#number}; 0: this */
    SL_MANGLED_UNARY,     /* operator by number: a */
    SL_MANGLED_POSTFIX,
    SL_MANGLED_BINARY,
    SL_MANGLED_TERNARY,
    SL_MANGLED_CALL, /* a(list b) */
    SL_MANGLED_CAST, /* (a)b */
    SL_MANGLED_NAMED_CAST,
    SL_MANGLED_BRACES, /* a{list b} */
    SL_MANGLED_NEW,    /* placement list a, type b, arguments c; flags: there are arguments */
    SL_MANGLED_FOLD,   /* flags: its letter */
    SL_MANGLED_GLOBAL, /* ::a */
    SL_MANGLED_COUNT,  /* how many are in a */
};

enum {
    SL_MANGLED_CONST = 1,
    SL_MANGLED_VOLATILE = 2,
    SL_MANGLED_RESTRICT = 4,
    SL_MANGLED_LVALUE_THIS = 8,
    SL_MANGLED_RVALUE_THIS = 16,
    SL_MANGLED_NOEXCEPT = 32,
    SL_MANGLED_TRANSACTION = 64,
    SL_MANGLED_FULL = 128, /* std::basic_string<...>, not std::string */
};

struct sl_mangled_node {
    uint8_t kind, flags;
    uint32_t number;     /* or bytes of text */
    uint32_t a, b, c;    /* nodes; 0: none */
    uint64_t parameters; /* those of the template that stand in it unexpanded, by number */
    const char *text;
};

struct sl_mangled {
    const char *at; /* what is still to be read */
    struct sl_mangled_node *node;
    uint32_t n, room;
    uint32_t *substitution;
    uint32_t n_substitutions;
    uint8_t this_flags; /* of the name read last: const, &, ... */
    bool conversion;    /* reading the type behind "operator" */
    unsigned depth;
};

/* Reads the name behind _Z. Returns its node, 0 if it is none, or too long; free `node` and
 * `substitution` in any case. */
uint32_t sl_mangled_read(struct sl_mangled *m, const char *name);

/* The list of arguments of the template that a function's name ends with; 0: it is none. */
uint32_t sl_mangled_own_arguments(const struct sl_mangled *m, uint32_t name);

/* The readable form, to be freed; NULL: too long, or it makes no sense. */
char *sl_mangled_write(const struct sl_mangled *m, uint32_t root);

/* ---- between the parts of the parser ---- */

/* Each reads one thing at `at` and returns its node, or 0. */
uint32_t sl_mangled_encoding(struct sl_mangled *m);
uint32_t sl_mangled_name(struct sl_mangled *m);
uint32_t sl_mangled_unqualified(struct sl_mangled *m, uint32_t scope);
uint32_t sl_mangled_substitution(struct sl_mangled *m, bool prefix);
uint32_t sl_mangled_parameter(struct sl_mangled *m);
uint32_t sl_mangled_arguments(struct sl_mangled *m, char end);     /* a pack, behind its I or J */
uint32_t sl_mangled_template(struct sl_mangled *m, uint32_t name); /* at the I behind it */
uint32_t sl_mangled_type(struct sl_mangled *m);
uint32_t sl_mangled_types(struct sl_mangled *m); /* until E, . or the end: a function */
uint32_t sl_mangled_expression(struct sl_mangled *m);
uint32_t sl_mangled_literal(struct sl_mangled *m); /* behind its L */

uint8_t sl_mangled_qualifiers(struct sl_mangled *m);
bool sl_mangled_decimal(struct sl_mangled *m, uint32_t *value);
bool sl_mangled_order(struct sl_mangled *m, uint32_t *value);    /* "_" is 0, "0_" is 1 ... */
bool sl_mangled_order_36(struct sl_mangled *m, uint32_t *value); /* with capitals as digits */
bool sl_mangled_is_digit(char c);
bool sl_mangled_take(struct sl_mangled *m, const char *word);
uint32_t sl_mangled_make(struct sl_mangled *m, enum sl_mangled_kind kind, uint32_t a, uint32_t b);
uint32_t sl_mangled_text(struct sl_mangled *m, const char *text, size_t length);
bool sl_mangled_remember(struct sl_mangled *m, uint32_t node);

struct sl_mangled_series { /* a list that grows at its end */
    uint32_t first, last;
};
bool sl_mangled_append(struct sl_mangled *m, struct sl_mangled_series *series, uint32_t node);

/* ---- what is written how ---- */

struct sl_mangled_operator {
    char code[3];
    uint8_t operands; /* in an expression; 0: in names only, or of a form of its own */
    const char *text;
};
extern const struct sl_mangled_operator sl_mangled_operators[];
/* Its number by the two letters, -1 if there is none. */
int sl_mangled_find_operator(const char *code);

struct sl_mangled_abbreviation {
    char letter;
    const char *shortly, *fully, *own; /* the last is its constructor's name */
};
extern const struct sl_mangled_abbreviation sl_mangled_abbreviations[];

#endif
