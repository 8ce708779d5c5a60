/* SPDX-License-Identifier: MIT */
/* Merges the profiles of several databases: selects those whose counts can be added, and writes
 * their sums (database_merge.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context_name.h"
#include "database_merge.h"
#include "database_row.h"
#include "failure.h"
#include "grow.h"
#include "table.h"

/* Temporary table with the entries of all inputs, before they are added. */
static const struct sl_sql_table staged = {
    .name = "temp.staged",
    .column = {SL_COLUMN("pc", "INTEGER", ""), SL_COLUMN("value", "INTEGER", ""),
               SL_COLUMN("count", "INTEGER", ""), SL_COLUMN("low", "INTEGER", ""),
               SL_COLUMN("high", "INTEGER", ""), SL_COLUMN("unsent", "INTEGER", ""),
               SL_COLUMN("unlisted_max", "INTEGER", "")},
};

/* The profile that is being merged. */
struct merged {
    struct sl_merging *merging;
    int64_t id;                      /* in the merged database */
    const struct sl_db_profile **of; /* in each input */
};

/* ---- selection ---- */

/* Compares two specs without their seeds. Seeds should differ, because similar runs with equal
 * seeds have the same errors. */
static bool equal_except_seeds(const char *a, const char *b)
{
    static const char seed[] = "seed=";
    for (; *a && *a == *b; a++, b++)
        if (!strncmp(a, seed, sizeof seed - 1) && !strncmp(b, seed, sizeof seed - 1)) {
            a += strcspn(a, ",)") - 1;
            b += strcspn(b, ",)") - 1;
        }
    return *a == *b;
}

/* Returns the profile with the same spec, otherwise one that differs only in its seeds, or NULL. */
static const struct sl_db_profile *find_profile(const struct sl_database *database,
                                                const struct sl_db_profile *as)
{
    const struct sl_db_profile *found = NULL;
    for (size_t i = 0; i < database->profiles.n; i++) {
        const struct sl_db_profile *profile = &database->profiles.profile[i];
        if (profile->detector != as->detector || !equal_except_seeds(profile->spec, as->spec))
            continue;
        if (!strcmp(profile->spec, as->spec))
            return profile;
        found = found ? found : profile;
    }
    return found;
}

static const struct sl_table_kind *table_of(const struct sl_db_profile *profile)
{
    size_t i = 0;
    while (sl_tables[i] && strcmp(sl_tables[i]->name, profile->table))
        i++;
    return sl_tables[i];
}

/* Returns why the counts of a profile cannot be added, or NULL. */
static const char *find_obstacle(const struct sl_db_profile *profile)
{
    const struct sl_table_kind *table = table_of(profile);
    return !table                       ? "its table is unknown"
           : table->adds != SL_ADDS_NOT ? NULL
           : table->intervals           ? "intervals belong to one run"
           : sl_table_stores_order(table)
               ? "the order of events differs between runs"
               : "the count of an event in the table depends on the other events of the run";
}

/* Reports a profile that is omitted. Returns false. */
static bool omit(const struct sl_merging *merging, const struct sl_db_profile *profile,
                 const char *why, const char *where)
{
    char message[1024];
    snprintf(message, sizeof message, "the profile %s is omitted: %s%s", profile->given, why,
             where);
    merging->left_out(merging->context, message);
    return false;
}

/* Finds the profile in all inputs. Returns false, with a message, if it cannot be merged. */
static bool can_merge(const struct merged *merged, const struct sl_db_profile *as)
{
    const struct sl_merging *merging = merged->merging;
    const char *why = find_obstacle(as);
    if (why && merging->inputs.n > 1)
        return omit(merging, as, why, "");
    for (size_t i = 0; i < merging->inputs.n; i++) {
        const struct sl_merge_input *input = &merging->inputs.input[i];
        merged->of[i] = find_profile(input->database, as);
        if (!merged->of[i])
            return omit(merging, as, "it is missing in ", input->name);
        if (merged->of[i]->status.bounds != as->status.bounds)
            return omit(merging, as, "the type of its bounds is different in ", input->name);
    }
    return true;
}

