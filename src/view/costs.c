#include "costs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "passage.h"
#include "saved_row.h"
#include "utf8.h"

/* ---- columns ----------------------------------------------------------- */

/* Finer is better, and what was counted is better than what was worked out. */
enum { RANK_NONE, RANK_FUNCTION, RANK_SCALED, RANK_BLOCK };

bool sl_cost_is_inclusive(const struct sl_saved_profile *profile)
{
    return !strcmp(profile->detector, "function") && strstr(profile->spec, "inclusive=1");
}

static bool describe(const struct sl_saved_profile *profile, struct sl_cost_column *column)
{
    static const char *const metrics[] = {"instructions", "cycles", "stalls", "imiss", "dmiss",
                                          "l2miss", "mispredict", "energy", "cachepower"};
    bool counts = !strcmp(profile->metric, "count");
    bool of_blocks = !strcmp(profile->detector, "block");
    if ((!of_blocks && strcmp(profile->detector, "function")) || sl_cost_is_inclusive(profile))
        return false;
    *column = (struct sl_cost_column){
        .name = !counts ? NULL : of_blocks ? "instructions" : "entries",
        .unit = strcmp(profile->metric, "energy") ? "count" : "pJ",
        .profile = profile->id,
        .rank = !of_blocks ? RANK_FUNCTION : counts ? RANK_SCALED : RANK_BLOCK,
        .of_blocks = of_blocks,
        .scaled = of_blocks && counts,
    };
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && !counts; i++)
        if (!strcmp(profile->metric, metrics[i]))
            column->name = metrics[i];
    return column->name;
}

static void add_column(struct sl_costs *costs, const struct sl_saved_profile *profile)
{
    struct sl_cost_column column;
    size_t at = 0;
    if (!describe(profile, &column))
        return;
    while (at < costs->n_columns && strcmp(costs->column[at].name, column.name))
        at++;
    if (at == SL_COST_COLUMNS || costs->column[at].rank >= column.rank)
        return;
    costs->column[at] = column;
    costs->of_blocks = costs->of_blocks || column.of_blocks;
    costs->n_columns += at == costs->n_columns;
}

int sl_costs_open(struct sl_costs *costs, sqlite3 *database, const struct sl_report_config *config,
                  struct sl_failure *f)
{
    struct sl_saved_profiles profiles;
    *costs = (struct sl_costs){.database = database, .n = config->n};
    int result = sl_saved_profiles(database, &profiles, f);
    if (result)
        return result;
    for (size_t i = 0; i < profiles.n; i++)
        add_column(costs, &profiles.profile[i]);
    if (!costs->n_columns)
        result = sl_fail(f, SL_EUSAGE, "this format is made from profiles of functions or blocks, "
                         "and the database has none; record it with -p function or -p block");
    else
        result = sl_saved_code(database, &costs->code, f);
    sl_saved_profiles_free(&profiles);
    return result;
}

void sl_costs_close(struct sl_costs *costs)
{
    sl_saved_code_free(&costs->code);
}

/* ---- places ------------------------------------------------------------ */

/* Columns of place p in object o, whose function begins at place s. */
#define PLACE(p, o, s)                                                                     \
    p ".object_address, " p ".object, " o ".path, " o ".name, " p ".function, "             \
    p ".function_start, " s ".file, " p ".file, " p ".line"
#define JOIN(address, p, o, s)                                                             \
    " LEFT JOIN place " p " ON " p ".address = " address " LEFT JOIN object " o " ON " o    \
    ".id = " p ".object LEFT JOIN place " s " ON " s ".address = " p ".function_start"
#define ORDER " ORDER BY o.path, p.function, p.function_start, p.file, p.line, e.pc, e.value"
enum { OWN, OBJECT, PATH, NAME, FUNCTION, START, FUNCTION_FILE, SOURCE, LINE, PLACE_COLUMNS };

/* The texts of a place. */
struct texts {
    char *text[PLACE_COLUMNS];
};

