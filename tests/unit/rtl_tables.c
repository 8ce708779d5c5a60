/* SPDX-License-Identifier: MIT */
/* Every table of fixed storage has an RTL implementation. `sluice list tables` prints "hardware:
 * sluice rtl" for these tables without asking the hardware generator, which is part of study/. */
#include "tap.h"
#include "rtl_table.h"

int main(void)
{
    size_t n = 0;
    for (size_t i = 0; sl_tables[i]; i++) {
        const struct sl_table_kind *kind = sl_tables[i];
        const struct sl_rtl_table *rtl = sl_rtl_table_of(kind);
        if (kind->storage_bits || kind->input.by_function) {
            n++;
            ok(rtl && rtl->table == kind && rtl->module && rtl->module[0],
               "%s is of fixed size and has an RTL implementation", kind->name);
        }
    }
    ok(n > 0, "%zu tables are of fixed size", n);
    ok(!sl_rtl_table_of(&sl_table_exact), "exact, which grows, has no RTL implementation");
    return done_testing();
}
