/* SPDX-License-Identifier: MIT */
#include "mangled_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sl_mangled_put(struct sl_mangled_writer *w, const char *text, size_t length)
{
    if (w->failed || length > SL_READABLE_MAX - w->n) {
        w->failed = true;
        return;
    }
    if (w->n + length >= w->room) {
        size_t room = 2 * (w->n + length) + 64;
        char *larger = realloc(w->text, room);
        if (!larger) {
            w->failed = true;
            return;
        }
        w->text = larger;
        w->room = room;
    }
    memcpy(w->text + w->n, text, length);
    w->n += length;
}

void sl_mangled_put_word(struct sl_mangled_writer *w, const char *word)
{
    sl_mangled_put(w, word, strlen(word));
}

void sl_mangled_put_number(struct sl_mangled_writer *w, uint32_t number)
{
    char digits[16];
    sl_mangled_put(w, digits, (size_t)snprintf(digits, sizeof digits, "%u", number));
}

char sl_mangled_last(const struct sl_mangled_writer *w)
{
    return w->n ? w->text[w->n - 1] : '\0';
}

/* A pack of no elements leaves no comma behind. */
void sl_mangled_put_list(struct sl_mangled_writer *w, uint32_t list)
{
    size_t begin = w->n;
    for (; list && !w->failed; list = w->m->node[list].b) {
        size_t before = w->n;
        if (before > begin)
            sl_mangled_put_word(w, ", ");
        size_t comma = w->n;
        sl_mangled_put_node(w, w->m->node[list].a);
        if (w->n == comma)
            w->n = before;
    }
}

bool sl_mangled_may_go_on(struct sl_mangled_writer *w)
{
    if (++w->steps > SL_MANGLED_STEPS || w->depth >= SL_MANGLED_DEPTH)
        w->failed = true;
    return !w->failed;
}
