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

/* Shortens a command: first the directory of the program, then the end of the arguments. */
static void shorten_command(char *command, size_t width)
{
    char *end = command + strcspn(command, " "), *name = end;
    while (name > command && name[-1] != '/' && name[-1] != '\'')
        name--;
    if (sl_utf8_length(command) > width && command[0] != '\'')
        memmove(command, name, strlen(name) + 1);
    sl_utf8_shorten(command, width);
}

static int print_program(const struct sl_output *o)
{
    const struct sl_db_program *program = &o->database->program;
    char ending[64], counts[256];
    char *command = sl_format_command(program);
    bool known = strcmp(program->arch, "none") != 0, some = program->load_sampling_period > 1;
    ending_text(program, ending, sizeof ending);
    char *suffix = sl_own_printable(sl_asprintf(
        "%s%.64s%s%s", known ? " (" : "", known ? program->arch : "", known ? ")" : "", ending));
    if (command && suffix) {
        size_t taken = sl_utf8_length(suffix);
        shorten_command(command, o->width > taken ? o->width - taken : 0);
        fprintf(o->out, "%s%s\n", command, suffix);
    }
    free(command);
    free(suffix);
    if (!command || !suffix)
        return sl_report_no_memory(o->f);

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
    sl_text_paragraph(o->out, o->width, "", "%s%s%s", counts,
                      program->tap ? "; traced by the " : "", program->tap ? program->tap : "");
    return 0;
}

/* Prints the filters, if there are any. */
static void print_selection(const struct sl_output *o)
{
    const struct sl_db_program *program = &o->database->program;
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
    if (used)
        sl_text_paragraph(o->out, o->width, "", "%s", line);
}

/* Prints the sampling of load values, if they were sampled. */
static void print_load_sampling(const struct sl_output *o)
{
    const struct sl_db_program *program = &o->database->program;
    if (program->load_sampling_period > 1)
        sl_text_paragraph(
            o->out, o->width, "",
            "load values sampled: 1 in %s windows of %s blocks; their percentages are estimates",
            SL_NUMBER(program->load_sampling_period), SL_NUMBER(program->load_sampling_blocks));
}

void sl_text_warnings(const struct sl_warnings *warnings, size_t width, FILE *out)
{
    for (size_t i = 0; i < warnings->n; i++)
        sl_text_paragraph(out, width, "! ", "%s", warnings->text[i]);
}

int sl_text_title(const struct sl_output *o, uint64_t processes)
{
    const struct sl_db_program *program = &o->database->program;
    char ending[64];
    char *command = sl_format_command(program);
    bool known = strcmp(program->arch, "none") != 0;
    uint64_t n = processes ? processes : program->threads;
    ending_text(program, ending, sizeof ending);
    char *about = sl_own_printable(sl_asprintf(
        "%.64s%s%s instructions%s   %s %s%s%s%s", known ? program->arch : "", known ? "   " : "",
        SL_SHORT(program->instructions), ending, SL_NUMBER(n), processes ? "process" : "thread",
        n == 1      ? ""
        : processes ? "es"
                    : "s",
        program->tap ? "   traced by the " : "", program->tap ? program->tap : ""));
    bool good = command && about;
    if (good) {
        size_t taken = sl_utf8_length(about) + 3, length = sl_utf8_length(command);
        bool two_lines = taken + (length < COMMAND_MIN ? length : COMMAND_MIN) > o->width;
        shorten_command(command, two_lines ? o->width : o->width - taken);
        length = sl_utf8_length(command);
        fprintf(o->out, two_lines ? "%s\n%*s%s\n" : "%s%*s%s\n", command,
                two_lines ? 0 : (int)(o->width - taken - length + 3), "", about);
    }
    free(command);
    free(about);
    print_selection(o);
    return good ? 0 : sl_report_no_memory(o->f);
}

int sl_text_run_warnings(const struct sl_output *o)
{
    struct sl_warnings warnings;
    int result = sl_warnings_collect(&warnings, o->database, o->f);
    if (result)
        return result;
    if (warnings.n)
        putc('\n', o->out);
    sl_text_warnings(&warnings, o->width, o->out);
    sl_warnings_free(&warnings);
    return 0;
}

int sl_text_head(const struct sl_output *o)
{
    int result = print_program(o);
    if (result)
        return result;
    print_selection(o);
    print_load_sampling(o);
    return sl_text_run_warnings(o);
}

int sl_text_print_to(const struct sl_output *o,
                     int (*print)(const struct sl_output *o, const void *context),
                     const void *context, char **text)
{
    size_t size;
    struct sl_output to = *o;
    to.out = open_memstream(text, &size);
    int result = to.out ? print(&to, context) : SL_ENOMEM;
    return to.out && !fclose(to.out) ? result : sl_report_no_memory(o->f);
}

size_t sl_text_count_lines(const char *text)
{
    size_t n = 0;
    for (; text && (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

size_t sl_text_width(size_t given)
{
    size_t width = given ? given : SCREEN_WIDTH;
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

int sl_text_call_costs(const struct sl_output *o, const char *what,
                       bool (*print)(const struct sl_call_costs *costs, size_t n, size_t width,
                                     FILE *out))
{
    struct sl_call_costs costs;
    size_t n = o->config->n ? o->config->n : CALL_COSTS_ROWS;
    int result = sl_call_costs_load(&costs, o->database, false, o->f);
    if (result)
        return result;
    n = n < costs.tree.n_functions ? n : costs.tree.n_functions;
    result = sl_text_head(o);
    if (!result) {
        fprintf(o->out, "\n%s by %s\n", what, costs.units);
        result = print(&costs, n, o->width, o->out) ? 0 : sl_report_no_memory(o->f);
    }
    if (!result)
        print_call_costs_foot(&costs, n, o->width, o->out);
    sl_call_costs_free(&costs);
    return result;
}
