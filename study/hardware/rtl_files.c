/* SPDX-License-Identifier: MIT */
#include "rtl_files.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data_path.h"
#include "failure.h"
#include "frontend_files.h"
#include "replacement.h"

#define SOURCES_MAX 32u

FILE *sl_rtl_create(const char *directory, const char *name, struct sl_failure *f)
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        sl_out_of_memory(f);
        return NULL;
    }
    FILE *file = sl_create_anew(path);
    if (!file)
        sl_fail(f, SL_EIO, "cannot write %s: %s", path, strerror(errno));
    free(path);
    return file;
}

int sl_rtl_finish(FILE *file, const char *name, struct sl_failure *f)
{
    bool bad = ferror(file);
    return fclose(file) || bad ? sl_fail(f, SL_EIO, "cannot write %s: %s", name, strerror(errno))
                               : 0;
}

/* rtl/FROM of the files that come with the program, as NAME. */
static int copy(const char *directory, const char *from, const char *name, struct sl_failure *f)
{
    char below[300], part[4096];
    snprintf(below, sizeof below, "rtl/%s", from);
    char *path = sl_data_path(below);
    FILE *in = path ? fopen(path, "r") : NULL;
    free(path);
    if (!in)
        return sl_fail(f, SL_EIO,
                       "the file %s that comes with sluice is not there; install it again", below);
    FILE *out = sl_rtl_create(directory, name, f);
    size_t n;
    while (out && (n = fread(part, 1, sizeof part, in)))
        fwrite(part, 1, n, out);
    fclose(in);
    return out ? sl_rtl_finish(out, name, f) : SL_EIO;
}

static const char ports[] =
    "    input clk,\n    input rst,\n"
    "    input in_valid,\n    output in_ready,\n    input [63:0] in_pc,\n"
    "    input [63:0] in_value,\n    input [31:0] in_weight,\n"
    "    output out_valid,\n    input out_ready,\n    output out_kind,\n    output [63:0] out_pc,\n"
    "    output [63:0] out_value,\n    output [63:0] out_count,\n"
    "    input rd_valid,\n    input [31:0] rd_address,\n    output rd_done,\n"
    "    output [63:0] rd_data,\n"
    "    input cfg_write,\n    input [31:0] cfg_address,\n    input [63:0] cfg_data,\n"
    "    input clear,\n    output idle\n";

static const char wires[] =
    "    .clk(clk), .rst(rst),\n"
    "    .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(in_value),\n"
    "    .in_weight(in_weight[WEIGHT_BITS-1:0]),\n"
    "    .out_valid(out_valid), .out_ready(out_ready), .out_kind(out_kind), .out_pc(out_pc),\n"
    "    .out_value(out_value), .out_count(out_count),\n"
    "    .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),\n"
    "    .cfg_write(cfg_write), .cfg_address(cfg_address), .cfg_data(cfg_data),\n"
    "    .clear(clear), .idle(idle)\n";

static int write_top(const struct sl_rtl_model *m, const char *spec, const char *directory,
                     struct sl_failure *f)
{
    FILE *out = sl_rtl_create(directory, "twin.v", f);
    if (!out)
        return SL_EIO;
    fprintf(out,
            "/* The hardware of\n *\n *     %s\n *\n * made by 'sluice rtl'. %s.v says what "
            "it does, how long that takes and what its\n * read-out and its configuration are. */\n"
            "module twin (\n%s);\nlocalparam WEIGHT_BITS = %u;\n%s #(\n    "
            ".WEIGHT_BITS(WEIGHT_BITS)",
            spec, m->twin->module, ports, m->weight_bits, m->twin->module);
    bool good = m->twin->parameters(m->state, m->config, m->weight_bits, out);
    fprintf(out, "\n) core (\n%s);\nendmodule\n", wires);
    if (m->twin->tables)
        m->twin->tables(m->state, m->config, out);
    int error = sl_rtl_finish(out, "twin.v", f);
    return good ? error : sl_out_of_memory(f);
}

static int write_core_file(const struct sl_rtl_model *m, const struct sl_frontend_shape *shape,
                           const char *const *source, const char *directory, struct sl_failure *f)
{
    FILE *out = sl_rtl_create(directory, "twin.core", f);
    if (!out)
        return SL_EIO;
    fprintf(out,
            "CAPI=2:\nname: sluice:tables:twin:%s\ndescription: a table of sluice in hardware, "
            "%s\nfilesets:\n  rtl:\n    files:\n      - twin.v\n",
            SL_VERSION, m->twin->table->name);
    for (; *source; source++)
        fprintf(out, "      - %s.v\n", *source);
    fprintf(out,
            "%s    file_type: verilogSource\n  bench:\n    files:\n      - bench.v\n%s"
            "      - %s: {file_type: user, copyto: %s}\n"
            "      - expected.txt: {file_type: user, copyto: expected.txt}\n"
            "      - state.txt: {file_type: user, copyto: state.txt}\n"
            "    file_type: verilogSource\ntargets:\n  default:\n    filesets: [rtl]\n"
            "    toplevel: %s\n  sim:\n    default_tool: icarus\n    filesets: [rtl, bench]\n"
            "    toplevel: bench\n    tools:\n      icarus: {iverilog_options: [-g2005-sv]}\n",
            shape->lanes ? "      - profiler.v\n" : "",
            shape->lanes ? "      - shape.vh: {is_include_file: true}\n" : "",
            sl_frontend_events(shape), sl_frontend_events(shape),
            shape->lanes ? "profiler" : "twin");
    return sl_rtl_finish(out, "twin.core", f);
}

