/* SPDX-License-Identifier: MIT */
/* Profiles of databases that become one: which of them can, and their sums. */
#include <stdlib.h>
#include <string.h>

#include "context_name.h"
#include "database.h"
#include "database_merge.h"
#include "database_row.h"
#include "failure.h"
#include "grow.h"
#include "saved_row.h"
#include "table.h"

struct kept {
    struct sl_merging *merging;
    int64_t number;                     /* in the new database */
    const struct sl_saved_profile **of; /* in each input */
    struct sl_failure *f;
};

/* ---- which ---- */

/* Seeds may differ, and better do: equal ones make the same errors in runs that are alike. */
static bool same_but_for_seeds(const char *a, const char *b)
{
    static const char seed[] = "seed=";
    for (; *a && *a == *b; a++, b++)
        if (!strncmp(a, seed, sizeof seed - 1) && !strncmp(b, seed, sizeof seed - 1)) {
            a += strcspn(a, ",)") - 1;
            b += strcspn(b, ",)") - 1;
        }
    return *a == *b;
}

/* The same, or else one that differs in its seed. */
static const struct sl_saved_profile *find(const struct sl_database *database,
                                           const struct sl_saved_profile *as)
{
    const struct sl_saved_profile *found = NULL;
    for (size_t i = 0; i < database->profiles.n; i++) {
        const struct sl_saved_profile *profile = &database->profiles.profile[i];
        if (profile->detector != as->detector || !same_but_for_seeds(profile->spec, as->spec))
            continue;
        if (!strcmp(profile->spec, as->spec))
            return profile;
        found = found ? found : profile;
    }
    return found;
}

static const struct sl_table_kind *table_of(const struct sl_saved_profile *profile)
{
    size_t i = 0;
    while (sl_tables[i] && strcmp(sl_tables[i]->name, profile->table))
        i++;
    return sl_tables[i];
}

/* NULL if its counts can be added up. */
static const char *why_alone(const struct sl_saved_profile *profile)
{
    const struct sl_table_kind *table = table_of(profile);
    return !table                       ? "its table is of an unknown kind"
           : table->adds != SL_ADDS_NOT ? NULL
           : table->intervals           ? "its intervals are those of one run"
           : sl_table_keeps_order(table)
               ? "it keeps the order of events, and those of two runs have none"
               : "what its table counts depends on what else it has seen";
}

/* Finds the profile in all inputs; says why not. */
static bool can_keep(const struct kept *kept, const struct sl_saved_profile *as)
{
    const struct sl_merge_inputs *inputs = &kept->merging->inputs;
    const char *why = why_alone(as);
    if (why && inputs->n > 1) {
        sl_merge_say(kept->merging, "the profile %s is left out: %s", as->given, why);
        return false;
    }
    for (size_t i = 0; i < inputs->n; i++) {
        kept->of[i] = find(inputs->input[i].database, as);
        if (!kept->of[i]) {
            sl_merge_say(kept->merging, "the profile %s is left out: %s does not have it",
                         as->given, inputs->input[i].name);
            return false;
        }
        if (kept->of[i]->status.bounds != as->status.bounds) {
            sl_merge_say(kept->merging, "the profile %s is left out: its bounds in %s are others",
                         as->given, inputs->input[i].name);
            return false;
        }
    }
    return true;
}

/* ---- contexts ---- */

/* Names of contexts are made from addresses, so where these move, names are made anew, from those
 * who call nobody's functions on. */
struct contexts {
    struct sl_index_map named; /* by the name that an entry gives to those that it calls */
    struct context {
        uint64_t pc, value, name;
        bool known;
    } * context;
    size_t n, room;
    uint32_t *chain; /* of callers; room for all */
    struct sl_failure *f;
};