/* ---- contexts ---- */

/* The name of a context is a hash of addresses. If these move, names are computed again, from the
 * outermost callers inwards. */
struct contexts {
    struct sl_index_map named; /* by the old name, which is the value of the callees' entries */
    struct context {
        uint64_t pc, value, name;
        bool renamed;
    } * context;
    size_t n, capacity;
    uint32_t *chain; /* callers; capacity n */
};

static int add_context(struct contexts *all, uint64_t pc, uint64_t value, struct sl_failure *f)
{
    size_t before = all->named.n_keys;
    if (sl_index_add(&all->named, sl_context_name(value, pc), 0) == SL_NO_INDEX)
        return sl_db_fail_memory(f);
    if (all->named.n_keys == before)
        return 0; /* repeated: a damaged database, or a collision (one in 10^11) */
    if (!SL_GROW(all->context, all->capacity, all->n + 1))
        return sl_db_fail_memory(f);
    all->context[all->n++] = (struct context){.pc = pc, .value = value};
    return 0;
}

static int load_contexts(struct contexts *all, struct sl_database *database,
                         const struct sl_db_profile *profile, struct sl_failure *f)
{
    struct sl_rows rows = sl_rows_query(database, "SELECT pc, value FROM entry WHERE profile = ?1",
                                        &profile->id, 1);
    while (sl_rows_next(&rows, NULL))
        rows.result = add_context(all, sl_column_uint(rows.row, 0), sl_column_uint(rows.row, 1), f);
    int result = sl_rows_end(&rows, f);
    all->chain = calloc(all->n + 1, sizeof *all->chain);
    return result || all->chain ? result : sl_db_fail_memory(f);
}

/* Returns the new name of the context `old`, after renaming its callers. */
static uint64_t rename_context(struct contexts *all, const struct sl_merge_inputs *inputs,
                               const struct sl_merge_input *input, uint64_t old)
{
    uint64_t name = old;
    size_t depth = 0;
    uint32_t at = sl_index_find(&all->named, old, 0);
    /* In a damaged database, callers can form a cycle. */
    while (at != SL_NO_INDEX && !all->context[at].renamed && depth < all->n) {
        all->chain[depth++] = at;
        name = sl_context_caller(all->context[at].value);
        at = sl_index_find(&all->named, name, 0);
    }
    if (at != SL_NO_INDEX && all->context[at].renamed)
        name = all->context[at].name;
    else if (name != SL_CONTEXT_NONE)
        name = SL_CONTEXT_BEYOND; /* a caller that was not stored */
    while (depth > 0) {
        struct context *context = &all->context[all->chain[--depth]];
        name = sl_context_name(name == SL_CONTEXT_BEYOND ? name
                                                         : name | sl_context_depth(context->value),
                               sl_merge_address(inputs, input, context->pc));
        context->name = name;
        context->renamed = true;
    }
    return name;
}

/* ---- entries ---- */

struct staging {
    struct merged *merged;
    const struct sl_merge_input *input;
    const struct sl_db_profile *profile;
    struct contexts contexts;
    struct sl_row row;
    uint64_t unlisted_max; /* largest possible count of a tuple that the input does not list */
};

/* Sets unlisted_max. Listed entries have the highest counts, and a tuple that a sampler does not
 * list had fewer samples than all of them. */
static int find_unlisted_max(struct staging *s, struct sl_failure *f)
{
    const struct sl_db_profile *profile = s->profile;
    const struct sl_table_kind *table = table_of(profile);
    bool samples = table && table->adds == SL_ADDS_SAMPLED;
    uint64_t least = profile->weight;
    s->unlisted_max = profile->status.drops_weight;
    if (!samples && profile->saved >= profile->distinct)
        return 0;
    int result = profile->saved ? sl_rows_number(s->input->database,
                                                 "SELECT min(high) FROM entry WHERE profile = ?1",
                                                 &profile->id, 1, &least, f)
                                : 0;
    s->unlisted_max += least;
    return result;
}

