/* SPDX-License-Identifier: MIT */
/* Costs of functions as written in the source: moves the cost of inlined code to the function
 * whose source it is, the innermost inlined call first (source_functions.h). If the inlined code in
 * a linker symbol costs more than the symbol, nothing is moved out of this symbol. */
#include "source_functions.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "context_name.h"
#include "entry_view.h"
#include "grow.h"
#include "source_calls.h"
#include "utf8.h"

/* ---- names ---- */

static const char *file_name(const char *path)
{
    return path ? sl_file_name(path) : "";
}

/* Index of a source function, which is added if it is new; SL_NO_INDEX if out of memory. Functions
 * with the same name in one object are distinguished by their source file. */
static uint32_t add_source(struct sl_source_work *w, const char *object, const char *name,
                           const char *file, int line)
{
    struct sl_source_functions *all = w->all;
    uint64_t place[] = {XXH3_64bits(file_name(object), strlen(file_name(object))),
                        XXH3_64bits(file_name(file), strlen(file_name(file)))};
    uint32_t number = sl_index_add(&w->names, XXH3_64bits(name, strlen(name)),
                                   XXH3_64bits(place, sizeof place));
    if (number == SL_NO_INDEX || !SL_GROW(all->function, all->capacity, (size_t)number + 1))
        return SL_NO_INDEX;
    struct sl_source_function *function = &all->function[number];
    if (number == all->n) {
        all->n++;
        function->name = sl_utf8_printable(name);
        function->object = object ? sl_utf8_printable(file_name(object)) : NULL;
        if (!function->name || (object && !function->object))
            return SL_NO_INDEX;
    }
    if (!function->line && file && line > 0)
        function->line = sl_own_printable(sl_asprintf("%s:%d", file_name(file), line));
    return number;
}

/* The source function of an inlined call; SL_NO_INDEX if out of memory. */
static uint32_t add_inlined(struct sl_source_work *w, const char *object,
                            const struct sl_db_inlined *frame)
{
    bool stub;
    char *name = sl_source_name(frame->name, &stub);
    uint32_t source = name ? add_source(w, object, name, frame->file, frame->line) : SL_NO_INDEX;
    free(name);
    return source;
}

/* The function that a stub leads to, by name, in any object except the dynamic loader: the loader
 * has private copies of strcmp() and others, while the C library's may have another name
 * (__strcmp_avx2). SL_NO_INDEX if there is none. */
static uint32_t stub_target(const struct sl_source_work *w, const char *name)
{
    for (uint32_t i = 0; i < w->all->n; i++) {
        const struct sl_source_function *function = &w->all->function[i];
        if (!strcmp(function->name, name) &&
            (!function->object || strncmp(function->object, "ld-", 3)))
            return i;
    }
    return SL_NO_INDEX;
}

/* Sets base->source if the base is a stub and `stubs`, or neither. Returns false if out of
 * memory. */
static bool name_base(struct sl_source_work *w, struct sl_source_base *base, bool stubs)
{
    const struct sl_db_span *span = sl_db_span_at(&w->costs.lines, base->pc);
    const struct sl_db_function *of = span ? span->function : NULL;
    const char *object = of ? of->object_name : base->object;
    bool stub = false;
    char *name = w->symbols ? strdup(base->name) : sl_source_name(base->name, &stub);
    if (!name || stub != stubs) {
        free(name);
        return name;
    }
    base->source = stub ? stub_target(w, name) : SL_NO_INDEX;
    if (base->source == SL_NO_INDEX)
        base->source = add_source(w, object, stub ? base->name : name, of ? of->file : base->file,
                                  of ? of->line : base->line);
    free(name);
    return base->source != SL_NO_INDEX;
}

/* ---- inlined contexts ---- */

/* The source function of an inlined context in `host`; SL_NO_INDEX if out of memory. */
static uint32_t source_of_frame(struct sl_source_work *w, const struct sl_db_inlined *frame,
                                uint32_t host)
{
    const struct sl_source_base *base = host == SL_NO_INDEX ? NULL : &w->base[host];
    const struct sl_db_span *span = base ? sl_db_span_at(&w->costs.lines, base->pc) : NULL;
    return add_inlined(w, span ? span->function->object_name : base ? base->object : NULL, frame);
}

