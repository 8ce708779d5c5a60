/* SPDX-License-Identifier: MIT */
/* Which unit a floating-point instruction needs: the class does not say. */
#ifndef SL_FLOAT_UNIT_H
#define SL_FLOAT_UNIT_H

#include "op.h"

/* SL_UNIT_FLOAT, SL_UNIT_FLOAT_MULTIPLY or SL_UNIT_FLOAT_DIVIDE for an instruction of
 * class float or vector. */
enum sl_unit sl_float_unit(const struct sl_statics *statics, uint32_t number);

#endif
