/* SPDX-License-Identifier: MIT */
/* What mangled names are parsed into, and their letters and numbers. */
#include <string.h>

#include "mangled.h"

/* ---- nodes ---- */

/* One of a, b, c may be missing, but 0 for something that could not be read must not get here. */
uint32_t sl_mangled_make(struct sl_mangled *m, enum sl_mangled_kind kind, uint32_t a, uint32_t b)
{
    if (m->n >= m->room)
        return 0;
    m->node[m->n] = (struct sl_mangled_node){.kind = (uint8_t)kind,
                                             .a = a,
                                             .b = b,
                                             .parameters = m->node[a].parameters |
                                                           m->node[b].parameters};
    return m->n++;
}

uint32_t sl_mangled_text(struct sl_mangled *m, const char *text, size_t length)
{
    uint32_t node = sl_mangled_make(m, SL_MANGLED_TEXT, 0, 0);
    m->node[node].text = text;
    m->node[node].number = (uint32_t)length;
    return node;
}

bool sl_mangled_append(struct sl_mangled *m, struct sl_mangled_series *series, uint32_t node)
{
    uint32_t link = node ? sl_mangled_make(m, SL_MANGLED_LIST, node, 0) : 0;
    if (!link)
        return false;
    if (!series->first)
        series->first = link;
    else
        m->node[series->last].b = link;
    m->node[series->first].parameters |= m->node[link].parameters;
    series->last = link;
    return true;
}

bool sl_mangled_remember(struct sl_mangled *m, uint32_t node)
{
    if (!node || m->n_substitutions >= m->room)
        return false;
    m->substitution[m->n_substitutions++] = node;
    return true;
}

/* ---- letters and numbers ---- */

bool sl_mangled_take(struct sl_mangled *m, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(m->at, word, n))
        return false;
    m->at += n;
    return true;
}

bool sl_mangled_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool sl_mangled_decimal(struct sl_mangled *m, uint32_t *value)
{
    const char *from = m->at;
    *value = 0;
    for (; sl_mangled_is_digit(*m->at) && *value < SL_MANGLED_MAX * 16; m->at++)
        *value = *value * 10 + (uint32_t)(*m->at - '0');
    return m->at > from && !sl_mangled_is_digit(*m->at);
}

bool sl_mangled_order(struct sl_mangled *m, uint32_t *value)
{
    *value = 0;
    if (sl_mangled_take(m, "_"))
        return true;
    if (!sl_mangled_decimal(m, value))
        return false;
    ++*value;
    return sl_mangled_take(m, "_");
}

/* Digits and capitals, to the base of 36. */
bool sl_mangled_order_36(struct sl_mangled *m, uint32_t *value)
{
    *value = 0;
    if (sl_mangled_take(m, "_"))
        return true;
    for (; *m->at != '_'; m->at++) {
        bool capital = *m->at >= 'A' && *m->at <= 'Z';
        if ((!sl_mangled_is_digit(*m->at) && !capital) || *value > SL_MANGLED_MAX)
            return false;
        *value = *value * 36 + (uint32_t)(capital ? *m->at - 'A' + 10 : *m->at - '0');
    }
    ++*value;
    return sl_mangled_take(m, "_");
}
