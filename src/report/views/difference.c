/* SPDX-License-Identifier: MIT */
/* Compares two databases for `diff` (difference.h): pairs their profiles, collects rows from all
 * processes, and adds warnings. The executed lines of both builds are aligned first
 * (difference_rows.h), because the key of a row contains the line number of the older build. */
#include "difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "difference_rows.h"
#include "failure.h"
#include "grow.h"
#include "db.h"
#include "utf8.h"

static const char *const sides[] = {[SL_BEFORE] = "before", [SL_AFTER] = "after"};

/* ---- parts ---- */

/* Adds a part. Takes the texts. Returns NULL if out of memory. */
static struct sl_difference_part *add_part(struct sl_difference *d, char *name, char *heading,
                                           const char *units)
{
    if (name && heading && SL_GROW(d->part, d->capacity, d->n + 1)) {
        d->part[d->n] = (struct sl_difference_part){
            .name = name, .heading = heading, .units = units};
        return &d->part[d->n++];
    }
    free(name);
    free(heading);
    return NULL;
}

static struct sl_difference_part *find_part(const struct sl_difference *d, const char *name,
                                            const struct sl_detector_kind *detector)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->part[i].name, name) && d->part[i].detector == detector)
            return &d->part[i];
    return NULL;
}

/* Blocks differ between builds, so their lines are compared instead. */
static bool add_lines(struct sl_difference *d, const struct sl_db_profile *profile)
{
    const char *by = profile->metric->weigh ? profile->metric->name : "instructions";
    char name[64];
    snprintf(name, sizeof name, "line:%s", by);
    if (find_part(d, name, NULL))
        return true;
    struct sl_difference_part *part = add_part(
        d, strdup(name),
        sl_asprintf("Lines by %s", profile->metric->weigh ? profile->metric->by : by),
        profile->metric->weigh ? profile->metric->units : by);
    if (part)
        part->of_lines = true;
    return part;
}

static bool add_profile(struct sl_difference *d, const struct sl_db_profile *profile)
{
    char heading[200];
    if (profile->detector->second.type == SL_FIELD_END)
        return add_lines(d, profile);
    if (find_part(d, profile->spec, profile->detector))
        return true;
    sl_format_heading(profile, heading, sizeof heading);
    struct sl_difference_part *part = add_part(d, strdup(profile->spec), strdup(heading),
                                               profile->metric->units);
    if (!part)
        return false;
    part->detector = profile->detector;
    part->estimates = profile->status.bounds != SL_BOUNDS_NONE;
    return true;
}

/* Adds a warning for each profile that only one database has. */
static bool warn_missing(struct sl_difference *d, struct sl_database *const *of)
{
    for (int side = 0; side < SL_SIDES; side++)
        for (size_t i = 0; i < of[side]->profiles.n; i++) {
            const struct sl_db_profile *profile = &of[side]->profiles.profile[i];
            if (!sl_difference_profile(of[!side], profile->detector, profile->spec) &&
                !sl_warnings_add(&d->warnings, "profile %s is only in %s", profile->spec,
                                 d->run[side].database))
                return false;
        }
    return true;
}

static char *spec_list(const struct sl_database *database)
{
    char *list = NULL;
    size_t size;
    FILE *out = open_memstream(&list, &size);
    for (size_t i = 0; out && i < database->profiles.n && i < 5; i++)
        fprintf(out, "%s%.80s", i ? ", " : "", database->profiles.profile[i].given);
    if (out && database->profiles.n > 5)
        fputs(", ...", out);
    if (out && !database->profiles.n)
        fputs("none", out);
    return out && !fclose(out) ? list : NULL;
}

static int fail_nothing(const struct sl_difference *d, struct sl_database *const *of,
                        struct sl_failure *f)
{
    char *a = spec_list(of[SL_BEFORE]), *b = spec_list(of[SL_AFTER]);
    int result = a && b ? sl_fail(f, SL_EUSAGE,
                                  "the databases have no CPU model and no profile with the same "
                                  "options in common: profile both programs in the same way "
                                  "(profiles of %.200s: %s; profiles of %.200s: %s)",
                                  d->run[SL_BEFORE].database, a, d->run[SL_AFTER].database, b)
                        : sl_report_no_memory(f);
    free(a);
    free(b);
    return result;
}

