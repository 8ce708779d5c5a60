/* The model that a twin is held to: a table of its own, stepped event by event, with its messages
 * in the form in which the twin sends them. */
#ifndef SL_TWIN_MODEL_H
#define SL_TWIN_MODEL_H

#include "twin.h"

struct sl_twin_model {
    const struct sl_twin *twin;
    const void *config; /* the caller's */
    void *state;
    const struct sl_function_list *functions; /* the caller's; NULL: none */
    unsigned weight_bits; /* of the events that it is given */
    sl_twin_message *message;
    void *context;
};

/* SL_EUNSUPPORTED with a sentence where the table, or this configuration of it, has no twin.
 * `unit`: all events weigh 1. `functions`: of the program, for tables by function. */
int sl_twin_model_open(struct sl_twin_model *model, const struct sl_table_kind *table,
                       const void *config, bool unit, const struct sl_function_list *functions,
                       sl_twin_message *message, void *context, struct sl_failure *f);

/* One event. Its messages are given before it returns. */
void sl_twin_model_step(struct sl_twin_model *model, const struct sl_event *event);

void sl_twin_model_close(struct sl_twin_model *model);

/* The functions of a program's file, at its own addresses; to be freed (symbol.h). */
int sl_twin_functions(const char *path, struct sl_function_list *list, struct sl_failure *f);

/* An event as the twin takes it: tables that go by numbers get these in the pc's place. */
static inline struct sl_tuple sl_twin_tuple(const struct sl_twin_model *model,
                                            const struct sl_event *event)
{
    return model->twin->table->by_number ? (struct sl_tuple){event->number, 0} : event->tuple;
}

/* Event i of a stream that is made up: few hot tuples, many rare ones, in phases, with weights
 * unless `unit`; numbers and functions as the table wants them. */
struct sl_event sl_twin_made_event(const struct sl_twin_model *model, uint64_t *random, uint64_t i);

#endif
