/* SPDX-License-Identifier: MIT */
/* Writes the profiles of a run to its database: entries, intervals, phases, errors, statistics. */
#include "database.h"
#include "database_row.h"
#include "delivery.h"
#include "event_set.h"

const char *const sl_bounds_names[] = {
    [SL_BOUNDS_NONE] = NULL,
    [SL_BOUNDS_CERTAIN] = "certain",
    [SL_BOUNDS_95] = "95%",
};

static void put_profile(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    const struct sl_table_status *status = &profile->status;
    struct sl_profile_row out = {
        .is = {.id = (int64_t)id,
               .spec = profile->spec,
               .given = profile->given ? profile->given : profile->spec,
               .table = profile->table,
               .notation = profile->notation ? profile->notation : profile->table,
               .source = profile->source,
               .first = profile->first,
               .shared = profile->shared,
               .events = profile->events,
               .weight = profile->weight,
               .distinct = profile->distinct,
               .status = *status,
               .saved = profile->n_entries,
               .note = status->note[0] ? status->note : NULL},
        .detector = profile->detector->name,
        .metric = profile->metric,
        .value_type = profile->detector->second.name,
        .bounds = sl_bounds_names[status->bounds],
        .has_gaps = sl_has_gaps(status),
        .gap_unit = sl_has_gaps(status) ? sl_time_unit(status) : NULL,
    };
    for (size_t e = 0; e < profile->n_entries; e++)
        out.is.saved_weight += profile->entry[e].count;
    sl_row_put_fields(row, &out);
}

static void put_gaps(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    const uint64_t *gap = profile->status.gap;
    for (unsigned i = 0; i < SL_GAPS; i++) {
        if (!gap[i])
            continue;
        SL_ROW_ADD_UINTS(row, id, sl_gap_low(i), gap[i]);
        sl_row_insert(row);
    }
}

static void put_delivery(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (const struct sl_delivery_statistic *d = sl_delivery_statistics; d->name; d++) {
        if (!sl_delivery_has(&profile->status, d))
            continue;
        sl_row_add_uint(row, id);
        sl_row_add_text(row, d->name);
        sl_row_add_uint(row, sl_delivery_value(&profile->status, d));
        sl_row_insert(row);
    }
}

static void put_phases(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    for (size_t i = 0; i < profile->n_phases && row->rc == SQLITE_OK; i++) {
        const struct sl_phase *phase = &profile->phase[i];
        sl_row_add_uint(row, id);
        sl_row_put_fields(row, &(struct sl_db_phase){
                                   .number = i + 1,
                                   .first_event = phase->first_event,
                                   .events = phase->events,
                                   .weight = phase->weight,
                                   .turnover = (double)phase->turnover / 4294967296.0,
                                   .kind = phase->kind,
                               });
    }
}

static void put_phase_entries(struct sl_row *row, uint64_t id,
                              const struct sl_result_profile *profile)
{
    uint64_t rank = 0;
    for (size_t i = 0; i < profile->n_phase_paths && row->rc == SQLITE_OK; i++) {
        const struct sl_result_phase_path *path = &profile->phase_path[i];
        rank = i && path->phase == path[-1].phase ? rank + 1 : 1;
        SL_ROW_ADD_UINTS(row, id, path->phase + 1, rank, id + path->member, path->is.tuple.pc,
                         path->is.tuple.value, path->is.weight);
        sl_row_insert(row);
    }
}

/* Writes the options of one component, which is a detector or a table. */
static void put_options_of(struct sl_row *row, uint64_t id, const char *component,
                           const struct sl_option *options, const void *config)
{
    struct sl_option_stored stored;
    for (const struct sl_option *o = config ? options : NULL; o && o->name; o++) {
        sl_option_get(o, config, &stored);
        sl_row_add_uint(row, id);
        sl_row_add_text(row, component);
        sl_row_add_text(row, o->name);
        if (stored.is == SL_STORED_TEXT)
            sl_row_add_text(row, stored.text);
        else if (stored.is == SL_STORED_REAL)
            sl_row_add_real(row, stored.real);
        else
            sl_row_add_uint(row, stored.number);
        sl_row_insert(row);
    }
}

static void put_options(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    if (profile->asked)
        put_options_of(row, id, profile->asked->name, profile->asked->options, profile->config);
    put_options_of(row, id, profile->table, profile->table_written, profile->table_config);
    put_options_of(row, id, profile->table, profile->table_options, profile->table_config);
}

