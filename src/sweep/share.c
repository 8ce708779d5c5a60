#include "share.h"

#include <math.h>
#include <stdlib.h>

#include "comparison.h"
#include "failure.h"
#include "grow.h"
#include "overhead.h"
#include "session_figures.h"

/* So much that no table ever has to drop anything for want of it: who is out of memory fails. */
#define UNLIMITED (UINT64_MAX / 2)

void sl_share_add(struct sl_share_figures *all, size_t spec, const char *measure, double value)
{
    if (isnan(value))
        return;
    if (!SL_GROW(all->figure, all->room, all->n + 1)) {
        all->out_of_memory = true;
        return;
    }
    struct sl_share_figure *figure = &all->figure[all->n++];
    *figure = (struct sl_share_figure){.spec = (uint32_t)spec, .value = value};
    snprintf(figure->measure, sizeof figure->measure, "%s", measure);
}

void sl_share_figures_free(struct sl_share_figures *all)
{
    free(all->figure);
    *all = (struct sl_share_figures){0};
}

struct telling {
    struct sl_share_figures *out;
    size_t n;
};

/* What is the run's, every profile has. */
static void tell(void *context, size_t profile, const char *measure, const char *item, double x,
                 double value)
{
    const struct telling *t = context;
    (void)x;
    if (profile != SL_FIGURES_RUN)
        sl_share_add(t->out, profile, measure, value);
    for (size_t i = 0; profile == SL_FIGURES_RUN && i < t->n; i++)
        sl_share_add(t->out, i, item ? item : measure, value);
}

static int tell_all(struct sl_session *session, struct sl_share_figures *out, struct sl_failure *f)
{
    struct sl_comparisons *all;
    uint64_t drops = sl_session_exact_drops(session);
    if (drops)
        return sl_fail(f, SL_ENOMEM, "there was no room for %llu events in an exact profile",
                       (unsigned long long)drops);
    int error = sl_session_compare(session, &all, f);
    if (error < 0)
        return error;
    struct telling telling = {out, all->n};
    struct sl_figures_to to = {tell, &telling, .series = false};
    struct sl_overhead_whole whole = sl_overhead_whole(all->instructions, all->cycles);
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_comparison *row = &all->row[i];
        sl_share_add(out, i, "error", row->measured ? row->error : (double)NAN);
        sl_share_add(out, i, "overhead", row->waited_for ? row->profiler_overhead
                                                         : sl_overhead(&row->status, whole));
    }
    sl_session_figures(session, &to);
    sl_comparisons_free(all);
    return out->out_of_memory ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}

int sl_share_run(const struct sl_share *share, struct sl_share_figures *out, struct sl_failure *f)
{
    const struct sl_sweep_how *how = share->how;
    struct sl_session_config config = {.spec = share->spec,
                                       .n_specs = share->n,
                                       .range = how->range,
                                       .only = how->only,
                                       .marked = how->marked,
                                       .machine = share->machine,
                                       .memory_bytes = UNLIMITED,
                                       .exact = true,
                                       .window = UINT64_MAX,
                                       .threads = 1,
                                       .error_executions = how->error_executions,
                                       .error_share = how->error_share,
                                       .error_covered = how->error_covered};
    struct sl_session *session;
    struct sl_source *source = NULL;
    int error = sl_session_open(&session, &config, f);
    if (error < 0)
        return error;
    error = sl_source_open(&source, share->stream, f);
    if (error >= 0) {
        sl_source_window(source, how->skip, how->limit);
        error = sl_session_run(session, source, NULL, NULL, f);
    }
    if (error >= 0)
        error = tell_all(session, out, f);
    sl_session_close(session);
    sl_source_close(source);
    return error;
}
