/* SPDX-License-Identifier: MIT */
/* Claims of papers on a result page of `sluice lab`. Each claim has the published result, the
 * measured result, and a verdict on whether the claim holds. The template of a page describes a
 * claim with the following fields.
 *
 *     what        the claim
 *     kind        missing for claims that are counted. Three kinds are not counted: `identity` is
 *                 true by construction, `ours` has no published value, `window` repeats a claim of
 *                 another page with other measurements
 *     published   the paper's value or words
 *     ours        our result, in words
 *     check       QUERY LOW..HIGH FORMAT: the query returns a value and optionally half the width
 *                 of its 95 % interval. The claim holds if the whole interval is between LOW and
 *                 HIGH. It holds partly if only the value is, and otherwise does not hold. LOW or
 *                 HIGH may be omitted
 *     rule        without `check`: how the verdict was derived, in words
 *     verdict     without `check`: holds, partly, does not, or a dash
 *     why         the reason for a difference: measured, or marked as a guess
 *     plot        a plot that shows it */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "lab_page.h"

enum claim_field { WHAT, KIND, PUBLISHED, OURS, CHECK, RULE, VERDICT, WHY, PLOT, FIELDS };
static const char *const names[FIELDS] = {"what", "kind",    "published", "ours", "check",
                                          "rule", "verdict", "why",       "plot"};

struct lab_claim {
    char *field[FIELDS]; /* NULL: missing */
};

/* Returns the field of a line "name: text" and sets *words to the text; FIELDS for another line. */
static size_t field_of(const char *line, const char **words)
{
    for (size_t i = 0; i < FIELDS; i++) {
        size_t length = strlen(names[i]);
        if (!strncmp(line, names[i], length) && line[length] == ':') {
            *words = line + length + 1 + strspn(line + length + 1, " ");
            return i;
        }
    }
    return FIELDS;
}

/* Returns the text of a field with values inserted and without the blanks at the start of lines. */
static char *expand(struct lab_page *page, const char *words, const char *end)
{
    char *raw = lab_format("%.*s", (int)(end - words), words), *text = NULL;
    size_t size;
    FILE *out = lab_check_alloc(open_memstream(&text, &size));
    lab_page_expand(page, raw, out);
    fclose(out);
    free(raw);
    for (char *blank = text; (blank = strstr(blank, "\n ")); blank++)
        memmove(blank + 1, blank + 2, strlen(blank + 2) + 1);
    return text;
}

static void read_fields(struct lab_page *page, const char *body, struct lab_claim *claim)
{
    while (*body) {
        const char *words, *end;
        size_t i = field_of(body, &words);
        if (i == FIELDS || claim->field[i])
            lab_page_fail(page, "a line of a claim must begin with one of the fields what, kind, "
                                "published, ours, check, rule, verdict, why and plot, and each "
                                "field may occur once");
        end = words + strcspn(words, "\n");
        while (end[0] && end[1] == ' ')
            end += 1 + strcspn(end + 1, "\n");
        claim->field[i] = expand(page, words, end);
        body = *end ? end + 1 : end;
    }
}

/* ---- verdicts ---- */

static void put_limit(FILE *out, double limit, const char *format)
{
    bool is_share = *format && format[1] == '%';
    fprintf(out, "%.*f%s", *format >= '0' && *format <= '9' ? *format - '0' : 0,
            (is_share ? 100 : 1) * limit, is_share ? " %" : "");
}

static const char *verdict_of(double figure, double half, double low, double high)
{
    if (isnan(figure))
        return "–";
    if (figure < low || figure > high)
        return "does not";
    return figure - half < low || figure + half > high ? "partly" : "holds";
}

/* Evaluates "QUERY LOW..HIGH FORMAT" and sets the fields VERDICT and RULE. */
static void check(struct lab_page *page, struct lab_claim *claim)
{
    const char *text = claim->field[CHECK], *dots = strstr(text, "..");
    size_t length = strcspn(text, " ");
    if (!dots || !text[length])
        lab_page_fail(page, "invalid field check of a claim: write QUERY LOW..HIGH FORMAT, for "
                            "example 'off_next 0.04..0.19 2'");
    char *end;
    double low = dots == text + length + 1 ? -INFINITY : strtod(text + length, NULL);
    double high = strtod(dots + 2, &end);
    bool open = dots[2] == ' ';
    const char *format = open ? dots + 3 : end + strspn(end, " ");
    struct lab_query *query = lab_page_query(page, text, length);
    double figure = NAN, half = 0;
    if (lab_page_next_row(page, query) && sqlite3_column_type(query->rows, 0) != SQLITE_NULL) {
        figure = sqlite3_column_double(query->rows, 0);
        half = sqlite3_column_count(query->rows) > 1 ? sqlite3_column_double(query->rows, 1) : 0;
    }
    claim->field[VERDICT] = lab_format("%s", verdict_of(figure, half, low, open ? INFINITY : high));
    size_t size;
    FILE *out = lab_check_alloc(open_memstream(&claim->field[RULE], &size));
    fputs(isinf(low) ? "at most " : open ? "at least " : "from ", out);
    if (!isinf(low))
        put_limit(out, low, format);
    if (!isinf(low) && !open)
        fputs(" to ", out);
    if (!open)
        put_limit(out, high, format);
    if (sqlite3_column_count(query->rows) > 1)
        fputs(" for the whole 95 % interval; the claim holds partly if only the mean is in this "
              "range",
              out);
    fclose(out);
}

