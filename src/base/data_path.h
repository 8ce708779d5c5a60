/* SPDX-License-Identifier: MIT */
/* Where the files that come with the program are. */
#ifndef SL_DATA_PATH_H
#define SL_DATA_PATH_H

/* The path, to be freed, of `name` ("machines", "machines/ss4.txt") below the data
 * directory: $SLUICE_DATA if that is set; otherwise `data` beside the program or the shared
 * library (a build directory), ../share/sluice (installed) or ../../share/sluice (a library in
 * a directory of its architecture). NULL if it is in none of them, or when memory ran out. */
char *sl_data_path(const char *name);

#endif
