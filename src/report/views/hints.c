/* SPDX-License-Identifier: MIT */
/* Finds what the user could change in the own code (hints.h): instructions with at least 0.2 % of
 * all executions, calls of memcpy() with at least 1 % of the run, and functions with 10 to 80 %
 * of the run in few calls. Profiles whose counts are not exact are not used. */
#include "hints.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "grow.h"
#include "modules.h"
#include "sluice.h"
#include "transfer_counts.h"
#include "utf8.h"

#define OFTEN 0.002 /* minimum, relative to all executed instructions */
#define NEARLY 0.95
#define POINTERS 1000000 /* larger values are usually pointers, which do not help a user */
#define FEW_CALLS 20
#define FEW_CALLS_MIN 0.1 /* of the run, with the functions that the function calls */
#define FEW_CALLS_MAX 0.8 /* the program's main work takes more */
#define COPIES_MIN 0.01   /* of the run */
#define SHORT_COPY 20     /* instructions in memcpy() and its PLT stub, for up to about 64 bytes */
#define NAME 48           /* columns of a function's name */

struct search {
    struct sl_hints *hints;
    struct sl_database *database;
    const struct sl_source_functions *functions; /* NULL: not known */
    struct sl_costs costs;
    size_t column; /* instructions */
    struct sl_transfer_counts edges, calls, values;
    struct sl_failure *f;
};

/* Adds a hint. Takes `where` and `text`; NULL: out of memory. */
static int add(struct search *a, char *where, uint64_t weight, char *text)
{
    struct sl_hints *hints = a->hints;
    if (!text || !where || !SL_GROW(hints->hint, hints->capacity, hints->n + 1)) {
        free(text);
        free(where);
        return sl_db_fail_memory(a->f);
    }
    hints->hint[hints->n++] = (struct sl_hint){where, text, weight};
    return 0;
}

/* ---- single instructions ---- */

/* An instruction with the shortened name of its function. */
struct site {
    const struct sl_cost_location *at;
    uint64_t executions;
    char name[256];
};

static int add_hint(struct search *a, const struct site *site, char *text)
{
    char line[SL_COST_LINE_SIZE];
    const char *known = sl_cost_line(site->at, line);
    return add(a, known ? strdup(known) : NULL, site->executions, text);
}

static double percent(uint64_t part, uint64_t whole)
{
    return part < whole ? 100 * (double)part / (double)whole : 100;
}

static int check_branch(struct search *a, const struct site *site, const struct sl_block_end *end)
{
    uint64_t taken = 0, address = site->at->address;
    if (end->branch != SL_BRANCH_CONDITIONAL || end->target <= address)
        return 0;
    for (size_t i = sl_transfer_counts_from(&a->edges, address);
         i < a->edges.n && a->edges.transfer[i].from == address; i++)
        taken += a->edges.transfer[i].to == end->target ? a->edges.transfer[i].count : 0;
    if ((double)taken < NEARLY * (double)site->executions)
        return 0;
    return add_hint(
        a, site,
        sl_asprintf("branch in %s is taken %.1f%% of %s times: make the common case fall through "
                    "(__builtin_expect or PGO)",
                    site->name, percent(taken, site->executions), SL_NUMBER(site->executions)));
}

/* The name of the function that a call instruction nearly always calls; NULL. */
static const char *callee(const struct search *a, const struct site *site,
                          struct sl_transfer_count *most)
{
    if (!sl_transfer_counts_most(&a->calls, site->at->address, 1, most) ||
        (double)most->count < NEARLY * (double)site->executions)
        return NULL;
    const struct sl_db_span *span = sl_db_span_at(&a->costs.lines, most->to);
    return span ? span->function->name : NULL;
}

static int check_indirect_call(struct search *a, const struct site *site)
{
    struct sl_transfer_count most;
    char name[sizeof site->name];
    const char *called = callee(a, site, &most);
    if (!called)
        return 0;
    snprintf(name, sizeof name, "%s", called);
    sl_short_name(name, NAME);
    return add_hint(
        a, site,
        sl_asprintf("indirect call in %s calls %s in %.1f%% of %s executions: compare the pointer "
                    "with that function and call it directly, or use PGO",
                    site->name, name, percent(most.count, site->executions),
                    SL_NUMBER(site->executions)));
}

/* The value that an instruction nearly always reads. */
static bool constant_at(const struct search *a, uint64_t address, uint64_t executions,
                        struct sl_transfer_count *most)
{
    return sl_transfer_counts_most(&a->values, address, 1, most) &&
           (double)most->count >= NEARLY * (double)executions &&
           (most->to < POINTERS || -most->to < POINTERS);
}

