/* SPDX-License-Identifier: MIT */
/* Implementation of the software model that the RTL of a table is checked against: opens a table,
 * sends it one event at a time, and reports the messages of the table in the form in which the RTL
 * sends them. */
#include "rtl_model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "image.h"
#include "random.h"

static void report_messages(void *context, const struct sl_message *message, size_t n)
{
    const struct sl_rtl_model *m = context;
    for (size_t i = 0; i < n; i++)
        m->message(m->context, 0, message[i].tuple, message[i].count);
}

static void report_interval(void *context, const struct sl_interval *interval)
{
    const struct sl_rtl_model *m = context;
    if (interval->partial)
        return;
    for (size_t i = 0; i < interval->n_entries; i++)
        m->message(m->context, 0, interval->entry[i].tuple, interval->entry[i].count);
    m->message(m->context, 1, (struct sl_tuple){interval->number, interval->drops},
               interval->weight);
}

static int refuse(const struct sl_table_kind *table, struct sl_failure *f)
{
    return sl_fail(f, SL_EUNSUPPORTED,
                   "no RTL for %s%s: 'sluice list tables' shows the tables with RTL", table->name,
                   table->storage_bits ? " yet" : " (it has no fixed storage)");
}

/* True if every event has weight 1. */
static bool weighs_one(const struct sl_profile_spec *spec)
{
    for (size_t i = 0; i < spec->n_detectors; i++)
        if (spec->detector[i].metric->weigh)
            return false;
    return !spec->table->input.by_tuple_id;
}

static int check(const struct sl_rtl_model *m, const struct sl_table_kind *table,
                 struct sl_failure *f)
{
    if (!m->rtl)
        return refuse(table, f);
    if (table->input.by_function && (!m->functions || !m->functions->n))
        return sl_fail_setting(
            f, "program", "%s needs the functions of a program: add --program FILE", table->name);
    int error = m->rtl->check ? m->rtl->check(m->config, f) : 0;
    return error < 0 || !m->rtl->check_functions
               ? error
               : m->rtl->check_functions(m->config, m->functions, f);
}

int sl_rtl_model_open(struct sl_rtl_model *m, const struct sl_profile_spec *spec,
                      const struct sl_function_list *functions, sl_rtl_message *message,
                      void *context, struct sl_failure *f)
{
    static const struct sl_parts parts; /* software weighs the parts */
    const struct sl_table_kind *table = spec->table;
    *m = (struct sl_rtl_model){.rtl = sl_rtl_table_of(table),
                               .config = spec->table_config,
                               .functions = functions,
                               .message = message,
                               .context = context};
    int error = check(m, table, f);
    if (error < 0)
        return error;
    m->weight_bits = weighs_one(spec) ? 1 : m->rtl->weight_bits;
    m->parts = table->input.keeps_parts && spec->detector[0].metric->parts;
    struct sl_table_host host = {.functions = functions,
                                 .deliver = report_messages,
                                 .interval = report_interval,
                                 .context = m,
                                 .parts = m->parts ? &parts : NULL};
    size_t bytes = (table->size(m->config, &host) + 63) & ~(size_t)63;
    m->state = aligned_alloc(64, bytes);
    if (!m->state)
        return sl_out_of_memory(f);
    memset(m->state, 0, bytes);
    error = table->init(m->state, m->config, &host, f);
    if (error < 0) {
        free(m->state);
        m->state = NULL;
    }
    return error;
}

unsigned sl_rtl_inputs(const struct sl_rtl_model *m, const struct sl_event *event,
                       struct sl_rtl_input input[SL_PARTS])
{
    bool numbered = m->rtl->table->input.by_tuple_id;
    input[0] = (struct sl_rtl_input){
        numbered ? (struct sl_tuple){event->tuple_id, 0} : event->tuple, event->weight};
    for (unsigned i = 0; m->parts && i < SL_PARTS; i++)
        input[i] = (struct sl_rtl_input){{event->tuple.pc, i}, event->part[i]};
    return m->parts ? SL_PARTS : 1;
}

bool sl_rtl_weight_overflow(const struct sl_rtl_model *m, const struct sl_event *event)
{
    struct sl_rtl_input input[SL_PARTS];
    unsigned n = sl_rtl_inputs(m, event, input);
    while (n && !(input[n - 1].weight >> m->weight_bits))
        n--;
    return n;
}

/* Messages wait in a software buffer until it is full. `finish` empties it and changes nothing
 * else. Tables with intervals report messages immediately. */
void sl_rtl_model_step(struct sl_rtl_model *m, const struct sl_event *event)
{
    m->rtl->table->step(m->state, event);
    if (m->rtl->table->finish && !m->rtl->table->intervals)
        m->rtl->table->finish(m->state);
}

void sl_rtl_model_close(struct sl_rtl_model *m)
{
    if (m->state && m->rtl->table->close)
        m->rtl->table->close(m->state);
    free(m->state);
    m->state = NULL;
}

struct sl_event sl_rtl_synthetic_event(const struct sl_rtl_model *m, uint64_t *random, uint64_t i,
                                       uint64_t part[SL_PARTS])
{
    uint64_t r = sl_random_next(random), phase = i >> 12;
    bool hot = r & 3;
    uint64_t which = hot ? (r >> 8 & 7) + (phase & 3) * 4 : r >> 8 & 0xffff;
    struct sl_event event = {.tuple_id = (uint32_t)(hot ? which : r >> 8 & 63),
                             .tuple = {0x400000 + 4 * (which & 63), which * 0x9e3779b97f4a7c15u},
                             .weight = 1};
    if (m->weight_bits > 1)
        event.weight = r >> 62 ? r >> 32 & 15 : r >> 32 & 0xfff;
    if (m->rtl->table->input.by_function)
        event.tuple = (struct sl_tuple){
            m->functions->start[which % m->functions->n] + (hot ? 0 : r & 4), 0};
    for (unsigned k = 0; m->parts && k < SL_PARTS; k++)
        part[k] = r >> (k + 16) & (k ? 31 : 0xfff);
    if (m->parts)
        event.part = part;
    return event;
}

int sl_rtl_functions(const char *path, struct sl_function_list *list, struct sl_failure *f)
{
    char *whole = realpath(path, NULL);
    if (!whole)
        return sl_fail(f, SL_EIO, "cannot read %s: %s", path, strerror(errno));
    struct sl_elf_reader reader = {0};
    struct sl_image *image = sl_image_open(&reader, whole);
    free(whole);
    struct sl_function_table *table = image ? sl_image_functions(image) : NULL;
    *list = (struct sl_function_list){0};
    bool good = image && (!table || sl_functions_list(table, 0, list));
    sl_image_close(image);
    sl_elf_reader_free(&reader);
    if (!good)
        return sl_out_of_memory(f);
    return list->n ? 0
                   : sl_fail(f, SL_EUSAGE,
                             "no functions in %s: it is not a program, or has no symbols", path);
}
