#!/bin/sh
# SPDX-License-Identifier: MIT
# The embedding example demo/interpreter.c builds as C and as C++, profiles its interpreted program
# phase by phase in two threads, and prints the cost of an event.
. "$(dirname "$0")/../lib.sh"
need gcc awk
[ -f "$BUILD/libsluice.a" ] || skip_all 'there is no library'

# The result of the interpreted program.
awk 'BEGIN {
    sum = 1
    for (i = 0; i < 100000; i++) sum = (sum * 3 + i % 16) % 1000003
    for (i = 0; i < 100000; i++) sum = sum * (3 + 4 * (i % 16 < 1)) % 1000003
    print "result", sum, "and", sum }' >wanted

for compiler in 'gcc -std=gnu11 -x c' 'g++ -x c++'; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    build interpreter $compiler -Wall -Wextra -Werror -O2 -I"$root/include" "$root/demo/interpreter.c" \
        -x none "$BUILD/libsluice.a" -lm -lpthread $sanitized
    ./interpreter >out
    is "$compiler: the example runs" $? 0
    grep '^result' out >got
    same "$compiler: the interpreted program computes the right result" got wanted
    sed -n '/phase 1/,/phase 2/p' out | sed -n 's/.*instruction \([0-9]*\): the right operand is \([0-9]*\), .*/\1 \2/p' |
        tr '\n' ' ' >first
    is "$compiler: constant operands of the first phase are found" "$(cat first)" '6 3 9 16 12 1000003 16 1 20 100000 '
    like "$compiler: a nearly constant operand of the second phase is found" "$(sed '1,/phase 2/d' out)" \
        '*instruction 37: the right operand is 3, 9[2-6]%*'
    is "$compiler: the results of the first phase are cleared" "$(sed '1,/phase 2/d' out | grep -c 'instruction 6:')" 0
done
./interpreter cost >out
is 'the cost is measured' $? 0
like 'the cost of an event is printed' "$(cat out)" '*14000000 events: * ns each by steps, * ns by batches*'
finish
