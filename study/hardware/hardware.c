/* SPDX-License-Identifier: MIT */
/* Implementation of `sluice rtl`: writes a profiling table as Verilog, a stream of input events,
 * and the results that the software model of the table has for these events.
 *
 * The output directory gets events.txt, expected.txt (messages) and state.txt (final words), with
 * which the test bench compares the hardware. With a front end it also gets retired.txt, the
 * instructions that the core retires. */
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

/* The model, and the files that are written while it processes the events. */
struct test_data {
    struct sl_rtl_model model;
    FILE *events, *expected;
    uint64_t n, limit;
    struct sl_frontend_shape shape;
    uint64_t instructions; /* with a front end: length of the stream */
    bool weight_overflow;
};

static void write_message(void *context, unsigned kind, struct sl_tuple tuple, uint64_t count)
{
    struct test_data *test_data = context;
    fprintf(test_data->expected, "%x %llx %llx %llx\n", kind, (unsigned long long)tuple.pc,
            (unsigned long long)tuple.value, (unsigned long long)count);
}

static void write_word(void *context, uint32_t address, uint64_t word)
{
    fprintf(context, "%x %llx\n", address, (unsigned long long)word);
}

static void add_event(struct test_data *test_data, const struct sl_event *event)
{
    struct sl_rtl_input input[SL_PARTS];
    unsigned n = sl_rtl_inputs(&test_data->model, event, input);
    for (unsigned i = 0; i < n; i++)
        fprintf(test_data->events, "%llx %llx %llx\n", (unsigned long long)input[i].tuple.pc,
                (unsigned long long)input[i].tuple.value, (unsigned long long)input[i].weight);
    sl_rtl_model_step(&test_data->model, event);
    test_data->n++;
}

/* An event whose weight does not fit into the input ends the stream. */
static void add_batch(void *context, const struct sl_batch *batch)
{
    struct test_data *test_data = context;
    for (size_t i = 0; i < batch->n && test_data->n < test_data->limit; i++) {
        uint32_t tuple_id = batch->tuple_id[i];
        uint64_t second = batch->value          ? batch->value[i]
                          : batch->names->value ? batch->names->value[tuple_id]
                                                : 0;
        struct sl_event event = {tuple_id,
                                 {batch->names->pc[tuple_id], second},
                                 batch->weight ? batch->weight[i] : 1,
                                 batch->part ? batch->part[i] : NULL,
                                 0,
                                 0};
        if (sl_rtl_weight_overflow(&test_data->model, &event)) {
            test_data->limit = test_data->n;
            test_data->weight_overflow = true;
        } else {
            add_event(test_data, &event);
        }
    }
}

static int open_source(struct sl_source **source, const struct sl_rtl_config *config,
                       struct sl_failure *f)
{
    return config->stream ? sl_source_open(source, config->stream, f)
                          : sl_synthetic_program_open(source, f);
}

/* Writes the instructions that a core would retire. The stream of the table then ends after the
 * same number of instructions. */
static int write_retired(struct test_data *test_data, const struct sl_profile_spec *spec,
                         const struct sl_rtl_config *config, struct sl_failure *f)
{
    struct sl_source *source;
    struct sl_retired retired = {.metric = spec->detector[0].metric,
                                 .machine = config->machine,
                                 .by_access = spec->detector[0].kind->per_access,
                                 .parts = test_data->shape.parts};
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
    test_data->shape.xlen = retired.xlen;
    test_data->instructions = retired.instructions;
    test_data->limit = UINT64_MAX;
    return error;
}

static int run_stream(struct test_data *test_data, const struct sl_rtl_config *config,
                      struct sl_failure *f)
{
    struct sl_session *session;
    struct sl_source *source;
    struct sl_session_config session_config = {.size = sizeof session_config,
                                               .spec = &config->spec,
                                               .n_specs = 1,
                                               .machine = config->machine,
                                               .observe = add_batch,
                                               .observe_context = test_data};
    int error = sl_session_open(&session, &session_config, f);
    if (error < 0)
        return error;
    error = open_source(&source, config, f);
    if (error >= 0) {
        sl_source_run_range(source, 0, test_data->instructions);
        error = sl_session_run(session, source, NULL, NULL, f);
        sl_source_close(source);
    }
    sl_session_close(session);
    return error;
}