/* Assigns each context its source function, and the cost of inlined contexts to theirs. */
static bool add_contexts(struct sl_source_work *w)
{
    const struct sl_context_tree *tree = &w->tree;
    uint32_t *host = calloc(tree->n + 1, sizeof *host);
    w->of_context = calloc(tree->n + 1, sizeof *w->of_context);
    bool good = w->of_context && host;
    for (uint32_t i = 0; i < tree->n && good; i++) {
        const struct sl_context *c = &tree->context[i];
        host[i] = !c->frame                  ? sl_index_find(&w->pcs, c->pc, 0)
                  : c->parent == SL_NO_INDEX ? SL_NO_INDEX
                                             : host[c->parent];
        uint32_t around = host[i] == SL_NO_INDEX ? SL_NO_INDEX : w->base[host[i]].source;
        bool apart = c->frame && (!w->symbols || around == SL_NO_INDEX);
        w->of_context[i] = apart ? source_of_frame(w, c->frame, host[i]) : around;
        good = w->of_context[i] != SL_NO_INDEX || !apart;
        if (!good || !c->frame)
            continue;
        w->all->function[w->of_context[i]].self += tree->cost[0][i];
        w->all->total += tree->cost[0][i];
    }
    free(host);
    return good;
}

/* ---- entries of the profile ---- */

static bool add_base(struct sl_source_work *w, const struct sl_db_entry *entry)
{
    uint32_t number = sl_index_add(&w->pcs, entry->at.address, 0);
    if (number == SL_NO_INDEX || !SL_GROW(w->base, w->bases_capacity, (size_t)number + 1))
        return false;
    if (number < w->n_bases) {
        w->base[number].self += entry->count;
        return true;
    }
    w->base[w->n_bases++] = (struct sl_source_base){
        .pc = entry->at.address,
        .self = entry->count,
        .source = SL_NO_INDEX,
        .name = sl_own_printable(sl_entry_symbol(w->profile, entry)),
        .object = entry->at.object ? sl_utf8_printable(entry->at.object) : NULL,
        .file = entry->at.file ? strdup(entry->at.file) : NULL,
        .line = entry->at.line};
    return w->base[number].name;
}

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    struct sl_source_work *w = context;
    if (w->profile->detector->second.type == SL_FIELD_CALLERS && sl_context_depth(entry->value))
        return 0; /* an inlined context: add_contexts() adds it */
    return add_base(w, entry) ? 0 : sl_db_fail_memory(w->f);
}

static int load_bases(struct sl_source_work *w)
{
    int result = sl_db_entries(w->database, w->profile, 0, add_entry, w, w->f);
    if (!result && w->profile->detector->second.type == SL_FIELD_CALLERS) {
        result = sl_context_tree_load(&w->tree, w->database, &w->profile, 1, w->f);
        w->all->has_inclusive = !result;
    }
    /* Stubs come last, because their targets must be known. */
    for (size_t i = 0; i < 2 * w->n_bases && !result; i++)
        if (!name_base(w, &w->base[i % w->n_bases], i >= w->n_bases))
            result = sl_db_fail_memory(w->f);
    for (size_t i = 0; i < w->n_bases && !result; i++) {
        w->all->function[w->base[i].source].self += w->base[i].self;
        w->all->total += w->base[i].self;
    }
    if (!result && w->tree.has_frames && !add_contexts(w))
        result = sl_db_fail_memory(w->f);
    return result;
}

/* ---- inlined code ---- */

/* The base that contains the code; SL_NO_INDEX: none. A split-off part of a function is in the base
 * with its source name. */
static uint32_t base_of(struct sl_source_work *w, const struct sl_cost_location *at)
{
    uint32_t base = at->function_start ? sl_index_find(&w->pcs, at->function_start, 0)
                                       : SL_NO_INDEX;
    if (base != SL_NO_INDEX || !at->function_start)
        return base;
    bool stub;
    char *name = sl_source_name(at->function, &stub);
    for (uint32_t i = 0; name && i < w->n_bases && base == SL_NO_INDEX; i++)
        if (!strcmp(w->base[i].name, name) && w->base[i].object && at->object_name &&
            !strcmp(w->base[i].object, at->object_name))
            base = i;
    free(name);
    return base;
}

