/* SPDX-License-Identifier: MIT */
/* The model that a twin is held to: a table of its own, stepped event by event, with its messages
 * in the form in which the twin sends them. */
#ifndef SL_RTL_MODEL_H
#define SL_RTL_MODEL_H

#include "spec.h"
#include "rtl_table.h"

struct sl_rtl_model {
    const struct sl_rtl_table *twin;
    const void *config; /* the caller's */
    void *state;
    const struct sl_function_list *functions; /* the caller's; NULL: none */
    unsigned weight_bits;                     /* of the events that it is given */
    bool parts; /* an event is given as the parts of its weight, one behind the other */
    sl_rtl_message *message;
    void *context;
};

/* The model of the spec's table. SL_EUNSUPPORTED with a sentence where the table, or this
 * configuration of it, has no twin. `functions`: of the program, for tables by function. */
int sl_rtl_model_open(struct sl_rtl_model *model, const struct sl_profile_spec *spec,
                      const struct sl_function_list *functions, sl_rtl_message *message,
                      void *context, struct sl_failure *f);

/* One event. Its messages are given before it returns. */
void sl_rtl_model_step(struct sl_rtl_model *model, const struct sl_event *event);

void sl_rtl_model_close(struct sl_rtl_model *model);

/* The functions of a program's file, at its own addresses; to be freed (symbol.h). */
int sl_rtl_functions(const char *path, struct sl_function_list *list, struct sl_failure *f);

/* An event as the twin takes it. */
struct sl_rtl_input {
    struct sl_tuple tuple;
    uint64_t weight;
};

/* How many an event is: one, in which tables that go by numbers get these in the pc's place; or one
 * for each part of its weight. */
unsigned sl_rtl_inputs(const struct sl_rtl_model *model, const struct sl_event *event,
                       struct sl_rtl_input input[SL_PARTS]);

/* Whether one of them weighs more than the twin's input has bits for. */
bool sl_rtl_too_heavy(const struct sl_rtl_model *model, const struct sl_event *event);

/* Event i of a stream that is made up: few hot tuples, many rare ones, in phases, with weights
 * unless all weigh 1; numbers and functions as the table wants them. Parts of its weight are in
 * `part`, where the table wants some. */
struct sl_event sl_rtl_made_event(const struct sl_rtl_model *model, uint64_t *random, uint64_t i,
                                  uint64_t part[SL_PARTS]);

#endif
