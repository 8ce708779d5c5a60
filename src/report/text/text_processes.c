/* SPDX-License-Identifier: MIT */
/* Text report of the process tree of a run with --follow:
 *
 *      instructions  number  command
 *                         1  make
 *                         2    sh -c ...
 *                         3      cc ...
 *                         5  a second process that the program started itself
 *
 * A fork that soon executes another program is not printed; its children are printed below its
 * parent. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#define SHOWN 20 /* unless config->n is set */
#define COUNT_COLUMNS 15
#define DEEPEST 20 /* maximum indentation level */
#define INDENT 2

struct tree {
    const struct sl_db_processes *all;
    struct node {
        size_t first, next; /* numbers of the first child and the next sibling; 0: none */
        unsigned depth;
    } * node; /* by number */
    uint64_t most, shown, small, sum, short_fork_instructions;
    size_t n_short_forks, width;
    FILE *out;
    bool failed;
};

static size_t parent_of(const struct sl_db_processes *all, size_t i)
{
    uint64_t parent = all->process[i].parent;
    return parent <= all->n ? (size_t)parent : 0;
}

static bool link_children(struct tree *t)
{
    t->node = calloc(t->all->n + 1, sizeof *t->node);
    for (size_t i = t->all->n; t->node && i--;) {
        struct node *parent = &t->node[parent_of(t->all, i)];
        t->node[i + 1].next = parent->first;
        parent->first = i + 1;
    }
    return t->node;
}

static void print_process(struct tree *t, const struct sl_db_process *process, unsigned depth)
{
    size_t before = COUNT_COLUMNS + 8 + INDENT * depth,
           space = t->width > before ? t->width - before : 0;
    char *command = process->profiled
                        ? sl_format_command(&process->about)
                        : sl_utf8_printable(process->program ? process->program : "?");
    if (!command) {
        t->failed = true;
        return;
    }
    const char *copy = process->forked ? " (a fork)" : "";
    sl_utf8_shorten(command, space > strlen(copy) ? space - strlen(copy) : space);
    fprintf(t->out, "%*s  %4llu  %*s%s%s\n", COUNT_COLUMNS,
            process->profiled ? SL_NUMBER(process->about.instructions) : "not profiled",
            (unsigned long long)process->number, (int)(INDENT * depth), "", command, copy);
    free(command);
}

/* Removes the next child from the list and returns it; 0 if there is none. The removal ends cycles
 * in a damaged database. */
static size_t next_child(struct tree *t, struct node *parent)
{
    size_t i = parent->first;
    if (!i)
        return 0;
    const struct sl_db_process *process = &t->all->process[i - 1];
    bool short_fork = process->counted || (process->forked && process->about.exec &&
                                           process->about.instructions < t->small);
    parent->first = t->node[i].next;
    t->sum += process->about.instructions;
    if (short_fork) {
        t->short_fork_instructions += process->about.instructions;
        t->n_short_forks++;
    } else if (t->shown++ < t->most) {
        print_process(t, process, parent->depth);
    }
    t->node[i].depth = parent->depth + (!short_fork && parent->depth < DEEPEST);
    return i;
}

static void print_below(struct tree *t, size_t start)
{
    for (size_t at = start, below; !t->failed;) {
        if ((below = next_child(t, &t->node[at])))
            at = below;
        else if (at == start)
            break;
        else
            at = parent_of(t->all, at - 1);
    }
}

static void print_all(struct tree *t)
{
    for (size_t i = 0; i <= t->all->n; i++) /* the program's children; then processes in cycles */
        print_below(t, i);
    if (t->shown > t->most)
        fprintf(t->out, "%*s  and %s more\n", COUNT_COLUMNS, "", SL_NUMBER(t->shown - t->most));
    if (t->n_short_forks)
        fprintf(t->out, "%*s  in %s forked process%s that soon called exec\n", COUNT_COLUMNS,
                SL_NUMBER(t->short_fork_instructions), SL_NUMBER(t->n_short_forks),
                t->n_short_forks == 1 ? "" : "es");
    fprintf(t->out, "%*s  total, including the program itself\n", COUNT_COLUMNS, SL_NUMBER(t->sum));
}

int sl_text_processes(const struct sl_output *o)
{
    struct sl_db_processes all;
    if (!o->database->n_processes)
        return 0;
    int result = sl_db_processes(&all, o->database, o->f);
    if (result)
        return result;
    struct tree t = {.all = &all,
                     .most = o->config->n ? o->config->n : SHOWN,
                     .width = o->width,
                     .sum = o->database->program.instructions,
                     .out = o->out};
    uint64_t whole = t.sum;
    for (size_t i = 0; i < all.n; i++)
        whole += all.process[i].about.instructions;
    t.small = whole / 100;
    fprintf(t.out, "\nProcesses started by the program (columns: instructions, number, command)\n");
    t.failed = !link_children(&t);
    if (!t.failed)
        print_all(&t);
    free(t.node);
    sl_db_processes_free(&all);
    return t.failed ? sl_report_no_memory(o->f) : 0;
}
