/* SPDX-License-Identifier: MIT */
/* Functions that read the results of a session: totals of the run, status, entries and statistics
 * of each profile (session.h). */
#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failure.h"
#include "grow.h"

/* ---- the run ---- */

uint64_t sl_session_exact_drops(const struct sl_session *s)
{
    uint64_t drops = 0;
    for (size_t i = 0; i < s->n_groups; i++) {
        const struct sl_evaluator *evaluator = s->group[i].evaluator;
        struct sl_table_status status = {0};
        if (evaluator && evaluator->exact)
            sl_table_status(evaluator->exact, &status);
        drops += status.drops;
    }
    return drops;
}

struct sl_result_profiler sl_session_profiler(const struct sl_session *s)
{
    const struct sl_profiler *p = &s->profiler;
    struct sl_result_profiler out = {
        .queue = sl_machine_profiler(s->machine)->queue,
        .branches = p->branches,
        .work = p->cycles,
        .cycles_without = sl_machine_totals(p->unhindered)[SL_MACHINE_CYCLES]};
    for (const struct sl_profile *before = s->profile; before < p->profile; before++)
        out.profile += before->spec.n_detectors;
    return out;
}

bool sl_session_has_run(const struct sl_session *s)
{
    for (size_t i = 0; i < s->n_profiles; i++)
        if (!s->profile[i].table.table)
            return false;
    return s->source && s->started;
}

void sl_process_free(struct sl_process *process)
{
    free((char *)process->program);
    free((char *)process->database);
}

static bool is_file(const char *path)
{
    struct stat status;
    return !path || (!stat(path, &status) && S_ISREG(status.st_mode));
}

int sl_session_add_process(struct sl_session *s, const struct sl_process *process,
                           struct sl_failure *f)
{
    SL_REQUIRE(f, s && process && process->program && is_file(process->database));
    struct sl_process copy = *process;
    copy.program = strdup(process->program);
    copy.database = process->database ? strdup(process->database) : NULL;
    if (!copy.program || (process->database && !copy.database) ||
        !SL_GROW(s->process, s->process_capacity, s->n_processes + 1)) {
        sl_process_free(&copy);
        return sl_out_of_memory(f);
    }
    s->process[s->n_processes++] = copy;
    return 0;
}

/* ---- a profile ---- */

struct sl_table_status sl_profile_status(const struct sl_profile *p)
{
    struct sl_table_status status;
    sl_table_status(p->table.table, &status);
    if (p->table.kind->intervals && !status.note[0])
        sl_intervals_warning(&p->table.intervals, status.note, sizeof status.note);
    /* Only for hardware tables: tables that grow are software, and so are their detectors. */
    for (size_t i = 0; p->spec.table->storage_bits && i < p->spec.n_detectors; i++) {
        const struct sl_detector_facts *facts = p->spec.detector[i].kind->facts;
        if (facts && facts->storage_bits)
            status.storage_bits += facts->storage_bits(p->spec.detector[i].config);
    }
    return status;
}

double sl_profile_option(const struct sl_profile *p, const char *name)
{
    const struct sl_option *options = p->spec.table->options;
    const struct sl_option *o = options ? sl_option_find(options, name, strlen(name)) : NULL;
    return o ? sl_option_number(o, p->spec.table_config) : (double)NAN;
}

uint64_t sl_profile_weight(const struct sl_profile *p)
{
    uint64_t weight = 0;
    for (size_t i = 0; i < p->group->detectors.n_members; i++)
        weight += p->group->detectors.member[i].weight;
    return weight;
}

uint64_t sl_profile_total_weight(const struct sl_profile *p)
{
    const struct sl_detector_slot *m = &p->group->detectors.member[0];
    uint64_t whole = m->kind->total_weight ? m->kind->total_weight(m->state) : 0;
    return whole ? whole : sl_profile_weight(p);
}

