#include "function_counters.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

void sl_function_counters_init(struct sl_function_counters *c, const void *config,
                               const struct sl_table_host *host)
{
    *c = (struct sl_function_counters){.config = *(const struct sl_counter_config *)config,
                                       .functions = host->functions};
}

int sl_function_counters_make(struct sl_function_counters *c, size_t n, int error)
{
    uint64_t *count = error < 0 ? NULL : calloc(n, sizeof *count);
    if (error >= 0 && !count)
        error = sl_fail(&c->failure, SL_ENOMEM, "out of memory");
    if (count)
        sl_counters_init(&c->storage, &c->config, count, n);
    c->ready = error >= 0;
    c->failed = error < 0;
    return error < 0 ? error : 0;
}

bool sl_function_counters_emit(const struct sl_function_counters *c, uint64_t pc, uint64_t units,
                               bool full,
                               bool (*emit)(void *context, const struct sl_entry *entry),
                               void *context)
{
    struct sl_entry entry = {.tuple = {pc, 0}, .count = units << c->storage.exponent};
    entry.low = entry.high = entry.count;
    if (full)
        entry.high += c->storage.lost;
    return emit(context, &entry);
}

/* ---- what has to be said ------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct sl_table_status *out,
                                                      const char *format, ...)
{
    size_t used = strlen(out->note);
    if (used)
        used += (size_t)snprintf(out->note + used, sizeof out->note - used, "; ");
    va_list arguments;
    va_start(arguments, format);
    if (used < sizeof out->note)
        vsnprintf(out->note + used, sizeof out->note - used, format, arguments);
    va_end(arguments);
}

/* Why there may be fewer functions than were executed. */
static void say_functions(const struct sl_function_counters *c, const char *table,
                          struct sl_table_status *out)
{
    if (c->failed)
        say(out, "%s cannot count: %s", table, c->failure.text);
    else if (!c->ready && c->events)
        say(out, "%s is made for the functions of one program, and found none: its file is gone, "
            "or has no symbols", table);
    else if (c->ready && c->functions->stripped)
        say(out, "the program is stripped: only its %zu exported functions and stubs have counters",
            c->functions->n);
    if (c->ready && c->strangers)
        say(out, "%llu events (%.2f%% of the weight) were dropped: in code without a counter "
            "(libraries, generated code, no symbol)", (unsigned long long)c->strangers,
            c->weight ? 100.0 * (double)c->strangers_weight / (double)c->weight : 0.0);
}

void sl_function_counters_status(const struct sl_function_counters *c, const char *table,
                                 struct sl_table_status *out)
{
    const struct sl_counter_storage *s = &c->storage;
    *out = (struct sl_table_status){
        .events = c->events,
        .weight = c->weight,
        .drops = c->strangers + s->overflows,
        .drops_weight = c->strangers_weight + s->lost + s->carry,
        .bounds = s->exponent ? SL_BOUNDS_NONE : SL_BOUNDS_CERTAIN,
    };
    size_t n_full = 0;
    for (size_t i = 0; i < s->n; i++)
        n_full += s->count[i] == s->max;
    say_functions(c, table, out);
    if (s->exponent)
        say(out, "counters of %llu bits were halved %u times, so they count by %llu",
            (unsigned long long)c->config.bits, s->exponent,
            (unsigned long long)(UINT64_C(1) << s->exponent));
    else if (s->overflows)
        say(out, "%zu counters of %llu bits are full, and lost a weight of %llu (use bits=64, or "
            "shift=1)", n_full, (unsigned long long)c->config.bits, (unsigned long long)s->lost);
}

void sl_function_counters_close(struct sl_function_counters *c)
{
    free(c->storage.count);
}