static bool has_machines(struct sl_database *const *of)
{
    return of[SL_BEFORE]->machine.name && of[SL_AFTER]->machine.name;
}

#define CAUSES "machine:cycles"
#define EVENTS "machine:events"
#define COMMANDS "process:instructions"

static int make_parts(struct sl_difference *d, struct sl_database *const *of, struct sl_failure *f)
{
    bool fits = true;
    if (of[SL_BEFORE]->n_processes || of[SL_AFTER]->n_processes)
        fits = add_part(d, strdup(COMMANDS), strdup("Programs by instructions"), "instructions");
    size_t before = d->n;
    for (size_t i = 0; fits && i < of[SL_BEFORE]->profiles.n; i++) {
        const struct sl_db_profile *profile = &of[SL_BEFORE]->profiles.profile[i];
        if (sl_difference_profile(of[SL_AFTER], profile->detector, profile->spec))
            fits = add_profile(d, profile);
    }
    bool common = d->n > before || has_machines(of);
    if (fits && has_machines(of))
        fits = add_part(d, strdup(CAUSES), strdup("Cycles by cause"), "cycles") &&
               add_part(d, strdup(EVENTS), strdup("Events of the CPU model"), NULL);
    return !fits ? sl_report_no_memory(f) : !common ? fail_nothing(d, of, f) : 0;
}

/* ---- warnings ---- */

static bool warn_runs(struct sl_difference *d, struct sl_database *const *of)
{
    const struct sl_db_program *a = &of[SL_BEFORE]->program, *b = &of[SL_AFTER]->program;
    bool fits = true;
    if (strcmp(a->arch, b->arch))
        fits = sl_warnings_add(&d->warnings, "different architectures: %s and %s", a->arch,
                               b->arch);
    if (fits && (!sl_same_text(a->range, b->range) || !sl_same_text(a->only, b->only) ||
                 a->marked != b->marked || a->skip != b->skip || a->limit != b->limit ||
                 a->load_sampling_period != b->load_sampling_period ||
                 a->load_sampling_blocks != b->load_sampling_blocks ||
                 !sl_same_text(a->start_at, b->start_at)))
        fits = sl_warnings_add(&d->warnings,
                               "the runs have different filters, run ranges or load sampling");
    if (fits && !of[SL_BEFORE]->machine.name != !of[SL_AFTER]->machine.name)
        fits = sl_warnings_add(&d->warnings, "only one run has a CPU model");
    else if (fits && has_machines(of) &&
             !sl_same_text(of[SL_BEFORE]->machine.description, of[SL_AFTER]->machine.description))
        fits = sl_warnings_add(&d->warnings, "different CPU models: %s and %s",
                               of[SL_BEFORE]->machine.name, of[SL_AFTER]->machine.name);
    return fits;
}

/* Adds the warnings of each database. */
static int warn_each(struct sl_difference *d, struct sl_database *const *of, struct sl_failure *f)
{
    int result = 0;
    for (int side = 0; side < SL_SIDES && !result; side++) {
        struct sl_warnings own;
        result = sl_warnings_collect(&own, of[side], f);
        if (result)
            break;
        for (size_t i = 0; i < own.n && !result; i++)
            if (!sl_warnings_add(&d->warnings, "%s: %s", sides[side], own.text[i]))
                result = sl_report_no_memory(f);
        sl_warnings_free(&own);
    }
    return result;
}

/* Adds a warning if entries were not saved, because the other database may have them. */
static bool warn_unsaved(struct sl_difference *d, struct sl_database *const *of)
{
    for (size_t i = 0; i < d->n; i++)
        for (int side = 0; side < SL_SIDES; side++) {
            const struct sl_db_profile *profile = sl_difference_profile(
                of[side], d->part[i].detector, d->part[i].name);
            if (!profile || profile->saved >= profile->distinct)
                continue;
            if (!sl_warnings_add(&d->warnings,
                                 "%s: only the top entries of %s were saved (%llu); missing "
                                 "entries count as 0",
                                 sides[side], profile->spec, (unsigned long long)profile->saved))
                return false;
            break;
        }
    return true;
}

/* ---- collecting rows ---- */

