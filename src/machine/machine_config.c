/* SPDX-License-Identifier: MIT */
/* Reads CPU model descriptions. Which keys a description may have depends on the kind of core that
 * it selects.
 *
 * The keys of section `core` depend on core.kind, which is one of them: the description is read
 * with the keys of one kind, and again if it sets core.kind to another. A description with keys of
 * one kind and an override to another kind would loop, and is refused. */
#include "machine_state.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine_text.h"

static const struct sl_core_kind *const cores[] = {
    &sl_core_in_order,
    &sl_core_out_of_order,
};
#define N_CORES (sizeof cores / sizeof *cores)

/* Precedes the kind's own configuration. */
struct core_section {
    unsigned kind; /* index in cores[] */
    double frequency_mhz;
    const char *name[N_CORES + 1];
    _Alignas(16) char config[];
};

static size_t count(const struct sl_option *options)
{
    size_t n = 0;
    while (options[n].name)
        n++;
    return n;
}

/* Makes the section for that kind of core. */
static struct core_section *make_core_section(struct sl_machine_config *c, unsigned kind)
{
    const struct sl_core_kind *k = cores[kind];
    size_t n = count(k->options), at = offsetof(struct core_section, config);
    struct core_section *s = calloc(1, sizeof *s + k->config_size);
    struct sl_option *options = calloc(n + 3, sizeof *options);
    free(c->core_section);
    free(c->core_options);
    c->core_section = s;
    c->core_options = options;
    if (!s || !options)
        return NULL;
    for (unsigned i = 0; i < N_CORES; i++)
        s->name[i] = cores[i]->name;
    options[0] = (struct sl_option)SL_CHOICE(struct core_section, kind, "in-order", s->name,
                                             "kind of core");
    options[1] = (struct sl_option)SL_REAL(struct core_section, frequency_mhz, "1000", 1, 1e5,
                                           "clock frequency, used only to compute energy");
    for (size_t i = 0; i < n; i++) {
        options[2 + i] = k->options[i];
        options[2 + i].offset += at;
    }
    c->kind = k;
    c->core = s->config;
    return s;
}

static void set_sections(struct sl_machine_config *c)
{
    struct sl_machine_section *s = c->section;
    *s++ = (struct sl_machine_section){"core", c->core_options, c->core_section};
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
    int status = 0;
    for (unsigned kind = 0; !tried[kind];) {
        struct core_section *s = make_core_section(c, kind);
        if (!s)
            return sl_out_of_memory(f);
        set_sections(c);
        status = sl_machine_read(c->section, spec, f);
        c->frequency_mhz = s->frequency_mhz;
        if (s->kind == kind)
            return status;
        tried[kind] = true;
        kind = s->kind; /* retry with the keys of that kind */
    }
    return sl_fail(
        f, SL_EUSAGE,
        "core.kind cannot be overridden, because each kind of core has its own keys: copy the "
        "description to a file, and change core.kind and those keys in the file");
}

int sl_machine_config_read(struct sl_machine_config *c, const char *spec, struct sl_failure *f)
{
    *c = (struct sl_machine_config){.kind = NULL};
    int status = read_description(c, spec, f);
    if (!status)
        status = sl_hierarchy_check(&c->hierarchy, f);
    if (!status)
        status = sl_predictor_check(&c->predictor, f);
    return status || !c->kind->check ? status : c->kind->check(c->core, f);
}

void sl_machine_config_free(struct sl_machine_config *c)
{
    free(c->core_section);
    free(c->core_options);
}
