/* SPDX-License-Identifier: MIT */
/* Implementation of `sluice sweep` as two library functions: sl_sweep() runs a sweep on this
 * computer, a Slurm cluster or a GPU, and sl_sweep_work() runs one of its jobs. */
#include <string.h>

#include "config.h"
#include "failure.h"
#include "shard_file.h"
#include "sweep.h"

static const struct place {
    const char *name;
    /* Rejects points that cannot run there, before any program is recorded; NULL: all can. */
    int (*check)(const struct sl_sweep *sweep, struct sl_failure *f);
    int (*run)(struct sl_sweep *sweep, struct sl_failure *f);
} places[] = {
    {"local", NULL, sl_sweep_local},
    {"slurm", NULL, sl_sweep_slurm},
    {"gpu", sl_sweep_gpu_check, sl_sweep_gpu},
};
#define N_PLACES (sizeof places / sizeof *places)

static const struct place *find_place(const char *on)
{
    size_t i = 0;
    while (on && i < N_PLACES && strcmp(places[i].name, on))
        i++;
    return i < N_PLACES ? &places[i] : NULL;
}

int sl_sweep(const char *path, const struct sl_sweep_config *given, struct sl_failure *f)
{
    SL_REQUIRE(f, path);
    struct sl_sweep_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_sweep_config", f);
    if (unread < 0)
        return unread;
    for (size_t i = 0; i < config->n_specs; i++)
        SL_REQUIRE(f, config->spec && config->spec[i]);
    for (size_t i = 0; i < config->n_streams; i++)
        SL_REQUIRE(f, config->stream && config->stream[i]);
    struct sl_sweep sweep;
    const struct place *place = find_place(config->on);
    if (!place)
        return sl_fail_setting(f, "on", "unknown place to run: use local, slurm or gpu");
    int error = sl_sweep_open(&sweep, path, config, place->check, f);
    if (error >= 0)
        error = place->run(&sweep, f);
    if (error >= 0 && sweep.n_done < sweep.n_todo)
        error = sl_fail(f, SL_EIO,
                        "%zu of %zu results are missing: 'sluice sweep report' shows the reasons; "
                        "run the sweep again to retry",
                        sweep.n_todo - sweep.n_done, sweep.n_todo);
    if (config->effort)
        *config->effort = sweep.effort;
    sl_sweep_close(&sweep);
    return error;
}

int sl_sweep_work(const char *directory, size_t number, struct sl_failure *f)
{
    SL_REQUIRE(f, directory);
    return sl_shard_work(directory, number, f);
}
