/* SPDX-License-Identifier: MIT */
/* Parser of address ranges, for example [401000-401200,405000-405800], for the table `snoopp`. */
#include "function_counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* Parses a hexadecimal address that is followed by `end`. */
static bool read_address(const char **at, char end, uint64_t *address)
{
    char *after;
    if (strspn(*at, "0123456789abcdefABCDEFxX") == 0)
        return false;
    errno = 0;
    *address = strtoull(*at, &after, 16);
    bool good = !errno && after != *at && *after == end;
    *at = after + good;
    return good;
}

static int by_start(const void *left, const void *right)
{
    const struct sl_function_piece *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static int check(struct sl_address_ranges *r, struct sl_failure *f)
{
    qsort(r->piece, r->n, sizeof *r->piece, by_start);
    for (size_t i = 0; i < r->n; i++) {
        struct sl_function_piece *p = &r->piece[i];
        if (p->end <= p->start)
            return sl_fail(f, SL_EUSAGE,
                           "the range %llx-%llx is empty: write LO-HI, where HI is the first "
                           "address after the range",
                           (unsigned long long)p->start, (unsigned long long)p->end);
        if (i && p->start < p[-1].end)
            return sl_fail(f, SL_EUSAGE, "the ranges that begin at %llx and at %llx overlap",
                           (unsigned long long)p[-1].start, (unsigned long long)p->start);
        p->function = i;
        r->start[i] = p->start;
    }
    return 0;
}

int sl_address_ranges_parse(struct sl_address_ranges *r, const char *text, struct sl_failure *f)
{
    const char *at = text + (*text == '[');
    const char *last = strrchr(text, ']');
    char list[1100];
    *r = (struct sl_address_ranges){.n = 0};
    if (*text != '[' || !last || last[1] || (size_t)(last - at) >= sizeof list)
        return sl_fail(f, SL_EUSAGE, "ranges have the form [LO-HI,LO-HI,...], not \"%s\"", text);
    snprintf(list, sizeof list, "%.*s,", (int)(last - at), at);
    for (at = list; *at; r->n++) {
        if (r->n == SL_ADDRESS_RANGES_MAX)
            return sl_fail(f, SL_EUSAGE, "the list has more than %u ranges: use fewer",
                           SL_ADDRESS_RANGES_MAX);
        struct sl_function_piece *p = &r->piece[r->n];
        if (!read_address(&at, '-', &p->start) || !read_address(&at, ',', &p->end))
            return sl_fail(f, SL_EUSAGE,
                           "a range is two hexadecimal addresses, for example "
                           "[401000-401200,405000-405800], not \"%s\"",
                           text);
    }
    return check(r, f);
}
