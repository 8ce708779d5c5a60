/* SPDX-License-Identifier: MIT */
#ifndef SL_TEXT_ADVICE_H
#define SL_TEXT_ADVICE_H

#include "advice.h"

/* What is worth knowing, a few sentences of it (view/advice.h). Returns how many lines; `out` may
 * be NULL. */
size_t sl_text_advice(const struct sl_advice *advice, size_t width, FILE *out);

#endif
