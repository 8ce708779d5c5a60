/* SPDX-License-Identifier: MIT */
/* Unit tests of the list of tables that have an RTL implementation (Verilog). The list contains
 * every table with fixed storage, except those that set model_only. `sluice list tables` relies on
 * this, because it prints model_only and does not read the list, which is in study/. */
#include "tap.h"
#include "rtl_table.h"

int main(void)
{
    size_t n = 0;
    for (size_t i = 0; sl_tables[i]; i++) {
        const struct sl_table_kind *kind = sl_tables[i];
        const struct sl_rtl_table *rtl = sl_rtl_table_of(kind);
        if (kind->model_only) {
            ok(!rtl, "%s has no RTL implementation, as declared", kind->name);
        } else if (kind->storage_bits || kind->input.by_function) {
            n++;
            ok(rtl && rtl->table == kind && rtl->module && rtl->module[0],
               "%s has a fixed size and has an RTL implementation", kind->name);
        }
    }
    ok(n > 0, "%zu tables have a fixed size", n);
    ok(!sl_rtl_table_of(&sl_table_exact), "exact, which grows, has no RTL implementation");
    return done_testing();
}
