/* SPDX-License-Identifier: MIT */
/* Profiles, one row each, and what belongs to them, table by table. */
#include "database.h"
#include "database_row.h"
#include "database_rows.h"
#include "delivery.h"
#include "event_set.h"
#include "overhead.h"

const char *const sl_bounds_names[] = {
    [SL_BOUNDS_NONE] = NULL,
    [SL_BOUNDS_CERTAIN] = "certain",
    [SL_BOUNDS_95] = "95%",
};

static void put_profile(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    const struct sl_table_status *status = &profile->status;
    bool gaps = sl_has_gaps(status);
    uint64_t saved_weight = 0;
    for (size_t e = 0; e < profile->n_entries; e++)
        saved_weight += profile->entry[e].count;
    sl_row_number(row, id);
    sl_row_text(row, profile->spec);
    sl_row_text(row, profile->given ? profile->given : profile->spec);
    sl_row_text(row, profile->detector->name);
    sl_row_text(row, profile->metric);
    sl_row_text(row, profile->table);
    sl_row_text(row, profile->notation ? profile->notation : profile->table);
    sl_row_text(row, profile->detector->second.name);
    sl_row_number(row, profile->source);
    sl_row_number(row, profile->first);
    sl_row_number(row, profile->shared);
    sl_row_number(row, profile->events);
    sl_row_number(row, profile->weight);
    sl_row_number(row, profile->distinct);
    sl_row_number(row, status->storage_bits);
    sl_row_number(row, status->drops);
    sl_row_number(row, status->drops_weight);
    sl_row_text(row, sl_bounds_names[status->bounds]);
    sl_row_number_if(row, status->sends, status->messages);
    sl_row_number_if(row, status->sends, status->interrupts);
    sl_row_number_if(row, status->sends, status->message_weight);
    sl_row_number_if(row, status->sends, status->residue);
    sl_row_number_if(row, gaps, status->gap_min);
    sl_row_number_if(row, gaps, status->gap_median);
    sl_row_text(row, gaps ? sl_time_unit(status) : NULL);
    sl_row_number_if(row, status->sends, status->check_cycles);
    sl_row_number(row, profile->n_entries);
    sl_row_number(row, saved_weight);
    sl_row_text(row, status->note[0] ? status->note : NULL);
    sl_row_put(row);
}

static void put_gaps(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    const uint64_t *gap = profile->status.gap;
    for (unsigned i = 0; i < SL_GAPS; i++) {
        if (!gap[i])
            continue;
        sl_row_number(row, id);
        sl_row_number(row, sl_gap_low(i));
        sl_row_number(row, gap[i]);
        sl_row_put(row);
    }
}

static void put_delivery(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (const struct sl_delivery_figure *d = sl_delivery_figures; d->name; d++) {
        if (!sl_delivery_has(&profile->status, d))
            continue;
        sl_row_number(row, id);
        sl_row_text(row, d->name);
        sl_row_number(row, sl_delivery_value(&profile->status, d));
        sl_row_put(row);
    }
}

static void put_phases(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_phases && row->rc == SQLITE_OK; i++) {
        const struct sl_phase *phase = &profile->phase[i];
        sl_row_number(row, id);
        sl_row_number(row, i + 1);
        sl_row_number(row, phase->first_event);
        sl_row_number(row, phase->events);
        sl_row_number(row, phase->weight);
        sl_row_real(row, (double)phase->turnover / 4294967296.0);
        sl_row_number(row, phase->kind);
        sl_row_put(row);
    }
}

static void put_phase_entries(struct sl_row *row, uint64_t id,
                              const struct sl_result_profile *profile)
{
    uint64_t rank = 0;
    for (size_t i = 0; i < profile->n_phase_paths && row->rc == SQLITE_OK; i++) {
        const struct sl_result_phase_path *path = &profile->phase_path[i];
        rank = i && path->phase == path[-1].phase ? rank + 1 : 1;
        sl_row_number(row, id);
        sl_row_number(row, path->phase + 1);
        sl_row_number(row, rank);
        sl_row_number(row, id + path->member);
        sl_row_number(row, path->is.tuple.pc);
        sl_row_number(row, path->is.tuple.value);
        sl_row_number(row, path->is.weight);
        sl_row_put(row);
    }
}