static int add_context(void *context, sqlite3_stmt *row)
{
    struct contexts *all = context;
    uint64_t pc = sl_number_at(row, 0), value = sl_number_at(row, 1);
    size_t before = all->named.n_keys;
    if (sl_index_intern(&all->named, sl_context_name(value, pc), 0) == SL_NO_INDEX)
        return sl_saved_fail_memory(all->f);
    if (all->named.n_keys == before)
        return 0; /* there already: a damaged database, or one in 10^11 */
    if (!SL_GROW(all->context, all->room, all->n + 1))
        return sl_saved_fail_memory(all->f);
    all->context[all->n++] = (struct context){.pc = pc, .value = value};
    return 0;
}

static int load_contexts(struct contexts *all, struct sl_database *database,
                         const struct sl_saved_profile *profile, struct sl_failure *f)
{
    int result = sl_saved_rows(database, "SELECT pc, value FROM entry WHERE profile = ?1",
                               &profile->id, 1, add_context, all, f);
    all->chain = calloc(all->n + 1, sizeof *all->chain);
    return result || all->chain ? result : sl_saved_fail_memory(f);
}

/* The new name of what is called `old`: from the outermost caller on that has none yet. */
static uint64_t rename_context(struct contexts *all, const struct sl_merge_inputs *inputs,
                               const struct sl_merge_input *input, uint64_t old)
{
    uint64_t name = old;
    size_t depth = 0;
    uint32_t at = sl_index_find(&all->named, old, 0);
    /* In a damaged database, callers can go in a circle. */
    while (at != SL_NO_INDEX && !all->context[at].known && depth < all->n) {
        all->chain[depth++] = at;
        name = sl_context_caller(all->context[at].value);
        at = sl_index_find(&all->named, name, 0);
    }
    if (at != SL_NO_INDEX && all->context[at].known)
        name = all->context[at].name;
    else if (name != SL_CONTEXT_NONE)
        name = SL_CONTEXT_BEYOND; /* a caller that was not saved */
    while (depth > 0) {
        struct context *context = &all->context[all->chain[--depth]];
        name = sl_context_name(name == SL_CONTEXT_BEYOND ? name
                                                         : name | sl_context_depth(context->value),
                               sl_merge_address(inputs, input, context->pc));
        context->name = name;
        context->known = true;
    }
    return name;
}

/* ---- entries ---- */

struct staging {
    struct kept *kept;
    const struct sl_merge_input *input;
    const struct sl_saved_profile *profile;
    struct contexts contexts;
    struct sl_row row;
    uint64_t absent; /* what a tuple can have had here that is not listed */
};

static int read_least(void *context, sqlite3_stmt *row)
{
    *(uint64_t *)context = sl_number_at(row, 0);
    return 0;
}

/* Those that are listed are the heaviest; a sampler's that are not had fewer samples than any. */
static int find_absent(struct staging *s, struct sl_failure *f)
{
    const struct sl_saved_profile *profile = s->profile;
    const struct sl_table_kind *table = table_of(profile);
    bool samples = table && table->adds == SL_ADDS_SAMPLED;
    uint64_t least = profile->weight;
    s->absent = profile->status.drops_weight;
    if (!samples && profile->saved >= profile->distinct)
        return 0;
    int result = profile->saved ? sl_saved_rows(s->input->database,
                                                "SELECT min(high) FROM entry WHERE profile = ?1",
                                                &profile->id, 1, read_least, &least, f)
                                : 0;
    s->absent += least;
    return result;
}

static int stage_entry(void *context, sqlite3_stmt *from)
{
    struct staging *s = context;
    const struct sl_merge_inputs *inputs = &s->kept->merging->inputs;
    const struct sl_detector_kind *detector = s->profile->detector;
    uint64_t pc = sl_number_at(from, 0), value = sl_number_at(from, 1);
    if (s->input->moved && detector->first != SL_READS_EVENTS)
        pc = sl_merge_address(inputs, s->input, pc);
    if (s->input->moved && sl_word_is_place(&detector->second))
        value = sl_merge_address(inputs, s->input, value);
    if (s->input->moved && detector->second.reads == SL_READS_CALLERS && value != SL_CONTEXT_BEYOND)
        value = rename_context(&s->contexts, inputs, s->input, sl_context_caller(value)) |
                sl_context_depth(value);
    sl_row_number(&s->row, pc);
    sl_row_number(&s->row, value);
    for (int i = 2; i < 6; i++)
        sl_row_number_if(&s->row, sqlite3_column_type(from, i) != SQLITE_NULL,
                         sl_number_at(from, i));
    sl_row_number(&s->row, s->absent);
    sl_row_put(&s->row);
    return 0;
}