static bool name_function(char **name, uint64_t address, uint64_t own, const char *object,
                          bool of_blocks)
{
    /* A block has no name of its own, and a file full of them should not look so. */
    int length = of_blocks  ? asprintf(name, "???")
                 : object   ? asprintf(name, "%s+0x%" PRIx64, object, own)
                 : address  ? asprintf(name, "0x%" PRIx64, address)
                            : asprintf(name, "(code without a symbol)");
    if (length < 0)
        *name = NULL;
    return *name;
}

/* False when memory ran out; free_texts in any case. */
static bool read_place(sqlite3_stmt *row, int column, uint64_t address, bool of_blocks,
                       struct sl_cost_place *place, struct texts *texts)
{
    static const int is_text[] = {PATH, NAME, FUNCTION, FUNCTION_FILE, SOURCE};
    char **text = texts->text;
    bool whole = true;
    *texts = (struct texts){0};
    for (size_t i = 0; i < sizeof is_text / sizeof *is_text; i++) {
        const char *raw = sl_text_at(row, column + is_text[i]);
        text[is_text[i]] = raw ? sl_utf8_printable(raw) : NULL;
        whole = whole && (!raw || text[is_text[i]]);
    }
    bool in_object = sqlite3_column_type(row, column + OBJECT) != SQLITE_NULL;
    uint64_t own = in_object ? sl_number_at(row, column + OWN) : address;
    if (whole && !text[FUNCTION])
        whole = name_function(&text[FUNCTION], address, own, text[NAME], of_blocks);
    *place = (struct sl_cost_place){
        .address = address,
        .own_address = own,
        .object = in_object ? sqlite3_column_int64(row, column + OBJECT) : -1,
        .path = text[PATH],
        .object_name = text[NAME],
        .function = text[FUNCTION],
        .function_start = sl_number_at(row, column + START),
        .function_file = text[FUNCTION_FILE],
        .file = text[SOURCE],
        .line = sqlite3_column_int(row, column + LINE),
        .is_block = of_blocks,
    };
    return whole;
}

static void free_texts(struct texts *texts)
{
    for (size_t i = 0; i < PLACE_COLUMNS; i++)
        free(texts->text[i]);
}

const char *sl_cost_line(const struct sl_cost_place *at, char room[SL_COST_LINE_ROOM])
{
    if (!at->file || !at->line)
        return NULL;
    const char *slash = strrchr(at->file, '/');
    snprintf(room, SL_COST_LINE_ROOM, "%s:%d", slash ? slash + 1 : at->file, at->line);
    return room;
}

/* ---- rows --------------------------------------------------------------- */

struct reading {
    const struct sl_costs *costs;
    int (*each)(void *context, const struct sl_cost_place *at, const uint64_t *cost);
    int (*passage)(void *context, const struct sl_cost_place *from,
                   const struct sl_cost_place *to, uint64_t count);
    void *context;
    struct sl_failure *f;
};

static uint64_t instructions(const struct sl_saved_code *code, uint64_t first, uint64_t last)
{
    const struct sl_statics *statics = &code->statics;
    size_t b = sl_saved_code_at(code, first);
    for (; b < statics->n_blocks && statics->block[b].pc == first; b++)
        if (sl_saved_code_last(code, b) == last)
            return statics->block[b].n_insns;
    return 1; /* a made-up stream has no code */
}

static int read_cost(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    const struct sl_costs *costs = reading->costs;
    uint64_t cost[SL_COST_COLUMNS], pc = sl_number_at(row, 0), value = sl_number_at(row, 1);
    struct sl_cost_place at;
    struct texts texts;
    bool of_blocks = false;
    for (size_t i = 0; i < costs->n_columns; i++) {
        cost[i] = sl_number_at(row, 2 + PLACE_COLUMNS + (int)i);
        of_blocks = of_blocks || (cost[i] && costs->column[i].of_blocks);
        if (cost[i] && costs->column[i].scaled)
            cost[i] *= instructions(&costs->code, pc, value);
    }
    bool whole = read_place(row, 2, pc, of_blocks, &at, &texts);
    int result = whole ? reading->each(reading->context, &at, cost)
                       : sl_saved_fail_memory(reading->f);
    free_texts(&texts);
    return result;
}

