/* SPDX-License-Identifier: MIT */
/* Machines that ran the same program, side by side:
 *
 *     Machines side by side
 *                  rocket    zen4
 *       4,256,164  1,203,441  cycles
 *           1.500      0.424  CPI
 *           1.000      0.282  of it: in which work was done
 *           0.352      0.093  of it: lost waiting for data beyond the L1 cache
 *           4.00%      1.20%  of data accesses missed L1
 *          218 µJ     824 µJ  energy; not calibrated for rocket, zen4
 *
 * A line that is 0 for all is left out. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "text_table.h"
#include "utf8.h"
#include "wording.h"

#define ALL (SL_RESULT_BESIDE_MAX + 1)

struct machines {
    const struct sl_saved_machine *machine[ALL];
    size_t n;
    struct sl_text_table table;
};

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static bool is_any(const struct machines *m, enum sl_happening what)
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

static void add_counts(struct machines *m, enum sl_happening what, const char *words)
{
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        sl_text_put_number(&m->table, i, m->machine[i]->total[what]);
    sl_text_put(&m->table, m->n, words);
}

/* Cycles of that for each instruction. */
static void add_cycles(struct machines *m, enum sl_happening what, const char *before)
{
    static const char unit[] = "cycles ";
    const char *summary = sl_happening_names[what].summary;
    if (!is_any(m, what))
        return;
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        sl_text_put_format(
            &m->table, i, "%.3f",
            ratio(m->machine[i]->total[what], m->machine[i]->total[SL_H_INSTRUCTIONS]));
    if (what == SL_H_CYCLES)
        sl_text_put(&m->table, m->n, "CPI");
    else
        sl_text_put_format(&m->table, m->n, "%s%s", before,
                           summary + (strncmp(summary, unit, strlen(unit)) ? 0 : strlen(unit)));
}

static void add_shares(struct machines *m, enum sl_happening part, enum sl_happening whole,
                       const char *words)
{
    if (!is_any(m, part))
        return;
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++)
        if (m->machine[i]->total[whole])
            sl_text_put_share(&m->table, i, m->machine[i]->total[part],
                              m->machine[i]->total[whole]);
    sl_text_put(&m->table, m->n, words);
}

/* Energy by powers that were not measured on the machine is said to be so, for each by its name. */
static void add_energy(struct machines *m)
{
    char number[SL_WORDING_ROOM], words[500] = "energy";
    size_t used = strlen(words);
    const char *between = "; not calibrated for ";
    if (!is_any(m, SL_H_ENERGY))
        return;
    sl_text_row(&m->table);
    for (size_t i = 0; i < m->n; i++) {
        const struct sl_saved_machine *one = m->machine[i];
        sl_text_put(&m->table, i, sl_wording_energy(one->total[SL_H_ENERGY], number));
        if (one->energy_calibrated || !one->total[SL_H_ENERGY])
            continue;
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%.40s", between, one->name);
        between = ", ";
    }
    sl_text_put_own(&m->table, m->n, sl_utf8_printable(words));
}

int sl_text_machines(const struct sl_database *database, size_t width, FILE *out,
                     struct sl_failure *f)
{
    struct machines m = {.machine = {&database->machine}, .n = 1};
    if (!database->n_beside)
        return 0;
    for (size_t i = 0; i < database->n_beside; i++)
        m.machine[m.n++] = &database->beside[i];
    m.table.n_columns = m.n + 1;
    for (size_t i = 0; i < m.n; i++)
        m.table.column[i] = SL_COLUMN_RIGHT | SL_COLUMN_SHRINKS;
    m.table.column[m.n] = SL_COLUMN_SHRINKS;
    add_names(&m);
    add_counts(&m, SL_H_CYCLES, "cycles");
    add_cycles(&m, SL_H_CYCLES, "");
    for (unsigned i = SL_H_BASE; i <= SL_H_LOST_LAST; i++)
        add_cycles(&m, (enum sl_happening)i, "of it: ");
    add_shares(&m, SL_H_IMISS, SL_H_FETCH_LINES, "of lines of instructions missed L1");
    add_shares(&m, SL_H_DMISS, SL_H_DATA_ACCESSES, "of data accesses missed L1");
    add_shares(&m, SL_H_L2MISS, SL_H_L2_ACCESSES, "of L2's accesses missed it");
    add_shares(&m, SL_H_L3MISS, SL_H_L3_ACCESSES, "of L3's accesses missed it");
    add_shares(&m, SL_H_WRONG_DIRECTION, SL_H_BRANCH, "of conditional branches predicted wrong");
    add_energy(&m);
    int lines = (int)(m.table.n_cells / m.table.n_columns) + 2;
    fputs("\nMachines side by side\n", out);
    return sl_text_finish(&m.table, width, out) ? lines : sl_report_no_memory(f);
}
