/* SPDX-License-Identifier: MIT */
/* Test program that controls a page in the browser Chromium through the DevTools protocol, which
 * consists of JSON messages over a pipe, each terminated by a zero byte.
 *
 *     browser PROFILE-DIRECTORY <SCRIPT
 *
 *     open URL              opens it and waits until it is loaded
 *     size WIDTH HEIGHT     sets the size of the window
 *     theme dark|light      sets the preferred color scheme
 *     key KEY               presses a key: "ArrowDown", "n"
 *     type TEXT             types it key by key
 *     is EXPRESSION         prints "true" once it is true, or its last value if it never is
 *     do EXPRESSION         evaluates it; an exception counts as trouble
 *     trouble               prints errors and requests so far, one per line, and "that is all"
 *     shot FILE             saves a screenshot
 *
 * There are no fixed delays: `is` polls for up to a minute, and after a failure for only a second.
 * A browser that does not start is started a second time. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct {
    pid_t pid;
    int to, from;
    char *held; /* what has been read and is not yet a message */
    size_t n_held, capacity;
    json_int_t id;
    char session[128];
    char *trouble;
    size_t n_trouble;
    double patience;
    char opened[4096];
} b = {.patience = 60};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the process ---- */

static void stop(void)
{
    if (b.pid > 0) {
        kill(-b.pid, SIGKILL);
        waitpid(b.pid, NULL, 0);
        close(b.to);
        close(b.from);
    }
    b.pid = 0;
}

static void start(const char *profile)
{
    int down[2], up[2];
    char directory[4200];
    snprintf(directory, sizeof directory, "--user-data-dir=%s", profile);
    if (pipe(down) || pipe(up))
        exit(9);
    b.pid = fork();
    if (!b.pid) {
        int quiet = open("/dev/null", O_RDWR), in = fcntl(down[0], F_DUPFD, 20),
            out = fcntl(up[1], F_DUPFD, 20);
        setpgid(0, 0);
        dup2(quiet, 0);
        dup2(quiet, 1);
        dup2(quiet, 2);
        for (int i = 3; i < 20; i++)
            close(i);
        dup2(in, 3);
        dup2(out, 4);
        close(in);
        close(out);
        execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
               "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-sync", "--disable-extensions",
               "--disable-breakpad", "--disable-crash-reporter", "--disable-default-apps",
               "--no-default-browser-check", "--hide-scrollbars", "--mute-audio",
               "--remote-debugging-pipe", directory, "about:blank", (char *)NULL);
        _exit(127);
    }
    setpgid(b.pid, b.pid);
    close(down[0]);
    close(up[1]);
    b.to = down[1];
    b.from = up[0];
    b.n_held = 0;
}

/* ---- messages ---- */

static void note(const char *what, const char *detail)
{
    char *longer = realloc(b.trouble, b.n_trouble + strlen(what) + strlen(detail) + 4);
    if (!longer)
        exit(9);
    b.trouble = longer;
    b.n_trouble += (size_t)sprintf(b.trouble + b.n_trouble, "%s %s\n", what, detail);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void happened(const json_t *message)
{
    const char *method = text_of(message, "method");
    const json_t *params = json_object_get(message, "params");
    if (!strcmp(method, "Runtime.exceptionThrown"))
        note("exception",
             text_of(json_object_get(json_object_get(params, "exceptionDetails"), "exception"),
                     "description"));
    else if (!strcmp(method, "Log.entryAdded"))
        note("log", text_of(json_object_get(params, "entry"), "text"));
    else if (!strcmp(method, "Runtime.consoleAPICalled"))
        note("console", text_of(params, "type"));
    else if (!strcmp(method, "Network.requestWillBeSent")) {
        const char *url = text_of(json_object_get(params, "request"), "url");
        if (strncmp(url, b.opened, strcspn(b.opened, "#")))
            note("request", url);
    }
}

/* The next message; NULL if none comes until then, or no more at all. */
static json_t *receive(double until)
{
    for (;;) {
        char *end = b.n_held ? memchr(b.held, 0, b.n_held) : NULL;
        if (end) {
            json_t *message = json_loads(b.held, 0, NULL);
            size_t used = (size_t)(end - b.held) + 1;
            b.n_held -= used;
            memmove(b.held, b.held + used, b.n_held);
            return message ? message : json_object();
        }
        double left = until - now();
        struct pollfd ready = {b.from, POLLIN, 0};
        if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) < 1)
            return NULL;
        if (b.capacity < b.n_held + 65536) {
            b.capacity = 2 * b.capacity + 65536;
            b.held = realloc(b.held, b.capacity);
            if (!b.held)
                exit(9);
        }
        ssize_t n = read(b.from, b.held + b.n_held, b.capacity - b.n_held);
        if (n <= 0)
            return NULL;
        b.n_held += (size_t)n;
    }
}

