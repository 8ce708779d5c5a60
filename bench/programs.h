/* The real programs that benches run: bzip2 on 6 MB of source text, and gcc's compiler
 * proper on one of our own files. To be run from the top of the tree. */
#ifndef SL_BENCH_PROGRAMS_H
#define SL_BENCH_PROGRAMS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    const char *title;
    char *argv[8];
};

/* Makes their inputs and fills in what depends on the machine; false if a tool is
 * missing. */
static inline bool programs_make(struct program program[2])
{
    static char cc1[4096];
    if (system("mkdir -p build/bench && tar cf - --sort=name /usr/include /usr/share/perl "
               "2>/dev/null | head -c 6000000 >build/bench/6MB") ||
        system("gcc -E -D_GNU_SOURCE -Iinclude -Isrc/core -Isrc/stream src/stream/statics.c"
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
    program[1] = (struct program){"cc1 -O2, one C file",
                                  {cc1, "-quiet", "-O2", "build/bench/statics.i", "-o",
                                   "build/bench/statics.s"}};
    return named;
}

#endif
