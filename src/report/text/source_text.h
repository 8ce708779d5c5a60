/* SPDX-License-Identifier: MIT */
/* Cache of source files for listings of code. A file is read once, and its lines are returned by
 * number.
 *
 * A database can name any file as source, or a symbolic link to it, and a report can be given to
 * other people. So only these files are read, by their paths without links:
 *
 *     below a directory that the user has given
 *     below the current directory, or the highest directory above it in which each directory
 *         belongs to the user: not the home directory, not the root directory, no directory that
 *         everyone can write. Hidden files and files in hidden directories are not read there.
 *     below /usr, files that everyone can read: sources of libraries */
#ifndef SL_SOURCE_TEXT_H
#define SL_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sluice.h"

struct sl_source_texts {
    struct sl_source_path {
        const char *path; /* borrowed from the caller */
        size_t file;      /* index + 1; 0: not read */
        const char *why;  /* it was not read; NULL: there is no such file */
    } * path;
    size_t n, capacity;
    struct sl_source_text {
        dev_t device; /* two paths of one file are one text */
        ino_t inode;
        char *bytes;
        size_t size;
        size_t *line; /* where each 64th line starts */
        size_t n, capacity, n_lines;
    } * text;
    size_t n_texts, texts_capacity, bytes;
    const char *const *directory; /* that the user has given */
    size_t n_directories;
    bool none;     /* read no file */
    char *project; /* set by the first use */
};

/* Returns a cache without files, which may read the files that the configuration allows. */
struct sl_source_texts sl_source_texts_of(const struct sl_report_config *config);

/* Returns a line (numbered from 1) of a file: printable, tabs expanded to blanks, cut after 4096
 * bytes, to be freed by the caller. Returns NULL if the file was not read or has fewer lines, or if
 * out of memory. Opens regular files only, so that a named pipe or a device in a database cannot
 * block or have effects; all files together have at most 64 MiB. `path` must outlive `texts`. */
char *sl_source_text_line(struct sl_source_texts *texts, const char *path, int line);

/* Why no line of the file can be shown, for a listing: "not found"; NULL if it was read. */
const char *sl_source_text_missing(struct sl_source_texts *texts, const char *path);

void sl_source_texts_free(struct sl_source_texts *texts);

#endif
