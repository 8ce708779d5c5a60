/* SPDX-License-Identifier: MIT */
/* Text report of the totals of a CPU model: cycles by cause, and the misses and mispredictions that
 * caused stalls:
 *
 *     CPU model rocket
 *       2,837,443 instructions, 4,256,164 cycles, CPI 1.500, energy 218 µJ (not
 *       calibrated for this CPU model)
 *       2,837,443  66.67%  1.000  without a stall
 *       1,000,000  23.50%  0.352  stall: data beyond L1
 *         418,721   9.84%  0.148  stall: mispredicted branches
 *       misses: L1I 312 (0.03%), L1D 25,000 (4.00%), DTLB 12 (0.00%)
 *       mispredicted: 139,573 of 553,611 conditional branches (25.21%) */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#define MACHINES_MAX (SL_RESULT_OTHER_MACHINES_MAX + 1)

enum column { CYCLES, SHARE, CPI, CAUSE };

/* ---- single lines ---- */

/* Energy by the model's powers, and corrected for stalls if there is a correction. */
static void add_energy(struct sl_text_line *line, const struct sl_db_machine *machine)
{
    char number[SL_FORMAT_SIZE], corrected[SL_FORMAT_SIZE], remarks[120] = "";
    size_t used = 0;
    sl_format_energy(machine->total[SL_MACHINE_ENERGY], number);
    if (!isnan(machine->energy_factor))
        used = (size_t)snprintf(remarks, sizeof remarks, "%s corrected for stalls%s",
                                sl_format_energy(sl_db_corrected_energy(machine), corrected),
                                machine->energy_extrapolated ? ", extrapolated" : "");
    if (!machine->energy_calibrated)
        snprintf(remarks + used, sizeof remarks - used, "%snot calibrated for this CPU model",
                 used ? ", " : "");
    if (*remarks)
        sl_text_line_add(line, "energy %s (%s)", number, remarks);
    else
        sl_text_line_add(line, "energy %s", number);
}

static void add_summary(struct sl_text_line *line, const struct sl_db_machine *machine)
{
    const uint64_t *total = machine->total;
    sl_text_line_add(line, "%s instructions", SL_NUMBER(total[SL_MACHINE_INSTRUCTIONS]));
    sl_text_line_add(line, "%s cycles", SL_NUMBER(total[SL_MACHINE_CYCLES]));
    if (total[SL_MACHINE_INSTRUCTIONS])
        sl_text_line_add(line, "CPI %.3f",
                         sl_ratio(total[SL_MACHINE_CYCLES], total[SL_MACHINE_INSTRUCTIONS]));
    if (total[SL_MACHINE_ENERGY])
        add_energy(line, machine);
}

/* Caches without accesses and TLBs without misses are left out. */
static void add_misses(struct sl_text_line *line, const struct sl_db_machine *machine)
{
    const uint64_t *total = machine->total;
    static const struct {
        const char *name;
        enum sl_machine_event misses, of, shown_by;
    } caches[] = {
        {"L1I", SL_MACHINE_IMISS, SL_MACHINE_FETCH_LINES, SL_MACHINE_FETCH_LINES},
        {"L1D", SL_MACHINE_DMISS, SL_MACHINE_DATA_ACCESSES, SL_MACHINE_DATA_ACCESSES},
        {"L2", SL_MACHINE_L2MISS, SL_MACHINE_L2_ACCESSES, SL_MACHINE_L2_ACCESSES},
        {"L3", SL_MACHINE_L3MISS, SL_MACHINE_L3_ACCESSES, SL_MACHINE_L3_ACCESSES},
        {"ITLB", SL_MACHINE_ITLB_MISS, SL_MACHINE_FETCH_LINES, SL_MACHINE_ITLB_MISS},
        {"DTLB", SL_MACHINE_DTLB_MISS, SL_MACHINE_DATA_ACCESSES, SL_MACHINE_DTLB_MISS},
    };
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        if (total[caches[i].shown_by])
            sl_text_line_add(line, "%s %s (%.2f%%)", caches[i].name,
                             SL_NUMBER(total[caches[i].misses]),
                             100 * sl_ratio(total[caches[i].misses], total[caches[i].of]));
}

static void add_prefetches(struct sl_text_line *line, const struct sl_db_machine *machine)
{
    const uint64_t *total = machine->total;
    if (!total[SL_MACHINE_PREFETCHES])
        return;
    sl_text_line_add(line, "%s lines", SL_NUMBER(total[SL_MACHINE_PREFETCHES]));
    sl_text_line_add(line, "%s used later (%.2f%%)", SL_NUMBER(total[SL_MACHINE_PREFETCH_HITS]),
                     100 * sl_ratio(total[SL_MACHINE_PREFETCH_HITS], total[SL_MACHINE_PREFETCHES]));
}