static int stage(struct kept *kept, size_t i, uint64_t *absent)
{
    struct sl_merging *merging = kept->merging;
    struct staging s = {.kept = kept,
                        .input = &merging->inputs.input[i],
                        .profile = kept->of[i],
                        .contexts.f = kept->f};
    struct sl_database *database = s.input->database;
    int result = find_absent(&s, kept->f);
    if (!result && s.input->moved && s.profile->detector->second.reads == SL_READS_CALLERS)
        result = load_contexts(&s.contexts, database, s.profile, kept->f);
    s.row = sl_row_prepare(merging->out, "INSERT INTO staged VALUES (?,?,?,?,?,?,?)");
    if (!result)
        result = sl_saved_rows(database,
                               "SELECT pc, value, count, low, high, resident FROM entry"
                               " WHERE profile = ?1 ORDER BY rank",
                               &s.profile->id, 1, stage_entry, &s, kept->f);
    int rc = sl_row_finish(&s.row);
    *absent += s.absent;
    sl_index_free(&s.contexts.named);
    free(s.contexts.context);
    free(s.contexts.chain);
    return result ? result : sl_merge_check(merging, rc, kept->f);
}

static int sum_entries(struct kept *kept, uint64_t absent)
{
    struct sl_row row = sl_row_prepare(
        kept->merging->out,
        "INSERT INTO entry SELECT ?1, row_number() OVER (ORDER BY sum(count) DESC, pc, value), pc, "
        "value,"
        " sum(count), sum(low), sum(high - absent) + ?2, sum(resident), NULL FROM staged"
        " GROUP BY pc, value");
    sl_row_number(&row, (uint64_t)kept->number);
    sl_row_number(&row, absent);
    sl_row_put(&row);
    int rc = sl_row_finish(&row);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(kept->merging->out, "DELETE FROM staged", NULL, NULL, NULL);
    return sl_merge_check(kept->merging, rc, kept->f);
}

/* ---- the profile itself ---- */

/* What the inputs have together. Times between messages are those of each. */
static struct sl_saved_profile sums_of(const struct kept *kept)
{
    struct sl_saved_profile sum = *kept->of[0];
    struct sl_table_status *status = &sum.status;
    uint64_t not_saved = 0;
    sum.events = sum.weight = status->drops = status->drops_weight = status->messages = 0;
    status->interrupts = status->message_weight = status->residue = 0;
    for (size_t i = 0; i < kept->merging->inputs.n; i++) {
        const struct sl_saved_profile *one = kept->of[i];
        sum.events += one->events;
        sum.weight += one->weight;
        not_saved += one->distinct > one->saved ? one->distinct - one->saved : 0;
        status->drops += one->status.drops;
        status->drops_weight += one->status.drops_weight;
        status->messages += one->status.messages;
        status->interrupts += one->status.interrupts;
        status->message_weight += one->status.message_weight;
        status->residue += one->status.residue;
    }
    sum.distinct = not_saved;
    return sum;
}

