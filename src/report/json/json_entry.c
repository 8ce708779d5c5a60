/* SPDX-License-Identifier: MIT */
#include "json_entry.h"

#include "json_value.h"

/* The object that is filled, and inside of it a group if one has begun. */
struct filling {
    json_t **object, *group;
    bool in_group;
};

static json_t *list_of(const struct sl_fact *fact)
{
    json_t *list = fact->n && !fact->texts && !fact->numbers ? NULL : json_array();
    for (size_t i = 0; i < fact->n && list; i++)
        sl_json_append(&list, fact->is == SL_FACT_HEXES ? sl_json_hex(fact->numbers[i])
                                                        : sl_json_text(fact->texts[i]));
    return list;
}

static json_t *value_of(const struct sl_fact *fact)
{
    switch (fact->is) {
    case SL_FACT_HEX:
        return sl_json_hex(fact->number);
    case SL_FACT_NUMBER:
        return sl_json_number(fact->number);
    case SL_FACT_SIGNED:
        return json_integer((json_int_t)fact->number);
    case SL_FACT_TRUTH:
        return json_boolean(fact->number);
    case SL_FACT_TEXT:
        return sl_json_text(fact->text);
    case SL_FACT_HEXES:
    case SL_FACT_TEXTS:
        return list_of(fact);
    default:
        return json_null();
    }
}

static void add(void *context, const char *name, const struct sl_fact *fact)
{
    struct filling *filling = context;
    if (fact->is == SL_FACT_GROUP)
        filling->group = json_object();
    else if (fact->is == SL_FACT_GROUP_END)
        sl_json_set(filling->object, name, filling->group);
    else
        sl_json_set(filling->in_group ? &filling->group : filling->object, name, value_of(fact));
    filling->in_group = fact->is == SL_FACT_GROUP ||
                        (filling->in_group && fact->is != SL_FACT_GROUP_END);
}

void sl_json_set_tuple(json_t **object, const struct sl_entry_view *view,
                       const struct sl_saved_entry *entry)
{
    struct filling filling = {.object = object};
    sl_entry_facts(view, entry, add, &filling);
}
