/* SPDX-License-Identifier: MIT */
/* Where an address is: function, object file and source line, as reports print them. */
#ifndef SL_CODE_PLACE_H
#define SL_CODE_PLACE_H

#include <stdint.h>

struct sl_saved_place {
    uint64_t address;
    const char *function; /* NULL if unknown */
    uint64_t function_start;
    const char *object; /* NULL if it is in no object */
    uint64_t object_address;
    const char *file; /* NULL if unknown */
    int line;
};

#endif
