/* SPDX-License-Identifier: MIT */
/* Full-screen output on the terminal for `sluice top`: raw mode, input of single keys, and output
 * that never blocks (terminal.h). */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Alternate screen, no cursor, no line wrap; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
#define LAST_MS 500 /* to write the rest to a slow terminal at the end */

/* Forgets a terminal that was closed (EIO). */
static void close_lost(struct cli_terminal *t)
{
    close(t->fd);
    t->fd = -1;
    free(t->unwritten);
    t->unwritten = NULL;
    t->n_unwritten = 0;
}

static void write_some(struct cli_terminal *t)
{
    while (t->fd >= 0 && t->n_unwritten) {
        ssize_t n = write(t->fd, t->unwritten, t->n_unwritten);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) {
            close_lost(t);
            return;
        }
        t->n_unwritten -= (size_t)n;
        memmove(t->unwritten, t->unwritten + n, t->n_unwritten);
    }
}

bool cli_terminal_measure(struct cli_terminal *t)
{
    struct winsize size;
    unsigned rows = t->rows, columns = t->columns;
    if (t->fd >= 0 && !ioctl(t->fd, TIOCGWINSZ, &size) && size.ws_row && size.ws_col) {
        t->rows = size.ws_row;
        t->columns = size.ws_col;
    }
    return rows != t->rows || columns != t->columns;
}

int cli_terminal_open(struct cli_terminal *t, struct sl_failure *f)
{
    *t = (struct cli_terminal){.fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC),
                               .rows = 24,
                               .columns = 80};
    if (t->fd < 0 || tcgetattr(t->fd, &t->before)) {
        *f = (struct sl_failure){.code = SL_EUSAGE};
        snprintf(
            f->text, sizeof f->text,
            "top needs a terminal; to write intervals to a file, use: sluice run --live json:FILE");
        if (t->fd >= 0)
            close(t->fd);
        t->fd = -1;
        return SL_EUSAGE;
    }
    struct termios raw = t->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* ^C still sends SIGINT */
    raw.c_cc[VSUSP] = _POSIX_VDISABLE;         /* ^Z would leave the alternate screen on */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(t->fd, TCSANOW, &raw);
    cli_terminal_measure(t);
    cli_terminal_show(t, strdup(ENTER), strlen(ENTER));
    return 0;
}

int cli_terminal_key(struct cli_terminal *t, int milliseconds)
{
    struct pollfd p = {.fd = t->fd, .events = (short)(POLLIN | (t->n_unwritten ? POLLOUT : 0))};
    unsigned char key;
    if (t->fd < 0)
        return -1;
    if (poll(&p, 1, milliseconds) <= 0)
        return 0;
    if (p.revents & POLLOUT)
        write_some(t);
    if (t->fd >= 0 && p.revents & (POLLIN | POLLHUP | POLLERR)) {
        ssize_t n = read(t->fd, &key, 1);
        if (n == 1)
            return key;
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            close_lost(t);
    }
    return t->fd < 0 ? -1 : 0;
}

void cli_terminal_show(struct cli_terminal *t, char *text, size_t n)
{
    write_some(t);
    if (t->fd < 0 || t->n_unwritten || !text) {
        free(text);
        return;
    }
    free(t->unwritten);
    t->unwritten = text;
    t->n_unwritten = n;
    write_some(t);
}

/* Waits for a slow terminal, but not for one that is stopped. */
static void write_rest(struct cli_terminal *t)
{
    for (int waited = 0; t->fd >= 0 && t->n_unwritten && waited < LAST_MS; waited += 50) {
        struct pollfd p = {.fd = t->fd, .events = POLLOUT};
        poll(&p, 1, 50);
        write_some(t);
    }
}

void cli_terminal_close(struct cli_terminal *t)
{
    if (t->fd < 0)
        return;
    write_rest(t);
    cli_terminal_show(t, strdup(LEAVE), strlen(LEAVE));
    write_rest(t);
    if (t->fd >= 0) {
        tcsetattr(t->fd, TCSANOW, &t->before);
        close_lost(t);
    }
}
