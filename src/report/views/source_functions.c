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
#include "transfer_counts.h"
#include "utf8.h"

/* ---- names ---- */

static const char *file_name(const char *path)
{
    return path ? sl_file_name(path) : "";
}

/* Sets the key of a function in the map of names. Functions with the same name in one object are
 * distinguished by their source file. */
static void set_key(const char *object, const char *name, const char *file, uint64_t key[2])
{
    uint64_t place[] = {XXH3_64bits(file_name(object), strlen(file_name(object))),
                        XXH3_64bits(file_name(file), strlen(file_name(file)))};
    key[0] = XXH3_64bits(name, strlen(name));
    key[1] = XXH3_64bits(place, sizeof place);
}

uint32_t sl_source_functions_find(const struct sl_source_functions *functions, const char *object,
                                  const char *name, const char *file)
{
    uint64_t key[2];
    set_key(object, name, file, key);
    return sl_index_find(&functions->names, key[0], key[1]);
}

/* Index of a source function, which is added if it is new; SL_NO_INDEX if out of memory. */
static uint32_t add_source(struct sl_source_work *w, const char *object, const char *name,
                           const char *file, int line)
{
    struct sl_source_functions *all = w->all;
    uint64_t key[2];
    set_key(object, name, file, key);
    uint32_t number = sl_index_add(&all->names, key[0], key[1]);
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
    if (!function->file && file)
        function->file = strdup(file);
    return function->file || !file ? number : SL_NO_INDEX;
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

/* True if `name` is a function, or one of its variants for CPUs: "__strcmp_avx2" of "strcmp". */
static bool is_variant(const char *name, const char *of)
{
    size_t length = strlen(of);
    return !strcmp(name, of) ||
           (!strncmp(name, "__", 2) && !strncmp(name + 2, of, length) && name[2 + length] == '_');
}

/* The function that a stub leads to, by name: the costliest in any object except the dynamic
 * loader, because the loader has private copies of strcmp() and others, and the C library also has
 * a small function strcmp() that selects the variant for the CPU. SL_NO_INDEX if there is none. */
static uint32_t stub_target(const struct sl_source_work *w, const char *name)
{
    const struct sl_source_base *target = NULL;
    for (const struct sl_source_base *base = w->base; base < w->base + w->n_bases; base++)
        if (base->source != SL_NO_INDEX && is_variant(base->name, name) &&
            (!base->object || strncmp(file_name(base->object), "ld-", 3)) &&
            (!target || base->self > target->self))
            target = base;
    return target ? target->source : SL_NO_INDEX;
}

/* The function that a stub calls at the highest cost in the tree of contexts, without functions of
 * the dynamic loader, which the first call of a stub runs; SL_NO_INDEX if there is none. */
static uint32_t stub_callee(const struct sl_source_work *w, const struct sl_source_base *stub)
{
    const struct sl_context_tree *tree = &w->tree;
    uint32_t found = SL_NO_INDEX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct sl_context *c = &tree->context[i];
        if (c->frame || c->parent == SL_NO_INDEX || tree->context[c->parent].pc != stub->pc ||
            tree->context[c->parent].frame || sl_context_cost(tree, 0, i) <= most)
            continue;
        uint32_t number = sl_index_find(&w->pcs, c->pc, 0);
        const struct sl_source_base *callee = number == SL_NO_INDEX ? NULL : &w->base[number];
        if (!callee || callee->source == SL_NO_INDEX ||
            (callee->object && !strncmp(file_name(callee->object), "ld-", 3)))
            continue;
        found = callee->source;
        most = sl_context_cost(tree, 0, i);
    }
    return found;
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
    base->derived = stub || strcmp(name, base->name) != 0;
    base->source = stub ? stub_callee(w, base) : SL_NO_INDEX;
    if (stub && base->source == SL_NO_INDEX)
        base->source = stub_target(w, name);
    base->is_stub = stub && base->source != SL_NO_INDEX;
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
        result = sl_context_tree_load(&w->tree, w->database, w->profiles, w->n_profiles, w->f);
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
    if (at->address == w->base[w->last_base].pc &&
        !strcmp(w->profile->metric->name, "instructions"))
        w->base[w->last_base].entries += self;
    for (const struct sl_db_inlined *in = at->inlined; in; in = in->parent) {
        struct sl_source_frame *frame = &w->frame[in - w->costs.lines.inlined];
        if (frame->source == SL_NO_INDEX)
            frame->source = add_inlined(w, at->object_name, in);
        if (frame->source == SL_NO_INDEX)
            return sl_db_fail_memory(w->f);
        frame->base = w->last_base;
    }
    if (at->inlined) {
        size_t frame = (size_t)(at->inlined - w->costs.lines.inlined);
        struct sl_source_function *of = &w->all->function[w->frame[frame].source];
        if (!of->file && at->file && !(of->file = strdup(at->file))) /* Go declares no file */
            return sl_db_fail_memory(w->f);
        if (!add_moved(w, frame, self))
            return sl_db_fail_memory(w->f);
    }
    return !w->all->has_inclusive || sl_source_calls_add(w, at, self) ? 0 : sl_db_fail_memory(w->f);
}

bool sl_source_add_call(struct sl_source_work *w, uint32_t callee, uint32_t caller, bool inlined,
                        uint64_t cost, uint64_t calls)
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
        function->caller[function->n_callers++] = (struct sl_source_caller){caller, inlined, 0, 0};
    function->caller[i].cost += cost;
    function->caller[i].calls += calls;
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
        if (!sl_source_add_call(w, frame->source, around, true, frame->inclusive, 0))
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
    if (!result && ((inlined && !move_inlined(w)) || !sl_source_functions_order(w->all)))
        result = sl_db_fail_memory(w->f);
    return result;
}

static int load_and_free(struct sl_source_work *w, struct sl_context_tree *tree)
{
    *w->all = (struct sl_source_functions){0};
    int result = load(w);
    if (!result && tree) {
        result = sl_source_merge_contexts(w) ? 0 : sl_db_fail_memory(w->f);
        *tree = w->tree;
        w->tree = (struct sl_context_tree){0};
        if (result)
            sl_context_tree_free(tree);
    }
    for (size_t i = 0; i < w->n_bases; i++) {
        free(w->base[i].name);
        free(w->base[i].object);
        free(w->base[i].file);
    }
    free(w->site);
    free(w->moved);
    sl_context_tree_free(&w->tree);
    free(w->of_context);
    sl_costs_close(&w->costs);
    sl_index_free(&w->pcs);
    free(w->base);
    free(w->frame);
    return result;
}

int sl_source_functions_load(struct sl_source_functions *functions, struct sl_database *database,
                             const struct sl_db_profile *profile, bool symbols,
                             struct sl_failure *f)
{
    struct sl_source_work w = {.all = functions,
                               .database = database,
                               .profile = profile,
                               .profiles = &profile,
                               .n_profiles = 1,
                               .symbols = symbols,
                               .f = f};
    return load_and_free(&w, NULL);
}

int sl_source_tree_load(struct sl_source_functions *functions, struct sl_context_tree *tree,
                        struct sl_database *database, const struct sl_db_profile *const *profile,
                        size_t n_profiles, struct sl_failure *f)
{
    struct sl_source_work w = {.all = functions,
                               .database = database,
                               .profile = profile[0],
                               .profiles = profile,
                               .n_profiles = n_profiles,
                               .f = f};
    return load_and_free(&w, tree);
}
