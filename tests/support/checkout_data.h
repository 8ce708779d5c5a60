/* SPDX-License-Identifier: MIT */
/* Test helper that finds the directory data/ of the source tree by the location of the test
 * executable, so that tests can open CPU models and other data files from any current directory. */
#ifndef SL_TESTS_CHECKOUT_DATA_H
#define SL_TESTS_CHECKOUT_DATA_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void use_checkout_data(void)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 8);
    self[n > 0 ? n : 0] = 0;
    char *build = strstr(self, "/build/");
    if (!build)
        abort();
    strcpy(build, "/data");
    setenv("SLUICE_DATA", self, 1);
}

#endif