static void add_mispredictions(struct sl_text_line *line, const struct sl_db_machine *machine)
{
    const uint64_t *total = machine->total;
    static const struct {
        const char *of_what;
        enum sl_machine_event wrong, of;
    } branches[] = {
        {"conditional branches", SL_MACHINE_WRONG_DIRECTION, SL_MACHINE_BRANCH},
        {"others", SL_MACHINE_WRONG_TARGET, SL_MACHINE_JUMP},
    };
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++)
        if (total[branches[i].of])
            sl_text_line_add(line, "%s of %s %s (%.2f%%)", SL_NUMBER(total[branches[i].wrong]),
                             SL_NUMBER(total[branches[i].of]), branches[i].of_what,
                             100 * sl_ratio(total[branches[i].wrong], total[branches[i].of]));
}

static void add_profiler(struct sl_text_line *line, const struct sl_db_machine *machine)
{
    const struct sl_result_profiler *profiler = &machine->profiler;
    const uint64_t *total = machine->total;
    if (!machine->has_profiler)
        return;
    double overhead = sl_profiler_overhead(profiler, total[SL_MACHINE_CYCLES]);
    if (!isnan(overhead))
        sl_text_line_add(line, "overhead %.2f%% (%s cycles without the profiler)", 100 * overhead,
                         SL_NUMBER(profiler->cycles_without));
    sl_text_line_add(line, "queue of %s", SL_NUMBER(profiler->queue));
    sl_text_line_add(line, "%s branches", SL_NUMBER(profiler->branches));
    sl_text_line_add(line, "busy %.2f%% of the time",
                     100 * sl_ratio(profiler->work, total[SL_MACHINE_CYCLES]));
}

/* ---- cycles by cause ---- */

/* The cause of cycles as text, without the word "cycles" that the column has. */
static const char *cause_text(size_t cause)
{
    static const char unit[] = "cycles ";
    const char *summary = sl_machine_event_names[cause].summary;
    return summary + (strncmp(summary, unit, strlen(unit)) ? 0 : strlen(unit));
}

static void add_cause(struct sl_text_table *table, const uint64_t *total, size_t cause)
{
    sl_text_row(table);
    sl_text_put_number(table, CYCLES, total[cause]);
    sl_text_put_percentage(table, SHARE, total[cause], total[SL_MACHINE_CYCLES]);
    sl_text_put_format(table, CPI, "%.3f", sl_ratio(total[cause], total[SL_MACHINE_INSTRUCTIONS]));
    sl_text_put(table, CAUSE, cause_text(cause));
}

static int print_stack(const struct sl_db_machine *machine, size_t width, FILE *out,
                       struct sl_failure *f)
{
    const uint64_t *total = machine->total;
    struct sl_text_table table = {.columns = "rrrs"};
    for (size_t i = SL_MACHINE_BASE; i <= SL_MACHINE_STALL_LAST; i++)
        if (total[i])
            add_cause(&table, total, i);
    int lines = (int)sl_text_n_rows(&table);
    return sl_text_finish(&table, width, out) ? lines : sl_report_no_memory(f);
}

/* ---- the whole section ---- */

static int print_heading(const char *name, size_t width, FILE *out, struct sl_failure *f)
{
    char *clean = sl_own_printable(sl_asprintf("CPU model %s", name));
    if (!clean)
        return sl_report_no_memory(f);
    sl_utf8_shorten(clean, width);
    fprintf(out, "\n%s\n", clean);
    free(clean);
    return 2;
}

/* The paragraphs, and what they start with. */
static const struct {
    const char *first;
    void (*add)(struct sl_text_line *line, const struct sl_db_machine *machine);
} paragraphs[] = {{"  ", add_summary},
                  {"  profiler: ", add_profiler},
                  {"  misses: ", add_misses},
                  {"  prefetched: ", add_prefetches},
                  {"  mispredicted: ", add_mispredictions}};

/* Prints a paragraph unless it is empty. Returns the number of lines, or an error. */
static int print_paragraph(size_t i, const struct sl_db_machine *machine, size_t width, FILE *out,
                           struct sl_failure *f)
{
    struct sl_text_line line = {0};
    paragraphs[i].add(&line, machine);
    char *text = sl_text_line_close(&line);
    if (!text)
        return line.begun ? sl_report_no_memory(f) : 0;
    int lines = (int)sl_text_wrap(text, paragraphs[i].first, width, out);
    free(text);
    return lines;
}

int sl_text_machine(const struct sl_db_machine *machine, size_t width, FILE *out,
                    struct sl_failure *f)
{
    if (!machine->name)
        return 0;
    int lines = print_heading(machine->name, width, out, f);
    for (size_t i = 0; i < sizeof paragraphs / sizeof *paragraphs && lines >= 0; i++) {
        int printed = print_paragraph(i, machine, width, out, f);
        if (!i && printed >= 0) { /* the stack follows the summary */
            int stack = print_stack(machine, width, out, f);
            printed = stack < 0 ? stack : printed + stack;
        }
        lines = printed < 0 ? printed : lines + printed;
    }
    return lines;
}

