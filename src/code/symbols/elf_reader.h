/* SPDX-License-Identifier: MIT */
/* Reader process: a child process with limits that reads ELF files with libelf and libdw, so that a
 * hostile file costs at most its own names.
 *
 *     sluice   ─ opens the file ─ request ─────── checks the reply, stores the table ─
 *     reader             reads the file, within limits ─ reply
 *
 * The process is started when it is first needed. If a file exceeds a limit or makes the process
 * crash, that file has no further names, and another process is started for the other files. Not
 * thread-safe, except that different readers may be used by different threads. */
#ifndef SL_ELF_READER_H
#define SL_ELF_READER_H

#include <sys/stat.h>
#include <sys/types.h>

#include "elf_tables.h"

struct sl_elf_reader {
    struct sl_elf_reader_file *file;
    size_t n_files, capacity;
    unsigned process_number; /* of the current process: 1, 2, ...; 0: none yet */
    size_t n_opened;         /* files that the current process has opened */
    int socket;              /* to it; 0: there is none */
    pid_t process;           /* it */
    char *received;          /* buffer of what it has sent: from `used` up to `filled` */
    size_t used, filled;
    const volatile int *must_stop; /* if it is set, wait for at most another second; or NULL */
    int64_t stop_ms;               /* when waiting ends; 0: must_stop has not been seen */
};

/* Opens a file. Returns its index, SL_NO_INDEX if it is not a regular file that begins like an ELF
 * file, or if out of memory. */
uint32_t sl_elf_reader_open(struct sl_elf_reader *reader, const char *path);

/* Returns whether the file is still the one that was opened. */
bool sl_elf_reader_is_current(const struct sl_elf_reader *reader, uint32_t file);

/* Starts the process if there is none. Needed only to start it early, when sluice is small, because
 * fork(2) makes each page shared that sluice writes later. Returns false if that fails. */
bool sl_elf_reader_start(struct sl_elf_reader *reader);

/* The process reads the file's functions and units before they are requested. */
void sl_elf_reader_ahead(struct sl_elf_reader *reader, uint32_t file);

/* Reads a part of a file; `unit` is for SL_ELF_UNIT. Returns false if it cannot be read. The caller
 * frees the table with sl_elf_table_free(). An array of names is empty or ends with a 0; all else
 * is for the caller to check. */
bool sl_elf_reader_get(struct sl_elf_reader *reader, uint32_t file, enum sl_elf_part part,
                       uint32_t unit, struct sl_elf_table *table);

/* Ends the process; the next request starts another one. The process that fork(2) makes after this
 * can use its copy of the reader. */
void sl_elf_reader_rest(struct sl_elf_reader *reader);

/* Writes for each file that could not be read why ("" if there is none), separated by "; ". */
void sl_elf_reader_warning(const struct sl_elf_reader *reader, char *text, size_t capacity);

void sl_elf_reader_free(struct sl_elf_reader *reader);

/* ---- the process (elf_process.c) ---- */

/* Answers requests until the other end is closed. Does not return. */
_Noreturn void sl_elf_process(int socket, pid_t parent);

/* ---- its limits (elf_sandbox.c) ---- */

/* Bytes that the file has on disk: a sparse file can have any size. */
size_t sl_elf_allocated(const struct stat *status);

/* Memory and processor time for reading a file with this number of allocated bytes, including those
 * of its debug file: 160 MB and eight times the bytes; 10 s and 1 s for each 10 MB. */
size_t sl_elf_memory_limit(size_t allocated);
unsigned sl_elf_seconds_limit(size_t allocated);

/* Restricts this process. Closes all files but the socket, which gets the returned number. */
int sl_elf_sandbox_enter(int socket, pid_t parent);

/* Use of the limits by one file so far. */
struct sl_elf_use {
    uint32_t file;
    size_t allocated;
    size_t data_bytes;
    double seconds;
};

/* Limits apply from start() to stop(), which adds to `use`. When the time is over, the process
 * reports it and exits. sl_elf_sandbox_allow() adds the debug file of the file. */
void sl_elf_sandbox_start(struct sl_elf_use *use);
void sl_elf_sandbox_stop(struct sl_elf_use *use);
void sl_elf_sandbox_allow(int fd);

/* Sends all bytes; exits if the other end is closed. */
void sl_elf_sandbox_send(const struct sl_elf_reply *reply, const struct sl_elf_array *array,
                         const uint8_t *element);

/* Reports that the file being read cannot be read, and exits. */
_Noreturn void sl_elf_sandbox_fail(enum sl_elf_status status);

#endif
