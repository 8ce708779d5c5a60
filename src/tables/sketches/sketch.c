/* SPDX-License-Identifier: MIT */
/* Functions that all sketches share (sketch.h), and functions that the tables countmin and
 * countsketch share (sketch_states.h). */
#include "sketch_states.h"

void sl_sketch_lay_out(struct sl_sketch *r, size_t struct_size, bool hashed,
                       const struct sl_table_host *host, struct sl_layout *l)
{
    sl_layout_array(l, 1, struct_size);
    r->hash = sl_layout_array(l, hashed, sizeof *r->hash);
    r->half = sl_layout_array(l, hashed ? host->names : 0, sizeof *r->half);
    r->key = sl_layout_array(l, host->names, sizeof *r->key);
    r->names_capacity = host->names;
}

void sl_sketch_add_names(struct sl_sketch *r, const struct sl_tuple_names *names)
{
    size_t from = r->n_names, to = names->n < r->names_capacity ? names->n : r->names_capacity;
    for (size_t i = from; i < to; i++) {
        if (r->hash)
            r->half[i] = sl_packed_pc(r->hash, names->pc[i]) ^
                         (names->value ? sl_packed_value(r->hash, names->value[i]) : 0);
        r->key[i] = sl_sketch_pc_key(names->pc[i]) +
                    (names->value ? sl_sketch_value_key(names->value[i]) : 0);
    }
    if (to > from)
        r->n_names = to;
}

void sl_sketch_status(const struct sl_sketch *r, enum sl_bounds bounds, struct sl_table_status *out)
{
    *out = (struct sl_table_status){
        .events = r->events, .weight = r->weight, .bounds = r->full ? SL_BOUNDS_NONE : bounds};
    if (r->full)
        snprintf(out->note, sizeof out->note,
                 "counters saturated: a weight of %llu is not counted; use wider counters",
                 (unsigned long long)r->full);
}

/* ---- countmin and countsketch ---- */

uint64_t sl_counter_rows_storage_bits(const struct sl_counter_rows_config *c)
{
    return c->rows * c->columns * c->counter + c->entries * (SL_SKETCH_TUPLE_BITS + c->counter);
}

void sl_counter_rows_lay_out(struct sl_counter_rows *s, const struct sl_counter_rows_config *c,
                             const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&s->sketch, sizeof *s, true, host, l);
    sl_top_list_lay_out(&s->list, c->entries, l);
    s->cell = sl_layout_array(l, c->rows * c->columns, sizeof *s->cell);
}

void sl_counter_rows_set_up(struct sl_counter_rows *s, const struct sl_counter_rows_config *c,
                            unsigned sign_bits)
{
    s->rows = (unsigned)c->rows;
    s->columns = c->columns;
    s->conservative = c->conservative;
    s->sketch.most = sl_sketch_most(c->counter - sign_bits);
    sl_packed_init(s->sketch.hash, c->seed, 0, s->rows,
                   (unsigned)__builtin_ctzll(c->columns) + sign_bits);
}
