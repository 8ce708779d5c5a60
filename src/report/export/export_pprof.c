/* SPDX-License-Identifier: MIT */
/* Report format `pprof`: a gzipped protocol buffer with a message of type Profile (profile.proto
 * of https://github.com/google/pprof). These fields are written (field number and name):
 *
 *     Profile   1 sample_type  2 sample  3 mapping  4 location  5 function
 *               6 string_table  13 comment  14 default_sample_type
 *     ValueType 1 type  2 unit
 *     Sample    1 location_id  2 value (one for each sample_type)
 *     Mapping   1 id  2 memory_start  3 memory_limit  4 file_offset  5 filename
 *               6 build_id  7 has_functions  8 has_filenames  9 has_line_numbers
 *     Location  1 id  2 mapping_id  3 address  4 line (1 function_id  2 line)
 *     Function  1 id  2 name  3 system_name  4 filename
 *
 * Wire format: a field is (number << 3 | kind), followed by a varint (kind 0: seven bits per byte,
 * lowest first, the high bit set if more follow) or by a length and that many bytes (kind 2: text,
 * nested message, packed varints). Fields may come in any order, so a text is added to the table
 * when it is first used.
 *
 * With a profile of contexts, each context is a sample, and its functions are the locations, the
 * innermost first; a function with inlined functions at that place has a location of its own.
 * Otherwise each line of the costs is a location and a sample. Inlined calls are lines of the
 * location, the innermost first. The first mapping is the program's. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#define ZLIB_CONST
#include <zlib.h>

#include "code_object.h"
#include "context_tree.h"
#include "costs.h"
#include "exporter.h"
#include "utf8.h"

/* ---- wire format ---- */

#define LOCATION_MAX 2000 /* bytes of a location without its last line */

/* A nested message: a location with its lines, or less. */
struct message {
    uint8_t byte[LOCATION_MAX + 100];
    size_t n;
};

static void put_varint(struct message *m, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        m->byte[m->n++] = (uint8_t)(number | 0x80);
    m->byte[m->n++] = (uint8_t)number;
}

static void put_number(struct message *m, unsigned field, uint64_t number)
{
    put_varint(m, field << 3);
    put_varint(m, number);
}

static void write_bytes(FILE *out, unsigned field, const void *bytes, size_t n)
{
    struct message head = {.n = 0};
    put_varint(&head, field << 3 | 2);
    put_varint(&head, n);
    fwrite(head.byte, 1, head.n, out);
    fwrite(bytes, 1, n, out);
}

static void put_message(struct message *m, unsigned field, const struct message *inner)
{
    put_varint(m, field << 3 | 2);
    put_varint(m, inner->n);
    memcpy(m->byte + m->n, inner->byte, inner->n);
    m->n += inner->n;
}

/* ---- messages of a profile ---- */

struct writing {
    const struct sl_costs *costs;
    FILE *out; /* a memory stream */
    struct sl_failure *f;
    struct sl_index_map texts;     /* by hash: index in the string table */
    struct sl_index_map functions; /* by start and name */
    struct sl_index_map inlined;   /* locations of contexts, by the inlined call and the function */
    uint64_t n_locations;
    const struct sl_code_object *program; /* NULL if not known */
    bool programs_own;                    /* write the mappings of the program, or the others */
    bool out_of_memory;
};

/* Index of a text in the string table, to which it is added if it is new. */
static uint64_t text_number(struct writing *w, const char *text)
{
    XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
    size_t n = w->texts.n_keys;
    uint32_t number = sl_index_add(&w->texts, hash.low64, hash.high64);
    w->out_of_memory = w->out_of_memory || number == SL_NO_INDEX;
    if (w->texts.n_keys > n)
        write_bytes(w->out, 6, text, strlen(text));
    return number == SL_NO_INDEX ? 0 : number;
}

static void put_text(struct message *m, unsigned field, struct writing *w, const char *text)
{
    if (text)
        put_number(m, field, text_number(w, text));
}

static void write_type(struct writing *w, const char *name, const char *unit)
{
    struct message type = {.n = 0};
    put_text(&type, 1, w, name);
    put_text(&type, 2, w, unit);
    write_bytes(w->out, 1, type.byte, type.n);
}

/* `contexts`: the profile of the samples; NULL: all columns of the costs. */
static void write_head(struct writing *w, const struct sl_db_profile *contexts)
{
    struct message rest = {.n = 0};
    text_number(w, ""); /* the empty string must be number 0 */
    if (contexts)
        write_type(w, contexts->metric->name, contexts->metric->unit);
    for (size_t i = 0; i < w->costs->n_columns && !contexts; i++)
        write_type(w, w->costs->column[i].name, w->costs->column[i].unit);
    put_text(&rest, 13, w, "sluice " SL_VERSION);
    put_text(&rest, 14, w, contexts ? contexts->metric->name : w->costs->column[0].name);
    fwrite(rest.byte, 1, rest.n, w->out);
}

