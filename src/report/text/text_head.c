/* SPDX-License-Identifier: MIT */
/* Prints the first lines of every text report: the command, totals, filters and warnings. */
#include "text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "utf8.h"

#define SCREEN_WIDTH 100
#define LEAST_WIDTH 40
#define COMMAND_MIN 24     /* a command is not shortened below this to fit into the first line */
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
static int print_program(const struct sl_text *t)
{
    const struct sl_db_program *program = &t->database->program;
    char ending[64], counts[256];
    char *command = sl_format_command(program);
    bool known = strcmp(program->arch, "none") != 0, some = program->load_sampling_period > 1;
    ending_text(program, ending, sizeof ending);
    char *suffix = sl_own_printable(sl_asprintf(
        "%s%.64s%s%s", known ? " (" : "", known ? program->arch : "", known ? ")" : "", ending));
    if (command && suffix) {
        size_t taken = sl_utf8_length(suffix);
        sl_utf8_shorten(command, t->width > taken ? t->width - taken : 0);
        fprintf(t->out, "%s%s\n", command, suffix);
    }
    free(command);
    free(suffix);
    if (!command || !suffix)
        return sl_report_no_memory(t->f);

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
                                     used ? ", " : "", SL_NUMBER(figures[i].n),
                                     figures[i].n == 1 ? figures[i].one : figures[i].many);
    return 1 + (int)sl_text_paragraph(t->out, t->width, "", "%s%s%s", counts,
                                      program->tap ? "; traced by the " : "",
                                      program->tap ? program->tap : "");
}

/* Prints the filters, if there are any. Returns the number of lines. */
static size_t print_selection(const struct sl_text *t)
{
    const struct sl_db_program *program = &t->database->program;
    char line[512] = "", window[64] = "";
    if (program->limit)
        snprintf(window, sizeof window, "%s instructions", SL_NUMBER(program->limit));
    if (program->skip)
        snprintf(window + strlen(window), sizeof window - strlen(window), "%safter the first %s",
                 program->limit ? " " : "instructions ", SL_NUMBER(program->skip));
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
    return used ? sl_text_paragraph(t->out, t->width, "", "%s", line) : 0;
}

/* Prints the sampling of load values, if they were sampled. Returns the number of lines. */
static size_t print_load_sampling(const struct sl_text *t)
{
    const struct sl_db_program *program = &t->database->program;
    if (program->load_sampling_period <= 1)
        return 0;
    return sl_text_paragraph(
        t->out, t->width, "",
        "load values sampled: 1 in %s windows of %s blocks; their percentages are estimates",
        SL_NUMBER(program->load_sampling_period), SL_NUMBER(program->load_sampling_blocks));
}

size_t sl_text_warnings(const struct sl_warnings *warnings, size_t width, FILE *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < warnings->n; i++)
        lines += sl_text_paragraph(out, width, "! ", "%s", warnings->text[i]);
    return lines;
}

int sl_text_title(const struct sl_text *t)
{
    const struct sl_db_program *program = &t->database->program;
    char ending[64];
    char *command = sl_format_command(program);
    bool known = strcmp(program->arch, "none") != 0;
    ending_text(program, ending, sizeof ending);
    char *about = sl_own_printable(
        sl_asprintf("%.64s%s%s instructions%s   %s thread%s%s%s%s", known ? program->arch : "",
                    known ? "   " : "", SL_SHORT(program->instructions), ending,
                    SL_NUMBER(program->threads), program->threads == 1 ? "" : "s",
                    program->tap ? "   traced by the " : "", program->tap ? program->tap : "", ""));
    bool good = command && about;
    int lines = 1;
    if (good) {
        size_t taken = sl_utf8_length(about) + 3, length = sl_utf8_length(command);
        lines = taken + (length < COMMAND_MIN ? length : COMMAND_MIN) > t->width ? 2 : 1;
        sl_utf8_shorten(command, lines == 2 ? t->width : t->width - taken);
        length = sl_utf8_length(command);
        fprintf(t->out, lines == 2 ? "%s\n%*s%s\n" : "%s%*s%s\n", command,
                lines == 2 ? 0 : (int)(t->width - taken - length + 3), "", about);
    }
    free(command);
    free(about);
    return good ? lines + (int)print_selection(t) : sl_report_no_memory(t->f);
}

int sl_text_run_warnings(const struct sl_text *t)
{
    struct sl_warnings warnings;
    int printed = sl_warnings_collect(&warnings, t->database, t->f);
    if (printed < 0)
        return printed;
    if (warnings.n)
        putc('\n', t->out);
    printed = (warnings.n > 0) + (int)sl_text_warnings(&warnings, t->width, t->out);
    sl_warnings_free(&warnings);
    return printed;
}

int sl_text_head(const struct sl_text *t)
{
    int program = print_program(t);
    if (program < 0)
        return program;
    program += (int)(print_selection(t) + print_load_sampling(t));
    int warnings = sl_text_run_warnings(t);
    return warnings < 0 ? warnings : program + warnings;
}

size_t sl_text_width(const struct sl_report_config *config)
{
    size_t width = config->width ? config->width : SCREEN_WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

void sl_text_orphans(const struct sl_context_tree *tree, size_t width, FILE *out)
{
    if (tree->orphans)
        sl_text_paragraph(out, width, "! ",
                          "the callers of %s contexts are unknown: costs of callers do not include "
                          "these contexts",
                          SL_NUMBER(tree->orphans));
}

static void print_call_costs_foot(const struct sl_call_costs *costs, size_t shown, size_t width,
                                  FILE *out)
{
    char rest[64] = "";
    size_t more = costs->tree.n_functions - shown;
    if (more)
        snprintf(rest, sizeof rest, "; %s more function%s", SL_NUMBER(more), more == 1 ? "" : "s");
    putc('\n', out);
    sl_text_paragraph(out, width, "", "of %s %s%s", SL_NUMBER(costs->total), costs->units, rest);
    sl_text_orphans(&costs->tree, width, out);
}

int sl_text_call_costs(struct sl_database *database, const struct sl_report_config *config,
                       const char *what,
                       bool (*print)(const struct sl_call_costs *costs, size_t n, size_t width,
                                     FILE *out),
                       FILE *out, struct sl_failure *f)
{
    struct sl_call_costs costs;
    struct sl_text t = {database, config, sl_text_width(config), out, f};
    size_t n = config->n ? config->n : CALL_COSTS_ROWS;
    int result = sl_call_costs_load(&costs, database, false, f);
    if (result)
        return result;
    n = n < costs.tree.n_functions ? n : costs.tree.n_functions;
    result = sl_text_head(&t);
    if (result >= 0) {
        fprintf(out, "\n%s by %s\n", what, costs.units);
        result = print(&costs, n, t.width, out) ? 0 : sl_report_no_memory(f);
    }
    if (!result)
        print_call_costs_foot(&costs, n, t.width, out);
    sl_call_costs_free(&costs);
    return result;
}
