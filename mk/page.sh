#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the HTML page of `-f html` as two C arrays: the bytes before and after the data.
#
#     mk/page.sh DIRECTORY >page_text.c
#
# In page.html one line each is replaced by the style, the data and the scripts. Placeholders are replaced
# by the hashes of style and scripts, since the page's security policy allows only these. The SPDX lines
# of the sources are left out.
set -eu
cd "$1"
scripts=$(mktemp)
style=$(mktemp)
trap 'rm -f "$scripts" "$style"' EXIT

without_licence() # without_licence FILE: the file without its first line, the licence
{
    sed '1 { /SPDX-License-Identifier/d }' "$1"
}

# The order of the files is the order of the views in the page.
for name in base views modules table function_table source_lines summary difference flame_tree flame functions source \
    phases loops paths values processes tables machine warnings main; do
    without_licence "$name.js"
done >"$scripts"
for name in page views; do
    without_licence "$name.css"
done >"$style"

hash() # hash FILE: for the security policy; the element starts with a newline
{
    for byte in $({ echo; cat "$1"; } | sha256sum | cut -c 1-64 | sed 's/../& /g'); do
        printf "\\$(printf %03o "0x$byte")"
    done | base64
}

c_array() # c_array NAME: prints standard input as a C array
{
    printf 'const unsigned char sl_page_text_%s[] = {\n' "$1"
    od -An -v -tu1 | sed 's/  *\([0-9][0-9]*\)/\1,/g'
    printf '};\nconst size_t sl_page_text_%s_size = sizeof sl_page_text_%s;\n' "$1" "$1"
}

whole_page()
{
    without_licence page.html |
        sed -e "s,@STYLE-HASH@,$(hash "$style"),; s,@SCRIPT-HASH@,$(hash "$scripts")," \
            -e "/^@STYLE@\$/ { r $style" -e 'd }' -e "/^@SCRIPT@\$/ { r $scripts" -e 'd }'
}

printf '#include "page.h"\n'
whole_page | sed '/^@DATA@$/,$d' | c_array before
whole_page | sed '1,/^@DATA@$/d' | c_array after