static int write_mapping(void *context, const struct sl_db_object *object)
{
    struct writing *w = context;
    bool own = w->program && !strcmp(object->path, w->program->path);
    if (own != w->programs_own)
        return 0;
    char *clean = sl_utf8_printable(object->path);
    if (!clean)
        return sl_report_no_memory(w->f);
    struct message m = {.n = 0};
    put_number(&m, 1, object->id + 1);
    put_number(&m, 2, object->start);
    put_number(&m, 3, object->end);
    put_number(&m, 4, object->offset);
    put_text(&m, 5, w, clean);
    put_text(&m, 6, w, object->build_id);
    for (unsigned field = 7; field <= 9; field++)
        put_number(&m, field, 1); /* has_functions, has_filenames, has_line_numbers */
    write_bytes(w->out, 3, m.byte, m.n);
    free(clean);
    return 0;
}

/* `start` distinguishes functions with the same name; for inlined functions, which have none, it is
 * derived from the file. */
static uint64_t function_number(struct writing *w, const char *function, uint64_t start,
                                const char *file)
{
    size_t n = w->functions.n_keys;
    uint64_t name = text_number(w, function);
    uint32_t number = sl_index_add(&w->functions, start, name);
    w->out_of_memory = w->out_of_memory || number == SL_NO_INDEX;
    if (w->functions.n_keys > n) {
        struct message m = {.n = 0};
        put_number(&m, 1, (uint64_t)number + 1);
        put_number(&m, 2, name);
        put_number(&m, 3, name);
        put_text(&m, 4, w, file);
        write_bytes(w->out, 5, m.byte, m.n);
    }
    return (uint64_t)number + 1;
}

static void put_line(struct message *location, uint64_t function, int number)
{
    struct message line = {.n = 0};
    put_number(&line, 1, function);
    if (number > 0)
        put_number(&line, 2, (uint64_t)number);
    put_message(location, 4, &line);
}

/* Adds the lines of inlined calls, the innermost first. `line` is that of the code; returns that of
 * the outermost call. Outer calls are left out if the location would become too long. */
static int put_inlined(struct writing *w, struct message *location,
                       const struct sl_db_inlined *inlined, int line)
{
    for (; inlined; inlined = inlined->parent) {
        uint64_t start = inlined->file ? text_number(w, inlined->file) << 32 : 0;
        if (location->n < LOCATION_MAX)
            put_line(location, function_number(w, inlined->name, start + 1, inlined->file), line);
        line = inlined->call_line;
    }
    return line;
}

static void write_location(struct writing *w, uint64_t id, const struct sl_cost_location *at)
{
    struct message location = {.n = 0};
    const char *file = at->function_file ? at->function_file : at->file;
    put_number(&location, 1, id);
    if (at->object >= 0)
        put_number(&location, 2, (uint64_t)at->object + 1);
    put_number(&location, 3, at->address);
    int line = put_inlined(w, &location, at->inlined, at->line);
    put_line(&location, function_number(w, at->function, at->function_start, file), line);
    write_bytes(w->out, 4, location.byte, location.n);
}

static int write_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct writing *w = context;
    struct message values = {.n = 0}, sample = {.n = 0};
    write_location(w, ++w->n_locations, at);
    for (size_t i = 0; i < w->costs->n_columns; i++)
        put_varint(&values, cost[i]);
    put_number(&sample, 1, w->n_locations);
    put_message(&sample, 2, &values);
    write_bytes(w->out, 2, sample.byte, sample.n);
    return w->out_of_memory ? sl_report_no_memory(w->f) : 0;
}

/* ---- stacks of calls ---- */

/* Writes a location in a function of the tree; `inlined` may be NULL. */
static void write_place(struct writing *w, uint64_t id, const struct sl_context_function *function,
                        uint64_t address, const struct sl_db_inlined *inlined)
{
    write_location(w, id,
                   &(struct sl_cost_location){.address = address,
                                              .object = -1,
                                              .function = function->name,
                                              .function_start = function->pc,
                                              .inlined = inlined});
}

static uint32_t host_of(const struct sl_context_tree *tree, uint32_t context)
{
    while (tree->context[context].frame && tree->context[context].parent != SL_NO_INDEX)
        context = tree->context[context].parent;
    return context;
}

/* The location of a context: that of its function unless the context is inlined. Its lines are
 * those of the calls; the innermost function has none, because its code has several. */
static uint64_t location_of(struct writing *w, const struct sl_context_tree *tree, uint32_t context)
{
    const struct sl_context *c = &tree->context[context];
    const struct sl_context_function *host =
        &tree->function[tree->context[host_of(tree, context)].function];
    if (!c->frame)
        return (uint64_t)c->function + 1;
    size_t before = w->inlined.n_keys;
    uint32_t number = sl_index_add(&w->inlined, (uint64_t)(c->frame - tree->frames.inlined),
                                   host->pc);
    uint64_t id = tree->n_functions + (uint64_t)number + 1;
    w->out_of_memory = w->out_of_memory || number == SL_NO_INDEX;
    if (w->inlined.n_keys > before)
        write_place(w, id, host, c->pc, c->frame);
    return id;
}

