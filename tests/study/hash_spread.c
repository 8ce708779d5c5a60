/* SPDX-License-Identifier: MIT */
/* Unit tests of the measurement of how evenly a hash function distributes tuples (hash_spread.h).
 * The fraction of tuples with equal hashes, and the variation of the number of tuples per hash, are
 * compared with direct computations. Random tuples are distributed as chance predicts, and two
 * tuples chosen to have equal hashes are found. */
#include "hash_spread.h"

#include <math.h>
#include <stdlib.h>

#include "byte_hash.h"
#include "random.h"
#include "tap.h"

static void fill(struct sl_profile_list *list, size_t n, uint64_t values)
{
    uint64_t random = 7;
    for (size_t i = 0; i < n; i++) {
        struct sl_entry entry = {
            .tuple = {0x400000 + 4 * sl_random_below(&random, 50),
                      values ? sl_random_below(&random, values) : sl_random_next(&random)},
            .count = 1};
        sl_profile_list_add(list, &entry);
    }
    sl_profile_list_sort(list);
}

static bool has_twin_before(const struct sl_profile_list *list, size_t i, unsigned tables,
                            uint8_t table[][256], unsigned bits)
{
    for (size_t j = 0; j < i; j++) {
        bool same = true;
        for (unsigned k = 0; k < tables && same; k++)
            same = sl_byte_hash(table[k], bits, list->entry[i].tuple.pc,
                                list->entry[i].tuple.value) ==
                   sl_byte_hash(table[k], bits, list->entry[j].tuple.pc,
                                list->entry[j].tuple.value);
        if (same)
            return true;
    }
    return false;
}

static void by_definition(unsigned tables, unsigned bits)
{
    struct sl_profile_list list = {0};
    struct hash_spread spread;
    uint8_t table[HASH_SPREAD_TABLES][256];
    size_t twins = 0, n = (size_t)1 << bits;
    double deviation = 0;
    fill(&list, 1000, 300);
    for (unsigned k = 0; k < tables; k++)
        sl_byte_table(table[k], 5, k);
    for (size_t i = 0; i < list.n; i++)
        twins += has_twin_before(&list, i, tables, table, bits);
    for (unsigned k = 0; k < tables; k++) {
        double mean = (double)list.n / (double)n, squares = 0;
        for (size_t index = 0; index < n; index++) {
            double count = 0;
            for (size_t i = 0; i < list.n; i++)
                count += sl_byte_hash(table[k], bits, list.entry[i].tuple.pc,
                                      list.entry[i].tuple.value) == index;
            squares += (count - mean) * (count - mean);
        }
        deviation += sqrt(squares / (double)n) / mean / tables;
    }
    bool done = hash_spread(&list, 5, tables, bits, &spread);
    ok(done && twins && fabs(spread.aliased - (double)twins / (double)list.n) < 1e-12 &&
           fabs(spread.deviation - deviation) < 1e-9,
       "%u tables, %u bits: as the definition has it (%zu twins, deviation %.3f)", tables, bits,
       twins, deviation);
    sl_profile_list_free(&list);
}

static void known(void)
{
    struct sl_profile_list list = {0};
    struct hash_spread spread;
    fill(&list, 200000, 0);
    hash_spread(&list, 1, 4, 9, &spread);
    ok(fabs(spread.deviation / spread.by_chance - 1) < 0.1,
       "values at random are spread as by chance: %.4f, %.4f", spread.deviation, spread.by_chance);
    sl_profile_list_free(&list);

    static const struct sl_entry same_byte[] = {{.tuple = {0x1100, 0x11}, .count = 1},
                                                {.tuple = {0x2200, 0x22}, .count = 1}};
    for (size_t i = 0; i < 2; i++)
        sl_profile_list_add(&list, &same_byte[i]);
    hash_spread(&list, 1, 8, 8, &spread);
    ok(spread.aliased == 0.5,
       "with 8 bits a byte that is in both words cancels itself in all tables");
    hash_spread(&list, 1, 8, 7, &spread);
    bool apart = spread.aliased == 0;
    hash_spread(&list, 1, 8, 9, &spread);
    ok(apart && spread.aliased == 0, "with 7 and with 9 it does not");
    sl_profile_list_free(&list);
}

int main(void)
{
    by_definition(1, 6);
    by_definition(3, 4);
    by_definition(8, 8);
    known();
    return done_testing();
}
