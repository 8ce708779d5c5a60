#include "lfsr.h"

#include <stddef.h>

const char *const sl_lfsr_widths[] = {"16", "32", "48", "64", NULL};

const struct sl_lfsr sl_lfsrs[] = {
    {16, {1, 4, 6}},
    {32, {6, 13, 23}},
    {48, {11, 23, 33}},
    {64, {15, 28, 45}},
};
