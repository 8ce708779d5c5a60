/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assigns ids to the guest's instructions and blocks. Each page of code has a table, which maps an
 * address in the page to an id (code_ids.h). */
#include "code_ids.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "grow.h"
#include "hash.h"
#include "index_map.h"

#define PAGE 4096u

/* Instructions or blocks: the hash of each by id, and a map for those that are not found by
 * address. */
struct id_table {
    uint64_t *hash;
    size_t n, capacity;
    struct sl_index_map others; /* (address, hash) -> index in other[] */
    uint32_t *other;            /* ids */
    size_t others_capacity;
};
static struct id_table insns, blocks;

static struct sl_index_map pages; /* by address */
static uint32_t **cells;
static size_t pages_capacity;
static uint32_t *block_at; /* by instruction: 1 + the id of the first block that starts with it */
static size_t block_at_capacity;

static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < 8 ? size - at : 8);
        hash = sl_mix_pair(hash, word);
    }
    return hash;
}

static void must(bool done)
{
    if (!done)
        abort();
}

static uint32_t next_id(struct id_table *all, uint64_t hash)
{
    must(SL_GROW(all->hash, all->capacity, all->n + 1));
    all->hash[all->n] = hash;
    return (uint32_t)all->n++;
}

/* The id in a cell, or, if the hash differs, the id of another version of the code. */
static uint32_t id_in(struct id_table *all, uint32_t *cell, uint64_t pc, uint64_t hash)
{
    if (!*cell)
        *cell = next_id(all, hash) + 1;
    if (all->hash[*cell - 1] == hash)
        return *cell - 1;
    size_t before = all->others.n_keys;
    uint32_t index = sl_index_add(&all->others, pc, hash);
    must(index != SL_NO_INDEX && SL_GROW(all->other, all->others_capacity, (size_t)index + 1));
    if (index == before)
        all->other[index] = next_id(all, hash);
    return all->other[index];
}

/* The cells of a page. Most calls are for the same page as the last call. */
static uint32_t *cells_of(uint64_t pc)
{
    static uint64_t last;
    static uint32_t *last_cells;
    if (last_cells && pc / PAGE == last)
        return last_cells;
    uint32_t page = sl_index_add(&pages, pc / PAGE, 0);
    must(page != SL_NO_INDEX && SL_GROW(cells, pages_capacity, (size_t)page + 1));
    if (!cells[page]) {
        /* Not from the heap: unused parts of the mapping stay unallocated. */
        void *memory = mmap(NULL, PAGE * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        must(memory != MAP_FAILED);
        cells[page] = memory;
    }
    last = pc / PAGE;
    return last_cells = cells[page];
}

uint32_t code_ids_insn(uint64_t pc, const uint8_t *bytes, size_t size)
{
    return id_in(&insns, &cells_of(pc)[pc % PAGE], pc, hash_of(bytes, size));
}

uint32_t code_ids_block(uint32_t first, uint64_t pc, const uint8_t *bytes, size_t size,
                        bool *is_new)
{
    size_t before = blocks.n;
    must(SL_GROW(block_at, block_at_capacity, (size_t)first + 1));
    uint32_t id = id_in(&blocks, &block_at[first], pc, hash_of(bytes, size));
    *is_new = blocks.n > before;
    return id;
}