/* Adds the cost of an instruction to the inlined call whose code it is. */
static bool add_moved(struct sl_source_work *w, size_t frame, uint64_t self)
{
    struct sl_source_moved *last = w->n_moved ? &w->moved[w->n_moved - 1] : NULL;
    w->frame[frame].self += self;
    w->base[w->last_base].moved += self;
    if (last && last->frame == frame && last->base == w->last_base) {
        last->self += self;
        return true;
    }
    if (!SL_GROW(w->moved, w->moved_capacity, w->n_moved + 1))
        return false;
    w->moved[w->n_moved++] = (struct sl_source_moved){self, frame, w->last_base};
    return true;
}

static int add_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct sl_source_work *w = context;
    uint64_t self = cost[w->column];
    if (!at->is_block || !self)
        return 0;
    if (at->function_start != w->last_start || !w->last_start) {
        w->last_start = at->function_start;
        w->last_base = base_of(w, at);
    }
    if (w->last_base == SL_NO_INDEX)
        return 0;
    for (const struct sl_db_inlined *in = at->inlined; in; in = in->parent) {
        struct sl_source_frame *frame = &w->frame[in - w->costs.lines.inlined];
        if (frame->source == SL_NO_INDEX)
            frame->source = add_inlined(w, at->object_name, in);
        if (frame->source == SL_NO_INDEX)
            return sl_db_fail_memory(w->f);
        frame->base = w->last_base;
    }
    if (at->inlined && !add_moved(w, (size_t)(at->inlined - w->costs.lines.inlined), self))
        return sl_db_fail_memory(w->f);
    return !w->all->has_inclusive || sl_source_calls_add(w, at, self) ? 0 : sl_db_fail_memory(w->f);
}

bool sl_source_add_call(struct sl_source_work *w, uint32_t callee, uint32_t caller, bool inlined,
                        uint64_t cost)
{
    struct sl_source_function *function = &w->all->function[callee];
    size_t i = 0;
    if (callee == caller || !cost)
        return true;
    while (i < function->n_callers &&
           (function->caller[i].function != caller || function->caller[i].inlined != inlined))
        i++;
    if (!SL_GROW(function->caller, function->callers_capacity, i + 1))
        return false;
    if (i == function->n_callers)
        function->caller[function->n_callers++] = (struct sl_source_caller){caller, inlined, 0};
    function->caller[i].cost += cost;
    return true;
}

/* True if the function contains the frame, directly or through other inlined calls. */
static bool is_inside(const struct sl_source_work *w, const struct sl_db_inlined *frame,
                      uint32_t source)
{
    uint32_t base = w->frame[frame - w->costs.lines.inlined].base;
    for (const struct sl_db_inlined *at = frame->parent; at; at = at->parent)
        if (w->frame[at - w->costs.lines.inlined].source == source)
            return true;
    return w->base[base].source == source;
}

/* Moves the cost of inlined code to its source functions. The sum of all functions stays. */
static void move_self(struct sl_source_work *w)
{
    for (const struct sl_source_moved *m = w->moved; m && m < w->moved + w->n_moved; m++)
        if (w->base[m->base].moved <= w->base[m->base].self) {
            w->all->function[w->base[m->base].source].self -= m->self;
            w->all->function[w->frame[m->frame].source].self += m->self;
        }
}

/* Moves the inclusive cost of inlined code to its source functions. */
static bool move_inlined(struct sl_source_work *w)
{
    struct sl_source_functions *all = w->all;
    const struct sl_db_lines *lines = &w->costs.lines;
    for (size_t i = lines->n_inlined; i-- > 0;) { /* inner calls follow outer ones */
        struct sl_source_frame *frame = &w->frame[i];
        const struct sl_db_inlined *in = &lines->inlined[i];
        frame->inclusive += frame->self + frame->called;
        if (!frame->inclusive || w->base[frame->base].moved > w->base[frame->base].self)
            continue; /* a block that extends into another function: costs cannot be attributed */
        uint32_t around = w->base[frame->base].source;
        if (in->parent) {
            struct sl_source_frame *outer = &w->frame[in->parent - lines->inlined];
            outer->inclusive += frame->inclusive;
            outer->shared = outer->shared || frame->shared;
            around = outer->source;
        }
        struct sl_source_function *to = &all->function[frame->source];
        if (!is_inside(w, in, frame->source)) {
            to->inclusive += frame->inclusive > frame->again ? frame->inclusive - frame->again : 0;
            to->shared = to->shared || frame->shared;
        }
        if (!sl_source_add_call(w, frame->source, around, true, frame->inclusive))
            return false;
    }
    return true;
}

