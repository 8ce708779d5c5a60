#include "json_entry.h"

#include "json_value.h"

/* The object that is filled, inside of it a group if one has begun, and what went wrong. */
struct filling {
    json_t *object, *group;
    int error;
};

static json_t *list_of(const struct sl_fact *fact)
{
    json_t *list = json_array();
    int error = fact->n && !fact->texts && !fact->numbers;
    for (size_t i = 0; i < fact->n && !error; i++)
        error |= json_array_append_new(list, fact->is == SL_FACT_HEXES
                                                 ? sl_json_hex(fact->numbers[i])
                                                 : sl_json_text(fact->texts[i]));
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *value_of(const struct sl_fact *fact)
{
    switch (fact->is) {
    case SL_FACT_HEX: return sl_json_hex(fact->number);
    case SL_FACT_NUMBER: return sl_json_number(fact->number);
    case SL_FACT_TRUTH: return json_boolean(fact->number);
    case SL_FACT_TEXT: return sl_json_text(fact->text);
    case SL_FACT_HEXES:
    case SL_FACT_TEXTS: return list_of(fact);
    case SL_FACT_GROUP: return json_object();
    case SL_FACT_NONE:
    case SL_FACT_GROUP_END: break;
    }
    return json_null();
}

static void add(void *context, const char *name, const struct sl_fact *fact)
{
    struct filling *filling = context;
    if (fact->is == SL_FACT_GROUP_END) {
        filling->group = NULL;
        return;
    }
    json_t *value = value_of(fact);
    filling->error |= json_object_set_new(filling->group ? filling->group : filling->object, name,
                                          value);
    if (fact->is == SL_FACT_GROUP)
        filling->group = value;
}

int sl_json_set_tuple(json_t *object, const struct sl_entry_view *view,
                      const struct sl_saved_entry *entry)
{
    struct filling filling = {.object = object};
    sl_entry_facts(view, entry, add, &filling);
    return filling.error;
}
