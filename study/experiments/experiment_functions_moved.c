/* SPDX-License-Identifier: MIT */
/* Hardware/software partitioning in the experiment `functions` of `sluice lab`: computes how much
 * time and energy a program saves if one or two of its functions are moved to hardware, with the
 * method of `sluice report --partition`. */
#include <math.h>
#include <stdlib.h>

#include "experiment_functions.h"
#include "failure.h"
#include "partition.h"

#define HARDWARE_SPEEDUP 10 /* the default of `sluice report --partition` */

static void add_gain(const struct sl_partition *p, const char *label, uint64_t cycles,
                     uint64_t energy, struct sl_job_results *results)
{
    double all = (double)p->energy;
    uint64_t left = sl_partition_left(p->factor, energy, p->energy);
    lab_add_figure(results, label, "cycles", NAN, (double)cycles / (double)p->total);
    lab_add_figure(results, label, "energy", NAN, (double)energy / all);
    lab_add_figure(results, label, "speedup", NAN,
                   sl_partition_speedup(p->factor, cycles, p->total));
    lab_add_figure(results, label, "energy_left", NAN, (double)left / all);
}

static void add_function(const struct sl_partition *p, const char *label,
                         const struct sl_candidate *moved, struct sl_job_results *results)
{
    lab_add_item_figure(results, label, "function", p->tree.function[moved->function].name, 1);
    add_gain(p, label, moved->cost, moved->energy, results);
}

int lab_functions_moved(const struct lab_step *step, struct sl_session *session,
                        struct sl_job_results *results, struct sl_failure *f)
{
    struct sl_partition p;
    struct sl_database *database = NULL;
    char *path;
    if (asprintf(&path, "%s/session.db", step->scratch) < 0)
        return sl_out_of_memory(f);
    int error = sl_session_save(session, path, f);
    if (error >= 0)
        error = sl_database_open(&database, path, f);
    if (error >= 0 && !(error = sl_partition_make(&p, database, HARDWARE_SPEEDUP, 2, f))) {
        if (p.n > 0)
            add_function(&p, "hybrid 1", &p.candidate[0], results);
        if (p.n > 1)
            add_function(&p, "hybrid 2", &p.candidate[1], results);
        if (p.n_steps > 1)
            add_gain(&p, "both", p.step[1].cost, p.step[1].energy, results);
        sl_partition_free(&p);
    }
    sl_database_close(database);
    free(path);
    return error;
}