static void put_options_of(struct sl_row *row, uint64_t id, const char *of,
                           const struct sl_option *options, const void *config)
{
    struct sl_option_stored stored;
    for (const struct sl_option *o = config ? options : NULL; o && o->name; o++) {
        sl_option_get(o, config, &stored);
        sl_row_number(row, id);
        sl_row_text(row, of);
        sl_row_text(row, o->name);
        if (stored.is == SL_STORED_TEXT)
            sl_row_text(row, stored.text);
        else if (stored.is == SL_STORED_REAL)
            sl_row_real(row, stored.real);
        else
            sl_row_number(row, stored.number);
        sl_row_put(row);
    }
}

static void put_options(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    if (profile->asked)
        put_options_of(row, id, profile->asked->name, profile->asked->options, profile->config);
    put_options_of(row, id, profile->table, profile->table_written, profile->table_config);
    put_options_of(row, id, profile->table, profile->table_options, profile->table_config);
}

static void put_errors(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_errors; i++) {
        sl_row_number(row, id);
        sl_row_text(row, profile->error[i].name);
        sl_row_real(row, profile->error[i].value);
        sl_row_put(row);
    }
}

static void put_curve(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_points && row->rc == SQLITE_OK; i++) {
        sl_row_number(row, id);
        sl_row_number(row, profile->curve[i].events);
        sl_row_real(row, profile->curve[i].error);
        sl_row_put(row);
    }
}

static void put_intervals(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_intervals && row->rc == SQLITE_OK; i++) {
        const struct sl_interval_row *interval = &profile->interval[i];
        sl_row_number(row, id);
        sl_row_number(row, interval->number);
        sl_row_number(row, interval->first_event);
        sl_row_number(row, interval->events);
        sl_row_number(row, interval->weight);
        sl_row_number(row, interval->threshold);
        sl_row_number(row, interval->candidates);
        sl_row_number(row, interval->entered);
        sl_row_number(row, interval->left);
        sl_row_number(row, interval->drops);
        sl_row_number(row, interval->partial);
        sl_row_real(row, interval->error);
        sl_row_real(row, interval->false_positive);
        sl_row_real(row, interval->false_negative);
        sl_row_real(row, interval->neutral_positive);
        sl_row_real(row, interval->neutral_negative);
        sl_row_put(row);
    }
}

/* The columns from pc to high. */
static void fill_counted(struct sl_row *row, const struct sl_result_profile *profile,
                         const struct sl_entry *entry)
{
    bool bounded = profile->status.bounds != SL_BOUNDS_NONE;
    sl_row_number(row, entry->tuple.pc);
    sl_row_number(row, entry->tuple.value);
    sl_row_number(row, entry->count);
    sl_row_number_if(row, bounded, entry->low);
    sl_row_number_if(row, bounded, entry->high);
}

/* The entries of a profile are by far the most rows. */
struct entries {
    uint64_t id;
    const struct sl_result_profile *profile;
};

/* clang-format off */
static void entry_cell(const void *context, size_t i, int column, sqlite3_context *out)
{
    const struct entries *of = context;
    const struct sl_result_profile *profile = of->profile;
    const struct sl_entry *entry = &profile->entry[i];
    bool bounded = profile->status.bounds != SL_BOUNDS_NONE;
    switch (column) {
    case 0: sl_cell_number(out, true, of->id); break;
    case 1: sl_cell_number(out, true, i + 1); break;
    case 2: sl_cell_number(out, true, entry->tuple.pc); break;
    case 3: sl_cell_number(out, true, entry->tuple.value); break;
    case 4: sl_cell_number(out, true, entry->count); break;
    case 5: sl_cell_number(out, bounded, entry->low); break;
    case 6: sl_cell_number(out, bounded, entry->high); break;
    case 7: sl_cell_number(out, profile->status.sends, entry->resident); break;
    case 8: sl_cell_number(out, profile->entry_intervals,
                           profile->entry_intervals ? profile->entry_intervals[i] : 0); break;
    }
}
/* clang-format on */

