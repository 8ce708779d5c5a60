#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file is formatted as .clang-format specifies, and every source file names its licence.
. "$(dirname "$0")/../lib.sh"
need clang-format git
clang-format --version | grep -q "version 14\." || skip_all "clang-format is not version 14, and others format differently"
cd "$root" || exit 1

# Guest programs are left alone: tests and documents quote their line numbers.
git ls-files '*.[ch]' | grep -vE '^(tests/programs|demo|bench/workloads|tests/golden)/' >"$T/sources"
ok 'there are sources' [ "$(wc -l <"$T/sources")" -gt 500 ]
xargs -n 40 -P 2 clang-format --dry-run <"$T/sources" 2>&1 |
    sed -n 's/:[0-9]*:[0-9]*: warning.*//p' | sort -u >"$T/unformatted"
is 'make format changes nothing' "$(cat "$T/unformatted")" ''

git ls-files '*.[chvtS]' '*.sh' '*.mk' '*.cc' '*.cu' '*.vh' '*.awk' '*.inc' |
    grep -vE '^(tests/golden|docs)/' | xargs grep -L 'SPDX-License-Identifier: ' >"$T/unlicensed"
is 'every source file has an SPDX line' "$(cat "$T/unlicensed")" ''
finish
