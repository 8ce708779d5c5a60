/* SPDX-License-Identifier: MIT */
/* Version of the library in use, which can differ from that of the header a program was compiled
 * with. */
#include "sluice.h"

const char *sl_version(void)
{
    return SL_VERSION;
}

unsigned sl_version_number(void)
{
    return SL_VERSION_NUMBER;
}
