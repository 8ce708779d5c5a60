/* SPDX-License-Identifier: MIT */
/* Version number of the library that the program has loaded. The header with which the program was
 * compiled can have a different version number. */
#include "sluice.h"

const char *sl_version(void)
{
    return SL_VERSION;
}

unsigned sl_version_number(void)
{
    return SL_VERSION_NUMBER;
}
