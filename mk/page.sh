#!/bin/sh
# SPDX-License-Identifier: MIT
# The page without its data as two arrays in C: what comes before the data, and what behind it.
#
#     mk/page.sh DIRECTORY >page_text.c
#
# page.html has a line each for style, data and scripts, and places for the hashes of two of them: the page's
# security policy lets only these very texts act.
set -eu
cd "$1"
all=$(mktemp)
trap 'rm -f "$all"' EXIT
# In this order: views have their places in the page by it.
for name in base views table summary difference functions flame calls source loops paths values phases machine \
    tables notes main; do
    cat "$name.js"
done >"$all"

hash() # hash FILE: as a security policy wants it, of an element that begins with a line's end
{
    for byte in $({ echo; cat "$1"; } | sha256sum | cut -c 1-64 | sed 's/../& /g'); do
        printf "\\$(printf %03o "0x$byte")"
    done | base64
}

bytes() # bytes NAME: standard input as an array
{
    printf 'const unsigned char sl_page_text_%s[] = {\n' "$1"
    od -An -v -tu1 | sed 's/  *\([0-9][0-9]*\)/\1,/g'
    printf '};\nconst size_t sl_page_text_%s_size = sizeof sl_page_text_%s;\n' "$1" "$1"
}

whole()
{
    sed -e "s,@STYLE-HASH@,$(hash page.css),; s,@SCRIPT-HASH@,$(hash "$all")," \
        -e '/^@STYLE@$/ { r page.css' -e 'd }' -e "/^@SCRIPT@\$/ { r $all" -e 'd }' page.html
}

printf '#include "page.h"\n'
whole | sed '/^@DATA@$/,$d' | bytes before
whole | sed '1,/^@DATA@$/d' | bytes behind
