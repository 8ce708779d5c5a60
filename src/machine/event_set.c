/* SPDX-License-Identifier: MIT */
/* Names of the machine events (machine_event.h); parser and printer of sets of events
 * (event_set.h). */
#include "event_set.h"

#include <stdio.h>
#include <string.h>

#include "failure.h"

#define NAME(identifier, name, summary) {name, summary},
const struct sl_machine_event_name sl_machine_event_names[SL_MACHINE_EVENTS] = {
    SL_MACHINE_EVENT_LIST(NAME)};

/* Returns the event with that name; SL_MACHINE_EVENTS if there is none. */
static unsigned find(const char *name, size_t length)
{
    unsigned i = 0;
    while (i < SL_MACHINE_EVENTS && (strlen(sl_machine_event_names[i].name) != length ||
                                     memcmp(sl_machine_event_names[i].name, name, length)))
        i++;
    return i;
}

static int unknown(const char *name, size_t length, struct sl_failure *f)
{
    char known[700] = "";
    size_t used = 0;
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, " %s",
                                 sl_machine_event_names[i].name);
    return sl_fail(f, SL_EUSAGE, "unknown machine event \"%.*s\"; the machine events are:%s",
                   (int)(length < 40 ? length : 40), name, known);
}

int sl_event_set_parse(uint64_t *set, const char *text, struct sl_failure *f)
{
    *set = 0;
    for (;; text++) {
        size_t length = strcspn(text, "+");
        unsigned event = find(text, length);
        if (event == SL_MACHINE_EVENTS)
            return unknown(text, length, f);
        *set |= UINT64_C(1) << event;
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
    set &= (UINT64_C(1) << SL_MACHINE_EVENTS) - 1;
    for (; set && used < capacity; set &= set - 1)
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? "+" : "",
                                 sl_machine_event_names[__builtin_ctzll(set)].name);
}
