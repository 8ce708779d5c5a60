/* SPDX-License-Identifier: MIT */
/* Accelerator library for tests without a GPU: the same code as for the GPU, with GPU warps
 * emulated by threads of the CPU. */
#include <stdlib.h>
#include <string.h>

#include "bank_step.h"

static void *bank_alloc(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

static void bank_free(void *memory)
{
    free(memory);
}

static _Bool bank_zero(void *memory, size_t bytes)
{
    memset(memory, 0, bytes);
    return 1;
}

static _Bool bank_up(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 1;
}

static _Bool bank_down(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 1;
}

/* Small enough that tests process the tables in several rounds. */
static size_t bank_memory(void)
{
    const char *said = getenv("SLUICE_LANES_MEMORY");
    return said ? strtoull(said, NULL, 10) : (size_t)1 << 28;
}

static const char *bank_error_text(void)
{
    return "emulated lanes do not fail";
}

static _Bool bank_run_identify(const struct sl_bank_events *e, uint32_t n, uint32_t *first,
                               unsigned bits, uint32_t *tuple)
{
    for (uint32_t i = 0; i < n; i++)
        tuple[i] = sl_bank_identify(e, i, first, bits);
    return 1;
}

static _Bool bank_run_hash(const struct sl_bank_events *e, uint32_t from, uint32_t n,
                           const uint64_t *hash, uint64_t *packed)
{
    for (uint32_t i = 0; i < n; i++)
        packed[i] = sl_bank_hash(e, from + i, hash);
    return 1;
}

static _Bool bank_run_process(const struct sl_bank_table *table, uint32_t n,
                              const struct sl_bank_table *largest, uint32_t *state,
                              const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    (void)largest;
    for (uint32_t i = 0; i < n; i++)
        sl_bank_process(&table[i], state + table[i].state, in, out);
    return 1;
}

static _Bool bank_wait(void)
{
    return 1;
}

#include "bank_host.h"

static int bank_describe(char *words, size_t capacity)
{
    snprintf(words, capacity, "emulated by the CPU, without a GPU");
    return 0;
}

extern const struct sl_bank sl_bank;
const struct sl_bank sl_bank = {SL_BANK_VERSION, bank_describe, bank_run};
