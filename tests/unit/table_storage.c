/* SPDX-License-Identifier: MIT */
/* Unit tests of the hardware storage of a table, in bits: the number that is computed from the spec
 * equals the number that the running table reports. */
#include <string.h>

#include "support/placed_table.h"
#include "tap.h"

#define N_EVENTS 5000u

static uint64_t storage_of(const struct sl_table *table)
{
    struct sl_table_status s;
    sl_table_status(table, &s);
    return s.storage_bits;
}

static void observe(struct sl_table *table, const struct sl_tuple_names *names)
{
    static uint32_t tuple_id[N_EVENTS];
    static uint64_t value[N_EVENTS];
    for (size_t i = 0; i < N_EVENTS; i++) {
        tuple_id[i] = (uint32_t)(i % names->n);
        value[i] = i / 3;
    }
    struct sl_batch batch = {.n = N_EVENTS, .tuple_id = tuple_id, .value = value, .names = names};
    sl_table_observe(table, &batch);
}

int main(void)
{
    static const uint64_t pc[] = {0x401000, 0x401004, 0x401008};
    static const struct sl_tuple_names names = {pc, NULL, 3};
    static const struct sl_table_host host = {.memory_bytes = 1 << 26, .names = 3};
    static const char *const fixed[] = {
        "P1",
        "CR256",
        "A16",
        "H[P256]2048+A16(width=20)",
        "T2/256x2048w2",
        "singlehash",
        "multihash",
        "multihash(tables=2,counters=64)",
    };
    struct sl_failure f;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        uint64_t bits = sl_table_storage(fixed[i], &f);
        struct placed p = place(fixed[i], &host);
        bool from_the_start = storage_of(p.table) == bits;
        observe(p.table, &names);
        ok(bits && !f.code && from_the_start && storage_of(p.table) == bits,
           "%s has %llu bits: by its spec, when it is made, and with events in it", fixed[i],
           (unsigned long long)bits);
        unplace(&p);
    }
    ok(sl_table_storage("H[P256]2048", NULL) == 2048 * 8, "the failure argument is optional");

    f = (struct sl_failure){.code = SL_EIO, .text = "of something before"};
    ok(!sl_table_storage("exact", &f) && !f.code && !f.text[0],
       "a table that grows has no storage beforehand, and that is no failure");
    struct placed p = place("exact", &host);
    uint64_t before = storage_of(p.table);
    observe(p.table, &names);
    ok(!before && storage_of(p.table), "its status says how far it has grown");
    unplace(&p);

    ok(!sl_table_storage("P0", &f) && f.code == SL_EUSAGE && strstr(f.text, "rate"),
       "a spec that is none has no storage, and that is one");
    ok(!sl_table_storage("exact and more", &f) && f.code == SL_EUSAGE,
       "so has one with something after it");
    return done_testing();
}
