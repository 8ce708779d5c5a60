/* SPDX-License-Identifier: MIT */
#include "placed.h"

#include <sys/mman.h>

#include "failure.h"

int sl_placed_open(struct sl_placed *p, const struct sl_table_kind *kind, const void *config,
                   const struct sl_table_host *host, struct sl_failure *f)
{
    p->bytes = sl_table_bytes_of(kind, config, host);
    p->memory = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p->memory == MAP_FAILED) {
        p->memory = NULL;
        return sl_out_of_memory(f);
    }
    return sl_table_make(&p->table, kind, config, host, p->memory, f);
}

void sl_placed_close(struct sl_placed *p)
{
    if (p->table)
        sl_table_close(p->table);
    if (p->memory)
        munmap(p->memory, p->bytes);
    *p = (struct sl_placed){0};
}