static int gather_machine(struct sl_difference_gathering *g, const struct sl_db_machine *machine,
                          struct sl_failure *f)
{
    struct sl_difference_part *causes = find_part(g->difference, CAUSES, NULL);
    struct sl_difference_part *events = find_part(g->difference, EVENTS, NULL);
    int result = 0;
    g->difference->run[g->side].cycles += machine->total[SL_MACHINE_CYCLES];
    for (size_t i = 0; causes && events && machine->name && !result && i < SL_MACHINE_TOTALS; i++) {
        bool is_cause = i >= SL_MACHINE_BASE && i <= SL_MACHINE_STALL_LAST;
        result = sl_difference_gather_name(g, is_cause ? causes : events,
                                           is_cause ? sl_machine_event_names[i].summary
                                                    : sl_machine_event_names[i].name,
                                           machine->total[i], f);
    }
    if (causes && events) {
        causes->weight[g->side] += machine->total[SL_MACHINE_CYCLES];
        sl_difference_part_sum_up(causes);
        sl_difference_part_sum_up(events);
    }
    return result;
}

/* Adds a command, with the program's file name instead of its path. */
static int gather_command(struct sl_difference_gathering *g, const struct sl_db_program *program,
                          struct sl_failure *f)
{
    struct sl_difference_part *part = find_part(g->difference, COMMANDS, NULL);
    if (!part)
        return 0;
    char *command = sl_format_command(program);
    size_t program_end = command ? strcspn(command, " ") : 0, start = program_end;
    while (start && command[start - 1] != '/')
        start--;
    part->weight[g->side] += program->instructions;
    int result = sl_difference_gather_name(g, part, command ? command + start : NULL,
                                           program->instructions, f);
    free(command);
    return result;
}

static int gather_one(struct sl_difference_gathering *g, struct sl_database *database,
                      struct sl_failure *f)
{
    struct sl_difference_run *run = &g->difference->run[g->side];
    run->instructions += database->program.instructions;
    run->blocks += database->program.blocks;
    run->loads += database->program.loads;
    int result = sl_difference_gather_rows(g, database, f);
    if (!result)
        result = gather_machine(g, &database->machine, f);
    return result ? result : gather_command(g, &database->program, f);
}

/* Calls `gather` for all processes of one side. */
static int gather_side(struct sl_difference_gathering *g, struct sl_database *first,
                       int (*gather)(struct sl_difference_gathering *, struct sl_database *,
                                     struct sl_failure *),
                       struct sl_failure *f)
{
    struct sl_db_processes processes = {0};
    int result = gather(g, first, f);
    if (!result && first->n_processes)
        result = sl_db_processes(&processes, first, f);
    for (size_t i = 0; !result && i < processes.n; i++) {
        struct sl_database *one = NULL;
        if (!processes.process[i].profiled)
            continue;
        result = sl_database_open_process(&one, g->difference->run[g->side].database,
                                          processes.process[i].number, f);
        if (!result)
            result = gather(g, one, f);
        sl_database_close(one);
    }
    sl_db_processes_free(&processes);
    return result;
}

static int gather(struct sl_difference_gathering *g, struct sl_database *const *of,
                  struct sl_failure *f)
{
    int result = 0;
    for (g->side = 0; g->side < SL_SIDES && !result; g->side++)
        result = gather_side(g, of[g->side], sl_difference_gather_lines, f);
    if (!result && !sl_line_match_align(&g->lines))
        result = sl_report_no_memory(f);
    for (g->side = 0; g->side < SL_SIDES && !result; g->side++)
        result = gather_side(g, of[g->side], gather_one, f);
    return result;
}

/* ---- the whole difference ---- */

