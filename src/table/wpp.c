/* The whole program path: not how often each tuple came, but all of them in order, as a
 * grammar (sequitur.c) that is a small part of the size. With paths for tuples this is the
 * document's use of Sequitur, in software behind the path stack; any tuples will do.
 *
 *     event -> symbol (dense, in order of appearance) -> Sequitur -> grammar.h: saved and
 *                                                        expanded back; subpath.h: searched
 *
 * A symbol is a tuple, so equal tuples under several numbers are the same symbol. Counts
 * are not kept: they follow from the grammar. With a metric the grammar is still that of
 * the events, and beside each symbol stands what its events weigh beyond 1 each.
 *
 * Assumed: what repeats in the program repeats in the sequence; events of several threads
 * go into one sequence as they come.
 *
 * Memory: what sequitur.c says for the grammar, and 256 bytes are reckoned for a tuple,
 * which is what its map and arrays take at most when they move. At the limit the grammar is
 * frozen: it is exactly the sequence up to there, and all further events are dropped and
 * counted as such. At the end the finished grammar takes the place of what it was made
 * with; what is counted, searched and saved then fits in what that has left. */
#include "table.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "index_map.h"
#include "sequence.h"
#include "sequitur.h"

#define TUPLE_BYTES UINT64_C(256)
#define TUPLES_FIRST UINT64_C(8) /* what empty maps and arrays take, in tuples */

struct config {
    double hot;
    uint64_t least, most;
    unsigned subpaths; /* enum sl_subpath_choice */
};

struct wpp {
    uint64_t memory_bytes;
    uint64_t events, weight, drops, drops_weight;
    struct sl_subpath_limits hot;
    struct sl_sequitur sequitur;
    struct sl_grammar grammar; /* when finished */
    bool finished;
    uint64_t grammar_bits; /* of storage, when finished */
    struct sl_index_map symbols; /* by tuple */
    struct sl_tuple *tuple;      /* by symbol */
    uint64_t *beyond;            /* by symbol, as far as there are weights */
    size_t room_tuples, room_beyond;
    uint32_t *symbol_of;         /* by number of a static tuple: 1 + its symbol, 0: not known */
    size_t room_names;
};

/* Shares the memory out: the grammar has what the tuples, and one more, leave. */
static bool share_memory(struct wpp *w)
{
    uint64_t tuples = (w->symbols.n_keys + 1 + TUPLES_FIRST) * TUPLE_BYTES;
    w->sequitur.memory_bytes = w->memory_bytes > tuples ? w->memory_bytes - tuples : 0;
    return sl_sequitur_bytes(&w->sequitur) <= w->sequitur.memory_bytes;
}

static size_t state_bytes(void)
{
    return (sizeof(struct wpp) + 63) & ~(size_t)63;
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    (void)config;
    return state_bytes() + host->names * sizeof(uint32_t);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct wpp *w = state;
    const struct config *c = config;
    (void)f;
    *w = (struct wpp){.memory_bytes = host->memory_bytes,
                      .hot = {c->hot, c->least, c->most,
                              (enum sl_subpath_choice)c->subpaths},
                      .room_names = host->names};
    w->symbol_of = (uint32_t *)((char *)state + state_bytes());
    share_memory(w);
    sl_sequitur_init(&w->sequitur, w->sequitur.memory_bytes);
    return 0;
}

/* ---- events -------------------------------------------------------------- */

/* SL_NO_INDEX: it is new, and there is no room for more. */
static uint32_t symbol_of(struct wpp *w, struct sl_tuple tuple)
{
    uint32_t symbol = sl_index_find(&w->symbols, tuple.pc, tuple.value);
    if (symbol != SL_NO_INDEX || w->sequitur.full)
        return symbol;
    if (!share_memory(w) || w->symbols.n_keys > SL_SEQUITUR_SYMBOL_MAX ||
        !SL_GROW(w->tuple, w->room_tuples, w->symbols.n_keys + 1))
        return SL_NO_INDEX;
    symbol = sl_index_intern(&w->symbols, tuple.pc, tuple.value);
    if (symbol != SL_NO_INDEX)
        w->tuple[symbol] = tuple;
    return symbol;
}

static void take(struct wpp *w, uint32_t symbol, uint64_t weight)
{
    w->events++;
    w->weight += weight;
    /* The sequence ends with the first event that has no place in it. */
    w->sequitur.full |= symbol == SL_NO_INDEX ||
                        (weight != 1 && !SL_GROW(w->beyond, w->room_beyond, (size_t)symbol + 1));
    if (!sl_sequitur_append(&w->sequitur, symbol)) {
        w->drops++;
        w->drops_weight += weight;
    } else if (weight != 1) {
        w->beyond[symbol] += weight - 1;
    }
}

static void step(void *state, const struct sl_event *event)
{
    take(state, symbol_of(state, event->tuple), event->weight);
}

static uint32_t symbol_of_number(struct wpp *w, const struct sl_names *names, uint32_t number)
{
    if (number < w->room_names && w->symbol_of[number])
        return w->symbol_of[number] - 1;
    uint32_t symbol = symbol_of(w, (struct sl_tuple){names->pc[number], names->value[number]});
    if (number < w->room_names)
        w->symbol_of[number] = symbol + 1; /* 0 again for SL_NO_INDEX */
    return symbol;
}

