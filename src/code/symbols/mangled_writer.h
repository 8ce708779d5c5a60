/* SPDX-License-Identifier: MIT */
/* The text that a parsed name becomes, and what its making may still cost. */
#ifndef SL_MANGLED_WRITER_H
#define SL_MANGLED_WRITER_H

#include "mangled.h"

/* What T_ stands for: the arguments of the function whose type is being written. These belong to
 * the function around it. */
struct sl_mangled_scope {
    uint32_t arguments; /* a list */
    const struct sl_mangled_scope *outer;
};

struct sl_mangled_writer {
    const struct sl_mangled *m;
    char *text;
    size_t n, room;
    unsigned steps, depth;
    const struct sl_mangled_scope *scope;
    uint32_t element; /* of the pack that is being expanded */
    unsigned lambdas; /* inside the parameters of so many */
    bool failed;
};

void sl_mangled_put(struct sl_mangled_writer *w, const char *text, size_t length);
void sl_mangled_put_word(struct sl_mangled_writer *w, const char *word);
void sl_mangled_put_number(struct sl_mangled_writer *w, uint32_t number);
char sl_mangled_last(const struct sl_mangled_writer *w); /* character written */
/* Counts a step; false: enough was tried. */
bool sl_mangled_may_go_on(struct sl_mangled_writer *w);
/* A node; the list that begins there, with commas. */
void sl_mangled_put_node(struct sl_mangled_writer *w, uint32_t node);
void sl_mangled_put_list(struct sl_mangled_writer *w, uint32_t list);
/* A pack that one of the parameters in the node stands for; 0: there is none. */
uint32_t sl_mangled_pack(struct sl_mangled_writer *w, uint32_t node);
/* True if it was an expression, and is written. */
bool sl_mangled_put_expression(struct sl_mangled_writer *w, const struct sl_mangled_node *n);

#endif
