/* SPDX-License-Identifier: MIT */
/* Copies a configuration struct of the calling program (config.h). Also returns the version of the
 * loaded library, which can be newer than the header with which the program was compiled. */
#include "config.h"

#include <string.h>

#include "failure.h"

int sl_config_read(void *own, size_t own_size, const void *given, const char *name,
                   struct sl_failure *f)
{
    size_t size;
    if (!given)
        return sl_fail(f, SL_EUSAGE, "struct %s is NULL: set its size and pass its address", name);
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return sl_fail(f, SL_EUSAGE,
                       "struct %s has no size: set its member size to sizeof(struct %s)", name,
                       name);
    if (size > own_size)
        return sl_fail(f, SL_EUSAGE,
                       "struct %s has %zu bytes, but this library (%s) knows only %zu: the program "
                       "was built with a newer sluice.h; use the library of the same version",
                       name, size, SL_VERSION, own_size);
    memset(own, 0, own_size);
    memcpy(own, given, size);
    memcpy(own, &own_size, sizeof own_size);
    return 0;
}

const char *sl_version(void)
{
    return SL_VERSION;
}

unsigned sl_version_number(void)
{
    return SL_VERSION_NUMBER;
}