static void write_ports(const struct sl_rtl_model *m, FILE *out)
{
    fprintf(
        out,
        "## To attach it\n\n"
        "Everything is synchronous to `clk`; `rst` is for one cycle at least, and the first event "
        "is\n"
        "taken when memories are cleared.\n\n"
        "- Events: `in_pc`, `in_value` and `in_weight` are taken in a cycle with `in_valid` and\n"
        "  `in_ready`; until then they have to stay. %s\n"
        "- Messages: `out_pc`, `out_value`, `out_count` in a cycle with `out_valid` and "
        "`out_ready`.\n"
        "  `out_kind` is 1 for the one that ends an interval: its number, its drops, its weight.\n"
        "- Read-out: `rd_address` with `rd_valid` until `rd_done`, which comes with `rd_data`.\n"
        "- `cfg_write` sets what can be set; `clear` in a cycle with `idle` forgets everything.\n\n"
        "The head of `%s.v` says which words can be read, which can be set, and the cycles that "
        "an\n"
        "event takes. Where the sender cannot wait, put `port` (`port.v`) in front: WIDTH is that "
        "of the\n"
        "three signals of an event, side by side, and its `dropping` makes it drop and count.\n",
        m->twin->table->input.by_number ? "The number of the event's counter is `in_pc`."
        : m->weight_bits == 1           ? "Every event weighs 1: `in_weight` is 1."
                                        : "`in_weight` is what an event weighs.",
        m->twin->module);
}

static int write_readme(const struct sl_rtl_model *m, const struct sl_frontend_shape *shape,
                        const char *const *source, const char *spec, const char *directory,
                        struct sl_failure *f)
{
    FILE *out = sl_rtl_create(directory, "README.md", f);
    if (!out)
        return SL_EIO;
    fprintf(
        out,
        "# Hardware of `%s`\n\n"
        "`make` simulates it (Verilator, or else Icarus) and says that it agrees with the model:\n"
        "the same messages in the same order, and the same words held at the end. `make icarus` "
        "takes\n"
        "Icarus in any case; `make netlist` does the same with what yosys makes of it for "
        "iCE40.\n\n"
        "| file | what it is |\n| --- | --- |\n"
        "| `twin.v` | the table: `%s` with the parameters of the spec |\n",
        spec, m->twin->module);
    if (shape->lanes)
        fprintf(out, "| `profiler.v` | the top level: the table behind a core's retirement port, "
                     "on a bus |\n");
    for (; *source; source++)
        fprintf(out, "| `%s.v` | a module; its head draws it |\n", *source);
    fprintf(out,
            "| `bench.v` | gives it %s, with pauses, and compares |\n"
            "| `%s`, `expected.txt`, `state.txt` | the %s; what the model sent and held |\n%s"
            "| `twin.core` | for FuseSoC |\n\n",
            shape->lanes ? "what a core retires" : "the events", sl_frontend_events(shape),
            shape->lanes ? "instructions" : "events",
            shape->lanes
                ? "| `events.txt` | what the table is given: nobody reads it, but somebody may |\n"
                : "");
    if (shape->lanes)
        sl_frontend_readme(shape, out);
    else
        write_ports(m, out);
    return sl_rtl_finish(out, "README.md", f);
}

/* Not in the table: for whoever attaches it to a sender that cannot wait. */
static const char *const attached[] = {"port", "fifo", NULL};

/* What the table is made of and then what stands in front of it, each once. */
static void list_sources(const struct sl_rtl_model *m, const struct sl_frontend_shape *shape,
                         const char *list[SOURCES_MAX])
{
    size_t n = 0;
    for (const char *const *s = m->twin->source; *s; s++)
        list[n++] = *s;
    size_t own = n;
    for (const char *const *s = shape->lanes ? sl_frontend_sources : attached; *s; s++) {
        size_t i = 0;
        while (i < own && strcmp(list[i], *s))
            i++;
        if (i == own)
            list[n++] = *s;
    }
    assert(n < SOURCES_MAX);
    list[n] = NULL;
}

int sl_rtl_files(const struct sl_rtl_model *m, const struct sl_profile_spec *spec,
                 const struct sl_frontend_shape *shape, const char *directory, struct sl_failure *f)
{
    const char *source[SOURCES_MAX];
    int error = 0;
    list_sources(m, shape, source);
    for (const char *const *s = source; *s && error >= 0; s++) {
        char name[64];
        snprintf(name, sizeof name, "%s.v", *s);
        error = copy(directory, name, name, f);
    }
    if (error >= 0)
        error = copy(directory, shape->lanes ? "bench/bench_rvfi.v" : "bench/bench.v", "bench.v",
                     f);
    if (error >= 0)
        error = copy(directory, "bench/Makefile", "Makefile", f);
    if (error >= 0)
        error = write_top(m, spec->text, directory, f);
    if (error >= 0 && shape->lanes)
        error = sl_frontend_files(spec, shape, directory, f);
    if (error >= 0)
        error = write_core_file(m, shape, source, directory, f);
    return error >= 0 ? write_readme(m, shape, source, spec->text, directory, f) : error;
}

int sl_rtl_directory(const char *directory, struct sl_failure *f)
{
    if (mkdir(directory, 0777) && errno != EEXIST)
        return sl_fail(f, SL_EIO, "cannot make the directory %s: %s", directory, strerror(errno));
    return 0;
}
