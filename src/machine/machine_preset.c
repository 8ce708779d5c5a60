/* SPDX-License-Identifier: MIT */
/* Finds CPU model presets, which are description files in the data directory, by name. The first
 * line of a preset is a comment, which `sluice list machines` prints. */
#include "machine_text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "failure.h"

#define FILE_MAX (1u << 20) /* bytes; larger files are not descriptions */
#define NAME_MAX_SHOWN 200

/* ---- list of presets ---- */

static int is_preset(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && !strcmp(dot, ".txt");
}

/* Returns the sorted file names, to be freed together with the array; *n is 0 if there are none. */
static struct dirent **presets(char **directory, int *n)
{
    struct dirent **list = NULL;
    *directory = sl_data_path("machines");
    *n = *directory ? scandir(*directory, &list, is_preset, alphasort) : 0;
    if (*n < 0)
        *n = 0;
    return list;
}

static void free_presets(char *directory, struct dirent **list, int n)
{
    while (n)
        free(list[--n]);
    free(list);
    free(directory);
}

/* Returns the comment in the first line without "# ", or "". */
static void summary_of(const char *directory, const char *file_name, char *out, int capacity)
{
    char *path, line[200] = "";
    *out = 0;
    if (asprintf(&path, "%s/%s", directory, file_name) < 0)
        return;
    FILE *file = fopen(path, "re");
    if (file && fgets(line, sizeof line, file) && *line == '#') {
        line[strcspn(line, "\r\n")] = 0;
        const char *text = line + 1;
        text += strspn(text, " ");
        snprintf(out, (size_t)capacity, "%s", text);
    }
    if (file)
        fclose(file);
    free(path);
}

void sl_machine_list(FILE *out)
{
    char *directory, summary[200];
    int n;
    struct dirent **list = presets(&directory, &n);
    for (int i = 0; i < n; i++) {
        int length = (int)strlen(list[i]->d_name) - 4;
        summary_of(directory, list[i]->d_name, summary, sizeof summary);
        fprintf(out, "%-10.*s %s\n", length, list[i]->d_name, summary);
    }
    free_presets(directory, list, n);
}

static int no_preset(const char *name, struct sl_failure *f)
{
    char *directory, known[400] = "", shown[SL_SHOWN + 1], question[SL_NEAREST_BYTES];
    int n;
    size_t used = 0;
    struct sl_nearest nearest;
    struct dirent **list = presets(&directory, &n);
    sl_nearest_start(&nearest, name, strlen(name));
    for (int i = 0; i < n && used < sizeof known; i++) {
        list[i]->d_name[strlen(list[i]->d_name) - 4] = '\0';
        sl_nearest_offer(&nearest, list[i]->d_name);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 !i          ? ""
                                 : i < n - 1 ? ", "
                                             : " and ",
                                 list[i]->d_name);
    }
    const char *hint = sl_nearest_hint(&nearest, question);
    free_presets(directory, list, n);
    sl_text_show(shown, name, strlen(name));
    if (!used)
        return sl_fail(f, SL_EUSAGE,
                       "unknown CPU model \"%s\"; no CPU models are installed next to sluice, in "
                       "../share/sluice or in the directory $SLUICE_DATA: install sluice again",
                       shown);
    return sl_fail(f, SL_EUSAGE,
                   "unknown CPU model \"%s\"%s the CPU models are %s. For a file, give its path: "
                   "./%s",
                   shown, hint, known, shown);
}

/* ---- files ---- */

static int read_stream(FILE *file, char *text, size_t *size, const char *path, struct sl_failure *f)
{
    *size = fread(text, 1, FILE_MAX + 1, file);
    if (ferror(file))
        return sl_fail_errno(f, SL_EIO, "cannot read the CPU model %.*s", NAME_MAX_SHOWN, path);
    if (*size > FILE_MAX)
        return sl_fail(f, SL_EFORMAT,
                       "%.*s is not a CPU model description: it is longer than 1 MiB",
                       NAME_MAX_SHOWN, path);
    return 0;
}

static int read_file(const struct sl_machine_section *sections, const char *path,
                     struct sl_failure *f)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return sl_fail_errno(f, errno == ENOENT ? SL_EUSAGE : SL_EIO,
                             "cannot open the CPU model %.*s", NAME_MAX_SHOWN, path);
    size_t size = 0;
    char *text = malloc(FILE_MAX + 1);
    int status = text ? read_stream(file, text, &size, path, f) : sl_out_of_memory(f);
    fclose(file);
    if (!status)
        status = sl_machine_read_text(sections, text, size, path, f);
    free(text);
    return status;
}

int sl_machine_read(const struct sl_machine_section *sections, const char *spec,
                    struct sl_failure *f)
{
    size_t length = strcspn(spec, ",");
    char *name = strndup(spec, length);
    if (!name)
        return sl_out_of_memory(f);
    sl_machine_defaults(sections);
    char *path = *name ? sl_data_file("machines", name) : NULL;
    int status = path ? read_file(sections, path, f) : no_preset(name, f);
    free(path);
    free(name);
    if (!status && spec[length])
        status = sl_machine_read_overrides(sections, spec, length + 1, f);
    return status;
}
