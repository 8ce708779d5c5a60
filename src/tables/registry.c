/* SPDX-License-Identifier: MIT */
/* Registry of tables: the array of all kinds of tables, and the parser of table specs, for example
 * "H[P256]2048+A16" or "multihash(tables=4)".
 *
 * The last file of tables/: only this one refers to the kinds by name. table.c works on a table of
 * any kind. */
#include <stdlib.h>

#include "failure.h"
#include "table.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(64) << 20)

#define KIND(name) &sl_table_##name,
const struct sl_table_kind *const sl_tables[] = {SL_TABLE_KINDS(KIND) NULL};
#undef KIND

/* ---- parsing ---- */

static const struct sl_table_kind *find(const struct sl_spec *spec)
{
    for (size_t i = 0; sl_tables[i]; i++)
        if (!sl_tables[i]->notation && sl_spec_is(spec, sl_tables[i]->name))
            return sl_tables[i];
    return NULL;
}

static int no_such_table(const char *text, const struct sl_spec *spec, struct sl_failure *f)
{
    struct sl_nearest nearest;
    char question[SL_NEAREST_BYTES];
    int size = (int)(spec->name_end - spec->name);
    sl_nearest_start(&nearest, text + spec->name, (size_t)size);
    for (size_t i = 0; sl_tables[i]; i++)
        if (!sl_tables[i]->notation)
            sl_nearest_offer(&nearest, sl_tables[i]->name);
    return sl_text_fail(f, text, spec->name, "unknown table %.*s%s all tables: sluice list tables",
                        size, text + spec->name, sl_nearest_hint(&nearest, question));
}

/* Names are in lower case; an upper-case letter starts the notation of the compressors. */
static int parse_kind(const struct sl_table_kind **kind, void **config, const char *text,
                      size_t from, size_t *end, struct sl_failure *f)
{
    static const struct sl_option none[] = {SL_OPTIONS_END};
    struct sl_spec spec = {0};
    *kind = NULL;
    for (size_t i = 0; text[from] >= 'A' && text[from] <= 'Z' && sl_tables[i] && !*kind; i++)
        *kind = sl_tables[i]->notation ? sl_tables[i] : NULL;
    if (!*kind) {
        int error = sl_spec_split(&spec, text, from, f);
        if (error < 0)
            return error;
        *end = spec.end;
        if (!(*kind = find(&spec)))
            return no_such_table(text, &spec, f);
    }
    if (!(*config = calloc(1, (*kind)->config_size ? (*kind)->config_size : 1)))
        return sl_out_of_memory(f);
    if ((*kind)->notation)
        return (*kind)->notation->parse(text, from, end, *config, f);
    return sl_options_parse((*kind)->options ? (*kind)->options : none, &spec, *config, f);
}

int sl_table_parse(const struct sl_table_kind **kind, void **config, const char *text, size_t from,
                   size_t *end, struct sl_failure *f)
{
    *config = NULL;
    int error = parse_kind(kind, config, text, from, end, f);
    if (error >= 0 && (*kind)->resolve)
        error = (*kind)->resolve(*config, f);
    if (error < 0) {
        free(*config);
        *config = NULL;
    }
    return error < 0 ? error : 0;
}

/* ---- the public functions that take a spec ---- */

#define has_too_many(host) ((host) && (host)->names > UINT32_MAX) /* sizes would overflow */

/* Parses a spec that must be the whole string. */
static int parse_all(const struct sl_table_kind **kind, void **config, const char *spec,
                     struct sl_failure *f)
{
    SL_REQUIRE(f, spec);
    size_t end;
    int error = sl_table_parse(kind, config, spec, 0, &end, f);
    if (error < 0 || !spec[end])
        return error;
    free(*config);
    return sl_text_fail(f, spec, end, "unexpected text after the table");
}

static const struct sl_table_host no_host;

size_t sl_table_bytes(const char *spec, const struct sl_table_host *host, struct sl_failure *f)
{
    const struct sl_table_kind *kind;
    void *config;
    if (has_too_many(host) || parse_all(&kind, &config, spec, f) < 0)
        return 0;
    size_t bytes = sl_table_bytes_of(kind, config, host ? host : &no_host);
    free(config);
    return bytes;
}

uint64_t sl_table_storage(const char *spec, struct sl_failure *f)
{
    const struct sl_table_kind *kind;
    void *config;
    if (parse_all(&kind, &config, spec, f) < 0)
        return 0;
    uint64_t bits = kind->storage_bits ? kind->storage_bits(config) : 0;
    free(config);
    if (f)
        *f = (struct sl_failure){0};
    return bits;
}

int sl_table_place(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                   void *memory, struct sl_failure *f)
{
    SL_REQUIRE(f, table && memory && (uintptr_t)memory % 64 == 0 && !has_too_many(host));
    const struct sl_table_kind *kind;
    void *config;
    int error = parse_all(&kind, &config, spec, f);
    if (error < 0)
        return error;
    error = sl_table_make(table, kind, config, host ? host : &no_host, memory, f);
    free(config);
    return error;
}

int sl_table_open(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                  struct sl_failure *f)
{
    SL_REQUIRE(f, table && !has_too_many(host));
    *table = NULL;
    struct sl_table_host with_default = host ? *host : (struct sl_table_host){0};
    const struct sl_table_kind *kind;
    void *config;
    int error = parse_all(&kind, &config, spec, f);
    if (error < 0)
        return error;
    if (!with_default.memory_bytes)
        with_default.memory_bytes = DEFAULT_MEMORY_BYTES;
    error = sl_table_create(table, kind, config, &with_default, f);
    free(config);
    return error;
}
