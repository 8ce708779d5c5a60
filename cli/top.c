/* SPDX-License-Identifier: MIT */
/* Thread that updates the screen of `sluice top`: copies the results of each interval from the
 * session, handles keys, and stores the profiled program's output until the end of the run
 * (top.h). */
#include "top.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

#define SCREEN_MS 100
#define PROFILES_MAX 64u
#define FUNCTIONS SIZE_MAX
#define OUTPUT_TAIL 512

/* A profile's newest interval. */
struct profile {
    struct cli_top_head head;
    struct sl_live_candidate row[TOP_ROWS], gone[TOP_ROWS];
};

struct cli_top {
    struct cli_terminal terminal;
    const char *program;
    struct cli_snapshot *snapshot;
    int output, saved_streams[3]; /* -1: not redirected */
    pthread_t thread;
    atomic_bool ending;
    struct timespec started;

    /* Views: functions, if there is a profile of them, and the profiles with intervals. */
    const char *view[PROFILES_MAX];
    size_t profile_of_view[PROFILES_MAX], n_views; /* FUNCTIONS, or index in the session */

    /* Used by the session's thread only. */
    struct cli_function_costs *costs; /* NULL: there is no view of functions */
    struct cli_top_functions next_functions;

    pthread_mutex_t lock; /* protects the next two */
    struct profile *profile[PROFILES_MAX];
    struct cli_top_functions functions;

    /* Used by the terminal's thread only. */
    struct profile raw;
    struct cli_top_functions shown_functions;
    struct cli_top_interval *screen;
    size_t at;
    enum cli_top_order order;
    bool by_total, frozen, helps, utf8;
    unsigned saved_before;
    char message[128];
};

/* ---- the session's side ---- */

static size_t copy(struct sl_live_candidate *to, const struct sl_live_candidate *from, size_t n)
{
    n = n < TOP_ROWS ? n : TOP_ROWS;
    if (n) /* `from` may be NULL */
        memcpy(to, from, n * sizeof *to);
    return n;
}

void cli_top_add(struct cli_top *t, const struct sl_live_interval *l)
{
    const struct sl_interval *i = l->interval;
    pthread_mutex_lock(&t->lock);
    struct profile **at = l->profile < PROFILES_MAX ? &t->profile[l->profile] : NULL;
    if (at && !*at)
        *at = calloc(1, sizeof **at);
    struct profile *p = at ? *at : NULL;
    if (p)
        p->head = (struct cli_top_head){.given = l->given,
                                        .unit = l->unit,
                                        .number = i->number,
                                        .events = i->events,
                                        .weight = i->weight,
                                        .n_candidates = l->n_candidates,
                                        .n_new = l->n_new,
                                        .n_gone = l->n_gone,
                                        .n_rows = copy(p->row, l->candidate, l->n_candidates),
                                        .n_gone_rows = copy(p->gone, l->gone, l->n_gone)};
    pthread_mutex_unlock(&t->lock);
}

void cli_top_poll(struct cli_top *t)
{
    if (!t->costs || !cli_function_costs_poll(t->costs, &t->next_functions))
        return;
    pthread_mutex_lock(&t->lock);
    t->functions = t->next_functions;
    pthread_mutex_unlock(&t->lock);
}

/* ---- the terminal's side ---- */

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static void copy_entry(struct cli_top_row *row, const struct sl_live_candidate *candidate)
{
    row->count = candidate->entry.count;
    row->is_new = candidate->is_new;
    char what[TOP_LONG_TEXT];
    sl_live_text(candidate, what, sizeof what, row->where, sizeof row->where);
    cli_top_copy_name(row->what, what);
}

static bool shows_functions(const struct cli_top *t)
{
    return t->n_views && t->profile_of_view[t->at] == FUNCTIONS;
}

static bool copy_functions(struct cli_top *t)
{
    pthread_mutex_lock(&t->lock);
    bool is_new = t->shown_functions.number != t->functions.number;
    if (is_new)
        t->shown_functions = t->functions;
    pthread_mutex_unlock(&t->lock);
    return is_new;
}

/* Copies the newest interval of the current view to t->screen or t->shown_functions. Returns false
 * if it is there already, or there is none. Names are looked up here, in the terminal's thread, so
 * that the program does not wait for it. */