static void stage_entry(struct staging *s, sqlite3_stmt *from)
{
    const struct sl_merge_inputs *inputs = &s->merged->merging->inputs;
    const struct sl_detector_kind *detector = s->profile->detector;
    uint64_t pc = sl_column_uint(from, 0), value = sl_column_uint(from, 1);
    if (s->input->moved && detector->first != SL_FIELD_EVENTS)
        pc = sl_merge_address(inputs, s->input, pc);
    if (s->input->moved && sl_field_is_address(&detector->second))
        value = sl_merge_address(inputs, s->input, value);
    if (s->input->moved && detector->second.type == SL_FIELD_CALLERS && value != SL_CONTEXT_BEYOND)
        value = rename_context(&s->contexts, inputs, s->input, sl_context_caller(value)) |
                sl_context_depth(value);
    SL_ROW_ADD_UINTS(&s->row, pc, value);
    for (int i = 2; i < 6; i++)
        sl_row_add_uint_if(&s->row, !sl_is_null(from, i), sl_column_uint(from, i));
    sl_row_add_uint(&s->row, s->unlisted_max);
    sl_row_insert(&s->row);
}

static int stage(struct merged *merged, size_t i, uint64_t *unlisted_max)
{
    struct sl_merging *merging = merged->merging;
    struct staging s = {
        .merged = merged, .input = &merging->inputs.input[i], .profile = merged->of[i]};
    struct sl_database *database = s.input->database;
    int result = find_unlisted_max(&s, merged->merging->f);
    if (!result && s.input->moved && s.profile->detector->second.type == SL_FIELD_CALLERS)
        result = load_contexts(&s.contexts, database, s.profile, merged->merging->f);
    s.row = sl_row_prepare(merging->out, &staged);
    if (!result) {
        struct sl_rows rows = sl_rows_query(database,
                                            "SELECT pc, value, count, low, high, unsent FROM entry"
                                            " WHERE profile = ?1 ORDER BY rank",
                                            &s.profile->id, 1);
        while (sl_rows_next(&rows, NULL))
            stage_entry(&s, rows.row);
        result = sl_rows_end(&rows, merged->merging->f);
    }
    int rc = sl_row_finish(&s.row);
    *unlisted_max += s.unlisted_max;
    sl_index_free(&s.contexts.named);
    free(s.contexts.context);
    free(s.contexts.chain);
    return result ? result : sl_merge_check(merging, rc);
}

static int sum_entries(struct merged *merged, uint64_t unlisted_max)
{
    char sql[400];
    snprintf(sql, sizeof sql,
             "INSERT INTO entry SELECT %" PRId64 ", row_number() OVER (ORDER BY sum(count) DESC, "
             "pc, value), pc, value, sum(count), sum(low), sum(high - unlisted_max) + (%" PRId64
             "), sum(unsent), NULL FROM temp.staged GROUP BY pc, value; DELETE FROM temp.staged",
             merged->id, (int64_t)unlisted_max);
    int rc = sqlite3_exec(merged->merging->out, sql, NULL, NULL, NULL);
    return sl_merge_check(merged->merging, rc);
}

/* ---- the row of the profile ---- */

/* Returns the sums of all inputs. Times between messages are omitted, because they belong to one
 * run. */
static struct sl_profile_row sums_of(const struct merged *merged)
{
    const struct sl_sql_table *table = &sl_db_tables[SL_DB_PROFILE];
    struct sl_profile_row sum = {.is = *merged->of[0], .gap_unit = NULL};
    sl_sql_merge(table, &sum, NULL);
    sum.is.distinct = 0; /* entries that are not in the inputs' databases; see put_profile() */
    for (size_t i = 0; i < merged->merging->inputs.n; i++) {
        const struct sl_db_profile *one = merged->of[i];
        if (i)
            sl_sql_merge(table, &sum, &(struct sl_profile_row){.is = *one});
        sum.is.distinct += one->distinct > one->saved ? one->distinct - one->saved : 0;
    }
    sum.detector = sum.is.detector->name;
    sum.metric = sum.is.metric->name;
    sum.value_type = sum.is.detector->second.name;
    sum.bounds = sl_bounds_names[sum.is.status.bounds];
    return sum;
}

