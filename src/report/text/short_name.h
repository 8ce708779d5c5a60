/* SPDX-License-Identifier: MIT */
/* Names of functions made shorter where that hurts least, as far as needed:
 *
 *     std::vector<int, std::allocator<int> >::push_back(int const&)
 *     std::vector<...>::push_back(int const&)      template arguments first, the longest
 *     std::vector<...>::push_back(...)             then parameters
 *     ...::push_back(...)                          then what it is in
 *     github.com/user/tool/parse.(*Lexer).next     a path goes before all else:
 *     parse.(*Lexer).next
 *
 * What has no parts, or is too long still, loses its middle. */
#ifndef SL_SHORT_NAME_H
#define SL_SHORT_NAME_H

#include <stddef.h>

/* Valid UTF-8, in place, to at most `width` characters. */
void sl_short_name(char *text, size_t width);

#endif
