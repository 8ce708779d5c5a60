/* SPDX-License-Identifier: MIT */
/* `sluice rtl`: writes the RTL of a spec, the events of a stream, and the model's results for
 * them. */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "sluice-study.h"
#include "failure.h"
#include "shown.h"
#include "spec.h"
#include "function_table.h"
#include "synthetic_program.h"
#include "retired.h"
#include "rtl_files.h"

#define SYNTHETIC_EVENTS 20000u
#define RETIRED_DEFAULT 100000u /* instructions of the stream for a front end */

/* Files written while the model processes the events. */
struct tape {
    struct sl_rtl_model model;
    FILE *events, *expected;
    uint64_t n, limit;
    struct sl_frontend_shape shape;
    uint64_t instructions; /* with a front end: of the stream */
    bool too_heavy;
};

static void write_message(void *context, unsigned kind, struct sl_tuple tuple, uint64_t count)
{
    struct tape *tape = context;
    fprintf(tape->expected, "%x %llx %llx %llx\n", kind, (unsigned long long)tuple.pc,
            (unsigned long long)tuple.value, (unsigned long long)count);
}

static void write_word(void *context, uint32_t address, uint64_t word)
{
    fprintf(context, "%x %llx\n", address, (unsigned long long)word);
}

static void add_event(struct tape *tape, const struct sl_event *event)
{
    struct sl_rtl_input input[SL_PARTS];
    unsigned n = sl_rtl_inputs(&tape->model, event, input);
    for (unsigned i = 0; i < n; i++)
        fprintf(tape->events, "%llx %llx %llx\n", (unsigned long long)input[i].tuple.pc,
                (unsigned long long)input[i].tuple.value, (unsigned long long)input[i].weight);
    sl_rtl_model_step(&tape->model, event);
    tape->n++;
}

/* An event whose weight does not fit into the input ends the stream. */
static void add_batch(void *context, const struct sl_batch *batch)
{
    struct tape *tape = context;
    for (size_t i = 0; i < batch->n && tape->n < tape->limit; i++) {
        uint32_t number = batch->number[i];
        uint64_t second = batch->value          ? batch->value[i]
                          : batch->names->value ? batch->names->value[number]
                                                : 0;
        struct sl_event event = {number,
                                 {batch->names->pc[number], second},
                                 batch->weight ? batch->weight[i] : 1,
                                 batch->part ? batch->part[i] : NULL,
                                 0,
                                 0};
        if (sl_rtl_too_heavy(&tape->model, &event)) {
            tape->limit = tape->n;
            tape->too_heavy = true;
        } else {
            add_event(tape, &event);
        }
    }
}

static int open_source(struct sl_source **source, const struct sl_rtl_config *config,
                       struct sl_failure *f)
{
    return config->stream ? sl_source_open(source, config->stream, f)
                          : sl_made_program_open(source, f);
}

/* Writes the instructions that a core would retire, and limits the stream for the table to the
 * same part. */
static int write_retired(struct tape *tape, const struct sl_profile_spec *spec,
                         const struct sl_rtl_config *config, struct sl_failure *f)
{
    struct sl_source *source;
    struct sl_retired retired = {.metric = spec->detector[0].metric,
                                 .machine = config->machine,
                                 .by_access = spec->detector[0].kind->per_access,
                                 .parts = tape->shape.parts};
    int error = open_source(&source, config, f);
    if (error < 0)
        return error;
    FILE *out = sl_rtl_create(config->directory, "retired.txt", f);
    sl_source_run_range(source, 0, config->events ? config->events : RETIRED_DEFAULT);
    error = out ? sl_retired_write(&retired, source, out, f) : SL_EIO;
    sl_source_close(source);
    if (out) {
        int ended = sl_rtl_finish(out, "retired.txt", f);
        error = error < 0 ? error : ended;
    }
    tape->shape.xlen = retired.xlen;
    tape->instructions = retired.instructions;
    tape->limit = UINT64_MAX;
    return error;
}

static int run_stream(struct tape *tape, const struct sl_rtl_config *config, struct sl_failure *f)
{
    struct sl_session *session;
    struct sl_source *source;
    struct sl_session_config wanted = {.size = sizeof wanted,
                                       .spec = &config->spec,
                                       .n_specs = 1,
                                       .machine = config->machine,
                                       .observe = add_batch,
                                       .observe_context = tape};
    int error = sl_session_open(&session, &wanted, f);
    if (error < 0)
        return error;
    error = open_source(&source, config, f);
    if (error >= 0) {
        sl_source_run_range(source, 0, tape->instructions);
        error = sl_session_run(session, source, NULL, NULL, f);
        sl_source_close(source);
    }
    sl_session_close(session);
    return error;
}

