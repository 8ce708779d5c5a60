#!/bin/sh
# SPDX-License-Identifier: MIT
# The ring under stress: either side killed, a slow reader, dropped events, forking processes,
# thousands of threads. Every lost event is reported, and the program is not affected.
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64 nm
stream=$BUILD/tests/support/guest_stream
report=$T/report

reported() # reported NAME: the value of a line of the report
{
    sed -n "s/^$1 //p" "$report"
}

# run COMMAND [OPTION...] -- PROGRAM...: what the program prints goes to $T/out.
run()
{
    command=$1
    shift
    timeout 600 "$stream" "$command" -o "$report" "$@" </dev/null >"$T/out" 2>"$T/err"
}

# The report has these lines, no error and no warning; or we show it.
reports() # reports NAME LINE...
{
    what=$1
    shift
    good=0
    for line; do
        grep -qx "$line" "$report" || good=1
    done
    ! grep -qE '^(error|warning)' "$report" || good=1
    verdict $good "$what" || { for line; do echo "# expected: $line"; done; sed 's/^/# /' "$report" "$T/err"; }
}

entry() # entry PROGRAM: where its function `work` begins, as a range
{
    start=$(nm "$1" | awk '$3 == "work" { print $1 }')
    printf '%x-%x' $((0x$start)) $((0x$start + 1))
}

for program in steady children storm; do
    build "$T/$program" gcc -O2 -static "$programs/$program.c" -pthread
done

# ---- the guest is killed
# The lines that it has written say how often `work` had been called.
all_delivered()
{
    lines=$(wc -l <"$T/out")
    calls=$(reported inside)
    [ "$(reported status)" = 0x9 ] && [ "$(reported ended)" = 1 ] && [ -z "$(reported error)" ] &&
        [ "$lines" -gt 0 ] && [ "$calls" -ge "$lines" ] && [ "$calls" -le $((lines + 1)) ]
}
killed_at_all_times() # killed_at_all_times WAY
{
    for blocks in 90000 100001 123456 140007 155555 170009 187654 200003 222222 250000 271828 314159; do
        run count -w "$1" -k $blocks -r "$(entry "$T/steady")" -- "$T/steady" || return
        all_delivered || return
    done
}
for way in values named stores blocks; do
    ok "a killed guest's events are all there ($way)" killed_at_all_times $way ||
        sed 's/^/# /' "$report" "$T/err"
done
run compare -k 300000 -- "$T/steady"
reports "what a killed guest did is how it would have gone on" "status 0x9" "differences 0"

# ---- the reader is killed, or lets go
"$T/steady" 40 >"$T/wanted"
run orphan -k 300000 -- "$T/steady" 40
reports "a guest whose reader is killed ends as it should" "reader_status 0x9" "orphan_status 0x700"
same "its output is complete" "$T/out" "$T/wanted"
run orphan -w stores -k 300000 -- "$T/steady" 40
reports "the same with all accesses" "reader_status 0x9" "orphan_status 0x700"
same "and its output" "$T/out" "$T/wanted"
ok "a guest can be let go of" run count -e 300000 -- "$T/steady" 40
same "and its output is complete, too" "$T/out" "$T/wanted"

# ---- a reader that is too slow
for way in values named blocks; do
    rounds=20
    [ $way != blocks ] || rounds=150 # to fill the ring
    run count -w $way -- "$T/steady" $rounds
    blocks=$(reported blocks)
    loads=$(reported loads)
    run count -w $way -s 1000 -- "$T/steady" $rounds
    reports "a slow reader loses nothing ($way)" "blocks $blocks" "loads $loads" "dropped_blocks 0" \
        "dropped_loads 0" "gaps 0" "status 0x700"
    run count -w $way -l -s 8000 -- "$T/steady" $rounds
    reports "lossy: the program ends as it should ($way)" "status 0x700"
    ok "lossy: some is dropped, and it shows ($way)" \
        [ "$(reported dropped_blocks)" -gt 0 -a "$(reported gaps)" -gt 0 ]
    is "lossy: all blocks are delivered or counted ($way)" \
        $(($(reported blocks) + $(reported dropped_blocks))) "$blocks"
    is "lossy: all loads are delivered or counted ($way)" \
        $(($(reported loads) + $(reported dropped_loads))) "$loads"
    run count -w $way -l -- "$T/steady" 1
    reports "lossy, with a fast reader: nothing is dropped ($way)" "dropped_blocks 0" "gaps 0"
done

# ---- other processes
children() # children WAY LINES FORKS EXEC STATUS
{
    for want in values stores; do
        run count -w $want -- "$T/children" "$1"
        reports "$1: what is known of it ($want)" "forks $3" "exec $4" "status $5"
        is "$1: the children's output ($want)" "$(sort "$T/out")" "$2"
    done
}
"$T/children" fork >"$T/native"
child=$(grep -m1 child "$T/native")
parent=$(grep parent "$T/native")
children fork "$(printf '%s\n%s\n%s\n%s' "$child" "$child" "$child" "$parent")" 3 0 0x500
children thread "$(printf '%s\n%s' "$child" "$parent")" 1 0 0x500
children vfork "$(printf 'child 0\n%s' "$parent")" 1 0 0x500
children spawn "$(printf 'child 0\n%s' "$parent")" 1 0 0x500
children system "$(printf 'child 0\n%s' "$parent")" 1 0 0x500
children exec "child 0" 0 1 0
children noexec "$parent" 0 0 0x500

run count -- "$T/children" daemon
reports "daemon: what is known of it" "forks 1" "exec 0" "status 0x500"
both() { [ "$(wc -l <"$T/out")" -ge 2 ]; }
until_true both
is "daemon: its output comes after its parent's end" "$(sort "$T/out")" "$(printf '%s\n%s' "$child" "$parent")"

# ---- threads
run count -r "$(entry "$T/storm")" -- "$T/storm" sequence 2000
reports "2,000 threads, one after another: each is there" "threads 2001" "starts 2001" "inside 2000" \
    "status 0" "dropped_blocks 0"
is "and the program's output" "$(cat "$T/out")" 2000
run count -w stores -r "$(entry "$T/storm")" -- "$T/storm" crowd 200
reports "200 threads at once: each is there" "threads 201" "starts 201" "inside 200" "status 0" \
    "dropped_blocks 0"
is "and the program's output" "$(cat "$T/out")" 200
run count -r "$(entry "$T/storm")" -- "$T/storm" crowd 1100
reports "more threads than stages: the program ends as it should" "status 0" "threads 1101" "starts 1024"
ok "and what there was no space for is counted" \
    [ "$(reported dropped_blocks)" -gt 100000 -a "$(reported inside)" -ge 1000 ]
ended_by_thread()
{
    for try in 1 2 3 4 5 6 7 8 9 10; do
        run count -w "$1" -- "$T/storm" exit 16 || return
        [ "$(reported status)" = 0x900 ] && [ "$(reported starts)" = 17 ] || return
    done
}
for way in values stores; do
    ok "a thread ends the process, 16 others in full run ($way)" ended_by_thread $way ||
        sed 's/^/# /' "$report" "$T/err"
done
finish
