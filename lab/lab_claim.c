/* Claims: what a document says, what came out here, and whether it holds. */
#include <stdlib.h>
#include <string.h>

#include "database_row.h"
#include "failure.h"
#include "grow.h"
#include "lab_page.h"

enum claim_field { WHAT, PUBLISHED, OURS, VERDICT, WHY, PLOT, FIELDS };
static const char *const names[FIELDS] = {"what", "published", "ours", "verdict", "why", "plot"};

struct lab_claim {
    char *field[FIELDS];
};

/* Of a line "name: words"; FIELDS if it is none. */
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

/* The words with their values, and without the blanks that lines begin with; to be freed. */
static char *filled(struct lab_page *page, const char *words, const char *end)
{
    char *raw = strndup(words, (size_t)(end - words)), *text = NULL;
    size_t size;
    FILE *out = raw ? open_memstream(&text, &size) : NULL;
    if (out) {
        lab_page_fill(page, raw, out);
        fclose(out);
    }
    free(raw);
    for (char *blank = text; blank && (blank = strstr(blank, "\n ")); blank++)
        memmove(blank + 1, blank + 2, strlen(blank + 2) + 1);
    return text;
}

static void read_fields(struct lab_page *page, const char *body, struct lab_claim *claim)
{
    while (*body && page->error >= 0) {
        const char *words, *end;
        size_t i = field_of(body, &words);
        if (i == FIELDS || claim->field[i]) {
            lab_page_fail(page, "a claim has what, published, ours, verdict, why and plot, each once");
            return;
        }
        end = words + strcspn(words, "\n");
        while (end[0] && end[1] == ' ')
            end += 1 + strcspn(end + 1, "\n");
        claim->field[i] = filled(page, words, end);
        if (!claim->field[i] && page->error >= 0)
            page->error = sl_fail(page->f, SL_ENOMEM, "out of memory");
        body = *end ? end + 1 : end;
    }
}

static bool is_verdict(const char *text)
{
    return text && (!strcmp(text, "holds") || !strcmp(text, "partly") ||
                    !strcmp(text, "does not") || !strcmp(text, "–"));
}

void lab_claim(struct lab_page *page, struct lab_block *block)
{
    struct lab_claims *all = &page->claims;
    if (!SL_GROW(all->claim, all->room, all->n + 1)) {
        page->error = sl_fail(page->f, SL_ENOMEM, "out of memory");
        return;
    }
    struct lab_claim *claim = &all->claim[all->n++];
    *claim = (struct lab_claim){0};
    read_fields(page, block->body, claim);
    char *const *field = claim->field;
    if (!field[WHAT] || !field[PUBLISHED] || !field[OURS] || !is_verdict(field[VERDICT])) {
        lab_page_fail(page, "a claim needs what, published, ours, and a verdict that is holds, "
                      "partly or does not");
        return;
    }
    fprintf(page->out, "**%s: %s%s** %s%s\n", field[WHAT], field[VERDICT],
            strcmp(field[VERDICT], "does not") ? "." : " hold.", field[WHY] ? "" : "Published: ",
            field[WHY] ? field[WHY] : field[PUBLISHED]);
}

static void put_cell(FILE *out, const char *text)
{
    fputc(' ', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text == '\n' ? ' ' : *text);
    fputs(" |", out);
}

void lab_claims_show(struct lab_page *page, FILE *out)
{
    fputs("| claim | published | ours | verdict |\n| --- | --- | --- | --- |\n", out);
    for (size_t i = 0; i < page->claims.n; i++) {
        fputc('|', out);
        for (size_t k = WHAT; k <= VERDICT; k++)
            put_cell(out, page->claims.claim[i].field[k]);
        fputc('\n', out);
    }
}

void lab_claims_keep(struct lab_page *page)
{
    struct sl_row row = {0};
    char *forget = sqlite3_mprintf("BEGIN IMMEDIATE; DELETE FROM claim WHERE experiment = %Q",
                                   page->experiment);
    int rc = forget ? sqlite3_exec(page->store, forget, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(forget);
    if (rc == SQLITE_OK) {
        row = sl_row_prepare(page->store, "INSERT INTO claim(experiment, number, what, published,"
                             " ours, verdict, why, plot) VALUES (?,?,?,?,?,?,?,?)");
        for (size_t i = 0; i < page->claims.n; i++) {
            sl_row_text(&row, page->experiment);
            sl_row_number(&row, i + 1);
            for (size_t k = 0; k < FIELDS; k++)
                sl_row_text(&row, page->claims.claim[i].field[k]);
            sl_row_put(&row);
        }
        rc = sl_row_finish(&row);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(page->store, "COMMIT", NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        lab_page_fail(page, "the claims: %s", sqlite3_errmsg(page->store));
}

void lab_claims_free(struct lab_page *page)
{
    for (size_t i = 0; i < page->claims.n; i++)
        for (size_t k = 0; k < FIELDS; k++)
            free(page->claims.claim[i].field[k]);
    free(page->claims.claim);
}