static bool copy_newest(struct cli_top *t)
{
    if (t->frozen || !t->n_views)
        return false;
    if (shows_functions(t))
        return copy_functions(t);
    const struct cli_top_head *shown = &t->screen->head;
    pthread_mutex_lock(&t->lock);
    const struct profile *p = t->profile[t->profile_of_view[t->at]];
    bool is_new = p && (shown->given != p->head.given || shown->number != p->head.number);
    if (is_new)
        t->raw = *p;
    pthread_mutex_unlock(&t->lock);
    if (!is_new)
        return false;
    t->screen->head = t->raw.head;
    for (size_t i = 0; i < t->raw.head.n_rows; i++)
        copy_entry(&t->screen->row[i], &t->raw.row[i]);
    for (size_t i = 0; i < t->raw.head.n_gone_rows; i++)
        copy_entry(&t->screen->gone[i], &t->raw.gone[i]);
    return true;
}

/* The last line of the program's output, which may be incomplete. */
static void last_line(const struct cli_top *t, char text[OUTPUT_TAIL])
{
    char tail[OUTPUT_TAIL];
    off_t end = t->output < 0 ? 0 : lseek(t->output, 0, SEEK_END);
    off_t start = end > OUTPUT_TAIL - 1 ? end - (OUTPUT_TAIL - 1) : 0;
    ssize_t n = end > 0 ? pread(t->output, tail, (size_t)(end - start), start) : 0;
    while (n > 0 && tail[n - 1] == '\n')
        n--;
    ssize_t from = n > 0 ? n : 0;
    while (from > 0 && tail[from - 1] != '\n')
        from--;
    snprintf(text, OUTPUT_TAIL, "%.*s", (int)(n > 0 ? n - from : 0), tail + from);
}

static bool has_interval(const struct cli_top *t)
{
    return shows_functions(t) ? t->shown_functions.number > 0 : t->screen->head.given != NULL;
}

static void draw(struct cli_top *t)
{
    char output[OUTPUT_TAIL];
    size_t n = 0;
    last_line(t, output);
    struct cli_top_screen screen = {.program = t->program,
                                    .message = t->message[0] ? t->message : NULL,
                                    .output = output,
                                    .view = t->view,
                                    .at = t->at,
                                    .n_views = t->n_views,
                                    .rows = t->terminal.rows,
                                    .columns = t->terminal.columns,
                                    .seconds = seconds_since(&t->started),
                                    .order = t->order,
                                    .by_total = t->by_total,
                                    .frozen = t->frozen,
                                    .helps = t->helps,
                                    .utf8 = t->utf8};
    if (has_interval(t) && shows_functions(t))
        screen.functions = &t->shown_functions;
    else if (has_interval(t))
        screen.interval = t->screen;
    char *text = cli_top_draw(&screen, &n);
    cli_terminal_show(&t->terminal, text, n);
}

static void show_view(struct cli_top *t, size_t view)
{
    if (view < t->n_views && view != t->at) {
        t->at = view;
        t->frozen = false;
        t->screen->head.given = NULL;
    }
}

static void change_order(struct cli_top *t)
{
    if (shows_functions(t))
        t->by_total = !t->by_total && t->shown_functions.has_callers;
    else
        t->order = (t->order + 1) % TOP_ORDERS;
}

/* Returns false if the screen is to be left. */
static bool handle_key(struct cli_top *t, int key)
{
    t->message[0] = 0;
    if (key == 'q') {
        snprintf(t->message, sizeof t->message, "SIGTERM sent to the program");
        kill(getpid(), SIGTERM); /* signals.c forwards it */
    } else if (key == 'p' || key == '\t') {
        show_view(t, t->at + 1 < t->n_views ? t->at + 1 : 0);
    } else if (key >= '1' && key <= '9') {
        show_view(t, (size_t)(key - '1'));
    } else if (key == 's') {
        change_order(t);
    } else if (key == 'f') {
        t->frozen = !t->frozen && has_interval(t);
    } else if (key == 'w') {
        snprintf(t->message, sizeof t->message, "saving the profile so far");
        cli_snapshot_request();
    } else if (key == 'h' || key == '?') {
        t->helps = !t->helps;
    }
    return key != 'd' && key != -1;
}

static bool needs_redraw(struct cli_top *t)
{
    bool changed = cli_terminal_measure(&t->terminal);
    unsigned saved = cli_snapshot_saved(t->snapshot);
    if (saved != t->saved_before) {
        t->saved_before = saved;
        snprintf(t->message, sizeof t->message, "profile so far saved to %.80s", t->snapshot->path);
        changed = true;
    }
    return copy_newest(t) || changed;
}

static void *show(void *top)
{
    struct cli_top *t = top;
    double drawn = -1;
    bool continues = true;
    draw(t);
    while (continues && !atomic_load(&t->ending)) {
        int key = cli_terminal_key(&t->terminal, SCREEN_MS);
        if (key)
            continues = handle_key(t, key);
        double now = seconds_since(&t->started);
        if (continues && (needs_redraw(t) || key || now - drawn >= 1)) {
            draw(t);
            drawn = now;
        }
    }
    cli_terminal_close(&t->terminal);
    return NULL;
}

