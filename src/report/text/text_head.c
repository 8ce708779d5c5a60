/* SPDX-License-Identifier: MIT */
/* Prints the first lines of every text report: the command, totals, filters and warnings. */
#include "text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "text_table.h"
#include "utf8.h"

#define SCREEN_WIDTH 100
#define LEAST_WIDTH 40
#define CALL_COSTS_ROWS 30 /* unless config->n is set */

static void ending_text(const struct sl_db_program *program, char *out, size_t capacity)
{
    out[0] = '\0';
    if (!program->ended)
        return;
    if (WIFEXITED(program->status) && WEXITSTATUS(program->status))
        snprintf(out, capacity, ", exit status %d", WEXITSTATUS(program->status));
    if (WIFSIGNALED(program->status)) {
        const char *name = sigabbrev_np(WTERMSIG(program->status));
        if (name)
            snprintf(out, capacity, ", killed by SIG%s", name);
        else
            snprintf(out, capacity, ", killed by signal %d", WTERMSIG(program->status));
    }
}

/* Returns the number of lines, or an error. */
static int print_program(const struct sl_db_program *program, size_t width, FILE *out,
                         struct sl_failure *f)
{
    char ending[64], counts[256], a[SL_FORMAT_SIZE];
    char *command = sl_format_command(program);
    bool known = strcmp(program->arch, "none") != 0, some = program->load_sampling_period > 1;
    ending_text(program, ending, sizeof ending);
    char *suffix = sl_own_printable(sl_asprintf(
        "%s%.64s%s%s", known ? " (" : "", known ? program->arch : "", known ? ")" : "", ending));
    if (command && suffix) {
        size_t taken = sl_utf8_length(suffix);
        sl_utf8_shorten(command, width > taken ? width - taken : 0);
        fprintf(out, "%s%s\n", command, suffix);
    }
    free(command);
    free(suffix);
    if (!command || !suffix)
        return sl_report_no_memory(f);

    const struct {
        const char *one, *many;
        uint64_t n;
        bool always;
    } figures[] = {
        {"instruction", "instructions", program->instructions, true},
        {"block", "blocks", program->blocks, true},
        /* 0 means that the stream has no loads, not that the program has none */
        {some ? "load sampled" : "load", some ? "loads sampled" : "loads", program->loads, false},
        {"thread", "threads", program->threads, false},
    };
    size_t used = 0;
    for (size_t i = 0; i < 4; i++)
        if (figures[i].n || figures[i].always)
            used += (size_t)snprintf(counts + used, sizeof counts - used, "%s%s %s",
                                     used ? ", " : "", sl_format_number(figures[i].n, a),
                                     figures[i].n == 1 ? figures[i].one : figures[i].many);
    char *tap = program->tap ? sl_utf8_printable(program->tap) : NULL;
    if (tap && used < sizeof counts)
        snprintf(counts + used, sizeof counts - used, "; traced by the %s", tap);
    free(tap);
    return 1 + (int)sl_text_wrap(counts, "", width, out);
}

/* Prints the filters, if there are any. Returns the number of lines. */
static size_t print_selection(const struct sl_db_program *program, size_t width, FILE *out)
{
    char line[512] = "", window[64] = "", skip[SL_FORMAT_SIZE], limit[SL_FORMAT_SIZE];
    if (program->limit)
        snprintf(window, sizeof window, "%s instructions", sl_format_number(program->limit, limit));
    if (program->skip)
        snprintf(window + strlen(window), sizeof window - strlen(window), "%safter the first %s",
                 program->limit ? " " : "instructions ", sl_format_number(program->skip, skip));
    const struct {
        const char *word, *what;
    } parts[] = {
        {"", window[0] ? window : NULL},
        {"in ", program->range},
        {"instructions of class ", program->only},
        {"between region markers", program->marked ? "" : NULL},
        {"from the first call of ", program->start_at},
    };
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].what && used < sizeof line)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%s",
                                     used ? "; " : "filter: ", parts[i].word, parts[i].what);
    char *clean = sl_utf8_printable(line);
    size_t lines = used && clean ? sl_text_wrap(clean, "", width, out) : 0;
    free(clean);
    return lines;
}