/* The instruction of a block that sets the divisor of a division on x86-64 (the only register that
 * the division reads and does not write), or the division itself if the divisor is in memory;
 * SL_NO_INDEX if it is not in the block. */
static uint32_t divisor_insn(const struct search *a, const struct sl_block *block, uint64_t address)
{
    const struct sl_db_code *code = &a->costs.code;
    const uint32_t *insn = code->statics.block_insn + block->insns_at;
    uint32_t i = 0;
    while (i < block->n_insns && code->statics.insn[insn[i]].pc != address)
        i++;
    const struct sl_insn_info *division = i < block->n_insns ? sl_code_insn(&code->code, insn[i])
                                                             : NULL;
    if (!division || division->class != SL_CLASS_DIVIDE)
        return SL_NO_INDEX;
    uint64_t divisor = division->reads.general & ~division->writes.general;
    if (division->flags & SL_INSN_LOADS)
        return insn[i];
    while (i-- > 0)
        if (sl_code_insn(&code->code, insn[i])->writes.general & divisor)
            return sl_code_insn(&code->code, insn[i])->class == SL_CLASS_LOAD ? insn[i]
                                                                              : SL_NO_INDEX;
    return SL_NO_INDEX;
}

static int check_division(struct search *a, const struct site *site)
{
    const struct sl_statics *s = &a->costs.code.statics;
    struct sl_transfer_count most;
    uint32_t insn = SL_NO_INDEX;
    size_t i = SL_LOWER_BOUND(s->block, s->n_blocks, struct sl_block, pc, site->at->address + 1);
    while (s->program.arch == SL_ARCH_X86_64 && insn == SL_NO_INDEX && i-- > 0 &&
           s->block[i].pc + s->block[i].n_bytes > site->at->address)
        insn = divisor_insn(a, &s->block[i], site->at->address);
    if (insn == SL_NO_INDEX || !constant_at(a, s->insn[insn].pc, site->executions, &most))
        return 0;
    return add_hint(a, site,
                    sl_asprintf("division in %s divides by %" PRId64 " in %.0f%% of %s executions: "
                                "in a special case for the constant %" PRId64
                                ", the compiler divides by a multiplication",
                                site->name, (int64_t)most.to, percent(most.count, site->executions),
                                SL_NUMBER(site->executions), (int64_t)most.to));
}

static int check_load(struct search *a, const struct site *site)
{
    struct sl_transfer_count most;
    size_t before = a->hints->n;
    int result = a->values.n ? check_division(a, site) : 0;
    if (result || a->hints->n > before ||
        !constant_at(a, site->at->address, site->executions, &most))
        return result;
    return add_hint(a, site,
                    sl_asprintf("load in %s reads %" PRId64
                                " in %.0f%% of %s executions: consider a special "
                                "case for %" PRId64 ", or keep it in a register",
                                site->name, (int64_t)most.to, percent(most.count, site->executions),
                                SL_NUMBER(site->executions), (int64_t)most.to));
}

/* The name of memcpy() or a similar function without suffixes: "memcpy" for
 * "__memcpy_avx_unaligned_erms" and "memcpy@plt"; NULL for other names. */
static const char *copying(const char *name)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp"};
    name += strspn(name, "_");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (!strncmp(name, names[i], length) && (!name[length] || strchr("_@", name[length])))
            return names[i];
    }
    return NULL;
}

/* The costs of the calls of memcpy() and so on by a function. */
static int check_copy(struct search *a, const struct site *site)
{
    struct sl_transfer_count most;
    const char *called = callee(a, site, &most), *name = called ? copying(called) : NULL;
    const char *caller = site->at->inlined ? site->at->inlined->name : site->at->function;
    uint64_t cost = 0, calls = 0;
    for (size_t i = 0; name && a->functions && i < a->functions->n; i++) {
        const struct sl_source_function *function = &a->functions->function[i];
        if (copying(function->name) != name)
            continue;
        for (size_t k = 0; k < function->n_callers; k++)
            if (!strcmp(a->functions->function[function->caller[k].function].name, caller)) {
                cost += function->caller[k].cost;
                calls += function->caller[k].calls;
            }
    }
    if (!calls || cost > SHORT_COPY * calls ||
        (double)cost < COPIES_MIN * (double)a->functions->total)
        return 0;
    return add_hint(a, site,
                    sl_asprintf("%s of few bytes in %s: %s calls, %.0f instructions each: use "
                                "assignments, or handle more bytes per call",
                                name, site->name, SL_NUMBER(calls), (double)cost / (double)calls));
}