static int fill_entries(sqlite3 *database, const struct sl_results *results)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < results->n_profiles && rc == SQLITE_OK; i++) {
        struct entries of = {i, &results->profile[i]};
        rc = sl_rows_insert(
            database, &(struct sl_many_rows){"entry", 9, of.profile->n_entries, entry_cell, &of});
    }
    return rc;
}

static void put_candidates(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    uint64_t rank = 0;
    for (size_t i = 0; i < profile->n_candidates && row->rc == SQLITE_OK; i++) {
        const struct sl_interval_candidate *candidate = &profile->candidate[i];
        rank = i && candidate[-1].interval == candidate->interval ? rank + 1 : 1;
        sl_row_number(row, id);
        sl_row_number(row, candidate->interval);
        sl_row_number(row, rank);
        fill_counted(row, profile, &candidate->entry);
        sl_row_put(row);
    }
}

static void put_readings(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    char event[200];
    for (size_t i = 0; i < profile->n_readings && row->rc == SQLITE_OK; i++) {
        const struct sl_reading *reading = &profile->reading[i];
        sl_event_set_name(reading->event, event, sizeof event);
        sl_row_number(row, id);
        sl_row_number(row, reading->run);
        sl_row_number(row, reading->number);
        sl_row_text(row, event);
        sl_row_number(row, reading->count);
        sl_row_number(row, reading->exact);
        sl_row_put(row);
    }
}

static void put_parameters(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_parameters && row->rc == SQLITE_OK; i++) {
        sl_row_number(row, id);
        sl_row_text(row, profile->parameter[i].name);
        sl_row_number(row, profile->parameter[i].place);
        sl_row_number(row, profile->parameter[i].value);
        sl_row_put(row);
    }
}

static void put_run_errors(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_run_errors && row->rc == SQLITE_OK; i++) {
        sl_row_number(row, id);
        sl_row_number(row, profile->run_error[i].run);
        sl_row_text(row, profile->run_error[i].error.name);
        sl_row_real(row, profile->run_error[i].error.value);
        sl_row_put(row);
    }
}

int sl_database_fill_profiles(sqlite3 *database, const struct sl_results *results)
{
    static const struct {
        const char *sql;
        void (*put)(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile);
    } tables[] = {
        {"INSERT INTO profile VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
         put_profile},
        {"INSERT INTO gap VALUES (?,?,?)", put_gaps},
        {"INSERT INTO delivery VALUES (?,?,?)", put_delivery},
        {"INSERT INTO phase VALUES (?,?,?,?,?,?,?)", put_phases},
        {"INSERT INTO phase_entry VALUES (?,?,?,?,?,?,?)", put_phase_entries},
        {"INSERT INTO option VALUES (?,?,?,?)", put_options},
        {"INSERT OR REPLACE INTO error VALUES (?,?,?)", put_errors},
        {"INSERT OR REPLACE INTO curve VALUES (?,?,?)", put_curve},
        {"INSERT INTO interval VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", put_intervals},
        {"INSERT INTO candidate VALUES (?,?,?,?,?,?,?,?)", put_candidates},
        {"INSERT INTO reading VALUES (?,?,?,?,?,?)", put_readings},
        {"INSERT INTO parameter VALUES (?,?,?,?)", put_parameters},
        {"INSERT INTO run_error VALUES (?,?,?,?)", put_run_errors},
    };
    int rc = fill_entries(database, results);
    for (size_t t = 0; t < sizeof tables / sizeof *tables && rc == SQLITE_OK; t++) {
        struct sl_row row = sl_row_prepare(database, tables[t].sql);
        for (size_t i = 0; i < results->n_profiles; i++)
            tables[t].put(&row, i, &results->profile[i]);
        rc = sl_row_finish(&row);
    }
    return rc;
}
