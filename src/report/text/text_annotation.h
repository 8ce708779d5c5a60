/* SPDX-License-Identifier: MIT */
#ifndef SL_TEXT_ANNOTATION_H
#define SL_TEXT_ANNOTATION_H

#include "annotation.h"

/* Prints it (text_annotation.c), with colours as those of shown.h. */
int sl_text_annotation(const struct sl_annotation *annotation,
                       const struct sl_annotate_config *config, FILE *out, struct sl_failure *f);

#endif
