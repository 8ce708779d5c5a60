/* SPDX-License-Identifier: MIT */
/* Stores the measurements of one job of `sluice sweep` or `sluice lab` in memory, as a list. */
#include "job_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

void sl_job_add_at(struct sl_job_results *all, size_t of, const char *measure, const char *item,
                   double x, double value)
{
    if (isnan(value))
        return;
    char *copy = item ? strdup(item) : NULL;
    if ((item && !copy) || !SL_GROW(all->figure, all->capacity, all->n + 1)) {
        free(copy);
        all->out_of_memory = true;
        return;
    }
    struct sl_job_result *figure = &all->figure[all->n++];
    *figure = (struct sl_job_result){.of = (uint32_t)of, .item = copy, .x = x, .value = value};
    snprintf(figure->measure, sizeof figure->measure, "%s", measure);
}

void sl_job_add(struct sl_job_results *all, size_t of, const char *measure, double value)
{
    sl_job_add_at(all, of, measure, NULL, (double)NAN, value);
}

void sl_job_add_failure(struct sl_job_results *all, size_t of, const char *why)
{
    char *copy = SL_GROW(all->failure, all->failures_capacity, all->n_failures + 1) ? strdup(why)
                                                                                    : NULL;
    all->out_of_memory |= !copy;
    if (copy)
        all->failure[all->n_failures++] = (struct sl_job_failure){(uint32_t)of, copy};
}

/* Usually the label is that of the last measurement. */
size_t sl_job_label(struct sl_job_results *all, const char *label)
{
    size_t last = all->n ? all->figure[all->n - 1].of : 0;
    if (last < all->n_labels && !strcmp(all->label[last], label))
        return last;
    for (size_t i = 0; i < all->n_labels; i++)
        if (!strcmp(all->label[i], label))
            return i;
    char *copy = SL_GROW(all->label, all->labels_capacity, all->n_labels + 1) ? strdup(label)
                                                                              : NULL;
    all->out_of_memory |= !copy;
    if (!copy)
        return 0;
    all->label[all->n_labels] = copy;
    return all->n_labels++;
}

const char *sl_job_why(const struct sl_job_results *all, size_t of)
{
    for (size_t i = 0; i < all->n_failures; i++)
        if (all->failure[i].of == of)
            return all->failure[i].why;
    return NULL;
}

void sl_job_results_free(struct sl_job_results *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->figure[i].item);
    for (size_t i = 0; i < all->n_failures; i++)
        free(all->failure[i].why);
    for (size_t i = 0; i < all->n_labels; i++)
        free(all->label[i]);
    free(all->failure);
    free(all->figure);
    free(all->label);
    *all = (struct sl_job_results){0};
}
