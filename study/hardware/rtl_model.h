/* SPDX-License-Identifier: MIT */
/* The software model that the RTL of a table is checked against: a table that processes one event
 * at a time and reports messages in the form in which the RTL sends them. */
#ifndef SL_RTL_MODEL_H
#define SL_RTL_MODEL_H

#include "spec.h"
#include "rtl_table.h"

struct sl_rtl_model {
    const struct sl_rtl_table *rtl;
    const void *config; /* owned by the caller */
    void *state;
    const struct sl_function_list *functions; /* owned by the caller; NULL: none */
    unsigned weight_bits;                     /* of its events */
    bool parts; /* the input of an event is the parts of its weight, one after the other */
    sl_rtl_message *message;
    void *context;
};

/* Opens a model of the spec's table. `functions` are those of the program, for tables that need
 * them. Returns 0, SL_ENOMEM, SL_EUSAGE if the table needs functions and there are none, or
 * SL_EUNSUPPORTED if the table, or this configuration of it, has no RTL. */
int sl_rtl_model_open(struct sl_rtl_model *model, const struct sl_profile_spec *spec,
                      const struct sl_function_list *functions, sl_rtl_message *message,
                      void *context, struct sl_failure *f);

/* Processes one event, and reports its messages before it returns. */
void sl_rtl_model_step(struct sl_rtl_model *model, const struct sl_event *event);

void sl_rtl_model_close(struct sl_rtl_model *model);

/* Lists the functions of a program's file, at the file's addresses, for sl_function_list_free().
 * Returns 0, SL_EIO, SL_ENOMEM, or SL_EUSAGE if the file has no functions. */
int sl_rtl_functions(const char *path, struct sl_function_list *list, struct sl_failure *f);

/* One input of the RTL. */
struct sl_rtl_input {
    struct sl_tuple tuple;
    uint64_t weight;
};

/* Sets the inputs for an event and returns their number: one, with the counter index as pc for
 * tables that are indexed; or one for each part of the weight. */
unsigned sl_rtl_inputs(const struct sl_rtl_model *model, const struct sl_event *event,
                       struct sl_rtl_input input[SL_PARTS]);

/* True if a weight has more bits than the RTL's input. */
bool sl_rtl_weight_overflow(const struct sl_rtl_model *model, const struct sl_event *event);

/* Returns event i of a synthetic stream: few hot tuples, many rare ones, in phases, with weights
 * unless all weights are 1, and with counter indices or functions if the table needs them. `part`
 * gets the parts of the weight if the table needs them. */
struct sl_event sl_rtl_synthetic_event(const struct sl_rtl_model *model, uint64_t *random,
                                       uint64_t i, uint64_t part[SL_PARTS]);

#endif