/* Context of the bulk insert of entries, which are most of the rows of a database. */
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
        rc = sl_bulk_insert(database,
                            &(struct sl_bulk_rows){&sl_db_tables[SL_DB_ENTRY],
                                                   of.profile->n_entries, entry_cell, &of});
    }
    return rc;
}

static void put_candidates(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    bool bounded = profile->status.bounds != SL_BOUNDS_NONE;
    uint64_t rank = 0;
    for (size_t i = 0; i < profile->n_candidates && row->rc == SQLITE_OK; i++) {
        const struct sl_interval_candidate *candidate = &profile->candidate[i];
        rank = i && candidate[-1].interval == candidate->interval ? rank + 1 : 1;
        SL_ROW_ADD_UINTS(row, id, candidate->interval, rank, candidate->entry.tuple.pc,
                         candidate->entry.tuple.value, candidate->entry.count);
        sl_row_add_uint_if(row, bounded, candidate->entry.low);
        sl_row_add_uint_if(row, bounded, candidate->entry.high);
        sl_row_insert(row);
    }
}

static void put_readings(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile)
{
    char event[200];
    for (size_t i = 0; i < profile->n_readings && row->rc == SQLITE_OK; i++) {
        const struct sl_reading *reading = &profile->reading[i];
        sl_event_set_name(reading->event, event, sizeof event);
        SL_ROW_ADD_UINTS(row, id, reading->run, reading->number);
        sl_row_add_text(row, event);
        SL_ROW_ADD_UINTS(row, reading->count, reading->exact);
        sl_row_insert(row);
    }
}

int sl_database_fill_profiles(sqlite3 *database, const struct sl_results *results)
{
#define ARRAY(m, n_m)                                                                     \
    NULL, offsetof(struct sl_result_profile, m), offsetof(struct sl_result_profile, n_m), \
        sizeof *((struct sl_result_profile *)0)->m
    static const struct {
        enum sl_db_table table;
        bool replace; /* a later row replaces an earlier one with the same key */
        /* Writes the rows of a profile; NULL: each element of an array is a row. */
        void (*put)(struct sl_row *row, uint64_t id, const struct sl_result_profile *profile);
        size_t array, n, size; /* offsets of the array's pointer and length; size of an element */
    } tables[] = {
        {SL_DB_PROFILE, false, put_profile, 0, 0, 0},
        {SL_DB_MESSAGE_GAP, false, put_gaps, 0, 0, 0},
        {SL_DB_MESSAGE_DELIVERY, false, put_delivery, 0, 0, 0},
        {SL_DB_PHASE, false, put_phases, 0, 0, 0},
        {SL_DB_PHASE_ENTRY, false, put_phase_entries, 0, 0, 0},
        {SL_DB_OPTION, false, put_options, 0, 0, 0},
        {SL_DB_ERROR, true, ARRAY(error, n_errors)},
        {SL_DB_ERROR_CURVE, true, ARRAY(curve, n_points)},
        {SL_DB_INTERVAL, false, ARRAY(interval, n_intervals)},
        {SL_DB_CANDIDATE, false, put_candidates, 0, 0, 0},
        {SL_DB_READING, false, put_readings, 0, 0, 0},
        {SL_DB_PARAMETER, false, ARRAY(parameter, n_parameters)},
        {SL_DB_RUN_ERROR, false, ARRAY(run_error, n_run_errors)},
    };
#undef ARRAY
    int rc = fill_entries(database, results);
    for (size_t t = 0; t < sizeof tables / sizeof *tables && rc == SQLITE_OK; t++) {
        struct sl_row row = sl_row_prepare_as(database, &sl_db_tables[tables[t].table],
                                              tables[t].replace ? "INSERT OR REPLACE INTO"
                                                                : "INSERT INTO");
        for (size_t i = 0; i < results->n_profiles; i++) {
            const char *profile = (const char *)&results->profile[i];
            if (tables[t].put)
                tables[t].put(&row, i, &results->profile[i]);
            else /* an array of structs whose members are the columns after `profile` */
                for (size_t k = 0;
                     k < *(const size_t *)(profile + tables[t].n) && row.rc == SQLITE_OK; k++) {
                    sl_row_add_uint(&row, i);
                    sl_row_put_fields(&row, *(const char *const *)(profile + tables[t].array) +
                                                k * tables[t].size);
                }
        }
        rc = sl_row_finish(&row);
    }
    return rc;
}
