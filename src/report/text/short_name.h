/* SPDX-License-Identifier: MIT */
/* Shortens names of functions to a given width. The least important parts are removed first:
 *
 *     std::vector<int, std::allocator<int> >::push_back(int const&)
 *     std::vector<...>::push_back(int const&)      template arguments, the longest first
 *     std::vector<...>::push_back(...)             then parameters
 *     ...::push_back(...)                          then namespaces and classes
 *     github.com/user/tool/parse.(*Lexer).next     a Go import path goes before all else:
 *     parse.(*Lexer).next
 *
 * A name that has none of these parts, or is still too long, loses its end. */
#ifndef SL_SHORT_NAME_H
#define SL_SHORT_NAME_H

#include <stddef.h>

/* Shortens `text`, which must be valid UTF-8, in place to at most `width` characters. */
void sl_short_name(char *text, size_t width);

#endif
