/* SPDX-License-Identifier: MIT */
/* JSON report of `sluice diff`, the comparison of two databases. Each row of the comparison is one
 * line. */
#include "json.h"

/* Returns after - before, limited to the range of JSON integers. */
static json_t *change(uint64_t before, uint64_t after)
{
    uint64_t distance = after > before ? after - before : before - after;
    json_int_t size = distance > INT64_MAX ? INT64_MAX : (json_int_t)distance;
    return json_integer(after > before ? size : -size);
}

static json_t *run_object(const struct sl_difference_run *run)
{
    return sl_json_object(
        "database", sl_json_text(run->database), "command", sl_json_text(run->command),
        "instructions", sl_json_number(run->instructions), "blocks", sl_json_number(run->blocks),
        "loads", sl_json_number(run->loads), "cycles", sl_json_number_if(run->cycles, run->cycles),
        "processes", sl_json_number(run->processes), NULL);
}

static void set_lines(json_t **object, const struct sl_difference_place *place, const char *after,
                      const char *before)
{
    for (int side = 0; side < SL_SIDES; side++)
        sl_json_set(object, side == SL_AFTER ? after : before,
                    sl_json_number_if(place->line[side] > 0, (uint64_t)place->line[side]));
}

static int write_row(const struct sl_difference_part *part, const struct sl_difference_row *row,
                     FILE *out, struct sl_failure *f)
{
    const uint64_t *count = row->count;
    json_t *object = sl_json_object("before", sl_json_number(count[SL_BEFORE]), "after",
                                    sl_json_number(count[SL_AFTER]), "change",
                                    change(count[SL_BEFORE], count[SL_AFTER]), "fraction",
                                    sl_json_real(sl_difference_share(part, row)), NULL);
    if (part->estimates)
        sl_json_set(&object, "uncertain", json_boolean(sl_difference_doubtful(part, row)));
    sl_json_set(&object, "name", sl_json_text(row->at.function));
    if (part->detector || part->of_lines) {
        sl_json_set(&object, "object", sl_json_text(row->at.object));
        sl_json_set(&object, "file", sl_json_text(row->at.file));
        set_lines(&object, &row->at, "line", "line_before");
    }
    if (row->to.function) {
        sl_json_set(&object, "target", sl_json_text(row->to.function));
        sl_json_set(&object, "target_file", sl_json_text(row->to.file));
        set_lines(&object, &row->to, "target_line", "target_line_before");
    }
    if (row->second)
        sl_json_set(&object, "detail", sl_json_text(row->second));
    return sl_json_dump(object, out, f);
}

static int write_part(const struct sl_difference_part *part, size_t n, FILE *out,
                      struct sl_failure *f)
{
    const uint64_t *weight = part->weight;
    int result = sl_json_put(0, "{\"name\": ", sl_json_text(part->name), out, f);
    result = sl_json_put(result, ", \"unit\": ", sl_json_text(part->units), out, f);
    result = sl_json_put(
        result, ", \"before\": ", sl_json_number_if(part->units, weight[SL_BEFORE]), out, f);
    result = sl_json_put(result, ", \"after\": ", sl_json_number_if(part->units, weight[SL_AFTER]),
                         out, f);
    fprintf(out, ", \"unchanged\": %zu,\n   \"rows\": [", part->n_same);
    for (size_t i = 0; !result && i < part->n && (!n || i < n); i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        result = write_row(part, &part->row[i], out, f);
    }
    fputs("]}", out);
    return result;
}

int sl_json_difference(const struct sl_difference *d, size_t n, FILE *out, struct sl_failure *f)
{
    static const char *const names[] = {
        [SL_BEFORE] = "{\"before\": ", [SL_AFTER] = ",\n \"after\": "};
    int result = 0;
    for (int side = 0; side < SL_SIDES && !result; side++)
        result = sl_json_put(0, names[side], run_object(&d->run[side]), out, f);
    result = sl_json_put(
        result, ",\n \"regression\": ", sl_json_real(sl_difference_regression(d).change), out, f);
    result = sl_json_put(result, ",\n \"warnings\": ", sl_json_warnings(&d->warnings), out, f);
    fputs(",\n \"sections\": [", out);
    for (size_t i = 0; i < d->n && !result; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        result = write_part(&d->part[i], n, out, f);
    }
    fputs("]}\n", out);
    return result;
}