static int write_test_data(struct test_data *test_data, const struct sl_rtl_config *config,
                           struct sl_failure *f)
{
    int error = 0;
    uint64_t random = 1, part[SL_PARTS];
    test_data->events = sl_rtl_create(config->directory, "events.txt", f);
    test_data->expected = test_data->events ? sl_rtl_create(config->directory, "expected.txt", f)
                                            : NULL;
    FILE *state = test_data->expected ? sl_rtl_create(config->directory, "state.txt", f) : NULL;
    if (!state)
        return SL_EIO;
    if (config->stream || test_data->shape.lanes)
        error = run_stream(test_data, config, f);
    else
        while (test_data->n < test_data->limit && test_data->n < SYNTHETIC_EVENTS) {
            struct sl_event event = sl_rtl_synthetic_event(&test_data->model, &random, test_data->n,
                                                           part);
            add_event(test_data, &event);
        }
    test_data->model.rtl->state(test_data->model.state, test_data->model.config, write_word, state);
    int ended[] = {sl_rtl_finish(test_data->events, "events.txt", f),
                   sl_rtl_finish(test_data->expected, "expected.txt", f),
                   sl_rtl_finish(state, "state.txt", f)};
    for (size_t i = 0; i < 3 && error >= 0; i++)
        error = ended[i];
    return error;
}

static void print_summary(const struct test_data *test_data, const struct sl_profile_spec *spec,
                          const struct sl_rtl_config *config, FILE *out)
{
    const char *origin = config->stream ? "" : "synthetic ";
    if (test_data->shape.lanes)
        fprintf(
            out,
            "%s: RTL of %s at a retirement port, with a test of %llu %sinstructions, which have "
            "%llu events; simulate it with 'make -C %s'\n",
            config->directory, spec->text, (unsigned long long)test_data->instructions, origin,
            (unsigned long long)test_data->n, config->directory);
    else
        fprintf(out, "%s: RTL of %s, with a test of %llu %sevents; simulate it with 'make -C %s'\n",
                config->directory, spec->text, (unsigned long long)test_data->n, origin,
                config->directory);
}

static int write_all(struct test_data *test_data, const struct sl_profile_spec *spec,
                     const struct sl_rtl_config *config, FILE *out, struct sl_failure *f)
{
    struct sl_function_list functions = {0};
    int error = config->program ? sl_rtl_functions(config->program, &functions, f) : 0;
    if (error >= 0)
        error = sl_rtl_model_open(&test_data->model, spec, &functions, write_message, test_data, f);
    if (error >= 0 && test_data->model.parts)
        test_data->shape.parts = SL_PARTS;
    if (error >= 0)
        error = sl_rtl_directory(config->directory, f);
    if (error >= 0 && test_data->shape.lanes)
        error = write_retired(test_data, spec, config, f);
    if (error >= 0)
        error = sl_rtl_files(&test_data->model, spec, &test_data->shape, config->directory, f);
    if (error >= 0)
        error = write_test_data(test_data, config, f);
    if (error >= 0 && !test_data->n && !test_data->weight_overflow)
        error = sl_fail(
            f, SL_EUSAGE,
            "%s has no events of %s: there is nothing to check the RTL with; choose another stream",
            config->stream ? config->stream : "the synthetic program", spec->text);
    if (error >= 0 && test_data->weight_overflow && test_data->shape.lanes)
        error = sl_fail(f, SL_EUNSUPPORTED,
                        "an event of the stream has a weight of more than %u bits, which the RTL "
                        "does not support",
                        test_data->model.weight_bits);
    if (error >= 0)
        print_summary(test_data, spec, config, out);
    if (test_data->model.rtl)
        sl_rtl_model_close(&test_data->model);
    sl_function_list_free(&functions);
    return error;
}

int sl_rtl(const struct sl_rtl_config *given, FILE *out, struct sl_failure *f)
{
    SL_REQUIRE(f, out);
    struct sl_rtl_config copy, *config = &copy;
    int read_error = sl_config_read(&copy, sizeof copy, given, "sl_rtl_config", f);
    if (read_error < 0)
        return read_error;
    SL_REQUIRE(f, config->spec && config->directory);
    struct sl_profile_spec spec = {0};
    struct test_data test_data = {.limit = config->events ? config->events : 1000000};
    FILE *shown = sl_shown_open(out, SL_SHOWN_MARKED, f);
    if (!shown)
        return SL_ENOMEM;
    int error = sl_profile_spec_parse(&spec, config->spec, f);
    if (error >= 0 && config->front) {
        error = sl_frontend_parse(config->front, &test_data.shape, f);
        if (error >= 0 && !sl_frontend_of(&spec, f))
            error = SL_EUNSUPPORTED;
    }
    if (error >= 0)
        error = write_all(&test_data, &spec, config, shown, f);
    sl_profile_spec_free(&spec);
    return sl_shown_close(shown, out, error, "the list of files", f);
}
