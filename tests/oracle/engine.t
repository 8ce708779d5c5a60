#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine gives the same databases as the plugin, and survives the same faults: ten real
# programs, and SIGKILL of either side at random moments ($SLUICE_KILLS times).
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all "the engine is not built (make engine)"
stream=$BUILD/tests/support/guest_stream
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1

# Not values: process numbers, clocks and the stack's random bytes differ from run to run.
profile() # profile TAP PROGRAM...
{
    tap=$1
    shift
    SLUICE_TAP=$tap "$sluice" run -q -o "$tap.db" -p edge -p path@hpt -p function:instructions -- "$@" \
        </dev/null >"$tap.out" 2>"$tap.err"
    echo $? >"$tap.status"
    # Which tap it was is all that may differ.
    sqlite3 "$tap.db" "SELECT tap FROM program; UPDATE program SET tap = NULL" >"$tap.tap"
}
# Both taps, and again, up to `tries` times in all, if the databases differ: process numbers and clocks change
# what a program executes now and then (with either tap, every fourth run of Debian 13's mawk has two
# instructions more or less: it has more tries).
tries=3
twice() # twice PROGRAM...
{
    for try in $(seq $tries); do
        profile engine "$@"
        profile plugin "$@"
        ! cmp -s engine.db plugin.db || break
    done
}
equal() # equal NAME PROGRAM...
{
    what=$1
    shift
    if ! PATH=/usr/bin:/bin command -v "$1" >/dev/null; then
        skip "$what" "there is no $1"
        return
    fi
    twice "$@"
    same "$what: its output" engine.out plugin.out
    ok "$what: its status" cmp -s engine.status plugin.status
    ok "$what: the database" cmp -s engine.db plugin.db
    is "$what: which tap is reported" "$(cat engine.tap plugin.tap | paste -sd' ')" "engine plugin"
}
seq 1 400 >numbers
equal sort sort -n numbers
equal gzip gzip -c numbers
equal bzip2 bzip2 -c numbers
equal sed sed 's/1/one/g' numbers
tries=8
equal awk awk '{ s += $1 } END { print s }' numbers
tries=3
equal cut cut -c 1-2 numbers
equal tr sh -c 'exec tr 1 2 <numbers'
equal wc sh -c 'exec wc numbers'
equal perl perl -e 'print join ",", map { $_ * $_ } 1 .. 50'
equal xz xz -T1 -c numbers
equal od od -c numbers

# Long straight code: a plugin's own operations fill QEMU's buffer of them, so that QEMU cuts it
# in more pieces. What was executed is the same.
executed() # executed TAP
{
    sqlite3 "$1.db" 'SELECT instructions FROM program'
}
for try in 1 2 3; do
    profile engine md5sum numbers
    profile plugin md5sum numbers
    [ "$(executed engine)" != "$(executed plugin)" ] || break
done
is "md5sum: as many instructions" "$(executed engine)" "$(executed plugin)"

# ---- kills
build "$T/steady" gcc -O2 -static "$programs/steady.c"
moment()
{
    awk -v seed="$1" 'BEGIN { srand(seed); print int(20000 + 400000 * rand()) }'
}
kills=${SLUICE_KILLS:-12}
bad=0
for i in $(seq "$kills"); do
    case $((i % 3)) in
    0) timeout 600 "$stream" orphan -1 engine -k "$(moment $i)" -o report -- "$T/steady" 40 >out 2>err &&
           grep -qx 'orphan_status 0x700' report ;;
    1) timeout 600 "$stream" count -1 engine -k "$(moment $i)" -o report -- "$T/steady" >out 2>err &&
           grep -qx 'status 0x9' report && grep -qx 'ended 1' report && ! grep -q '^error' report ;;
    2) timeout 600 "$stream" compare -1 engine -2 plugin -k "$(moment $i)" -o report -- "$T/steady" >out 2>err &&
           grep -qx 'status 0x9' report && grep -qx 'differences 0' report ;;
    esac || { bad=$((bad + 1)); sed "s/^/# kill $i: /" report err | head -n 8; }
done
is "$kills kills of either side: nothing is lost, nothing hangs" "$bad" 0
finish
