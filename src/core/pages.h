/* Large memory, zeroed, straight from the system: in huge pages where it has them, and able to grow
 * without a copy. */
#ifndef SL_PAGES_H
#define SL_PAGES_H

#include <stddef.h>

/* NULL when memory ran out. */
void *sl_pages_new(size_t bytes);

/* The same contents, with zeros behind them, maybe elsewhere; NULL, and nothing has changed, when
 * memory ran out. */
void *sl_pages_grow(void *pages, size_t bytes, size_t wanted);

/* All of it, or a part that begins and ends where pages do. */
void sl_pages_free(void *pages, size_t bytes);

#endif
