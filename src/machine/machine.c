/* SPDX-License-Identifier: MIT */
/* Opens a CPU model from its description, returns its results, and closes it. machine_run.c
 * executes the model. */
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

/* ---- description ----
 *
 * The keys of section `core` depend on core.kind, which is one of them: the description is read
 * with the keys of one kind, and again if it sets core.kind to another. A description with keys of
 * one kind and an override to another kind would loop, and is refused. */

static const struct sl_core_kind *const cores[] = {&sl_core_in_order, &sl_core_out_of_order};
static const char *const core_names[] = {"in-order", "out-of-order", NULL};
#define N_CORES (sizeof cores / sizeof *cores)

static const struct sl_option core_options[] = {
    SL_CHOICE(struct sl_machine_config, kind, "in-order", core_names, "kind of core"),
    SL_REAL(struct sl_machine_config, frequency_mhz, "1000", 1, 1e5,
            "clock frequency, used only to compute energy"),
    SL_OPTIONS_END,
};

static void set_sections(struct sl_machine_config *c)
{
    struct sl_machine_section *s = c->section;
    *s++ = (struct sl_machine_section){"core", core_options, c};
    *s++ = (struct sl_machine_section){"core", c->core_kind->options, c->core};
    for (const struct sl_hierarchy_part *p = sl_hierarchy_parts; p->name; p++)
        *s++ = (struct sl_machine_section){p->name, p->options, (char *)&c->hierarchy + p->offset};
    *s++ = (struct sl_machine_section){"bpred", sl_direction_options, &c->predictor.direction};
    *s++ = (struct sl_machine_section){"btb", sl_btb_options, &c->predictor.btb};
    *s++ = (struct sl_machine_section){"ras", sl_return_stack_options, &c->predictor.stack};
    *s++ = (struct sl_machine_section){"power", sl_power_options, &c->power};
    *s++ = (struct sl_machine_section){"profiler", sl_profiler_options, &c->profiler};
    *s = (struct sl_machine_section){.name = NULL};
}

static int read_description(struct sl_machine_config *c, const char *spec, struct sl_failure *f)
{
    bool tried[N_CORES] = {false};
    for (unsigned kind = 0; !tried[kind]; kind = c->kind) {
        tried[kind] = true;
        c->core_kind = cores[kind];
        free(c->core);
        if (!(c->core = calloc(1, c->core_kind->config_size)))
            return sl_out_of_memory(f);
        set_sections(c);
        int status = sl_machine_read(c->section, spec, f);
        if (c->kind == kind)
            return status;
    }
    return sl_fail(
        f, SL_EUSAGE,
        "core.kind cannot be overridden, because each kind of core has its own keys: copy the "
        "description to a file, and change core.kind and those keys in the file");
}

static int read_config(struct sl_machine_config *c, const char *spec, struct sl_failure *f)
{
    int status = read_description(c, spec, f);
    if (!status)
        status = sl_hierarchy_check(&c->hierarchy, f);
    if (!status)
        status = sl_predictor_check(&c->predictor, f);
    return status;
}

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
    m->core = zeroed(c->core_kind->size(c->core));
    if (!m->hierarchy || !m->predictor || !m->core)
        return sl_out_of_memory(f);
    sl_hierarchy_init(m->hierarchy, &c->hierarchy);
    sl_predictor_init(m->predictor, &c->predictor);
    c->core_kind->init(m->core, c->core, m->hierarchy);
    return sl_power_open(&m->power, &c->power, c->frequency_mhz, f);
}

int sl_machine_open(struct sl_machine **machine, const char *spec, struct sl_failure *f)
{
    struct sl_machine *m = *machine = calloc(1, sizeof *m);
    if (!m)
        return sl_out_of_memory(f);
    m->running = SL_NO_INDEX;
    m->name = strdup(spec);
    int status = m->name ? read_config(&m->config, spec, f) : sl_out_of_memory(f);
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
    if (m->core)
        m->config.core_kind->close(m->core);
    free(m->core);
    free(m->predictor);
    free(m->hierarchy);
    free(m->config.core);
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
    m->needs_power = events >> SL_MACHINE_CACHE_POWER & 1;
    m->needs_parts = events >> SL_MACHINE_GROUP_FIRST;
}

const struct sl_event_log *sl_machine_need_event_log(struct sl_machine *m)
{
    m->needs_log = m->needs_derived = true;
    return &m->log;
}

const struct sl_op_log *sl_machine_need_op_log(struct sl_machine *m)
{
    m->needs_ops = true;
    return &m->ops_log;
}

void sl_machine_need_access_events(struct sl_machine *m)
{
    m->needs_accesses = true;
}

const struct sl_commit_log *sl_machine_need_commit_log(struct sl_machine *m)
{
    m->needs_commits = true;
    return &m->commits;
}

int sl_machine_sync(struct sl_machine *m, const struct sl_code *code, struct sl_failure *f)
{
    m->code = code;
    int status = sl_ops_sync(&m->ops, code, f);
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
