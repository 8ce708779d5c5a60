/* SPDX-License-Identifier: MIT */
/* Opens and closes a CPU model, and returns its results. machine_run.c executes it. */
#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine_state.h"

/* Events derived from the counters of caches and TLBs, only on request. */
#define DERIVED                                                                          \
    (((UINT64_C(2) << SL_MACHINE_DTLB_MISS) - (UINT64_C(1) << SL_MACHINE_FETCH_LINES)) | \
     UINT64_C(1) << SL_MACHINE_CACHE_POWER)

/* Instructions, in total and by class. */
#define CLASSES ((UINT64_C(2) << SL_MACHINE_OTHER_CLASS) - (UINT64_C(1) << SL_MACHINE_INSTRUCTIONS))

/* ---- opening ---- */

static void *zeroed(size_t size)
{
    size_t rounded = (size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    return memory ? memset(memory, 0, rounded) : NULL;
}

static int build(struct sl_machine *m, struct sl_failure *f)
{
    const struct sl_machine_config *c = &m->config;
    m->hierarchy = zeroed(sl_hierarchy_bytes(&c->hierarchy));
    m->predictor = zeroed(sl_predictor_bytes(&c->predictor));
    m->core = zeroed(c->kind->size(c->core));
    if (!m->hierarchy || !m->predictor || !m->core)
        return sl_out_of_memory(f);
    sl_hierarchy_init(m->hierarchy, &c->hierarchy);
    sl_predictor_init(m->predictor, &c->predictor);
    c->kind->init(m->core, c->core, m->hierarchy);
    return sl_power_open(&m->power, &c->power, c->frequency_mhz, f);
}

int sl_machine_open(struct sl_machine **machine, const char *spec, struct sl_failure *f)
{
    struct sl_machine *m = *machine = calloc(1, sizeof *m);
    if (!m)
        return sl_out_of_memory(f);
    m->running = SL_NO_INDEX;
    m->name = strdup(spec);
    int status = m->name ? sl_machine_config_read(&m->config, spec, f) : sl_out_of_memory(f);
    if (!status)
        status = build(m, f);
    if (status) {
        sl_machine_close(m);
        *machine = NULL;
    }
    return status;
}

void sl_machine_close(struct sl_machine *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        free(m->row[i]);
    sl_event_log_free(&m->log);
    sl_commit_log_free(&m->commits);
    sl_op_log_free(&m->ops_log);
    sl_branch_queue_free(&m->queue);
    free(m->access_events);
    free(m->reference);
    sl_shapes_free(&m->shapes);
    free(m->position);
    sl_index_free(&m->threads);
    sl_ops_free(&m->ops);
    sl_power_close(&m->power);
    if (m->core && m->config.kind->close)
        m->config.kind->close(m->core);
    free(m->core);
    free(m->predictor);
    free(m->hierarchy);
    sl_machine_config_free(&m->config);
    free(m->name);
    free(m);
}

void sl_machine_need_events(struct sl_machine *m, uint64_t events)
{
    m->n_requested = 0;
    for (uint8_t i = 0; i < SL_MACHINE_EVENTS; i++)
        if (events >> i & 1)
            m->requested[m->n_requested++] = i;
    m->needs_derived = m->needs_log || events & DERIVED;
    m->needs_classes = m->needs_log || events & CLASSES;
    m->needs_power = events >> SL_MACHINE_CACHE_POWER & 1;
    m->needs_parts = events >> SL_MACHINE_GROUP_FIRST;
}

void sl_machine_need_event_log(struct sl_machine *m)
{
    m->needs_log = m->needs_derived = m->needs_classes = true;
}

void sl_machine_need_op_log(struct sl_machine *m)
{
    m->needs_ops = true;
}

void sl_machine_need_access_events(struct sl_machine *m)
{
    m->needs_accesses = true;
}

void sl_machine_need_commit_log(struct sl_machine *m)
{
    m->needs_commits = true;
}

int sl_machine_sync(struct sl_machine *m, const struct sl_code *code, struct sl_failure *f)
{
    m->code = code;
    int status = sl_ops_sync(&m->ops, code, m->hierarchy->port[0].line_log2, f);
    if (!status && !sl_shapes_sync(&m->shapes, code->n_blocks))
        status = sl_out_of_memory(f);
    return status ? status : sl_power_sync(&m->power, code, f);
}

const char *sl_machine_name(const struct sl_machine *m)
{
    return m->name;
}

char *sl_machine_describe(const struct sl_machine *m)
{
    size_t size = sl_machine_print(m->config.section, NULL, 0) + 1;
    char *text = malloc(size);
    if (text)
        sl_machine_print(m->config.section, text, size);
    return text;
}

const struct sl_profiler_config *sl_machine_profiler(const struct sl_machine *m)
{
    return &m->config.profiler;
}

int sl_machine_attach(struct sl_machine *m, const uint32_t *work, struct sl_failure *f)
{
    m->work = work;
    return sl_branch_queue_init(&m->queue, &m->config.profiler) ? 0 : sl_out_of_memory(f);
}

/* ---- results ---- */

const struct sl_event_log *sl_machine_event_log(const struct sl_machine *m)
{
    return &m->log;
}

const struct sl_commit_log *sl_machine_commit_log(const struct sl_machine *m)
{
    return &m->commits;
}

const struct sl_op_log *sl_machine_op_log(const struct sl_machine *m)
{
    return &m->ops_log;
}

const uint8_t *sl_machine_access_events(const struct sl_machine *m)
{
    return m->access_events;
}

const uint32_t *sl_machine_block_counts(const struct sl_machine *m, enum sl_machine_event event)
{
    return m->row[event];
}

const uint64_t *sl_machine_totals(const struct sl_machine *m)
{
    return m->totals;
}

struct sl_energy_correction sl_machine_correction(const struct sl_machine *m)
{
    const struct sl_power_correction *c = &m->power.table.correction;
    double cycles = (double)m->totals[SL_MACHINE_CYCLES];
    double stalls = (double)sl_power_stall_cycles(&m->power, m->totals);
    double percent = cycles > 0 ? 100 * stalls / cycles : 0;
    bool applies = m->power.config.stalls == SL_STALLS_PIPELINE;
    return (struct sl_energy_correction){
        .factor = applies ? sl_power_factor(c, percent) : (double)NAN,
        .extrapolated = applies && (percent < c->low || percent > c->high),
    };
}

const struct sl_parts *sl_machine_parts(const struct sl_machine *m)
{
    return &m->power.parts;
}