static int write_tape(struct tape *tape, const struct sl_rtl_config *config, struct sl_failure *f)
{
    int error = 0;
    uint64_t random = 1, part[SL_PARTS];
    tape->events = sl_rtl_create(config->directory, "events.txt", f);
    tape->expected = tape->events ? sl_rtl_create(config->directory, "expected.txt", f) : NULL;
    FILE *state = tape->expected ? sl_rtl_create(config->directory, "state.txt", f) : NULL;
    if (!state)
        return SL_EIO;
    if (config->stream || tape->shape.lanes)
        error = run_stream(tape, config, f);
    else
        while (tape->n < tape->limit && tape->n < SYNTHETIC_EVENTS) {
            struct sl_event event = sl_rtl_made_event(&tape->model, &random, tape->n, part);
            add_event(tape, &event);
        }
    tape->model.rtl->state(tape->model.state, tape->model.config, write_word, state);
    int ended[] = {sl_rtl_finish(tape->events, "events.txt", f),
                   sl_rtl_finish(tape->expected, "expected.txt", f),
                   sl_rtl_finish(state, "state.txt", f)};
    for (size_t i = 0; i < 3 && error >= 0; i++)
        error = ended[i];
    return error;
}

static void print_summary(const struct tape *tape, const struct sl_profile_spec *spec,
                          const struct sl_rtl_config *config, FILE *out)
{
    fprintf(out, "%s: RTL of %s", config->directory, spec->text);
    if (tape->shape.lanes)
        fprintf(out, " at a retirement port, %llu %sinstructions",
                (unsigned long long)tape->instructions, config->stream ? "" : "synthetic ");
    fprintf(out, " and %llu %sevents; 'make -C %s' simulates it\n", (unsigned long long)tape->n,
            config->stream || tape->shape.lanes ? "" : "synthetic ", config->directory);
}

static int write_all(struct tape *tape, const struct sl_profile_spec *spec,
                     const struct sl_rtl_config *config, FILE *out, struct sl_failure *f)
{
    struct sl_function_list functions = {0};
    int error = config->program ? sl_rtl_functions(config->program, &functions, f) : 0;
    if (error >= 0)
        error = sl_rtl_model_open(&tape->model, spec, &functions, write_message, tape, f);
    if (error >= 0 && tape->model.parts)
        tape->shape.parts = SL_PARTS;
    if (error >= 0)
        error = sl_rtl_directory(config->directory, f);
    if (error >= 0 && tape->shape.lanes)
        error = write_retired(tape, spec, config, f);
    if (error >= 0)
        error = sl_rtl_files(&tape->model, spec, &tape->shape, config->directory, f);
    if (error >= 0)
        error = write_tape(tape, config, f);
    if (error >= 0 && !tape->n && !tape->too_heavy)
        error = sl_fail(
            f, SL_EUSAGE,
            "%s has no events of %s: there is nothing to check the RTL with; choose another stream",
            config->stream ? config->stream : "the synthetic program", spec->text);
    if (error >= 0 && tape->too_heavy && tape->shape.lanes)
        error = sl_fail(f, SL_EUNSUPPORTED,
                        "an event of the stream has a weight of more than %u bits, which the RTL "
                        "does not support",
                        tape->model.weight_bits);
    if (error >= 0)
        print_summary(tape, spec, config, out);
    if (tape->model.rtl)
        sl_rtl_model_close(&tape->model);
    sl_function_list_free(&functions);
    return error;
}

int sl_rtl(const struct sl_rtl_config *given, FILE *out, struct sl_failure *f)
{
    struct sl_rtl_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_rtl_config", f);
    if (unread < 0)
        return unread;
    struct sl_profile_spec spec = {0};
    struct tape tape = {.limit = config->events ? config->events : 1000000};
    FILE *shown = sl_shown_open(out, SL_SHOWN_MARKED, f);
    if (!shown)
        return SL_ENOMEM;
    int error = sl_profile_spec_parse(&spec, config->spec, f);
    if (error >= 0 && config->front) {
        error = sl_frontend_parse(config->front, &tape.shape, f);
        if (error >= 0 && !sl_frontend_of(&spec, f))
            error = SL_EUNSUPPORTED;
    }
    if (error >= 0)
        error = write_all(&tape, &spec, config, shown, f);
    sl_profile_spec_free(&spec);
    return sl_shown_close(shown, out, error, "the list of files", f);
}
