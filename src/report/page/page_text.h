/* SPDX-License-Identifier: MIT */
/* The page without its data, made of src/report/page/assets by mk/page.sh when sluice is built. */
#ifndef SL_PAGE_TEXT_H
#define SL_PAGE_TEXT_H

#include <stddef.h>

extern const unsigned char sl_page_text_before[], sl_page_text_behind[];
extern const size_t sl_page_text_before_size, sl_page_text_behind_size;

#endif
