/* SPDX-License-Identifier: MIT */
/* Short labels for the points of a sweep. A label is the specification of the point's profile
 * without the parts that all specifications have in common; a report shows the common parts once.
 * */
#include <stdlib.h>
#include <string.h>

#include "sweep_view.h"

/* Returns the options of the table in a spec: the text after the parenthesis of "x@y(options)" that
 * matches the last one, or the end of the spec if it has no options. */
static const char *options_of(const char *given)
{
    size_t length = strlen(given), depth = 0;
    const char *at = given + length;
    if (!length || at[-1] != ')')
        return at;
    do {
        at--;
        depth += *at == ')';
        depth -= *at == '(';
    } while (at > given && depth);
    return at + 1;
}

/* Length of the option that begins at `at`; commas within nested parentheses or brackets belong to
 * it. */
static size_t option_length(const char *at)
{
    size_t depth = 0, n = 0;
    for (; at[n] && (depth || (at[n] != ',' && at[n] != ')')); n++) {
        depth += at[n] == '(' || at[n] == '[';
        depth -= depth && (at[n] == ')' || at[n] == ']');
    }
    return n;
}

static bool has_option(const char *list, const char *option, size_t length)
{
    for (size_t n; (n = option_length(list)); list += n + (list[n] == ','))
        if (n == length && !strncmp(list, option, n))
            return true;
    return false;
}

/* Copies the options of `given` that are in the list, or those that are not. */
static void copy_options(FILE *out, const char *given, const char *list, bool in)
{
    bool any = false;
    for (size_t n; (n = option_length(given)); given += n + (given[n] == ',')) {
        if (has_option(list, given, n) != in)
            continue;
        fprintf(out, "%s%.*s", any ? "," : in ? "" : "(", (int)n, given);
        any = true;
    }
    if (any && !in)
        putc(')', out);
}

/* Returns the options that are both in the list, which is freed, and in the point's spec; NULL if
 * out of memory. */
static char *in_common(char *list, const char *given)
{
    char *common = NULL;
    size_t size;
    FILE *out = list ? open_memstream(&common, &size) : NULL;
    if (out) {
        copy_options(out, list, options_of(given), true);
        common = fclose(out) ? (free(common), NULL) : common;
    }
    free(list);
    return common;
}

/* Length of a spec without its options and their parentheses. */
static size_t head_length(const char *given)
{
    const char *options = options_of(given);
    return (size_t)(options - given) - (*options != 0);
}

/* True if all specs are equal up to their options, and all have options. */
static bool same_head(const struct sl_sweep_view *v)
{
    size_t n = v->n_points > 1 ? head_length(v->point[0].given) : 0, i = 1;
    while (n && i < v->n_points && head_length(v->point[i].given) == n &&
           !strncmp(v->point[i].given, v->point[0].given, n) && v->point[i].given[n])
        i++;
    return n && i == v->n_points && v->point[0].given[n];
}

bool sl_sweep_label(struct sl_sweep_view *v)
{
    size_t size;
    bool same = same_head(v);
    v->head = strndup(v->n_points ? v->point[0].given : "",
                      same ? head_length(v->point[0].given) : 0);
    v->common = strdup(v->n_points > 1 ? options_of(v->point[0].given) : "");
    for (size_t i = 0; v->n_points > 1 && i < v->n_points; i++)
        v->common = in_common(v->common, v->point[i].given);
    for (size_t i = 0; v->common && i < v->n_points; i++) {
        struct sl_swept_point *p = &v->point[i];
        const char *options = options_of(p->given);
        FILE *out = open_memstream(&p->label, &size);
        if (!out)
            return false;
        if (!same)
            fprintf(out, "%.*s", (int)head_length(p->given), p->given);
        copy_options(out, options, v->common, false);
        if (fclose(out))
            return false;
    }
    return v->common && v->head;
}