/* ---- several CPU models ---- */

/* Several CPU models that ran the same program, with one column per CPU model:
 *
 *     CPU models compared
 *                  rocket    zen4
 *       4,256,164  1,203,441  cycles
 *           1.500      0.424  CPI
 *           1.000      0.282  of it: without a stall
 *           0.352      0.093  of it: stall: data beyond L1
 *           4.00%      1.20%  of data accesses missed L1
 *          218 µJ     824 µJ  energy; not calibrated for rocket, zen4
 *
 * A row that is 0 for all models is left out. */
struct machines {
    const struct sl_db_machine *machine[MACHINES_MAX];
    size_t n;
    struct sl_text_table table;
};

static bool is_any(const struct machines *m, enum sl_machine_event what)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->machine[i]->total[what])
            return true;
    return false;
}

static void add_names(struct machines *m)
{
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        sl_text_put_own(&m->table, i, sl_utf8_printable(m->machine[i]->name));
}

static void add_counts(struct machines *m, enum sl_machine_event what, const char *words)
{
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        sl_text_put_number(&m->table, i, m->machine[i]->total[what]);
    sl_text_put(&m->table, m->n, words);
}

/* Adds a row of cycles per instruction. */
static void add_cycles(struct machines *m, enum sl_machine_event what)
{
    if (!is_any(m, what))
        return;
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        sl_text_put_format(
            &m->table, i, "%.3f",
            sl_ratio(m->machine[i]->total[what], m->machine[i]->total[SL_MACHINE_INSTRUCTIONS]));
    if (what == SL_MACHINE_CYCLES)
        sl_text_put(&m->table, m->n, "CPI");
    else
        sl_text_put_format(&m->table, m->n, "of it: %s", cause_text(what));
}

static void add_shares(struct machines *m, enum sl_machine_event part, enum sl_machine_event whole,
                       const char *words)
{
    if (!is_any(m, part))
        return;
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        if (m->machine[i]->total[whole])
            sl_text_put_percentage(&m->table, i, m->machine[i]->total[part],
                                   m->machine[i]->total[whole]);
    sl_text_put(&m->table, m->n, words);
}

/* The row names the models whose powers were not measured. */
static void add_energies(struct machines *m)
{
    char number[SL_FORMAT_SIZE], words[500] = "energy";
    size_t used = strlen(words);
    const char *between = "; not calibrated for ";
    if (!is_any(m, SL_MACHINE_ENERGY))
        return;
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++) {
        const struct sl_db_machine *one = m->machine[i];
        sl_text_put(&m->table, i, sl_format_energy(one->total[SL_MACHINE_ENERGY], number));
        if (one->energy_calibrated || !one->total[SL_MACHINE_ENERGY])
            continue;
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%.40s", between, one->name);
        between = ", ";
    }
    sl_text_put_own(&m->table, m->n, sl_utf8_printable(words));
}

int sl_text_machines(const struct sl_text *t)
{
    const struct sl_database *database = t->database;
    struct machines m = {.machine = {&database->machine}, .n = 1};
    if (!database->n_other_machines)
        return 0;
    for (size_t i = 0; i < database->n_other_machines; i++)
        m.machine[m.n++] = &database->other_machine[i];
    memset(m.table.columns, 'S', m.n);
    m.table.columns[m.n] = 's';
    add_names(&m);
    add_counts(&m, SL_MACHINE_CYCLES, "cycles");
    add_cycles(&m, SL_MACHINE_CYCLES);
    for (unsigned i = SL_MACHINE_BASE; i <= SL_MACHINE_STALL_LAST; i++)
        add_cycles(&m, (enum sl_machine_event)i);
    add_shares(&m, SL_MACHINE_IMISS, SL_MACHINE_FETCH_LINES, "of instruction lines missed L1");
    add_shares(&m, SL_MACHINE_DMISS, SL_MACHINE_DATA_ACCESSES, "of data accesses missed L1");
    add_shares(&m, SL_MACHINE_L2MISS, SL_MACHINE_L2_ACCESSES, "of L2 accesses missed");
    add_shares(&m, SL_MACHINE_L3MISS, SL_MACHINE_L3_ACCESSES, "of L3 accesses missed");
    add_shares(&m, SL_MACHINE_WRONG_DIRECTION, SL_MACHINE_BRANCH,
               "of conditional branches mispredicted");
    add_energies(&m);
    int lines = (int)sl_text_n_rows(&m.table) + 2;
    fputs("\nCPU models compared\n", t->out);
    return sl_text_finish(&m.table, t->width, t->out) ? lines : sl_report_no_memory(t->f);
}
