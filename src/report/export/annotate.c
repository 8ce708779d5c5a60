/* SPDX-License-Identifier: MIT */
/* A database's code with what happened in it, for people. */
#include "annotation.h"
#include "saved.h"
#include "shown.h"
#include "text_annotation.h"

int sl_annotate(const char *database, const struct sl_annotate_config *config, FILE *out,
                struct sl_failure *f)
{
    struct sl_database *opened = NULL;
    struct sl_annotation annotation = {0};
    FILE *shown = sl_shown_open(out, config->colour ? SL_SHOWN_COLOURED : SL_SHOWN_MARKED, f);
    if (!shown)
        return SL_ENOMEM;
    int result = sl_database_open_process(&opened, database, config->process, f);
    if (!result)
        result = sl_annotation_make(&annotation, opened, config->place, f);
    if (!result)
        result = sl_text_annotation(&annotation, config, shown, f);
    sl_annotation_free(&annotation);
    sl_database_close(opened);
    return sl_shown_close(shown, out, result, "the report", f);
}
