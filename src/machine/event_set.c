/* SPDX-License-Identifier: MIT */
/* Parses and prints sets of machine events. */
#include "event_set.h"

#include <stdio.h>
#include <string.h>

#include "failure.h"

/* SL_HAPPENINGS if there is none of that name. */
static unsigned find(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < SL_HAPPENINGS && (strlen(sl_machine_event_names[i].name) != length ||
                                 memcmp(sl_machine_event_names[i].name, name, length)))
        i++;
    return i;
}

static int unknown(const char *name, size_t length, struct sl_failure *f)
{
    char known[700] = "";
    size_t used = 0;
    for (unsigned i = 0; i < SL_HAPPENINGS; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, " %s",
                                 sl_machine_event_names[i].name);
    return sl_fail(f, SL_EUSAGE,
                   "nothing that happens in a machine is called \"%.*s\"; there are:%s",
                   (int)(length < 40 ? length : 40), name, known);
}

int sl_event_set_parse(uint64_t *set, const char *text, struct sl_failure *f)
{
    *set = 0;
    for (;; text++) {
        size_t length = strcspn(text, "+");
        unsigned happening = find(text, length);
        if (happening == SL_HAPPENINGS)
            return unknown(text, length, f);
        *set |= UINT64_C(1) << happening;
        text += length;
        if (!*text)
            return 0;
    }
}

void sl_event_set_name(uint64_t set, char *out, size_t capacity)
{
    size_t used = 0;
    if (capacity)
        *out = 0;
    set &= (UINT64_C(1) << SL_HAPPENINGS) - 1;
    for (; set && used < capacity; set &= set - 1)
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? "+" : "",
                                 sl_machine_event_names[__builtin_ctzll(set)].name);
}
