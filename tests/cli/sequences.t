#!/bin/sh
# SPDX-License-Identifier: MIT
# Whole program paths, end to end: `sluice report -f sequence` expands to exactly the path sequence
# that an independent program computes from the trace, on every guest and for a real program. The
# grammar is stored as docs/database.md specifies; with little memory the beginning of the sequence
# is kept; the hot subpaths of a program with known control flow are found.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3
plainly=$BUILD/tests/support/path_counts
naive=$BUILD/tests/support/naive_grammar
whole='order=1 call=update_count+pop+push return=update_count+pop+push'

cat >turns.c <<'END'
volatile int odd, rare;

static void turn(int i)
{
    if (i % 2)
        odd++;
    if (i % 64 == 0)
        rare++;
}

int main(void)
{
    int i = 0;
again:
    turn(i);
    if (++i < 20000)
        goto again;
    return 0;
}
END

expand() # expand DATABASE [OPTION...]
{
    local database=$1
    shift
    "$sluice" report -f sequence "$@" "$database"
}

cross_compilers | while read -r arch compiler; do
    command -v "$compiler" >/dev/null && echo "$arch $compiler"
done >here
while read -r arch compiler; do
    build turns "$compiler" -g -O0 -static turns.c
    profile a.db -p 'path(wpp)@wpp' -p path@wpp -- ./turns
    is "$arch: it ends well" "$? $(cat err)" '0 '
    "$sluice" record -q -p path -o a.slt -- ./turns </dev/null
    # shellcheck disable=SC2086
    { $plainly a.slt $whole && echo && $plainly a.slt order=1; } >wanted 2>>err
    expand a.db >got
    same "$arch: both sequences of a run come back path by path" got wanted
    is "$arch: their lengths are those in the database" \
        "$(sql a.db 'SELECT sum(length) + 1 FROM sequence')" "$(wc -l <got)"
done <here

# A real program, in which nothing is laid out for us.
if command -v bzip2 >/dev/null; then
    head -c 60000 "$(command -v bzip2)" >input
    "$sluice" record -q -p path -o b.slt -- "$(command -v bzip2)" -kf input
    # shellcheck disable=SC2086
    $plainly b.slt $whole >wanted 2>/dev/null
    "$sluice" replay -q -o b.db -p 'path(wpp)@wpp' b.slt
    expand b.db >got
    same 'bzip2: the sequence comes back path by path' got wanted
    is 'bzip2: the grammar is much smaller' "$(sql b.db 'SELECT length > 5 * symbols AND
        length > 5 * compressed_bytes FROM sequence')" 1
else
    skip 'bzip2: the sequence comes back path by path' 'there is no bzip2'
    skip 'bzip2: the grammar is much smaller' 'there is no bzip2'
    cp a.db b.db
    expand b.db >got
fi

# Symbols are numbered in order of appearance, so the numbers follow from the sequence.
sqlite3 b.db "SELECT writefile('part.' || part, bytes) FROM grammar ORDER BY part" >/dev/null
cat part.* >grammar
awk '!($0 in number) { number[$0] = n++ } { print number[$0] }' <got >wanted
"$naive" grammar >numbers
same 'a reader that knows only the page makes the same of the bytes' numbers wanted
is 'the bytes are as many as the database says' "$(sql b.db 'SELECT compressed_bytes FROM sequence')" \
    "$(wc -c <grammar)"
is 'there is a symbol for each different path' "$(sql b.db 'SELECT count(*) FROM grammar_symbol')" \
    "$(sort -u got | wc -l)"
head -n 1000 got >wanted
expand b.db -n 1000 >beginning
same '-n limits the length from the beginning' beginning wanted

build turns gcc -g -O0 -static turns.c
profile a.db -p edge+path@wpp -- ./turns
is 'events of two detectors are one sequence' "$(expand a.db | wc -l)" \
    "$(sql a.db 'SELECT sum(events) FROM profile')"
profile a.db -p path -- ./turns
"$sluice" report -f sequence a.db >out 2>err
is 'without a sequence that is wrong usage' "$? $(wc -c <out)" '2 0'
like 'and it is reported how to get one' "$(cat err)" '*example the profile path(wpp)@wpp'

# Little memory: the beginning, and how much of it there is.
profile a.db -p 'path(wpp)@wpp' -- ./turns
expand a.db >wanted
profile m.db --memory 60K -p 'path(wpp)@wpp' -- ./turns
expand m.db >got
kept=$(wc -l <got)
is 'little memory: some of it' "$((kept > 100 && kept < $(wc -l <wanted)))" 1
head -n "$kept" wanted >beginning
same 'little memory: exactly the beginning of the sequence' got beginning
like 'little memory: the report says how much' "$("$sluice" report -n 1 m.db | tr '\n' ' ')" \
    "*used up its memory (0.1 MB) after $kept events*"
is 'little memory: what is missing was dropped' \
    "$(sql m.db 'SELECT drops FROM profile')" "$(($(wc -l <wanted) - kept))"

# Hot subpaths: three paths make a turn, two of them are always the same.
profile a.db -p 'path(wpp)@wpp(most=3)' -- ./turns
"$sluice" report --json a.db >json
subpaths() { jq -r ".profiles[0].sequence | $1" json; }
is 'the hottest subpath is a turn of the loop' \
    "$(subpaths '.subpaths[0] | .length == 3 and .occurrences > 9000 and
        ([.events[].path.lines[]] | any(. == "turns.c:5") and any(. == "turns.c:16"))')" true
is 'lengths are those of the events' "$(subpaths '[.subpaths[] |
    .length == (.events | length) and .occurrences >= 1] | all')" true
is 'they share the run' "$(subpaths '([.subpaths[].fraction] | add) as $sum |
    $sum > 0.3 and $sum <= 1')" true
is 'each is at least as hot as requested' "$(subpaths '[.subpaths[].fraction >= 0.001] | all')" true
is 'they weigh the instructions along them' "$(subpaths .unit)" instructions
is 'which are nearly all of the run' "$(jq '.profiles[0].sequence.weight as $w |
    .instructions as $i | $w <= $i and $w > 0.99 * $i' json)" true
like 'people are shown lines, shares and how small it is' \
    "$("$sluice" report a.db | sed -n '/^Hot subpaths/,$p')" \
    '*by instructions*%  *turns.c:* → *of * instructions*the sequence of * paths is *'
is 'a report of a whole program path fits a screen' "$(($("$sluice" report a.db | wc -l) <= 40))" 1
profile b.db -p 'path(wpp)@wpp' -- ./turns
is 'longer ones are nearly all of it' "$(sql b.db 'SELECT sum(p.weight) > 0.8 * s.weight AND
    sum(p.weight) <= s.weight FROM subpath p, sequence s')" 1
profile b.db -p 'path(wpp)@wpp(most=64,subpaths=shortest,hot=5%)' -- ./turns
is 'the shortest are shorter' "$(sql b.db 'SELECT count(*) > 0 AND max(length) < 16 AND
    sum(weight) <= (SELECT weight FROM sequence) FROM subpath')" 1
finish