static int load_inlined(struct sl_source_work *w)
{
    const struct sl_db_lines *lines = &w->costs.lines;
    w->frame = calloc(lines->n_inlined + 1, sizeof *w->frame);
    if (!w->frame)
        return sl_db_fail_memory(w->f);
    for (size_t i = 0; i < lines->n_inlined; i++)
        w->frame[i].source = SL_NO_INDEX;
    int result = sl_costs_each(&w->costs, add_row, w, w->f);
    if (!result)
        move_self(w);
    return result;
}

/* ---- order ---- */

static int by_caller(const void *a, const void *b)
{
    const struct sl_source_caller *x = a, *y = b;
    int order = sl_order(x->function, y->function, sl_order(x->inlined, y->inlined, 0));
    return sl_order(y->cost, x->cost, order);
}

static int by_self(const void *a, const void *b, void *context)
{
    const struct sl_source_functions *all = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct sl_source_function *x = &all->function[i], *y = &all->function[k];
    int order = strcmp(x->name, y->name);
    order = order ? order : sl_order(i, k, 0);
    return sl_order(y->self, x->self, sl_order(y->inclusive, x->inclusive, order));
}

static bool order(struct sl_source_functions *all)
{
    all->by_self = calloc(all->n + 1, sizeof *all->by_self);
    if (!all->by_self)
        return false;
    for (uint32_t i = 0; i < all->n; i++) {
        struct sl_source_function *function = &all->function[i];
        SL_SORT(function->caller, function->n_callers, by_caller);
        if (function->inclusive > all->total)
            function->inclusive = all->total;
        all->by_self[i] = i;
    }
    qsort_r(all->by_self, all->n, sizeof *all->by_self, by_self, all);
    return true;
}

/* ---- the whole view ---- */

static int load(struct sl_source_work *w)
{
    int result = sl_costs_open_any(&w->costs, w->database, 0, w->f);
    w->column = sl_costs_block_column(&w->costs, w->profile->metric->name);
    if (!result)
        result = load_bases(w);
    bool inlined = !w->symbols && w->column < w->costs.n_columns && !w->of_context;
    if (!result && inlined)
        result = load_inlined(w);
    if (!result && !sl_source_calls_finish(w))
        result = sl_db_fail_memory(w->f);
    if (!result && ((inlined && !move_inlined(w)) || !order(w->all)))
        result = sl_db_fail_memory(w->f);
    return result;
}

int sl_source_functions_load(struct sl_source_functions *functions, struct sl_database *database,
                             const struct sl_db_profile *profile, bool symbols,
                             struct sl_failure *f)
{
    struct sl_source_work w = {
        .all = functions, .database = database, .profile = profile, .symbols = symbols, .f = f};
    *functions = (struct sl_source_functions){0};
    int result = load(&w);
    for (size_t i = 0; i < w.n_bases; i++) {
        free(w.base[i].name);
        free(w.base[i].object);
        free(w.base[i].file);
    }
    free(w.site);
    free(w.moved);
    sl_context_tree_free(&w.tree);
    free(w.of_context);
    sl_costs_close(&w.costs);
    sl_index_free(&w.names);
    sl_index_free(&w.pcs);
    free(w.base);
    free(w.frame);
    return result;
}

void sl_source_functions_free(struct sl_source_functions *functions)
{
    for (size_t i = 0; i < functions->n; i++) {
        free(functions->function[i].name);
        free(functions->function[i].line);
        free(functions->function[i].object);
        free(functions->function[i].caller);
    }
    free(functions->function);
    free(functions->by_self);
    *functions = (struct sl_source_functions){0};
}