static int compare(struct sl_difference *d, struct sl_database *const *of, struct sl_failure *f)
{
    struct sl_difference_gathering g = {.difference = d};
    bool fits = true;
    for (int side = 0; side < SL_SIDES && fits; side++) {
        d->run[side].command = sl_format_command(&of[side]->program);
        d->run[side].processes = of[side]->n_processes;
        g.program[side] = strdup(of[side]->program.path ? sl_file_name(of[side]->program.path)
                                                        : "");
        fits = d->run[side].command && g.program[side];
    }
    int result = fits ? make_parts(d, of, f) : sl_report_no_memory(f);
    for (size_t i = 0; !g.by && i < of[SL_BEFORE]->profiles.n; i++) {
        const struct sl_db_profile *profile = &of[SL_BEFORE]->profiles.profile[i];
        if (profile->detector->first == SL_FIELD_CODE &&
            sl_difference_profile(of[SL_AFTER], profile->detector, profile->spec))
            g.by = profile;
    }
    if (!result && (!warn_runs(d, of) || !warn_missing(d, of) || !warn_unsaved(d, of)))
        result = sl_report_no_memory(f);
    if (!result)
        result = warn_each(d, of, f);
    if (!result)
        result = gather(&g, of, f);
    for (size_t i = 0; i < d->n; i++)
        sl_difference_part_sum_up(&d->part[i]);
    for (size_t i = 0; i < d->n; i++)
        sl_difference_part_sort(&d->part[i]);
    sl_line_match_free(&g.lines);
    free(g.program[SL_BEFORE]);
    free(g.program[SL_AFTER]);
    return result;
}

int sl_difference_make(struct sl_difference *d, const char *before, const char *after,
                       struct sl_failure *f)
{
    const char *const path[] = {[SL_BEFORE] = before, [SL_AFTER] = after};
    struct sl_database *of[SL_SIDES] = {NULL, NULL};
    int result = 0;
    *d = (struct sl_difference){0};
    for (int side = 0; side < SL_SIDES && !result; side++) {
        d->run[side].database = strdup(path[side]);
        result = d->run[side].database ? sl_database_open(&of[side], path[side], f)
                                       : sl_report_no_memory(f);
    }
    if (!result)
        result = compare(d, of, f);
    sl_database_close(of[SL_BEFORE]);
    sl_database_close(of[SL_AFTER]);
    return result;
}

void sl_difference_free(struct sl_difference *d)
{
    for (int side = 0; side < SL_SIDES; side++) {
        free(d->run[side].database);
        free(d->run[side].command);
    }
    for (size_t i = 0; i < d->n; i++) {
        for (size_t k = 0; k < d->part[i].n; k++)
            sl_difference_row_free(&d->part[i].row[k]);
        free(d->part[i].row);
        free(d->part[i].name);
        free(d->part[i].heading);
    }
    free(d->part);
    sl_warnings_free(&d->warnings);
    *d = (struct sl_difference){0};
}

/* ---- statistics ---- */

double sl_difference_growth(uint64_t before, uint64_t after)
{
    double change = (double)after - (double)before;
    return before ? change / (double)before : after ? INFINITY : 0;
}

struct sl_regression sl_difference_regression(const struct sl_difference *d)
{
    const struct sl_difference_run *a = &d->run[SL_BEFORE], *b = &d->run[SL_AFTER];
    double instructions = sl_difference_growth(a->instructions, b->instructions);
    double cycles = a->cycles && b->cycles ? sl_difference_growth(a->cycles, b->cycles)
                                           : instructions;
    return cycles > instructions ? (struct sl_regression){cycles, "cycles"}
                                 : (struct sl_regression){instructions, "instructions"};
}

double sl_difference_share(const struct sl_difference_part *part,
                           const struct sl_difference_row *row)
{
    uint64_t whole = part->units ? part->weight[SL_BEFORE] : row->count[SL_BEFORE];
    double change = (double)row->count[SL_AFTER] - (double)row->count[SL_BEFORE];
    return whole ? change / (double)whole : INFINITY;
}

bool sl_difference_doubtful(const struct sl_difference_part *part,
                            const struct sl_difference_row *row)
{
    return part->estimates && row->low[SL_BEFORE] <= row->high[SL_AFTER] &&
           row->low[SL_AFTER] <= row->high[SL_BEFORE];
}

const char *sl_difference_line(const struct sl_difference_place *place,
                               char buffer[SL_DIFFERENCE_LINE_SIZE])
{
    int line = place->line[SL_AFTER] ? place->line[SL_AFTER] : place->line[SL_BEFORE];
    if (!place->file || !line)
        return NULL;
    snprintf(buffer, SL_DIFFERENCE_LINE_SIZE, "%s:%d", place->file, line);
    return buffer;
}