/* Prints the sampling of load values, if they were sampled. Returns the number of lines. */
static size_t print_load_sampling(const struct sl_db_program *program, size_t width, FILE *out)
{
    char line[256], of[SL_FORMAT_SIZE], blocks[SL_FORMAT_SIZE];
    if (program->load_sampling_period <= 1)
        return 0;
    snprintf(line, sizeof line,
             "load values sampled: 1 in %s windows of %s blocks; their percentages are estimates",
             sl_format_number(program->load_sampling_period, of),
             sl_format_number(program->load_sampling_blocks, blocks));
    return sl_text_wrap(line, "", width, out);
}

size_t sl_text_warnings(const struct sl_warnings *warnings, size_t width, FILE *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < warnings->n; i++) {
        char *clean = sl_utf8_printable(warnings->text[i]);
        lines += clean ? sl_text_wrap(clean, "! ", width, out) : 0;
        free(clean);
    }
    return lines;
}

int sl_text_head(struct sl_database *database, size_t width, FILE *out, struct sl_failure *f)
{
    struct sl_warnings warnings;
    int printed = sl_warnings_collect(&warnings, database, f);
    if (printed < 0)
        return printed;
    printed = print_program(&database->program, width, out, f);
    if (printed >= 0) {
        printed += (int)print_selection(&database->program, width, out);
        printed += (int)print_load_sampling(&database->program, width, out);
        if (warnings.n)
            putc('\n', out);
        printed += (warnings.n > 0) + (int)sl_text_warnings(&warnings, width, out);
    }
    sl_warnings_free(&warnings);
    return printed;
}

size_t sl_text_width(const struct sl_report_config *config)
{
    size_t width = config->width ? config->width : SCREEN_WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

void sl_text_orphans(const struct sl_context_tree *tree, size_t width, FILE *out)
{
    char line[128], number[SL_FORMAT_SIZE];
    if (!tree->orphans)
        return;
    snprintf(
        line, sizeof line,
        "the callers of %s contexts are unknown: costs of callers do not include these contexts",
        sl_format_number(tree->orphans, number));
    sl_text_wrap(line, "! ", width, out);
}

static void print_call_costs_foot(const struct sl_call_costs *costs, size_t shown, size_t width,
                                  FILE *out)
{
    char line[256], number[SL_FORMAT_SIZE];
    size_t more = costs->tree.n_functions - shown;
    size_t used = (size_t)snprintf(line, sizeof line, "of %s %s",
                                   sl_format_number(costs->total, number), costs->units);
    if (more)
        snprintf(line + used, sizeof line - used, "; %s more function%s",
                 sl_format_number(more, number), more == 1 ? "" : "s");
    putc('\n', out);
    sl_text_wrap(line, "", width, out);
    sl_text_orphans(&costs->tree, width, out);
}

int sl_text_call_costs(struct sl_database *database, const struct sl_report_config *config,
                       const char *what,
                       bool (*print)(const struct sl_call_costs *costs, size_t n, size_t width,
                                     FILE *out),
                       FILE *out, struct sl_failure *f)
{
    struct sl_call_costs costs;
    size_t width = sl_text_width(config), n = config->n ? config->n : CALL_COSTS_ROWS;
    int result = sl_call_costs_load(&costs, database, false, f);
    if (result)
        return result;
    n = n < costs.tree.n_functions ? n : costs.tree.n_functions;
    result = sl_text_head(database, width, out, f);
    if (result >= 0) {
        fprintf(out, "\n%s by %s\n", what, costs.units);
        result = print(&costs, n, width, out) ? 0 : sl_report_no_memory(f);
    }
    if (!result)
        print_call_costs_foot(&costs, n, width, out);
    sl_call_costs_free(&costs);
    return result;
}
