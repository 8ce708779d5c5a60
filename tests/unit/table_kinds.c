/* SPDX-License-Identifier: MIT */
/* Unit tests of the list of tables: every kind of table has the required members, and the spec that
 * is printed for a configuration is parsed as the same configuration. */
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "tap.h"

static bool has_core(const struct sl_table_kind *k)
{
    return k->name && k->size && k->init && k->step && k->observe && !k->drain != !k->entry &&
           k->status && (!k->config_size || k->options);
}

/* Callers test for a sub-struct and then call its functions, except those that may be NULL. */
static bool has_whole_abilities(const struct sl_table_kind *k)
{
    return (!k->notation || (k->notation->parse && k->notation->print && k->notation->written &&
                             k->notation->list)) &&
           (!k->totals || k->totals->add || k->totals->sums_up_to) &&
           (!k->intervals || (k->intervals->cut && k->intervals->length && k->finish)) &&
           (!k->timing || k->timing->timed || k->timing->delay) &&
           (!k->order || k->order->sequence || k->order->phases) &&
           (!k->large || (k->large->rest && k->large->drain_heavy));
}

static bool is_listed(const struct sl_table_kind *k)
{
    return k->notation || (k->summary && k->storage);
}

/* The option that limits the number of tuples exists, and is a number. */
static bool holds_an_option(const struct sl_table_kind *k)
{
    const struct sl_option *o = k->options;
    while (k->input.holds && o->name && strcmp(o->name, k->input.holds) != 0)
        o++;
    return !k->input.holds || (o->name && o->kind == SL_OPTION_UNSIGNED);
}

static void test_spec(const char *spec)
{
    struct sl_failure f = {0};
    const struct sl_table_kind *kind = NULL, *again = NULL;
    void *config = NULL, *reparsed = NULL;
    char printed[2000] = "", twice[2000] = "";
    size_t end = 0;
    bool parsed = sl_table_parse(&kind, &config, spec, 0, &end, &f) == 0 && !spec[end];
    if (parsed) {
        sl_table_print(kind, config, printed, sizeof printed);
        parsed = sl_table_parse(&again, &reparsed, printed, 0, &end, &f) == 0 && !printed[end];
    }
    if (parsed)
        sl_table_print(again, reparsed, twice, sizeof twice);
    ok(parsed && kind == again && !strcmp(printed, twice), "%s prints as %s, which parses to it",
       spec, printed);
    free(config);
    free(reparsed);
}

/* A table without a host adds up its intervals; one with a host that takes them does not. */
static void test_create(const struct sl_table_kind *kind, const char *spec)
{
    struct sl_table_host host = {.memory_bytes = 1 << 20};
    struct sl_failure f = {0};
    const struct sl_table_kind *parsed;
    struct sl_table_status status;
    struct sl_table *table = NULL;
    void *config = NULL;
    size_t end;
    bool made = sl_table_parse(&parsed, &config, spec, 0, &end, &f) == 0 && parsed == kind &&
                (kind->input.by_function || sl_table_create(&table, kind, config, &host, &f) == 0);
    if (table)
        sl_table_status(table, &status);
    ok(made && (!table || (!status.events && !status.distinct)), "%s is created empty", spec);
    sl_table_close(table);
    free(config);
}

int main(void)
{
    size_t n = 0;
    for (; sl_tables[n]; n++) {
        const struct sl_table_kind *k = sl_tables[n];
        const char *spec = k->notation ? "H[P16]64+A4" : k->name;
        ok(has_core(k) && is_listed(k), "%s has the members that every table needs", k->name);
        ok(has_whole_abilities(k) && holds_an_option(k), "%s: its optional members are complete",
           k->name);
        for (size_t i = 0; i < n; i++)
            if (!strcmp(sl_tables[i]->name, k->name))
                ok(false, "%s is there once", k->name);
        test_spec(spec);
        test_create(k, spec);
    }
    ok(n > 10, "%zu tables", n);
    struct sl_table *none = (struct sl_table *)&n;
    struct sl_failure f = {0};
    ok(sl_table_open(&none, "nosuch", NULL, &f) == SL_EUSAGE && strstr(f.text, "nosuch"),
       "an unknown table is refused: %s", f.text);
    ok(sl_table_storage("exact", &f) == 0 && !f.code, "exact grows: no storage, and no failure");
    ok(sl_table_storage("hpt(", &f) == 0 && f.code, "a damaged spec: no storage, and a failure");
    return done_testing();
}
