/* SPDX-License-Identifier: MIT */
/* The real programs that the benchmarks run: bzip2 on 6 MB of source text, and gcc's compiler
 * proper on one of our own files. For measurements of cost also an interpreter (lua), a C++ program
 * (verilator, on one of our tables in Verilog) and a floating-point program (tachyon, a picture of
 * mirroring spheres), with the inputs of the lab. Run from the top of the tree. */
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

/* Makes their inputs and fills in what depends on the machine; false if a tool is
 * missing. */
static inline bool programs_make(struct program program[2])
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
    bool named = fgets(cc1, sizeof cc1, name) != NULL;
    pclose(name);
    cc1[strcspn(cc1, "\n")] = 0;
    program[0] = (struct program){"bzip2, 6 MB of source text",
                                  {"/usr/bin/bzip2", "-k", "-f", "build/bench/6MB"}};
    program[1] = (struct program){
        "cc1 -O2, one C file",
        {cc1, "-quiet", "-O2", "build/bench/statics.i", "-o", "build/bench/statics.s"}};
    return named;
}

/* The other three, as far as they are installed; how many. */
static inline size_t programs_more(struct program program[3])
{
    static const struct {
        const char *lab; /* the lab's name of what makes its input; NULL: it needs none */
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
            fprintf(stderr, "%s is not installed: left out\n", more[i].program.argv[0]);
        else
            program[n++] = more[i].program;
    }
    return n;
}

#endif
