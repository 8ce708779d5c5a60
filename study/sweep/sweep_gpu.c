/* SPDX-License-Identifier: MIT */
/* A sweep on a GPU: one stream after the other, with as many tables at a time as may be. The
 * library that knows the card (make gpu) is beside sluice, and is loaded here and nowhere else. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "bank_shard.h"
#include "failure.h"
#include "data_path.h"
#include "sweep.h"
#include "utf8.h"

#define POINTS_AT_ONCE 16384u
#define LIBRARY "libsluice-gpu.so"

/* SLUICE_GPU names another library, as one without a card for tests. Otherwise it is beside us, or
 * where `make install` puts it. */
static void *open_library(void)
{
    static const char *const from_us[] = {"", "/../lib/sluice", "/sluice"};
    const char *said = getenv("SLUICE_GPU");
    if (said && *said)
        return dlopen(said, RTLD_NOW | RTLD_LOCAL);
    char *directory = sl_install_directory();
    void *library = NULL;
    for (size_t i = 0; directory && !library && i < sizeof from_us / sizeof *from_us; i++) {
        char *path = sl_asprintf("%s%s/" LIBRARY, directory, from_us[i]);
        /* Of one that is there, and cannot be loaded, the reason is told. */
        bool there = path && !access(path, R_OK);
        library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        free(path);
        if (there)
            break;
    }
    free(directory);
    return library;
}

static int load(const struct sl_bank **bank, struct sl_failure *f)
{
    void *library = open_library();
    const char *trouble = library ? NULL : dlerror();
    char words[300];
    *bank = library ? dlsym(library, "sl_bank") : NULL;
    if (!library)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "there is no library for a gpu (%s): 'make gpu' builds it "
                       "where nvcc is",
                       trouble ? trouble : "none is there");
    if (!*bank || (*bank)->version != SL_BANK_VERSION)
        return sl_fail(f, SL_EUNSUPPORTED,
                       "the library for a gpu is of another version of sluice; build "
                       "it again with 'make gpu'");
    if ((*bank)->look(words, sizeof words))
        return sl_fail(f, SL_EUNSUPPORTED, "no gpu: %s", words);
    return 0;
}

int sl_sweep_gpu_check(const struct sl_sweep *s, struct sl_failure *f)
{
    const struct sl_bank *bank;
    int error = load(&bank, f);
    for (size_t i = 0; i < s->n_points && error >= 0; i++) {
        const struct sl_sweep_point *p = &s->point[i];
        struct sl_profile_spec spec;
        struct sl_bank_wanted table;
        error = sl_profile_spec_parse(&spec, p->spec, f);
        if (error >= 0)
            error = sl_bank_plan(&spec, *p->machine ? p->machine : NULL, &table, f);
        sl_profile_spec_free(&spec);
    }
    return error;
}

static int do_share(struct sl_sweep *s, const struct sl_bank *bank, struct sl_sweep_batch *deal,
                    struct sl_failure *f)
{
    struct sl_job_figures figures = {0};
    struct sl_failure why = {0};
    struct sl_shard share;
    int error = sl_sweep_batch_again(s, deal, f);
    if (error < 0 || !deal->n)
        return error;
    error = sl_sweep_shard(s, deal, &share)
                ? sl_bank_shard_run(bank, &share, sl_sweep_threads(s), &figures, &why)
                : sl_out_of_memory(&why);
    free((void *)share.spec);
    error = error < 0 ? sl_sweep_keep_failure(s, deal, why.text, f)
                      : sl_sweep_keep(s, deal, &figures, f);
    sl_job_figures_free(&figures);
    if (s->config->progress)
        s->config->progress(s->config->context, s->n_done, s->n_todo);
    return error;
}

int sl_sweep_gpu(struct sl_sweep *s, struct sl_failure *f)
{
    const struct sl_bank *bank;
    int error = load(&bank, f);
    if (error >= 0)
        error = sl_sweep_batch(s, UINT64_MAX, s->config->shard ? s->config->shard : POINTS_AT_ONCE,
                               1, f);
    for (size_t i = 0; error >= 0 && i < s->n_deals; i++)
        error = do_share(s, bank, &s->deal[i], f);
    return error;
}