static bool is_verdict(const char *text)
{
    return text && (!strcmp(text, "holds") || !strcmp(text, "partly") ||
                    !strcmp(text, "does not") || !strcmp(text, "–"));
}

/* Returns the kind for the database: "claim" for one that is counted. */
static const char *kind_of(const struct lab_page *page, const struct lab_claim *claim)
{
    static const char *const kinds[] = {"identity", "ours", "window"};
    const char *kind = claim->field[KIND];
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i]))
            return kinds[i];
    if (kind)
        lab_page_fail(page, "unknown kind of a claim: use identity, ours, window, or no kind");
    return "claim";
}

void lab_claim(struct lab_page *page, struct lab_block *block)
{
    struct lab_claim *claim = LAB_ADD(page->claims.claim, page->claims.capacity, page->claims.n);
    *claim = (struct lab_claim){0};
    read_fields(page, block->body, claim);
    char **field = claim->field;
    if (field[CHECK] && (field[RULE] || field[VERDICT]))
        lab_page_fail(page,
                      "a claim with the field check must not have the fields rule or verdict");
    if (field[CHECK])
        check(page, claim);
    if (!field[WHAT] || !field[PUBLISHED] || !field[OURS] || !field[RULE] ||
        !is_verdict(field[VERDICT]))
        lab_page_fail(page, "a claim needs the fields what, published and ours, and either check, "
                            "or rule and verdict (holds, partly, does not or –)");
    field[KIND] = lab_format("%s", kind_of(page, claim));
    fprintf(page->out, "**%s: %s%s**%s%s%s %s%s\n", field[WHAT], field[VERDICT],
            strcmp(field[VERDICT], "does not") ? "." : " hold.", field[RULE] ? " *Holds: " : "",
            field[RULE] ? field[RULE] : "", field[RULE] ? ".*" : "",
            field[WHY] ? "" : "Published: ", field[WHY] ? field[WHY] : field[PUBLISHED]);
}

/* ---- all claims of a page ---- */

static void put_cell(FILE *out, const char *text)
{
    fputc(' ', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text == '\n' ? ' ' : *text);
    fputs(" |", out);
}

void lab_claims_write(const struct lab_page *page, FILE *out)
{
    static const struct {
        const char *kind, *heading;
    } parts[] = {
        {"claim", ""},
        {"window", "Claims of other pages, measured in windows. They are not counted again:\n\n"},
        {"ours", "Results without a published value. They are not counted:\n\n"},
        {"identity", "Claims that are true by construction. They are not counted:\n\n"},
    };
    static const enum claim_field shown[] = {WHAT, PUBLISHED, OURS, VERDICT, RULE};
    bool any = false;
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        bool first = true;
        for (size_t i = 0; i < page->claims.n; i++) {
            char *const *field = page->claims.claim[i].field;
            if (strcmp(field[KIND], parts[part].kind))
                continue;
            if (first)
                fprintf(out,
                        "%s%s| claim | published | ours | verdict | it holds if |\n"
                        "| --- | --- | --- | --- | --- |\n",
                        any ? "\n" : "", parts[part].heading);
            first = false;
            any = true;
            fputc('|', out);
            for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
                put_cell(out, field[shown[k]] ? field[shown[k]] : "");
            fputc('\n', out);
        }
    }
}

void lab_claims_store(const struct lab_page *page)
{
    lab_store_execute(page->store, "BEGIN IMMEDIATE; DELETE FROM claim WHERE experiment = %Q",
                      page->experiment);
    for (size_t i = 0; i < page->claims.n; i++) {
        char *const *field = page->claims.claim[i].field;
        lab_store_execute(
            page->store,
            "INSERT INTO claim(experiment, number, what, kind, published, ours,"
            " verdict, rule, why, plot) VALUES (%Q, %d, %Q, %Q, %Q, %Q, %Q, %Q, %Q, %Q)",
            page->experiment, (int)i + 1, field[WHAT], field[KIND], field[PUBLISHED], field[OURS],
            field[VERDICT], field[RULE], field[WHY], field[PLOT]);
    }
    lab_store_execute(page->store, "COMMIT");
}
