/* SPDX-License-Identifier: MIT */
/* Programs that the benchmarks run, with their inputs: bzip2 on 6 MB of source text, and gcc's
 * compiler proper (cc1) on one of sluice's source files. bench/cost also runs an interpreter (lua),
 * a C++ program (verilator, on one of sluice's Verilog modules) and a floating-point program
 * (tachyon, a picture of reflecting spheres), with the inputs that `sluice lab` uses. The
 * benchmarks must be started in the top directory of the source tree. */
#ifndef SL_BENCH_PROGRAMS_H
#define SL_BENCH_PROGRAMS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct program {
    const char *title;
    char *argv[12];
};

/* Creates the inputs of bzip2 and cc1, and finds cc1. Returns false if a tool is missing. */
static inline bool programs_create(struct program program[2])
{
    static char cc1[4096];
    if (system("mkdir -p build/bench && tar cf - --sort=name /usr/include /usr/share/perl "
               "2>/dev/null | head -c 6000000 >build/bench/6MB") ||
        system(
            "gcc -E -D_GNU_SOURCE -Iinclude -Isrc/base -Isrc/code -Isrc/stream src/code/statics.c"
            " -o build/bench/statics.i"))
        return false;
    FILE *name = popen("gcc -print-prog-name=cc1", "r");
    if (!name)
        return false;
    bool found = fgets(cc1, sizeof cc1, name) != NULL;
    pclose(name);
    cc1[strcspn(cc1, "\n")] = 0;
    program[0] = (struct program){"bzip2, 6 MB of source text",
                                  {"/usr/bin/bzip2", "-k", "-f", "build/bench/6MB"}};
    program[1] = (struct program){
        "cc1 -O2, one C file",
        {cc1, "-quiet", "-O2", "build/bench/statics.i", "-o", "build/bench/statics.s"}};
    return found;
}

/* Creates the inputs of the other three programs that are installed; returns their number. */
static inline size_t programs_create_more(struct program program[3])
{
    static const struct {
        const char *lab; /* name in data/lab/programs.sh that creates the input; NULL: no input */
        struct program program;
    } more[] = {
        {"lua",
         {"lua, objects, strings, closures",
          {"/usr/bin/lua5.4", "build/bench/lua/input.lua", "600"}}},
        {NULL,
         {"verilator, C++, one Verilog file",
          {"/usr/bin/verilator_bin", "--lint-only", "-Wno-fatal", "-Wno-lint", "-y", "data/rtl",
           "data/rtl/multihash.v"}}},
        {"ray",
         {"tachyon, floating point, one picture",
          {"/usr/bin/tachyon", "build/bench/ray/input.nff", "-numthreads", "1", "-res", "512",
           "512", "-format", "PPM", "-o", "build/bench/ray/output.ppm"}}},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char make[256] = "true";
        if (more[i].lab)
            snprintf(make, sizeof make,
                     "cd build/bench && sh ../../data/lab/programs.sh run %s true", more[i].lab);
        if (access(more[i].program.argv[0], X_OK) || system(make))
            fprintf(stderr, "%s is not installed: skipped\n", more[i].program.argv[0]);
        else
            program[n++] = more[i].program;
    }
    return n;
}

#endif
