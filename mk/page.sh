#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the HTML page without its data as two arrays in C: the bytes before and after the data.
#
#     mk/page.sh DIRECTORY >page_text.c
#
# page.html has a line each for style, data and scripts, and placeholders for the hashes of style and scripts: the
# page's security policy allows only these. The SPDX lines of the sources are left out.
set -eu
cd "$1"
scripts=$(mktemp)
style=$(mktemp)
trap 'rm -f "$scripts" "$style"' EXIT

plain() # plain FILE: without its first line, the licence
{
    sed '1 { /SPDX-License-Identifier/d }' "$1"
}

# The order of the files is the order of the views in the page.
for name in base views table summary difference functions flame calls source loops paths values phases machine \
    tables notes main; do
    plain "$name.js"
done >"$scripts"
plain page.css >"$style"

hash() # hash FILE: as in a security policy, of an element that starts with a newline
{
    for byte in $({ echo; cat "$1"; } | sha256sum | cut -c 1-64 | sed 's/../& /g'); do
        printf "\\$(printf %03o "0x$byte")"
    done | base64
}

bytes() # bytes NAME: standard input as an array in C
{
    printf 'const unsigned char sl_page_text_%s[] = {\n' "$1"
    od -An -v -tu1 | sed 's/  *\([0-9][0-9]*\)/\1,/g'
    printf '};\nconst size_t sl_page_text_%s_size = sizeof sl_page_text_%s;\n' "$1" "$1"
}

whole()
{
    plain page.html |
        sed -e "s,@STYLE-HASH@,$(hash "$style"),; s,@SCRIPT-HASH@,$(hash "$scripts")," \
            -e "/^@STYLE@\$/ { r $style" -e 'd }' -e "/^@SCRIPT@\$/ { r $scripts" -e 'd }'
}

printf '#include "page.h"\n'
whole | sed '/^@DATA@$/,$d' | bytes before
whole | sed '1,/^@DATA@$/d' | bytes behind
