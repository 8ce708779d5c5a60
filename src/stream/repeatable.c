/* SPDX-License-Identifier: MIT */
/* Environment variables and QEMU arguments of a program that runs with --repeatable (emulator.h).
 * The strings on the program's stack are padded to a fixed size, so that stack addresses do not
 * depend on the length of paths. */
#include "emulator.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grow.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define PADDING "SLUICE_PADDING="

void sl_repeatable_arguments(enum sl_arch arch, char *argument[SL_REPEATABLE_ARGUMENTS])
{
    char *const fixed[SL_REPEATABLE_ARGUMENTS] = {
        "-r", "6.1.0", "-s", TEXT(SL_REPEATABLE_STACK), "-cpu", (char *)sl_targets[arch].processor};
    memcpy(argument, fixed, sizeof fixed);
}

/* True if the variable's name is in the list "A,B,C". */
static bool is_kept(const char *variable, const char *names)
{
    for (size_t length; names && *names; names += length + (names[length] == ',')) {
        length = strcspn(names, ",");
        if (length && !strncmp(variable, names, length) && variable[length] == '=')
            return true;
    }
    return false;
}

struct strings {
    char **string;
    size_t n, bytes;
};

static void add(struct strings *all, const char *text)
{
    all->string[all->n++] = (char *)text;
    all->bytes += strlen(text) + 1;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_environment(struct strings *all, const struct sl_guest *guest)
{
    static const char *const fixed[] = {
        "HOME=/", "LC_ALL=C", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "TZ=UTC0"};
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, PADDING, strlen(PADDING)) &&
            (guest->in_place || is_kept(*variable, guest->repeatable)))
            add(all, *variable);
    for (size_t i = 0; !guest->in_place && i < sizeof fixed / sizeof *fixed; i++)
        if (!is_kept(fixed[i], guest->repeatable))
            add(all, fixed[i]);
    if (!guest->in_place)
        SL_SORT(all->string, all->n, by_text);
}

/* The padding of these strings, to be freed; NULL if out of memory. */
static char *padding_for(const struct strings *all, const struct sl_executable *executable)
{
    size_t bytes = all->bytes + strlen(executable->path) + 1 + sizeof PADDING;
    for (char *const *argument = executable->argv; *argument; argument++)
        bytes += strlen(*argument) + 1;
    size_t missing = SL_REPEATABLE_STRINGS - bytes % SL_REPEATABLE_STRINGS;
    char *padding = malloc(sizeof PADDING + missing);
    if (padding) {
        memset(stpcpy(padding, PADDING), 'x', missing);
        padding[sizeof PADDING - 1 + missing] = '\0';
    }
    return padding;
}

char **sl_repeatable_environment(const struct sl_guest *guest,
                                 const struct sl_executable *executable)
{
    size_t n = 0;
    while (environ[n])
        n++;
    struct strings all = {.string = calloc(n + 6, sizeof *all.string)};
    if (!all.string)
        return NULL;
    add_environment(&all, guest);
    char *padding = padding_for(&all, executable);
    if (padding) {
        add(&all, padding);
        return all.string;
    }
    free(all.string);
    return NULL;
}

void sl_repeatable_free(char **environment)
{
    char **end = environment;
    while (end && *end)
        end++;
    if (end)
        free(end[-1]); /* the padding; the others are those of this process, or constants */
    free(environment);
}
