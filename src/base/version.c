/* SPDX-License-Identifier: MIT */
/* The version of the library that runs, which need not be that of the header a program was
 * built with. */
#include "sluice.h"

const char *sl_version(void)
{
    return SL_VERSION;
}

unsigned sl_version_number(void)
{
    return SL_VERSION_NUMBER;
}
