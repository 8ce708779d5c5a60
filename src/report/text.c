/* The report for people: one screen that says what ran, what to beware of, and
 * for each profile its heaviest entries.
 *
 *     ./primes 10000 (x86-64)
 *     2,837,443 instructions, 553,612 blocks, 1 thread
 *
 *     Functions by instructions
 *       2,500,000   88.11%  is_prime  primes.c:6
 *         300,000   10.57%  main      primes.c:14
 *                   98.68%  of 2,837,443 instructions; 412 more functions */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "exporter.h"
#include "failure.h"
#include "text_table.h"
#include "utf8.h"
#include "wording.h"

#define SCREEN_LINES 38 /* of 40: a command and the next prompt are also there */
#define SCREEN_WIDTH 100
#define LEAST_WIDTH 40
#define LEAST_ENTRIES 3
#define AROUND_ENTRIES 3 /* lines of a profile besides: blank, heading, sum */

static int fail_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "there is not enough memory for the report");
}

/* ---- what ran --------------------------------------------------------- */

/* As it could be typed, roughly: an argument that would fall apart is quoted. */
static char *command_text(const struct sl_saved_program *program)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < program->argc; i++) {
        const char *quote = !program->argv[i][0] || strpbrk(program->argv[i], " \t\n") ? "'" : "";
        fprintf(out, "%s%s%s%s", i ? " " : "", quote, program->argv[i], quote);
    }
    if (!program->argc)
        fputs(program->path && program->path[0] ? program->path : "a stream without a program", out);
    fclose(out);
    char *printable = text ? sl_utf8_printable(text) : NULL;
    free(text);
    return printable;
}

static void ending_text(const struct sl_saved_program *program, char *out, size_t room)
{
    out[0] = '\0';
    if (!program->ended)
        return;
    if (WIFEXITED(program->status) && WEXITSTATUS(program->status))
        snprintf(out, room, ", exit status %d", WEXITSTATUS(program->status));
    if (WIFSIGNALED(program->status)) {
        const char *name = sigabbrev_np(WTERMSIG(program->status));
        if (name)
            snprintf(out, room, ", killed by SIG%s", name);
        else
            snprintf(out, room, ", killed by signal %d", WTERMSIG(program->status));
    }
}

/* Returns the number of lines, or an error. */
static int print_program(const struct sl_saved_program *program, size_t width, FILE *out,
                         struct sl_failure *f)
{
    char behind[128], ending[64], counts[256], a[SL_GROUPED_ROOM];
    char *command = command_text(program);
    if (!command)
        return fail_memory(f);
    ending_text(program, ending, sizeof ending);
    bool known = strcmp(program->arch, "none") != 0;
    snprintf(behind, sizeof behind, "%s%s%s%s", known ? " (" : "", known ? program->arch : "",
             known ? ")" : "", ending);
    sl_utf8_shorten(command, width > strlen(behind) ? width - strlen(behind) : 0);
    fprintf(out, "%s%s\n", command, behind);
    free(command);

    const struct {
        const char *one, *many;
        uint64_t n;
        bool always;
    } figures[] = {
        {"instruction", "instructions", program->instructions, true},
        {"block", "blocks", program->blocks, true},
        {"load", "loads", program->loads, false}, /* 0: the stream had none, not the program */
        {"thread", "threads", program->threads, false},
    };
    size_t used = 0;
    for (size_t i = 0; i < 4; i++)
        if (figures[i].n || figures[i].always)
            used += (size_t)snprintf(counts + used, sizeof counts - used, "%s%s %s", used ? ", " : "",
                                     sl_grouped(figures[i].n, a),
                                     figures[i].n == 1 ? figures[i].one : figures[i].many);
    return 1 + (int)sl_text_wrap(counts, "", width, out);
}

/* What part of the run was looked at, if not all of it. */
static int print_selection(const struct sl_saved_program *program, size_t width, FILE *out)
{
    char line[512] = "";
    const struct {
        const char *word, *what;
    } parts[] = {
        {"in ", program->range},
        {"instructions of class ", program->only},
        {"between marks", program->marked ? "" : NULL},
    };
    size_t used = 0;
    for (size_t i = 0; i < 3; i++)
        if (parts[i].what && used < sizeof line)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%s",
                                     used ? "; " : "counted only: ", parts[i].word, parts[i].what);
    char *clean = sl_utf8_printable(line);
    size_t lines = used && clean ? sl_text_wrap(clean, "", width, out) : 0;
    free(clean);
    return (int)lines;
}

