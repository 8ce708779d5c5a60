/* SPDX-License-Identifier: MIT */
/* Finds the files that are installed with sluice, for example CPU models, by their paths relative
 * to the library. */
#ifndef SL_DATA_PATH_H
#define SL_DATA_PATH_H

/* Directory of the file that contains this code: libsluice.so, or the program it is linked into.
 * Free it. Returns NULL if the directory is unknown or if out of memory. */
char *sl_install_directory(void);

/* Path of `name` in `directory`, or if that is NULL in the first of the directories `below` the
 * install directory (NULL at the end) where access(2) allows `mode`. Free it. Returns NULL if there
 * is none, or if out of memory. */
char *sl_installed_file(const char *directory, const char *const *below, const char *name,
                        int mode);

/* Path of `name` ("machines", "machines/ss4.txt") below the data directory: $SLUICE_DATA if that is
 * set; otherwise `data` next to the library or program (a build directory), ../share/sluice
 * (installed) or ../../share/sluice (a library in a directory of its architecture). Free it.
 * Returns NULL if no such file is readable, or if out of memory. */
char *sl_data_path(const char *name);

/* Path of the file that a user calls `name`: `name` itself if it has a slash, else NAME.txt in that
 * folder of the data directory. As sl_data_path(). */
char *sl_data_file(const char *folder, const char *name);

#endif