static int put_profile(const struct kept *kept, int64_t first)
{
    const struct sl_saved_profile sum = sums_of(kept);
    const struct sl_table_status *status = &sum.status;
    struct sl_row row = sl_row_prepare(
        kept->merging->out,
        "INSERT INTO profile (id, spec, given, detector, metric, \"table\", notation, second, "
        "source, first,"
        " shared, events, weight, \"distinct\", storage_bits, drops, drops_weight, bounds, "
        "messages,"
        " interrupts, message_weight, residue, check_cycles, saved, saved_weight)"
        " SELECT ?,?,?,?,?,?,?,?,?,?,?,?,?, ? + count(*), ?,?,?,?,?,?,?,?,?, count(*),"
        " ifnull(sum(count), 0) FROM entry WHERE profile = ?1");
    sl_row_number(&row, (uint64_t)kept->number);
    sl_row_text(&row, sum.spec);
    sl_row_text(&row, sum.given);
    sl_row_text(&row, sum.detector->name);
    sl_row_text(&row, sum.metric->name);
    sl_row_text(&row, sum.table);
    sl_row_text(&row, sum.notation);
    sl_row_text(&row, sum.detector->second.name);
    sl_row_number(&row, sum.source);
    sl_row_number(&row, (uint64_t)first);
    sl_row_number(&row, sum.shared);
    sl_row_number(&row, sum.events);
    sl_row_number(&row, sum.weight);
    sl_row_number(&row, sum.distinct);
    sl_row_number(&row, status->storage_bits);
    sl_row_number(&row, status->drops);
    sl_row_number(&row, status->drops_weight);
    sl_row_text(&row, sl_bounds_names[status->bounds]);
    sl_row_number_if(&row, status->sends, status->messages);
    sl_row_number_if(&row, status->sends, status->interrupts);
    sl_row_number_if(&row, status->sends, status->message_weight);
    sl_row_number_if(&row, status->sends, status->residue);
    sl_row_number_if(&row, status->sends, status->check_cycles);
    sl_row_put(&row);
    return sl_merge_check(kept->merging, sl_row_finish(&row), kept->f);
}

static int copy_option(void *context, sqlite3_stmt *from)
{
    struct sl_row *row = context;
    sl_row_text(row, sl_text_at(from, 0));
    sl_row_text(row, sl_text_at(from, 1));
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_value(row->statement, ++row->column, sqlite3_column_value(from, 2));
    sl_row_put(row);
    return 0;
}

static int copy_options(const struct kept *kept)
{
    char insert[80];
    snprintf(insert, sizeof insert, "INSERT INTO option VALUES (%lld,?,?,?)",
             (long long)kept->number);
    struct sl_row row = sl_row_prepare(kept->merging->out, insert);
    int result = sl_saved_rows(kept->merging->inputs.input[0].database,
                               "SELECT of, name, value FROM option WHERE profile = ?1",
                               &kept->of[0]->id, 1, copy_option, &row, kept->f);
    int rc = sl_row_finish(&row);
    return result ? result : sl_merge_check(kept->merging, rc, kept->f);
}

static int keep(struct kept *kept, int64_t first)
{
    uint64_t absent = 0;
    int result = 0;
    for (size_t i = 0; i < kept->merging->inputs.n && !result; i++)
        result = stage(kept, i, &absent);
    if (!result)
        result = sum_entries(kept, absent);
    if (!result)
        result = put_profile(kept, first);
    return result ? result : copy_options(kept);
}

int sl_merge_profiles(struct sl_merging *merging, struct sl_failure *f)
{
    const struct sl_saved_profiles *all = &merging->inputs.input[0].database->profiles;
    struct kept kept = {
        .merging = merging, .f = f, .of = calloc(merging->inputs.n, sizeof *kept.of)};
    int64_t *number = calloc(all->n + 1,
                             sizeof *number); /* by those of the first input, from 1 on */
    int result = kept.of && number ? 0 : sl_saved_fail_memory(f);
    if (!result)
        result = sl_merge_check(
            merging,
            sqlite3_exec(
                merging->out,
                "CREATE TEMP TABLE staged (pc INTEGER, value INTEGER, count INTEGER, low INTEGER,"
                " high INTEGER, resident INTEGER, absent INTEGER)",
                NULL, NULL, NULL),
            f);
    for (size_t i = 0; i < all->n && !result; i++) {
        const struct sl_saved_profile *profile = &all->profile[i];
        size_t first = profile->first < all->n ? (size_t)profile->first : i;
        if (!can_keep(&kept, profile))
            continue;
        number[i] = kept.number + 1;
        result = keep(&kept, number[first] ? number[first] - 1 : kept.number);
        kept.number++;
    }
    if (!result && !kept.number)
        result = sl_fail(f, SL_EUSAGE,
                         "there is no profile that all of them have and that can be added up");
    free(kept.of);
    free(number);
    return result;
}