static int print_notes(const struct sl_notes *notes, size_t width, FILE *out)
{
    size_t lines = notes->n ? 1 : 0;
    if (notes->n)
        putc('\n', out);
    for (size_t i = 0; i < notes->n; i++) {
        char *clean = sl_utf8_printable(notes->note[i]);
        lines += clean ? sl_text_wrap(clean, "! ", width, out) : 0;
        free(clean);
    }
    return (int)lines;
}

/* ---- profiles --------------------------------------------------------- */

struct listing {
    const struct sl_saved_profile *profile;
    struct sl_text_table table;
    uint64_t shown, shown_weight;
};

static char *printable(char *text)
{
    char *clean = text ? sl_utf8_printable(text) : NULL;
    free(text);
    return clean;
}

__attribute__((format(printf, 1, 2))) static char *format(const char *pattern, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, pattern);
    int length = vasprintf(&text, pattern, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

/* Takes `symbol`: where the block begins. */
static char *block_text(char *symbol, const struct sl_saved_entry *entry)
{
    const struct sl_saved_place *at = &entry->at, *to = &entry->to;
    char *text;
    if (!symbol || to->address == at->address)
        return symbol;
    if (at->function && to->function && at->function_start == to->function_start) {
        text = format("%s..+0x%" PRIx64, symbol, to->address - to->function_start);
    } else {
        char *end = sl_saved_symbol(to);
        text = end ? format("%s..%s", symbol, end) : NULL;
        free(end);
    }
    free(symbol);
    return text;
}

/* Small numbers also as people write them. */
static char *value_text(uint64_t value)
{
    int64_t number = (int64_t)value;
    if (number > -1000000 && number < 1000000 && (number < 0 || number > 9))
        return format("0x%" PRIx64 " (%" PRId64 ")", value, number);
    return format("0x%" PRIx64, value);
}

static char *target_text(const struct sl_saved_place *to)
{
    char *symbol = sl_saved_symbol(to);
    char *text = symbol ? format("-> %s", symbol) : NULL;
    free(symbol);
    return text;
}

static int add_entry(void *context, const struct sl_saved_entry *entry)
{
    struct listing *listing = context;
    const struct sl_saved_profile *profile = listing->profile;
    char grouped[SL_GROUPED_ROOM];
    double share = profile->weight ? 100.0 * (double)entry->count / (double)profile->weight : 0;
    bool is_code = strcmp(profile->detector, "function") || entry->at.address;
    char *symbol = is_code ? sl_saved_symbol(&entry->at) : strdup("(code without a symbol)");
    char *cell[6] = {
        strdup(sl_grouped(entry->count, grouped)),
        format("%.2f%%", share),
        NULL,
        printable(sl_saved_line(&entry->at)),
    };
    switch (profile->second) {
    case SL_SECOND_NONE: break;
    case SL_SECOND_VALUE: cell[4] = value_text(entry->value); break;
    case SL_SECOND_SLOT: cell[4] = entry->value ? format("0x%" PRIx64, entry->value) : NULL; break;
    case SL_SECOND_END: symbol = block_text(symbol, entry); break;
    case SL_SECOND_TARGET:
        cell[4] = printable(target_text(&entry->to));
        cell[5] = printable(sl_saved_line(&entry->to));
        break;
    }
    cell[2] = printable(symbol);
    listing->shown++;
    listing->shown_weight += entry->count;
    bool whole = cell[0] && cell[1] && cell[2];
    return sl_text_row(&listing->table, cell) && whole ? 0 : SL_ENOMEM;
}

/* Says which table kept it where that matters, or what tells two profiles of the
 * same kind apart. */
static void print_heading(const struct sl_saved_profiles *profiles, size_t i, size_t width, FILE *out)
{
    const struct sl_saved_profile *profile = &profiles->profile[i];
    char heading[128], other[128];
    bool alone = !strcmp(profile->table, "exact");
    sl_heading(profile, heading, sizeof heading);
    for (size_t k = 0; k < profiles->n; k++) {
        sl_heading(&profiles->profile[k], other, sizeof other);
        alone = alone && (k == i || strcmp(heading, other));
    }
    sl_utf8_shorten(heading, width);
    fprintf(out, "\n%s", heading);
    size_t left = width - strlen(heading);
    char *spec = alone || left < 16 ? NULL : sl_utf8_printable(profile->spec);
    if (spec) {
        sl_utf8_shorten(spec, left - 2);
        fprintf(out, "  %s", spec);
    }
    free(spec);
    putc('\n', out);
}

/* Under the shares, their sum, and what it is a share of. */
static void print_sum(const struct listing *listing, size_t width, FILE *out)
{
    const struct sl_saved_profile *profile = listing->profile;
    const size_t *column = listing->table.width;
    char share[32], first[96], line[256], a[SL_GROUPED_ROOM];
    uint64_t more = profile->distinct > listing->shown ? profile->distinct - listing->shown : 0;
    snprintf(share, sizeof share, "%.2f%%",
             profile->weight ? 100.0 * (double)listing->shown_weight / (double)profile->weight : 0);
    snprintf(first, sizeof first, "%*s  ", (int)(2 * SL_TEXT_INDENT + column[0] + column[1]), share);
    size_t used = (size_t)snprintf(line, sizeof line, "of %s %s", sl_grouped(profile->weight, a),
                                   sl_units(profile));
    if (more)
        used += (size_t)snprintf(line + used, sizeof line - used, "; %s more %s", sl_grouped(more, a),
                                 sl_things(profile));
    if (profile->drops)
        snprintf(line + used, sizeof line - used, "; %s events were not kept",
                 sl_grouped(profile->drops, a));
    sl_text_wrap(line, first, width, out);
}

static int print_profile(sqlite3 *database, const struct sl_saved_profiles *profiles, size_t i,
                         uint64_t n, size_t width, FILE *out, struct sl_failure *f)
{
    struct listing listing = {
        .profile = &profiles->profile[i],
        .table = {
            .n_columns = 6,
            .column = {SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_SHRINKS,
                       SL_COLUMN_SHRINKS | SL_COLUMN_GOES, SL_COLUMN_SHRINKS,
                       SL_COLUMN_SHRINKS | SL_COLUMN_GOES},
        },
    };
    print_heading(profiles, i, width, out);
    if (!listing.profile->saved) {
        fprintf(out, "  none\n");
        return 0;
    }
    int result = sl_saved_entries(database, listing.profile, n, add_entry, &listing, f);
    if (result == SL_ENOMEM)
        fail_memory(f);
    if (!result) {
        sl_text_fit(&listing.table, width);
        sl_text_print(&listing.table, width, out);
        print_sum(&listing, width, out);
    }
    sl_text_free(&listing.table);
    return result;
}

/* How many entries of each profile: as given, or so that all together fill a
 * screen. Profiles take turns, so that one with few entries leaves its lines
 * to the others. */
static void choose(uint64_t *n, const struct sl_saved_profiles *profiles, uint64_t given, int used)
{
    int left = SCREEN_LINES - used - AROUND_ENTRIES * (int)profiles->n;
    bool progress = true;
    for (size_t i = 0; i < profiles->n; i++)
        n[i] = given;
    for (uint64_t round = 0; !given && progress; round++) {
        progress = false;
        for (size_t i = 0; i < profiles->n; i++)
            if (profiles->profile[i].saved > n[i] && (left > 0 || round < LEAST_ENTRIES)) {
                n[i]++;
                left--;
                progress = true;
            }
    }
}

static int write_text(sqlite3 *database, const struct sl_report_config *config, FILE *out,
                      struct sl_failure *f)
{
    size_t width = config->width ? config->width : SCREEN_WIDTH;
    struct sl_told told;
    if (width < LEAST_WIDTH)
        width = LEAST_WIDTH;
    int result = sl_told_load(database, &told, f);
    if (result)
        return result;
    uint64_t *n = calloc(told.profiles.n + 1, sizeof *n);
    result = n ? print_program(&told.program, width, out, f) : fail_memory(f);
    if (result > 0) {
        int used = result + print_selection(&told.program, width, out);
        used += print_notes(&told.notes, width, out);
        choose(n, &told.profiles, config->n, used);
        result = 0;
    }
    for (size_t i = 0; !result && i < told.profiles.n; i++)
        result = print_profile(database, &told.profiles, i, n[i], width, out, f);
    free(n);
    sl_told_free(&told);
    return result;
}

const struct sl_exporter sl_text_exporter = {
    .name = "text",
    .summary = "one screen for people (the default)",
    .write = write_text,
};