static void observe(void *state, const struct sl_batch *batch)
{
    struct wpp *w = state;
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t number = batch->number[i], symbol;
        if (batch->value)
            symbol = symbol_of(w, (struct sl_tuple){batch->names->pc[number], batch->value[i]});
        else
            symbol = symbol_of_number(w, batch->names, number);
        take(w, symbol, batch->weight ? batch->weight[i] : 1);
    }
}

/* ---- results ------------------------------------------------------------- */

static uint64_t grammar_bits(const struct sl_sequitur *s)
{
    return 8 * ((s->n_symbols + s->n_rules) * sizeof *s->node + s->n_rules * sizeof *s->rule +
                sl_digram_slots(&s->index) * sizeof *s->index.slot);
}

static void finish(void *state)
{
    struct wpp *w = state;
    w->grammar_bits = grammar_bits(&w->sequitur);
    w->finished = sl_sequitur_finish(&w->sequitur, &w->grammar);
}

static bool sequence(const void *state, struct sl_sequence *out)
{
    const struct wpp *w = state;
    *out = (struct sl_sequence){.grammar = &w->grammar,
                                .tuple = w->tuple,
                                .n_tuples = w->symbols.n_keys,
                                .beyond = w->beyond,
                                .n_beyond = w->room_beyond,
                                .hot = w->hot};
    return w->finished;
}

static void drain_grammar(const struct wpp *w, const struct sl_grammar *grammar,
                          bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    size_t n = w->symbols.n_keys;
    uint64_t *count = calloc(n + 1, sizeof *count);
    bool more = count && sl_grammar_counts(grammar, count, n);
    for (size_t i = 0; i < n && more; i++) {
        uint64_t sum = count[i] + (i < w->room_beyond ? w->beyond[i] : 0);
        struct sl_entry entry = {.tuple = w->tuple[i], .count = sum, .low = sum, .high = sum};
        more = emit(context, &entry);
    }
    free(count);
}

/* Before the end, the grammar of the events so far is made for it. */
static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct wpp *w = state;
    struct sl_grammar so_far;
    (void)names;
    if (w->finished) {
        drain_grammar(w, &w->grammar, emit, context);
    } else if (sl_sequitur_grammar(&w->sequitur, &so_far)) {
        drain_grammar(w, &so_far, emit, context);
        sl_grammar_free(&so_far);
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct wpp *w = state;
    *out = (struct sl_table_status){.events = w->events,
                                    .weight = w->weight,
                                    .drops = w->drops,
                                    .drops_weight = w->drops_weight,
                                    .bounds = w->drops ? SL_BOUNDS_NONE : SL_BOUNDS_CERTAIN,
                                    .distinct = w->symbols.n_keys};
    out->storage_bits = (w->finished ? w->grammar_bits : grammar_bits(&w->sequitur)) +
                        8 * w->symbols.n_keys * sizeof *w->tuple;
    if (w->drops)
        snprintf(out->note, sizeof out->note,
                 "the sequence reached its share of --memory (%.1f MB) after %llu events; the "
                 "%llu events behind them are not in it",
                 (double)w->memory_bytes / 1e6, (unsigned long long)w->sequitur.length,
                 (unsigned long long)w->drops);
}

static void close_wpp(void *state)
{
    struct wpp *w = state;
    sl_sequitur_free(&w->sequitur);
    sl_grammar_free(&w->grammar);
    sl_index_free(&w->symbols);
    free(w->tuple);
    free(w->beyond);
}

static int check(void *config, struct sl_failure *f)
{
    const struct config *c = config;
    if (c->least <= c->most)
        return 0;
    return sl_fail(f, SL_EUSAGE, "wpp: a hot subpath cannot have at least %llu and at most %llu "
                   "events", (unsigned long long)c->least, (unsigned long long)c->most);
}

static const char *const choices[] = {[SL_SUBPATH_LONGEST] = "longest",
                                      [SL_SUBPATH_SHORTEST] = "shortest", NULL};

static const struct sl_option options[] = {
    SL_PERCENT(struct config, hot, "0.1%", 0, 100, "of the whole makes a subpath hot"),
    SL_UNSIGNED(struct config, least, "2", 2, 10000, "events in a hot subpath, at least"),
    SL_UNSIGNED(struct config, most, "16", 2, 10000, "events in a hot subpath, at most"),
    SL_CHOICE(struct config, subpaths, "longest", choices, "of hot ones in one another"),
    SL_OPTIONS_END,
};

const struct sl_table_kind sl_table_wpp = {
    .name = "wpp",
    .summary = "the whole program path: all events in order, as a grammar; grows up to --memory",
    .storage = "96 bits a symbol, 160 a rule, 96 a slot of the index, 128 a tuple",
    .options = options,
    .config_size = sizeof(struct config),
    .check = check,
    .size = size,
    .init = init,
    .step = step,
    .observe = observe,
    .finish = finish,
    .drain = drain,
    .sequence = sequence,
    .status = status,
    .close = close_wpp,
};
