/* SPDX-License-Identifier: MIT */
/* Where the code of the library is on disk, which its other files are found from. */
#ifndef SL_OWN_PLACE_H
#define SL_OWN_PLACE_H

/* The directory, to be freed, of the file that this code was loaded from: libsluice.so, or the
 * program that it is linked into. NULL if it cannot be told, or when memory ran out. */
char *sl_own_directory(void);

#endif