/* ---- the program's streams ---- */

/* A temporary file without a name, so that no file is left if sluice is killed. */
static int open_unnamed(void)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    int fd = open(directory && *directory ? directory : "/tmp",
                  O_TMPFILE | O_RDWR | O_CLOEXEC | O_APPEND, 0600);
    if (fd >= 0)
        return fd;
    snprintf(path, sizeof path, "%s/sluice-output-XXXXXX",
             directory && *directory ? directory : "/tmp");
    fd = mkostemp(path, O_CLOEXEC | O_APPEND);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static void redirect(struct cli_top *t, int stream, int to)
{
    t->saved_streams[stream] = -1;
    if (to < 0 || !isatty(stream))
        return;
    t->saved_streams[stream] = fcntl(stream, F_DUPFD_CLOEXEC, 3);
    if (t->saved_streams[stream] >= 0)
        dup2(to, stream);
}

static void redirect_streams(struct cli_top *t)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    t->output = isatty(1) || isatty(2) ? open_unnamed() : -1;
    redirect(t, 0, null);
    redirect(t, 1, t->output);
    redirect(t, 2, t->output);
    if (null >= 0)
        close(null);
}

static void write_all(int fd, const char *text, ssize_t n)
{
    for (ssize_t at = 0, done; at < n && (done = write(fd, text + at, (size_t)(n - at))) > 0;
         at += done)
        ;
}

static void restore_streams(struct cli_top *t)
{
    char text[65536];
    fflush(stdout);
    fflush(stderr);
    for (int stream = 0; stream <= 2; stream++)
        if (t->saved_streams[stream] >= 0) {
            dup2(t->saved_streams[stream], stream);
            close(t->saved_streams[stream]);
        }
    off_t at = 0;
    for (ssize_t n; t->output >= 0 && (n = pread(t->output, text, sizeof text, at)) > 0; at += n)
        write_all(isatty(1) ? 1 : 2, text, n);
    if (t->output >= 0)
        close(t->output);
}

/* ---- open and close ---- */

/* As setlocale(3) does, but not limited to locales that are installed. */
static bool uses_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(locale && *locale); i++)
        locale = getenv(names[i]);
    return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

static void add_view(struct cli_top *t, const char *name, size_t profile)
{
    t->view[t->n_views] = name;
    t->profile_of_view[t->n_views++] = profile;
}

static void find_views(struct cli_top *t, struct sl_session *session)
{
    const char *name;
    t->costs = cli_function_costs_open(session);
    if (t->costs)
        add_view(t, "functions", FUNCTIONS);
    for (size_t i = 0; (name = sl_session_live_profile(session, i)) && i + 1 < PROFILES_MAX; i++)
        if (*name)
            add_view(t, name, i);
}

int cli_top_open(struct cli_top **top, struct sl_session *session, const char *program,
                 struct cli_snapshot *snapshot, struct sl_failure *f)
{
    struct cli_top *t = calloc(1, sizeof *t);
    if (!t || !(t->screen = calloc(1, sizeof *t->screen))) {
        free(t);
        *f = (struct sl_failure){.code = SL_ENOMEM, .text = "out of memory"};
        return SL_ENOMEM;
    }
    t->program = program;
    t->snapshot = snapshot;
    t->utf8 = uses_utf8();
    clock_gettime(CLOCK_MONOTONIC, &t->started);
    int error = cli_terminal_open(&t->terminal, f);
    if (error < 0) {
        free(t->screen);
        free(t);
        return error;
    }
    find_views(t, session);
    pthread_mutex_init(&t->lock, NULL);
    redirect_streams(t);
    sigset_t all, before; /* signals are for the thread that runs the session */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&t->thread, NULL, show, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *top = t;
    if (!error)
        return 0;
    atomic_store(&t->ending, true);
    *top = NULL;
    cli_terminal_close(&t->terminal);
    restore_streams(t);
    cli_function_costs_close(t->costs);
    free(t->screen);
    free(t);
    *f = (struct sl_failure){.code = SL_ENOMEM,
                             .text = "cannot start a thread for the screen of sluice top"};
    return SL_ENOMEM;
}

void cli_top_close(struct cli_top *t)
{
    if (!t)
        return;
    atomic_store(&t->ending, true);
    pthread_join(t->thread, NULL);
    restore_streams(t);
    for (size_t i = 0; i < PROFILES_MAX; i++)
        free(t->profile[i]);
    pthread_mutex_destroy(&t->lock);
    cli_function_costs_close(t->costs);
    free(t->screen);
    free(t);
}
