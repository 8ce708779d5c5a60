/* SPDX-License-Identifier: MIT */
/* JSON report of `sluice report --partition`: functions to move to hardware. */
#include "json.h"

static json_t *row(const struct sl_partition *p, const struct sl_candidate *moved)
{
    const struct sl_context_function *f = &p->tree.function[moved->function];
    uint64_t left = sl_partition_left(p->factor, moved->energy, p->energy);
    double speedup = sl_partition_speedup(p->factor, moved->cost, p->total);
    return sl_json_object("function", sl_json_text(f->name), "pc", sl_json_hex(f->pc), "line",
                          sl_json_text(f->line), "cost", sl_json_number(moved->cost), "fraction",
                          sl_json_real(sl_ratio(moved->cost, p->total)), "speedup",
                          sl_json_real(speedup), "energy",
                          sl_json_number_if(p->has_energy, moved->energy), "energy_after",
                          sl_json_number_if(p->has_energy, left), NULL);
}

int sl_json_partition(const struct sl_output *o, const struct sl_partition *p)
{
    size_t n = o->config->n && o->config->n < p->n ? o->config->n : p->n;
    json_t *candidates = json_array(), *together = json_array(), *left_out = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *object = row(p, &p->candidate[i]);
        sl_json_set(&object, "energy_rank",
                    sl_json_number_if(p->has_energy, p->candidate[i].energy_rank));
        sl_json_append(&candidates, object);
    }
    for (size_t i = 0; i < p->n_steps; i++)
        sl_json_append(&together, row(p, &p->step[i]));
    for (size_t i = 0; i < p->tree.n_functions; i++)
        if (p->left_out[i])
            sl_json_append(&left_out, sl_json_text(p->tree.function[i].name));
    json_t *object = sl_json_object(
        "program", sl_json_text(o->database->program.path), "metric", sl_json_text(p->metric),
        "assumed_speedup", sl_json_real(p->factor), "cost", sl_json_number(p->total), "energy",
        sl_json_number_if(p->has_energy, p->energy), "functions", candidates, "cumulative",
        together, "excluded", left_out, NULL);
    int result = sl_json_dump(object, o->out, o->f);
    putc('\n', o->out);
    return result;
}