/* Takes the parameters. The result, to be freed; NULL if there is none. */
static json_t *call(const char *method, json_t *params, double seconds)
{
    json_t *message = json_pack("{s:I,s:s,s:o}", "id", ++b.id, "method", method, "params",
                                params ? params : json_object());
    if (b.session[0])
        json_object_set_new(message, "sessionId", json_string(b.session));
    char *text = json_dumps(message, JSON_COMPACT);
    size_t n = text ? strlen(text) + 1 : 0;
    double until = now() + seconds;
    json_decref(message);
    for (size_t at = 0; at < n;) {
        ssize_t wrote = write(b.to, text + at, n - at);
        if (wrote < 0 && errno != EINTR)
            break;
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    free(text);
    while ((message = receive(until))) {
        if (json_integer_value(json_object_get(message, "id")) == b.id) {
            json_t *result = json_incref(json_object_get(message, "result"));
            json_decref(message);
            return result;
        }
        happened(message);
        json_decref(message);
    }
    return NULL;
}

static bool done(json_t *result)
{
    json_decref(result);
    return result;
}

static bool attach(void)
{
    json_t *made = call("Target.createTarget", json_pack("{s:s}", "url", "about:blank"), 90);
    json_t *attached = made ? call("Target.attachToTarget",
                                   json_pack("{s:s,s:b}", "targetId", text_of(made, "targetId"),
                                             "flatten", 1),
                                   60)
                            : NULL;
    snprintf(b.session, sizeof b.session, "%s", text_of(attached, "sessionId"));
    json_decref(made);
    json_decref(attached);
    return b.session[0] && done(call("Page.enable", NULL, 60)) &&
           done(call("Runtime.enable", NULL, 60)) && done(call("Log.enable", NULL, 60)) &&
           done(call("Network.enable", NULL, 60));
}

/* ---- the script ---- */

/* As JSON, to be freed. */
static char *value_of(const char *expression)
{
    json_t *result = call(
        "Runtime.evaluate",
        json_pack("{s:s,s:b,s:b}", "expression", expression, "returnByValue", 1, "awaitPromise", 1),
        b.patience);
    json_t *value = json_object_get(json_object_get(result, "result"), "value");
    const char *wrong = text_of(
        json_object_get(json_object_get(result, "exceptionDetails"), "exception"), "description");
    char *text = json_is_string(value) ? strdup(json_string_value(value))
                 : value               ? json_dumps(value, JSON_ENCODE_ANY)
                         : strdup(result ? *wrong ? wrong : "undefined" : "no answer");
    json_decref(result);
    for (char *c = text; c && *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return text;
}

/* Its value once that is true, or at last; to be freed. */
static char *await(const char *expression)
{
    double until = now() + b.patience;
    char *text = value_of(expression);
    while (text && strcmp(text, "true") && now() < until) {
        free(text);
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        text = value_of(expression);
    }
    if (!text || strcmp(text, "true"))
        b.patience = 1;
    return text;
}

static void open_page(const char *url)
{
    static const char there[] =
        "location.href !== 'about:blank' && document.readyState === 'complete'";
    snprintf(b.opened, sizeof b.opened, "%s", url);
    /* From another page, so that a change of the part after # alone is a load, too. */
    done(call("Page.navigate", json_pack("{s:s}", "url", "about:blank"), 60));
    free(await("location.href === 'about:blank'"));
    done(call("Page.navigate", json_pack("{s:s}", "url", url), 60));
    free(await(there));
}

static void press(const char *key)
{
    bool letter = key[0] && !key[1];
    for (int up = 0; up < 2; up++) {
        json_t *params = json_pack("{s:s,s:s}", "type",
                                   up       ? "keyUp"
                                   : letter ? "keyDown"
                                            : "rawKeyDown",
                                   "key", key);
        if (letter && !up)
            json_object_set_new(params, "text", json_string(key));
        done(call("Input.dispatchKeyEvent", params, b.patience));
    }
}

static void take_shot(const char *path)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    json_t *result = call("Page.captureScreenshot", NULL, 60);
    FILE *out = fopen(path, "w");
    unsigned bits = 0, n = 0;
    for (const char *c = text_of(result, "data"); out && *c && *c != '='; c++) {
        bits = bits << 6 | (unsigned)(strchr(digits, *c) - digits);
        if (++n % 4 != 1)
            putc((int)(bits >> 2 * (3 - (n + 3) % 4) & 255), out);
    }
    if (out)
        fclose(out);
    json_decref(result);
}

static void print_own(char *text)
{
    puts(text ? text : "");
    free(text);
}

static void obey(char *line)
{
    char *rest = line + strcspn(line, " ");
    if (*rest)
        *rest++ = '\0';
    if (!strcmp(line, "open"))
        open_page(rest);
    else if (!strcmp(line, "size"))
        done(call("Emulation.setDeviceMetricsOverride",
                  json_pack("{s:i,s:i,s:i,s:b}", "width", atoi(rest), "height",
                            atoi(rest + strcspn(rest, " ")), "deviceScaleFactor", 1, "mobile", 0),
                  60));
    else if (!strcmp(line, "theme"))
        done(call(
            "Emulation.setEmulatedMedia",
            json_pack("{s:[{s:s,s:s}]}", "features", "name", "prefers-color-scheme", "value", rest),
            60));
    else if (!strcmp(line, "key"))
        press(rest);
    else if (!strcmp(line, "type"))
        for (; *rest; rest++)
            press((char[]){*rest, '\0'});
    else if (!strcmp(line, "is"))
        print_own(await(rest));
    else if (!strcmp(line, "do")) {
        char *text = value_of(rest);
        if (text && strstr(text, "Error: "))
            note("exception", text);
        free(text);
    } else if (!strcmp(line, "trouble"))
        printf("%sthat is all\n", b.trouble ? b.trouble : "");
    else if (!strcmp(line, "shot"))
        take_shot(rest);
    else if (*line)
        printf("there is no command '%s'\n", line);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t capacity = 0;
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; argc > 1 && i < 3 && !b.session[0]; i++) {
        stop();
        start(argv[1]);
        if (!attach())
            b.session[0] = '\0';
    }
    if (!b.session[0]) {
        stop();
        fprintf(stderr, "chromium does not start\n");
        return 1;
    }
    while (getline(&line, &capacity, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        obey(line);
    }
    stop();
    free(line);
    free(b.held);
    free(b.trouble);
    return 0;
}