/* Writes a sample. A stack may be larger than struct message, so it goes to a memory stream
 * first. */
static void write_stack(struct writing *w, const struct sl_context_tree *tree, uint32_t context)
{
    struct message values = {.n = 0};
    char *bytes = NULL;
    size_t n = 0;
    FILE *sample = open_memstream(&bytes, &n);
    for (uint32_t at = context; sample && at != SL_NO_INDEX;
         at = tree->context[host_of(tree, at)].parent) {
        struct message one = {.n = 0};
        put_number(&one, 1, location_of(w, tree, at));
        fwrite(one.byte, 1, one.n, sample);
    }
    put_number(&values, 2, tree->cost[0][context]);
    if (sample)
        fwrite(values.byte, 1, values.n, sample);
    if (!sample || fclose(sample))
        w->out_of_memory = true;
    else
        write_bytes(w->out, 2, bytes, n);
    free(bytes);
}

static int write_contexts(struct writing *w, struct sl_database *database,
                          const struct sl_db_profile *profile)
{
    struct sl_context_tree tree;
    int result = sl_context_tree_load(&tree, database, &profile, 1, w->f);
    if (result)
        return result;
    for (uint32_t i = 0; i < tree.n_functions; i++)
        if (!tree.function[i].inlined)
            write_place(w, (uint64_t)i + 1, &tree.function[i], tree.function[i].pc, NULL);
    for (uint32_t i = 0; i < tree.n; i++)
        if (tree.cost[0][i])
            write_stack(w, &tree, i);
    sl_context_tree_free(&tree);
    return w->out_of_memory ? sl_report_no_memory(w->f) : 0;
}

static int write_profile(struct writing *w, struct sl_database *database)
{
    struct sl_code_object program = {0};
    int result = sl_code_object_find(&program, database, NULL, w->f);
    if (result && result != SL_EUSAGE)
        return result;
    w->program = result ? NULL : &program; /* no object has the program's name: not an error */
    const struct sl_db_profile *contexts = sl_context_profile(&database->profiles, NULL, false);
    write_head(w, contexts);
    result = 0;
    for (int own = 1; own >= 0 && !result; own--) {
        w->programs_own = own;
        result = sl_db_objects(database, write_mapping, w, w->f);
    }
    if (!result)
        result = contexts ? write_contexts(w, database, contexts)
                          : sl_costs_lines(w->costs, write_row, w, w->f);
    sl_code_object_free(&program);
    return result;
}

/* ---- gzip ---- */

static int write_gzipped(const char *bytes, size_t n, FILE *out, struct sl_failure *f)
{
    z_stream stream = {.next_in = (const Bytef *)bytes};
    uint8_t buffer[1 << 14];
    int rc = Z_OK;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY))
        return sl_report_no_memory(f);
    while (rc != Z_STREAM_END) {
        if (!stream.avail_in) { /* avail_in has 32 bits */
            stream.avail_in = n < 1u << 30 ? (uInt)n : 1u << 30;
            n -= stream.avail_in;
        }
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        rc = deflate(&stream, n ? Z_NO_FLUSH : Z_FINISH);
        fwrite(buffer, 1, sizeof buffer - stream.avail_out, out);
    }
    deflateEnd(&stream);
    return 0;
}

static int write_pprof(const struct sl_output *o)
{
    struct sl_costs costs = {0};
    struct writing w = {.costs = &costs, .f = o->f};
    char *bytes = NULL;
    size_t n = 0;
    bool stacked = sl_context_profile(&o->database->profiles, NULL, false);
    int result = stacked ? 0 : sl_costs_open(&costs, o->database, o->config->n, o->f);
    if (result)
        return result;
    w.out = open_memstream(&bytes, &n);
    result = w.out ? write_profile(&w, o->database) : sl_report_no_memory(o->f);
    if (w.out && fclose(w.out) && !result)
        result = sl_report_no_memory(o->f);
    if (!result)
        result = write_gzipped(bytes, n, o->out, o->f);
    free(bytes);
    sl_index_free(&w.texts);
    sl_index_free(&w.functions);
    sl_index_free(&w.inlined);
    sl_costs_close(&costs);
    return result;
}

const struct sl_exporter sl_pprof_exporter = {
    .name = "pprof",
    .summary = "profile for pprof: call stacks from a context profile, or source lines",
    .shown = SL_SHOWN_BYTES,
    .default_specs = {SL_SPECS("block"), SL_SPECS("block:cycles", "block")},
    .needs = "context function block",
    .write = write_pprof,
};
