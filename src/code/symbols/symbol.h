/* SPDX-License-Identifier: MIT */
/* Symbol lookup: finds the function, data object and source line of an address of the
 * profiled program.
 *
 * Based on the mappings in the stream: position-independent executables, shared libraries, separate
 * debug files (by build id or debug link), demangled C++ and Rust names. An address without a
 * symbol is object+offset, where the offset is the address in the file (as objdump shows it), for
 * example libc.so.6+0x2a1c0. An address in no object (code generated at run time) is printed as it
 * is. */
#ifndef SL_SYMBOL_H
#define SL_SYMBOL_H

#include "sluice.h"
#include "statics.h"

struct sl_symbols;

/* The symbol and the source line of an address. Reports read the same from a database, but for the
 * object's number. */
struct sl_db_location {
    uint64_t address;
    const char *function;    /* demangled; for data, the data symbol; NULL if unknown */
    uint64_t function_start; /* guest address */
    const char *object;      /* last part of the path; NULL if it is in no object */
    uint32_t object_number;  /* index in statics->object */
    uint64_t object_address; /* the address in the object file */
    const char *file;        /* source file as the debug information names it; NULL if unknown */
    int line;                /* 0 if unknown */
};

/* An inlined call: the function, and where it was called. */
struct sl_inlined {
    uint32_t parent;  /* the inlined call that contains it; SL_NO_INDEX: none does */
    const char *name; /* demangled */
    const char *file; /* where the function is declared; NULL if unknown */
    int line;
    const char *call_file; /* where it was called; NULL if unknown */
    int call_line;
    uint64_t start;     /* the lowest address of its code; UINT64_MAX: it has none */
    bool start_checked; /* sl_symbols_inlined_starts() has checked `start` */
};

/* `statics` must outlive the symbols; objects that are added to it later are found, too. Returns
 * NULL if out of memory. */
struct sl_symbols *sl_symbols_open(const struct sl_statics *statics);

/* Starts reading the objects so far, in the reader process (elf_reader.h). Results are the same
 * without it. Call it from the thread that appends to `statics`. */
void sl_symbols_ahead(struct sl_symbols *symbols);

/* Ends the reader process, so that fork(2) can copy this process. Another one is started when it is
 * needed. */
void sl_symbols_rest(struct sl_symbols *symbols);

/* Once *must_stop is set, lookups wait for at most another second; what has not been read by then
 * is unknown. */
void sl_symbols_stop_at(struct sl_symbols *symbols, const volatile int *must_stop);

/* Writes which files could not be read, and why; "" if there is none. */
void sl_symbols_warning(struct sl_symbols *symbols, char *text, size_t capacity);

/* Fills `place`. Its strings are valid until sl_symbols_close(). */
void sl_symbols_place(struct sl_symbols *symbols, uint64_t address, struct sl_db_location *place);

/* sl_symbols_inlined() returns the id of the innermost inlined call at the address, 0 if there is
 * none; sl_symbols_frame() returns that call and sets *parent to the id of the call around it, or
 * 0. */
uint64_t sl_symbols_inlined(struct sl_symbols *symbols, uint64_t address);
struct sl_inlined sl_symbols_frame(struct sl_symbols *symbols, uint64_t inlined, uint64_t *parent);

/* Fills `start` with the starts of at most `most` inlined calls that contain the address, outermost
 * first, and returns their number. Two addresses are in the same call if their starts are equal up
 * to that depth. */
size_t sl_symbols_inlined_starts(struct sl_symbols *symbols, uint64_t address, uint64_t *start,
                                 size_t most);

/* Returns the start of the function at an address, 0 if unknown; faster than sl_symbols_place().
 * Code that a compiler has split off (f.cold) belongs to its function. */
uint64_t sl_symbols_function(struct sl_symbols *symbols, uint64_t address);

/* Returns whether the code at the address only finds a function and jumps to it: a stub of the
 * procedure linkage table, or the dynamic loader's resolver. */
bool sl_symbols_is_stub(struct sl_symbols *symbols, uint64_t address);

/* Returns the symbol of an address, to be freed: "main", "main+0x1c", "libc.so.6+0x2a1c0" or
 * "0x7f...". NULL: out of memory. sl_symbols_print() writes it to `out`. */
char *sl_db_symbol(const struct sl_db_location *place);
void sl_symbols_print(struct sl_symbols *symbols, uint64_t address, char *out, size_t capacity);

/* Finds functions by linker name or demangled name in all objects so far; if there is none, by
 * demangled name without parameters. Returns their number, and the extent of the first in *start
 * and *end. */
size_t sl_symbols_find(struct sl_symbols *symbols, const char *name, uint64_t *start,
                       uint64_t *end);

/* Lists the functions of the program itself, without libraries; the list is empty until the
 * program's object is in `statics`. Free it with sl_function_list_free() (function_table.h).
 * Returns false if out of memory. */
bool sl_symbols_program(struct sl_symbols *symbols, struct sl_function_list *list);

/* Returns the name of an object, the same as sl_db_location.object. */
const char *sl_symbols_object(struct sl_symbols *symbols, const struct sl_object *object);

/* Writes the build id of an object's file to `out`, in hexadecimal; "" if it has none. */
void sl_symbols_build_id(struct sl_symbols *symbols, const struct sl_object *object, char *out,
                         size_t capacity);

void sl_symbols_close(struct sl_symbols *symbols);

#endif