int sl_costs_each(const struct sl_costs *costs,
                  int (*each)(void *context, const struct sl_cost_place *at, const uint64_t *cost),
                  void *context, struct sl_failure *f)
{
    struct reading reading = {.costs = costs, .each = each, .context = context, .f = f};
    int64_t bound[SL_COST_COLUMNS + 1];
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return sl_saved_fail_memory(f);
    fputs("SELECT e.pc, e.value, " PLACE("p", "o", "s"), out);
    for (size_t i = 0; i < costs->n_columns; i++) {
        bound[i] = costs->column[i].profile;
        fprintf(out, ", e.cost%zu", i);
    }
    bound[costs->n_columns] = costs->n && costs->n <= INT64_MAX ? (int64_t)costs->n : INT64_MAX;
    fputs(" FROM (SELECT pc, value", out);
    for (size_t i = 0; i < costs->n_columns; i++)
        fprintf(out, ", sum((profile = ?%zu) * count) AS cost%zu", i + 1, i);
    fputs(" FROM entry WHERE profile IN (", out);
    for (size_t i = 0; i < costs->n_columns; i++)
        fprintf(out, "%s?%zu", i ? "," : "", i + 1);
    fprintf(out, ") AND rank <= ?%zu GROUP BY pc, value) e", costs->n_columns + 1);
    fputs(JOIN("e.pc", "p", "o", "s") ORDER, out);
    int result = fclose(out) ? sl_saved_fail_memory(f) : 0;
    if (!result)
        result = sl_saved_rows(costs->database, sql, bound, (int)costs->n_columns + 1, read_cost,
                               &reading, f);
    free(sql);
    return result;
}

/* ---- passages ----------------------------------------------------------- */

static int read_passage(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_cost_place from, to;
    struct texts texts, to_texts;
    bool of_blocks = reading->costs->of_blocks;
    bool whole = read_place(row, 3, sl_number_at(row, 0), of_blocks, &from, &texts);
    whole = read_place(row, 3 + PLACE_COLUMNS, sl_number_at(row, 1), of_blocks, &to, &to_texts) &&
            whole;
    int result = whole ? reading->passage(reading->context, &from, &to, sl_number_at(row, 2))
                       : sl_saved_fail_memory(reading->f);
    free_texts(&texts);
    free_texts(&to_texts);
    return result;
}

int sl_costs_passages(const struct sl_costs *costs, const char *detector,
                      int (*each)(void *context, const struct sl_cost_place *from,
                                  const struct sl_cost_place *to, uint64_t count),
                      void *context, struct sl_failure *f)
{
    struct reading reading = {.costs = costs, .passage = each, .context = context, .f = f};
    struct sl_saved_profiles profiles;
    int result = sl_saved_profiles(costs->database, &profiles, f);
    const struct sl_saved_profile *found = sl_passages_profile(&profiles, detector);
    if (found) {
        const int64_t bound[] = {
            found->id, costs->n && costs->n <= INT64_MAX ? (int64_t)costs->n : INT64_MAX};
        result = sl_saved_rows(costs->database,
                               "SELECT e.pc, e.value, e.count, " PLACE("p", "o", "s") ", "
                               PLACE("q", "b", "t") " FROM entry e" JOIN("e.pc", "p", "o", "s")
                               JOIN("e.value", "q", "b", "t")
                               " WHERE e.profile = ?1 AND e.rank <= ?2" ORDER,
                               bound, 2, read_passage, &reading, f);
    }
    sl_saved_profiles_free(&profiles);
    return result;
}