static int check_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct search *a = context;
    struct site site = {.at = at, .executions = cost[a->column]};
    if (!at->is_block || !at->file || !at->line ||
        !sl_is_own_code(&a->database->program, at->path, at->file) ||
        (double)site.executions < OFTEN * (double)a->database->program.instructions)
        return 0;
    snprintf(site.name, sizeof site.name, "%s", at->inlined ? at->inlined->name : at->function);
    sl_short_name(site.name, NAME);
    const struct sl_block_end *end = sl_db_code_branch(&a->costs.code, at->address);
    switch (end ? end->branch : SL_BRANCH_NONE) {
    case SL_BRANCH_INDIRECT_CALL:
        return check_indirect_call(a, &site);
    case SL_BRANCH_CALL:
        return check_copy(a, &site);
    default:
        return end ? check_branch(a, &site, end) : check_load(a, &site);
    }
}

/* ---- functions ---- */

static bool calls_itself(const struct sl_source_functions *all, uint32_t function)
{
    for (size_t i = 0; i < all->function[function].n_callers; i++) {
        uint32_t caller = all->function[function].caller[i].function;
        for (size_t k = 0; k < all->function[caller].n_callers; k++)
            if (all->function[caller].caller[k].function == function)
                return true;
    }
    return false;
}

/* The number of calls of the callers shows whether the calls are repeated here, or above. */
static bool is_repeated(const struct sl_source_functions *all, uint32_t i)
{
    const struct sl_source_function *function = &all->function[i];
    uint64_t known = 0, callers = 0;
    for (size_t k = 0; k < function->n_callers; k++) {
        known += function->caller[k].calls;
        callers += all->function[function->caller[k].function].calls;
    }
    return function->own && !function->shared && function->calls >= 2 &&
           function->calls <= FEW_CALLS && known == function->calls && callers < known &&
           (double)function->inclusive >= FEW_CALLS_MIN * (double)all->total &&
           (double)function->inclusive <= FEW_CALLS_MAX * (double)all->total &&
           !calls_itself(all, i);
}

static int check_function(struct search *a, uint32_t i)
{
    const struct sl_source_functions *all = a->functions;
    const struct sl_source_function *function = &all->function[i];
    char name[256];
    if (!is_repeated(all, i))
        return 0;
    snprintf(name, sizeof name, "%s", function->name);
    sl_short_name(name, NAME);
    return add(a, strdup(function->line ? function->line : name), function->inclusive,
               sl_asprintf("%s takes %.0f%% of the run in %s calls, %s instructions each: if they "
                           "compute the same, store the result",
                           name, sl_percent(function->inclusive, all->total),
                           SL_NUMBER(function->calls),
                           SL_SHORT(function->inclusive / function->calls)));
}

/* ---- all hints ---- */

static int by_weight(const void *a, const void *b)
{
    const struct sl_hint *x = a, *y = b;
    int order = strcmp(x->where, y->where);
    return sl_order(y->weight, x->weight, order ? order : strcmp(x->text, y->text));
}

static void free_hint(struct sl_hint *hint)
{
    free(hint->where);
    free(hint->text);
}

static void free_duplicate(void *first, void *duplicate)
{
    (void)first;
    free_hint(duplicate);
}

int sl_hints_add(struct sl_hints *hints, struct sl_database *database,
                 const struct sl_source_functions *functions, struct sl_failure *f)
{
    struct search a = {.hints = hints, .database = database, .functions = functions, .f = f};
    int result = sl_costs_open_any(&a.costs, database, 0, f);
    if (result)
        return result;
    a.column = sl_costs_block_column(&a.costs, "instructions");
    if (a.column < a.costs.n_columns) {
        result = sl_transfer_counts_load_first(&a.edges, database, SL_FIELD_TARGET, true, 0, f);
        if (!result)
            result = sl_transfer_counts_load_first(&a.calls, database, SL_FIELD_CALLEE, true, 0, f);
        if (!result)
            result = sl_transfer_counts_load_first(&a.values, database, SL_FIELD_VALUE, true, 0, f);
        if (!result)
            result = sl_costs_each(&a.costs, check_row, &a, f);
        for (uint32_t i = 0; !result && functions && i < functions->n; i++)
            result = check_function(&a, i);
    }
    hints->n = SL_SORT_AND_MERGE(hints->hint, hints->n, by_weight, free_duplicate);
    sl_transfer_counts_free(&a.edges);
    sl_transfer_counts_free(&a.calls);
    sl_transfer_counts_free(&a.values);
    sl_costs_close(&a.costs);
    return result;
}

void sl_hints_free(struct sl_hints *hints)
{
    for (size_t i = 0; i < hints->n; i++)
        free_hint(&hints->hint[i]);
    free(hints->hint);
    *hints = (struct sl_hints){0};
}
