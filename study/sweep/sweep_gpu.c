/* SPDX-License-Identifier: MIT */
/* Runs a sweep on a GPU: one stream after another, with as many tables in parallel as possible.
 * Only this file loads the GPU library (make gpu), which is installed next to sluice. */
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

/* Opens the library: SLUICE_GPU if it is set (for tests, a library that needs no GPU), otherwise
 * the one in sluice's directory or where `make install` puts it. dlerror() has the reason after a
 * failure. */
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
        /* If the file exists but cannot be loaded, stop here, so that dlerror() is about this file.
         */
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
                       "GPU library not found (%s): build it with 'make gpu', which needs nvcc",
                       trouble ? trouble : "no file");
    if (!*bank || (*bank)->version != SL_BANK_VERSION)
        return sl_fail(
            f, SL_EUNSUPPORTED,
            "the GPU library belongs to another version of sluice: build it again with 'make gpu'");
    if ((*bank)->describe(words, sizeof words))
        return sl_fail(f, SL_EUNSUPPORTED, "no GPU: %s", words);
    return 0;
}

int sl_sweep_gpu_check(const struct sl_sweep *s, struct sl_failure *f)
{
    const struct sl_bank *bank;
    int error = load(&bank, f);
    for (size_t i = 0; i < s->n_points && error >= 0; i++) {
        const struct sl_sweep_point *p = &s->point[i];
        struct sl_profile_spec spec;
        struct sl_bank_config table;
        error = sl_profile_spec_parse(&spec, p->spec, f);
        if (error >= 0)
            error = sl_bank_plan(&spec, *p->machine ? p->machine : NULL, &table, f);
        sl_profile_spec_free(&spec);
    }
    return error;
}

static int do_shard(struct sl_sweep *s, const struct sl_bank *bank, struct sl_sweep_batch *batch,
                    struct sl_failure *f)
{
    struct sl_job_results figures = {0};
    struct sl_failure why = {0};
    struct sl_shard shard;
    int error = sl_sweep_batch_again(s, batch, f);
    if (error < 0 || !batch->n)
        return error;
    error = sl_sweep_shard(s, batch, &shard)
                ? sl_bank_shard_run(bank, &shard, sl_sweep_threads(s), &figures, &why)
                : sl_out_of_memory(&why);
    free((void *)shard.spec);
    error = error < 0 ? sl_sweep_add_failure(s, batch, why.text, f)
                      : sl_sweep_add_results(s, batch, &figures, f);
    sl_job_results_free(&figures);
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
    for (size_t i = 0; error >= 0 && i < s->n_batches; i++)
        error = do_shard(s, bank, &s->batch[i], f);
    return error;
}