double sl_profile_statistic(const struct sl_profile *p, const char *name)
{
    const struct sl_detector_slot *m = &p->group->detectors.member[0];
    const struct sl_detector_facts *facts = m->kind->facts;
    return facts && facts->statistic ? facts->statistic(m->state, name) : (double)NAN;
}

static bool sort(struct sl_profile_list *list)
{
    sl_profile_list_sort(list);
    return !list->out_of_memory;
}

bool sl_profile_list(const struct sl_profile *p, struct sl_profile_list *list)
{
    struct sl_tuple_names names;
    sl_detector_set_names(&p->group->detectors, &names);
    return sl_evaluated_table_each(&p->table, &names, sl_profile_list_add, list) && sort(list);
}

bool sl_profile_exact_list(const struct sl_profile *p, struct sl_profile_list *list)
{
    struct sl_tuple_names names;
    sl_detector_set_names(&p->group->detectors, &names);
    sl_table_drain(sl_group_exact(p->group), &names, sl_profile_list_add, list);
    return sort(list);
}

bool sl_profile_sequence(const struct sl_profile *p, struct sl_sequence *sequence)
{
    return sl_table_stores_order(p->spec.table) && sl_table_sequence(p->table.table, sequence);
}

/* Destination of the counts of one run. */
struct filling {
    struct sl_reading *reading;
    const struct sl_tuple_names *names;
    bool exact;
};

static bool fill(void *context, const struct sl_entry *entry)
{
    const struct filling *to = context;
    size_t i = 0;
    while (i < to->names->n && to->names->pc[i] != entry->tuple.pc)
        i++;
    if (i < to->names->n)
        *(to->exact ? &to->reading[i].exact : &to->reading[i].count) = entry->count;
    return true;
}

/* Appends the counts of a run, one for each tuple of `names`, with those of `exact`. Returns false
 * if out of memory. */
static bool add_readings(struct sl_readings *r, uint64_t run,
                         const struct sl_evaluated_table *table, const struct sl_table *exact,
                         const struct sl_tuple_names *names)
{
    if (!SL_GROW(r->reading, r->capacity, r->n + names->n))
        return false;
    struct filling to = {r->reading + r->n, names, false};
    for (size_t i = 0; i < names->n; i++)
        r->reading[r->n++] = (struct sl_reading){.run = run, .number = i, .event = names->pc[i]};
    if (!sl_evaluated_table_each(table, names, fill, &to))
        return false;
    to.exact = true;
    sl_table_drain(exact, names, fill, &to);
    return true;
}

static bool add_errors(struct sl_readings *r, uint64_t run, const struct sl_evaluated_table *table)
{
    if (!SL_GROW(r->error, r->errors_capacity, r->n_errors + table->n_errors))
        return false;
    for (size_t i = 0; i < table->n_errors; i++)
        r->error[r->n_errors++] = (struct sl_run_error){run, table->error[i]};
    return true;
}

bool sl_profile_readings(const struct sl_profile *p, struct sl_readings *r)
{
    struct sl_tuple_names names;
    const struct sl_detector_set *set = &p->group->detectors;
    /* Reports list machine events one by one. */
    bool read = set->n_members == 1 && set->member[0].kind->first == SL_FIELD_EVENTS &&
                p->spec.table != &sl_table_exact && sl_group_exact(p->group);
    bool good = true;
    *r = (struct sl_readings){0};
    sl_detector_set_names(set, &names);
    for (size_t run = 0; run <= p->n_repeats && good; run++) {
        const struct sl_evaluated_table *table = run ? &p->repeat[run - 1].table : &p->table;
        good = (!read || add_readings(r, run, table, sl_group_exact(p->group), &names)) &&
               (!p->n_repeats || add_errors(r, run, table));
    }
    return good;
}

void sl_readings_free(struct sl_readings *r)
{
    free(r->reading);
    free(r->error);
    *r = (struct sl_readings){0};
}
