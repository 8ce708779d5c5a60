#!/bin/sh
# SPDX-License-Identifier: MIT
# Outcomes of conditional branches equal those of gcov at -O0: for each line, the sorted counts of
# the outcomes. For a switch, gcov's count of each case's line equals the count of our edges to it.
. "$(dirname "$0")/../lib.sh"
need gcov gcc jq sqlite3
source=$programs/branches.c
flags='-O0 -g -fno-jump-tables -fcf-protection=none'

# "line count count ...", sorted, outcomes that never happened left out; lines of
# a switch apart.
switch_line=$(awk '/switch \(/ { print FNR }' "$source")
outcomes()
{
    awk -v switch_line="$switch_line" '$2 && $1 != switch_line' | sort -n -k1,1 -k2,2 |
        awk '$1 != line { if (line) print text; line = $1; text = line } { text = text " " $2 } END { print text }'
}

gcov_outcomes() # gcov_outcomes GCDA
{
    gcov --json-format --stdout -b "$1" 2>/dev/null |
        jq -r '.files[] | select(.file | endswith("branches.c")) | .lines[] |
            .line_number as $n | .branches[] | "\($n) \(.count)"' | outcomes
}

# Lines that begin a case, with their counts.
gcov_cases()
{
    awk '/^    (case|default)/ { print FNR + 1 }' "$source" | sort >case_lines
    gcov --json-format --stdout "$1" 2>/dev/null |
        jq -r '.files[] | select(.file | endswith("branches.c")) | .lines[] | "\(.line_number) \(.count)"' |
        sort | join case_lines - | awk '$2'
}

our_outcomes() # our_outcomes DATABASE
{
    sql "$1" "SELECT line, count FROM entry JOIN location ON address = pc
        WHERE file LIKE '%branches.c'" | tr '|' ' ' | outcomes
}

our_cases()
{
    sql "$1" "SELECT t.line, sum(count) FROM entry JOIN location f ON f.address = pc
        JOIN location t ON t.address = value WHERE f.line = $switch_line AND f.function = 'choose'
        GROUP BY t.line" | tr '|' ' ' | sort | join case_lines - |
        awk -v default="$(awk '/^    default/ { print FNR + 1 }' "$source")" '$1 != default'
}

build instrumented gcc $flags --coverage "$source"
./instrumented >native
gcda=$(ls ./*.gcda)
gcov_outcomes "$gcda" >wanted
gcov_cases "$gcda" | grep -v "^$(awk '/^    default/ { print FNR + 1 }' "$source") " >wanted.cases
ok 'gcov knows at least 25 lines with conditions' [ "$(wc -l <wanted)" -ge 25 ]
ok 'gcov knows 5 cases' [ "$(wc -l <wanted.cases)" -eq 5 ]

rm -f ./*.gcda
profile a.db -p edge -- ./instrumented
same 'the instrumented program prints what it prints natively' out native
gcov_outcomes "$gcda" >wanted.again
same 'gcov counts the same in a profiled run' wanted.again wanted
our_outcomes a.db >got
same 'the instrumented program: outcomes are those that the same run reported to gcov' got wanted

while read -r arch compiler; do
    case $compiler in gcc) more=$flags ;; *) more='-O0 -g -fno-jump-tables' ;; esac
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch: outcomes are gcov's" "there is no $compiler"
        continue
    fi
    build plain "$compiler" $more -static "$source"
    profile a.db -p edge -- ./plain
    same "$arch: it prints the same" out native
    our_outcomes a.db >got
    same "$arch: outcomes of every line are gcov's" got wanted
    our_cases a.db >got
    same "$arch: every case of the switch is gone to as often as gcov says" got wanted.cases
done <<END
$(cross_compilers)
END
finish
