/* SPDX-License-Identifier: MIT */
/* What an address is called: function, object, source line, through libdw.
 *
 * Works from the mappings that the stream tells of: position-independent
 * executables, shared libraries, separate debug files (by build id or debug
 * link), C++ names (demangled). What has no symbol is object+offset, where the
 * offset is the address in the file's own numbering (what objdump shows), e.g.
 * libc.so.6+0x2a1c0; what is in no object (code made at run time) is its bare
 * address. */
#ifndef SL_SYMBOL_H
#define SL_SYMBOL_H

#include "sluice.h"
#include "statics.h"

struct sl_symbols;

struct sl_place {
    const char *function;    /* demangled; of data in no mapped code, the datum; NULL if unknown */
    uint64_t function_start; /* guest address */
    uint64_t function_end;   /* 0 if the symbol has no size */
    const char *object;      /* last part of the path; NULL if in none */
    uint32_t object_number;  /* in statics->object */
    uint64_t object_address; /* the address in the object's own numbering */
    const char *file;        /* source file as the debug information has it; NULL */
    int line;                /* 0 if unknown */
};

/* The same as reports print it: without the parts that only a running session needs. */
struct sl_saved_place {
    uint64_t address;
    const char *function; /* NULL if unknown */
    uint64_t function_start;
    const char *object; /* NULL if it is in no object */
    uint64_t object_address;
    const char *file; /* NULL if unknown */
    int line;
};

/* An inlined call: the function, and where it was called. */
struct sl_inlined {
    uint32_t parent;  /* the inlined call that contains it; SL_NO_INDEX: none does */
    const char *name; /* demangled */
    const char *file; /* where the function is declared; NULL if unknown */
    int line;
    const char *call_file; /* where it was called; NULL if unknown */
    int call_line;
    uint64_t start; /* the lowest address of its code; UINT64_MAX: it has none */
    bool settled;   /* `start` is checked (sl_symbols_inlined_starts) */
};

/* `statics` must stay; new objects in it are picked up by themselves. */
struct sl_symbols *sl_symbols_open(const struct sl_statics *statics);

/* Has a thread read what names of the objects so far take (images_ahead.h), for who will ask for
 * them. Answers are the same without. The thread looks at no statics. To be called by whoever
 * appends to these. */
void sl_symbols_ahead(struct sl_symbols *symbols);

/* Memory that it has taken for what it has read. */
size_t sl_symbols_ahead_bytes(struct sl_symbols *symbols);

/* Has it end when it is through with the image that it is at, so that fork(2) can copy this
 * process. It goes on when sl_symbols_ahead finds another object. */
void sl_symbols_rest(struct sl_symbols *symbols);

/* Strings stay valid until sl_symbols_close. */
void sl_symbols_place(struct sl_symbols *symbols, uint64_t address, struct sl_place *place);

/* The number of the innermost inlined call at the address, 0 if it is in none; and what that is,
 * with the number of the one that it is in, or 0. */
uint64_t sl_symbols_inlined(struct sl_symbols *symbols, uint64_t address);
struct sl_inlined sl_symbols_frame(struct sl_symbols *symbols, uint64_t inlined, uint64_t *parent);

/* The inlined calls that an address is in, from the outermost on, `most` at most: where the code of
 * each begins. So two addresses are in the same call if they are so far alike. Returns how many. */
size_t sl_symbols_inlined_starts(struct sl_symbols *symbols, uint64_t address, uint64_t *start,
                                 size_t most);

/* The function alone, without source line, quickly: its start, or 0. Code that a compiler has split
 * off (f.cold) is in the function that it is of. */
uint64_t sl_symbols_function(struct sl_symbols *symbols, uint64_t address);

/* Whether what is there only finds a function and jumps to it: a stub of the procedure linkage
 * table, or the loader's part of that. */
bool sl_symbols_is_stub(struct sl_symbols *symbols, uint64_t address);

/* "name", "name+0x1c", "libc.so.6+0x2a1c0" or "0x7f..." into `out`. */
void sl_symbols_print(struct sl_symbols *symbols, uint64_t address, char *out, size_t room);

/* Finds a symbol by its linker or demangled name in any object so far (if there
 * is none, a demangled name without its parameters); returns how many there
 * are, the first one's extent in start and end. */
size_t sl_symbols_find(struct sl_symbols *symbols, const char *name, uint64_t *start,
                       uint64_t *end);

/* The functions of the program itself, without libraries; empty as long as no code of it
 * has been met. To be freed with sl_function_list_free (function_table.h). False when
 * memory ran out. */
bool sl_symbols_program(struct sl_symbols *symbols, struct sl_function_list *list);

/* What an object is called: place->object of addresses in it. */
const char *sl_symbols_object(struct sl_symbols *symbols, const struct sl_object *object);

/* Hex build id of an object's file into `out`, or "" if it has none. */
void sl_symbols_build_id(struct sl_symbols *symbols, const struct sl_object *object, char *out,
                         size_t room);

void sl_symbols_close(struct sl_symbols *symbols);

#endif
