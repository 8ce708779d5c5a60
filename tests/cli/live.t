#!/bin/sh
# SPDX-License-Identifier: MIT
# Live output while a program runs: the JSON lines contain the intervals of the database, readers
# cannot disturb the run, and the database so far can be saved at any time.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq mkfifo

build numbers gcc -O2 -g -static "$programs/numbers.c"
build serving gcc -O2 -g -static "$programs/serving.c"
"$sluice" record -q -p value -p edge -o a.slt -- ./numbers >output

# ---- lines -----------------------------------------------------------------------

# What the lines and the database report of intervals, sorted.
lines_intervals()
{
    jq -r '[.profile, .id, .first_event, .events, .weight, .threshold, (.candidates | length), .new_candidates,
        .gone_candidates, .drops, (if .partial then 1 else 0 end)] | join("|")' "$1" | sort
}
saved_intervals()
{
    sql "$1" 'SELECT profile, id, first_event, events, weight, threshold, candidates, new_candidates, gone_candidates,
        drops, partial FROM interval WHERE profile IN (SELECT table_id FROM profile)' | sort
}

short='interval=1K,threshold=1%'
both() # both NAME OPTION...
{
    local name=$1
    shift
    rm -f with.db without.db lines
    "$sluice" replay -q --live=json:lines -o with.db "$@" a.slt 2>err
    is "$name: it ends well" "$? $(cat err)" '0 '
    "$sluice" replay -q -o without.db "$@" a.slt
    same "$name: the database is the same with and without a watcher" with.db without.db
    lines_intervals lines >got
    saved_intervals with.db >wanted
    same "$name: the lines are the intervals of the database" got wanted
    is "$name: candidates are those of the database" \
        "$(jq -r '.id as $n | .candidates[] | [$n, .count, .pc] | join("|")' lines | sort | cksum)" \
        "$(sql with.db "SELECT interval, count, printf('0x%x', pc) FROM candidate" | sort | cksum)"
    is "$name: what stays and what goes adds up" "$(jq -s 'group_by(.profile) | map(sort_by(.id) |
        [range(1; length) as $i | .[$i - 1].candidates as $before | .[$i] |
            select((.still_hot_candidates + .gone_candidates) != ($before | length) or .still_hot_candidates + .new_candidates != (.candidates | length)
                or (.gone | length) != .gone_candidates or ([.candidates[] | select(.new)] | length) != .new_candidates
                or ([.candidates[] | select(.new | not) | [.detector, .pc, .value, .target]] -
                    [$before[] | [.detector, .pc, .value, .target]]) != [])]) | flatten | length' lines)" 0
}
both 'edges' -p "edge@multihash($short)"
both 'several profiles' -p "value@multihash($short)" -p function -p "block:instructions@singlehash($short)"
both 'a shared table' -p "edge+value@multihash($short)"
both 'many short intervals' -p 'value@multihash(interval=64,threshold=5%)'
both 'with errors measured' --exact -p "value@multihash($short)" -p "edge@multihash($short)"
both 'paths and loops' -p "path@multihash($short)" -p "loop@multihash($short)"
both 'in threads' -j 3 -p "value@multihash($short)" -p "edge@multihash($short)" -p "loop@multihash($short)"

"$sluice" replay -q --live=json:lines -o with.db -p "edge@multihash($short)" a.slt
is 'candidates have the names of the report' \
    "$(jq -r '.candidates[] | [.pc, .symbol, .line, .target, .target_symbol] | join(" ")' lines | sort -u)" \
    "$("$sluice" report --json with.db | jq -r '.profiles[0].entries[] |
        [.pc, .symbol, .line, .target, .target_symbol] | join(" ")' | sort -u)"
profile live.db --live=json:lines -p "edge@multihash($short)" -- ./numbers
lines_intervals lines >got
saved_intervals live.db >wanted
same 'a program that runs has lines, too' got wanted
same 'and what it prints is its own' out output

# ---- where they go -----------------------------------------------------------------

"$sluice" replay -q --live=json:7 -o a.db -p "edge@multihash($short)" a.slt 7>seven
same 'a descriptor gets them' seven lines
"$sluice" replay -q --live=json -o a.db -p "edge@multihash($short)" a.slt >standard
same 'without one, standard output does' standard lines
"$sluice" run -q --live=json:7 -o a.db -p "edge@multihash($short)" -- sh -c 'echo x >&7' 7>seven 2>err
like 'the program does not have it' "$(cat err)" '*7*ad file descriptor*'
"$sluice" replay -q --live=json:9 -o a.db -p "edge@multihash($short)" a.slt 2>err 9<&-
is 'one that is not open is refused' "$? $(cat err)" \
    '125 sluice: --live: cannot write to the descriptor: Bad file descriptor'
"$sluice" replay -q --live=json:no/such -o a.db -p "edge@multihash($short)" a.slt 2>err
is 'so is a file that cannot be' "$? $(cat err)" \
    '125 sluice: --live: cannot write to no/such: No such file or directory'
"$sluice" replay -q --live=json:lines -p edge a.slt 2>err
is 'so are profiles without intervals' "$? $(cat err)" \
    '2 sluice: --live: no profile has intervals to report during the run: add one, for example edge@multihash'
for wrong in xml json: json:99999999; do
    "$sluice" replay -q --live=$wrong a.slt 2>err
    like "--live=$wrong is refused" "$? $(cat err)" '2 *give json, json:FILE or json:N*'
done

# ---- readers that do not read --------------------------------------------------------

