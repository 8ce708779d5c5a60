/* How long a fuzzer tries: its argument, FUZZ_SECONDS of the environment, or a little. */
#ifndef SL_TESTS_SECONDS_H
#define SL_TESTS_SECONDS_H

#include <stdlib.h>

static inline double fuzz_seconds(int argc, char **argv)
{
    const char *given = argc > 1 ? argv[1] : getenv("FUZZ_SECONDS");
    return given ? strtod(given, NULL) : 5;
}

#endif
