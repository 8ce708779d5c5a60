/* SPDX-License-Identifier: MIT */
/* Name of the Debian package with the debug information of a file. */
#ifndef SL_DEBUG_PACKAGE_H
#define SL_DEBUG_PACKAGE_H

/* "libjansson4-dbgsym" for "/usr/lib/x86_64-linux-gnu/libjansson.so.4.14.0". NULL if no installed
 * package of this system contains the file, or if out of memory. The caller frees it. */
char *sl_debug_package(const char *path);

#endif