many='synth:zipf(events=4M)'
few='value@multihash(interval=1K,threshold=0.5%)'
{
    "$sluice" replay -q --live=json -o a.db -p "$few" "$many" 2>err
    echo $? >status
} | :
is 'a reader that is gone: the run ends well' "$(cat status)" 0
like 'and says what was not written' "$(cat err)" \
    'sluice: --live: * of 4000 intervals were not written to the descriptor: Broken pipe'
mkfifo pipe
"$sluice" replay -q --live=json:pipe -o b.db -p "$few" "$many" 2>err
is 'a pipe that is never opened: the run ends with status 0' $? 0
is 'and says so' "$(cat err)" \
    'sluice: --live: 4000 of 4000 intervals were not written to pipe: the reader is too slow'
same 'the database is the same' a.db b.db
exec 8<>pipe
"$sluice" replay -q --live=json:pipe -o b.db -p "$few" "$many" 2>err
is 'a reader that reads nothing: the run ends well' $? 0
like 'and says what was lost' "$(cat err)" \
    'sluice: --live: * of 4000 intervals were not written to pipe: the reader is too slow'
same 'the database is the same again' a.db b.db
exec 8<&-
cat pipe >read &
"$sluice" replay -q --live=json:pipe -o b.db -p "edge@multihash($short)" a.slt 2>err
is 'a reader that reads: all is there' "$? $(cat err)" '0 '
wait
same 'line by line' read lines
if [ -e /dev/full ]; then
    "$sluice" replay -q --live=json:/dev/full -o b.db -p "$few" "$many" 2>err
    like 'a full disk is no harm' "$? $(cat err)" '0 sluice: --live: 4000 of 4000 *No space left on device'
else
    skip 'a full disk is no harm' 'there is no /dev/full'
fi

# ---- the database so far ---------------------------------------------------------------

# until COMMAND...: for as long as a minute.
until_so()
{
    local i=0
    until "$@"; do
        i=$((i + 1))
        [ $i -lt 600 ] || return 1
        sleep 0.1
    done
}
answered() # answered N: the number of lines is N
{
    [ "$(grep -c did answers)" -ge "$1" ]
}
saved() # saved N: N times
{
    [ "$(grep -c 'profile so far saved to so_far.db' said)" -ge "$1" ]
}
serve() # serve OPTION...
{
    rm -f questions so_far.db
    mkfifo questions
    "$sluice" run -o so_far.db "$@" ./serving <questions >answers 2>said &
    server=$!
    exec 6>questions
}
instructions()
{
    sql "$1" 'SELECT instructions FROM program'
}

set -- -p function -p "block:instructions@multihash(interval=1M)" -p context -p edge@wpp -p path@multihash --exact
serve "$@"
echo 'a 6000000' >&6
until_so answered 1
kill -PROF $server
ok 'SIGPROF saves the profile so far' until_so saved 1
cp so_far.db first.db
echo 'b 6000000' >&6
until_so answered 2
kill -PROF $server
ok 'again' until_so saved 2
cp so_far.db second.db
echo 'end' >&6
exec 6>&-
wait $server
is 'the program runs on, to its own end' "$? $(tr '\n' ' ' <answers)" '7 did a 6000000 did b 6000000 '
like 'it says that it is not whole' "$("$sluice" report first.db 2>&1)" '*saved while the program was running*'
ok 'there is the more in it the later' \
    [ "$(instructions first.db)" -lt "$(instructions second.db)" ]
ok 'and most at the end' [ "$(instructions second.db)" -lt "$(instructions so_far.db)" ]
ok 'what was done first is there first' [ "$(count_of sum_up first.db)" -gt 1000000 ]
is 'and no more' "$(count_of mix_up first.db)" 0
for database in first second; do
    is "intervals of the $database are those of the whole run" "$(sql so_far.db "ATTACH '$database.db' AS early;
        SELECT count(*) FROM early.interval e WHERE NOT partial AND NOT EXISTS (SELECT * FROM main.interval i
        WHERE (i.profile, i.id, i.events, i.candidates, i.new_candidates, i.gone_candidates)
            = (e.profile, e.id, e.events, e.candidates, e.new_candidates, e.gone_candidates))")" 0
    is "functions of the $database add up" "$(sql "$database.db" 'SELECT (SELECT sum(count) FROM entry
        WHERE profile = 0) = (SELECT instructions FROM program)')" 1
    for format in json html folded callgrind; do
        ok "the $database can be a report ($format)" "$sluice" report -f $format -o report "$database.db"
    done
done
# The same questions, in the same order: what a read brings is one.
ask_both() # ask_both COMMAND...: done between them
{
    echo 'a 6000000' >&6
    until_so answered 1
    "$@"
    echo 'b 6000000' >&6
    until_so answered 2
    echo end >&6
    exec 6>&-
    wait $server
}
serve "$@"
ask_both :
mv so_far.db without.db
serve "$@" -j 3
save_meanwhile()
{
    kill -PROF $server
    ok 'in threads, too' until_so saved 1
}
ask_both save_meanwhile
same 'the database at the end is the same, saved meanwhile or not' so_far.db without.db
# An exact table with this number of values has a thread, which the saving process does not have.
serve -p value -j 2
save_values()
{
    kill -PROF $server
    ok 'while another thread counts values, too' until_so saved 1
}
ask_both save_values
ok 'there were enough for that' [ "$(sql so_far.db 'SELECT loads FROM program')" -gt 1500000 ]

serve -q -p function
echo 'a 300000' >&6
until_so answered 1
rm -f so_far.db
mkdir so_far.db
kill -PROF $server
ok 'what cannot be saved is reported' until_so grep -q 'cannot save the profile so far: ' said
rmdir so_far.db
echo end >&6
exec 6>&-
wait $server
is 'and the run goes on' "$? $(instructions so_far.db | grep -c .)" '7 1'
finish
