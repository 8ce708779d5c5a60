/* SPDX-License-Identifier: MIT */
#include "sketch.h"

static unsigned log2_of(uint64_t power)
{
    return (unsigned)__builtin_ctzll(power);
}

uint64_t sl_sketch_storage_bits(const void *config)
{
    const struct sl_sketch_config *c = config;
    return c->rows * c->columns * c->counter + c->entries * (SL_RIVAL_TUPLE_BITS + c->counter);
}

static size_t lay_out(struct sl_sketch *s, const struct sl_sketch_config *c,
                      const struct sl_table_host *host, uintptr_t base)
{
    size_t used = 0;
    sl_rival_lay_out(&s->rival, sizeof *s, true, host, base, &used);
    sl_shelf_lay_out(&s->shelf, c->entries, base, &used);
    s->cell = sl_rival_part(base, &used, c->rows * c->columns, sizeof *s->cell);
    return used;
}

size_t sl_sketch_size(const void *config, const struct sl_table_host *host)
{
    struct sl_sketch s;
    return lay_out(&s, config, host, 0);
}

void sl_sketch_init(struct sl_sketch *s, const struct sl_sketch_config *c, unsigned bits,
                    const struct sl_table_host *host)
{
    lay_out(s, c, host, (uintptr_t)s);
    s->rows = (unsigned)c->rows;
    s->columns = c->columns;
    s->conservative = c->conservative;
    s->rival.most = sl_rival_most(c->counter - (bits ? 1 : 0));
    sl_packed_init(s->rival.hash, c->seed, 0, s->rows, log2_of(c->columns) + bits);
}