static int put_profile(const struct merged *merged, int64_t first)
{
    struct sl_profile_row sum = sums_of(merged);
    sqlite3_stmt *entries;
    int rc = sqlite3_prepare_v2(merged->merging->out,
                                "SELECT count(*), ifnull(sum(count), 0) FROM entry WHERE profile = "
                                "?1",
                                -1, &entries, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(entries, 1, merged->id);
    if (rc == SQLITE_OK && sqlite3_step(entries) != SQLITE_ROW)
        rc = sqlite3_extended_errcode(merged->merging->out);
    sum.is.id = merged->id;
    sum.is.first = (uint64_t)first;
    sum.is.saved = rc == SQLITE_OK ? sl_column_uint(entries, 0) : 0;
    sum.is.saved_weight = rc == SQLITE_OK ? sl_column_uint(entries, 1) : 0;
    sum.is.distinct += sum.is.saved;
    sqlite3_finalize(entries);
    if (rc != SQLITE_OK)
        return sl_merge_check(merged->merging, rc);
    struct sl_row row = sl_row_prepare(merged->merging->out, &sl_db_tables[SL_DB_PROFILE]);
    sl_row_put_fields(&row, &sum);
    return sl_merge_check(merged->merging, sl_row_finish(&row));
}

static int copy_options(const struct merged *merged)
{
    struct sl_row out = sl_row_prepare(merged->merging->out, &sl_db_tables[SL_DB_OPTION]);
    struct sl_rows rows = sl_rows_of_profile(merged->merging->inputs.input[0].database,
                                             SL_DB_OPTION, merged->of[0], "");
    while (sl_rows_next(&rows, NULL)) {
        sl_row_add_uint(&out, (uint64_t)merged->id);
        for (int i = 1; i < 4; i++)
            sl_row_add_value(&out, sqlite3_column_value(rows.row, i));
        sl_row_insert(&out);
    }
    int result = sl_rows_end(&rows, merged->merging->f), rc = sl_row_finish(&out);
    return result ? result : sl_merge_check(merged->merging, rc);
}

static int merge_profile(struct merged *merged, int64_t first)
{
    uint64_t unlisted_max = 0;
    int result = 0;
    for (size_t i = 0; i < merged->merging->inputs.n && !result; i++)
        result = stage(merged, i, &unlisted_max);
    if (!result)
        result = sum_entries(merged, unlisted_max);
    if (!result)
        result = put_profile(merged, first);
    return result ? result : copy_options(merged);
}

int sl_merge_profiles(struct sl_merging *merging)
{
    const struct sl_db_profiles *all = &merging->inputs.input[0].database->profiles;
    struct merged merged = {.merging = merging, .of = calloc(merging->inputs.n, sizeof *merged.of)};
    /* New id + 1 by index of the profile in the first input; 0: omitted. */
    int64_t *new_id = calloc(all->n + 1, sizeof *new_id);
    int result = merged.of && new_id ? 0 : sl_db_fail_memory(merging->f);
    if (!result)
        result = sl_merge_check(merging, sl_sql_create_all(merging->out, &staged, 1));
    for (size_t i = 0; i < all->n && !result; i++) {
        const struct sl_db_profile *profile = &all->profile[i];
        size_t first = profile->first < all->n ? (size_t)profile->first : i;
        if (!can_merge(&merged, profile))
            continue;
        new_id[i] = merged.id + 1;
        result = merge_profile(&merged, new_id[first] ? new_id[first] - 1 : merged.id);
        merged.id++;
    }
    if (!result && !merged.id)
        result = sl_fail(
            merging->f, SL_EUSAGE,
            "nothing to merge: the databases have no common profile whose counts can be added");
    free(merged.of);
    free(new_id);
    return result;
}
