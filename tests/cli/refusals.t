#!/bin/sh
# SPDX-License-Identifier: MIT
# Impossible requests are refused with one message and the documented status: 2 for wrong usage,
# 125 for sluice itself, 126 for a program that cannot be executed, 127 for a program that is not
# found.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq
printf 'int main(int n, char **v) { (void)v; return n; }' >small.c
build program gcc -static small.c

# fails WHAT STATUS PATTERN COMMAND...: the status, a message like the pattern, and not
# more than one (after a usage error, also a line that begins with "usage:"), or as many
# as $lines says.
fails()
{
    local what=$1 status=$2 pattern=$3
    shift 3
    "$@" >out 2>err </dev/null
    is "$what: status $status" $? "$status"
    like "$what: says why" "$(cat err)" "sluice: $pattern"
    is "$what: in ${lines:-one} line" "$(grep -vc '^usage: ' err)" "${lines:-1}"
    is "$what: nothing on standard output" "$(cat out)" ''
}

# Options that can be given once.
fails 'two machines where one will do' 2 '--machine rocket: given twice*' "$sluice" record -m ss4 -m rocket ./program
fails 'two formats' 2 '--format callgrind: given twice*' "$sluice" run -f folded -f callgrind ./program
fails 'two ranges' 2 '--range exit: given twice*' "$sluice" run --range main --range exit ./program

# The program.
fails 'no such file' 127 '*./nowhere*' "$sluice" run ./nowhere
fails 'no such program in PATH' 127 '*nowhere*PATH*' "$sluice" run nowhere-at-all
fails 'an empty name' 127 '*' "$sluice" run ''
fails 'a file as a directory' 127 '*program/x*' "$sluice" run ./program/x
fails 'a directory' 126 '*directory*' "$sluice" run /
cp program locked && chmod -x locked
fails 'not executable' 126 '*locked*executable*' "$sluice" run ./locked
: >empty && chmod +x empty
fails 'an empty file' 126 '*empty*' "$sluice" run ./empty
echo 'hello there' >text && chmod +x text
fails 'text without #!' 126 '*text*#!*' "$sluice" run ./text
head -c 40 program >cut && chmod +x cut
fails 'a cut ELF header' 126 '*cut*' "$sluice" run ./cut
gcc -c -o object small.c && chmod +x object
fails 'an object file' 126 '*object*' "$sluice" run ./object
printf '#!\n' >script && chmod +x script
fails '#! without an interpreter' 126 '*script*interpreter*' "$sluice" run ./script
printf '#!/no/such/interpreter -x\n' >script
fails 'a missing interpreter' 127 '*/no/such/interpreter*' "$sluice" run ./script
printf '#!%s\n' "$T/script" >script
fails 'a script that is its own interpreter' 126 '*' "$sluice" run ./script

# Machines that sluice does not know: only the ELF header is changed.
header() # header FILE OFFSET BYTES
{
    cp program "$1"
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
header arm 18 '\050\000'
fails 'a program for 32-bit ARM' 125 '*arm*machine*' "$sluice" run ./arm
header ppc 18 '\025\000'
fails 'a program for PowerPC' 125 '*ppc*machine*' "$sluice" run ./ppc

# The emulator.
fails '--qemu that is not there' 125 '*/nonexistent*' "$sluice" run --qemu /nonexistent ./program
fails '--qemu that is no QEMU' 125 '*/bin/true --version* does not print a QEMU version*' "$sluice" run --qemu /bin/true ./program
fails '--qemu that is a directory' 125 '*' "$sluice" run --qemu / ./program
mkdir nothing
fails 'no QEMU in PATH' 125 '*qemu-x86_64*make engine*install*' \
    env PATH="$T/nothing" SLUICE_TAP=plugin "$sluice" run ./program
printf '#!/bin/sh\necho qemu-x86_64 version 10.0.2\n' >bare && chmod +x bare
fails 'a QEMU without plugins' 125 '*without plugin support*make engine*' "$sluice" run --qemu ./bare ./program
fails 'a tap that there is not' 2 '*tap*engine*' env SLUICE_TAP=both "$sluice" run ./program
printf '#!/bin/sh\necho qemu-x86_64 version 5.2.0\n' >old && chmod +x old
fails 'a QEMU that is too old' 125 '*5.2*7.2*' "$sluice" run --qemu ./old ./program
mkdir alone && cp "$sluice" alone
printf '#!/bin/sh\necho qemu-x86_64 version 7.2.0\necho -plugin\n' >with && chmod +x with
fails 'without its plugins' 125 '*sluice-tap*' alone/sluice run --qemu ./with ./program

# Usage.
fails 'no program' 2 '*program*' "$sluice" run
fails 'no program after --' 2 '*program*' "$sluice" run --
fails 'an unknown command' 2 '*unknown command frobnicate*' "$sluice" frobnicate
fails 'an unknown long option' 2 '*--frob *' "$sluice" run --frob ./program
fails 'an unknown short option' 2 '*-z *' "$sluice" run -z ./program
fails 'an unknown short option among others' 2 '*-z*' "$sluice" run -qzq ./program
fails 'an unknown option after an argument' 2 '*--frob *' "$sluice" report a.db --frob
fails 'an unknown letter after an argument' 2 '*-z *' "$sluice" report --json a.db -z
echo precious >letter
fails 'a trace in place of something else' 2 '*letter*is not a trace*' "$sluice" record -o letter -- sh -c 'touch ran'
ok 'which is kept, and nothing was run' [ "$(cat letter)" = precious -a ! -e ran ]
fails 'an option that another command has' 2 '*--marked *' "$sluice" record -o x.slt --marked ./program
fails 'an option without its argument' 2 '*-p*argument*' "$sluice" run -p
fails 'a long option without its argument' 2 '*--range*argument*' "$sluice" run --range
fails 'an argument that an option does not take' 2 '*--lossy=3*' "$sluice" run --lossy=3 ./program
for bad in 0 x 12Q -5 99999999999G ''; do
    fails "--memory '$bad'" 2 '*--memory*number*' "$sluice" run --memory "$bad" ./program
done
fails '-n 0' 2 '*--number 0*' "$sluice" run -n 0 ./program
fails '--keep 0' 2 '*--keep 0*' "$sluice" run --keep 0 ./program
fails '--keep some' 2 '*--keep some*' "$sluice" run --keep some ./program
fails 'an unknown format' 2 '*unknown report format*yaml*json*' "$sluice" report -f yaml x.db
fails 'an unknown format for run' 2 '*unknown report format*yaml*json*' "$sluice" run -f yaml -- sh -c 'touch ran'
ok 'an unknown format is refused before the program runs' [ ! -e ran ]

# Formats that nothing of what is requested can be made into.
for pair in folded:edge callgrind:value pprof:edge speedscope:call callgraph:function flat:block loops:edge \
    bolt:block profgen:function autofdo:context; do
    "$sluice" run -p "${pair#*:}" -f "${pair%:*}" -o f.db sh -c 'touch ran' >said 2>&1 </dev/null
    is "-f ${pair%:*} of ${pair#*:}: status 2" $? 2
    like "-f ${pair%:*} of ${pair#*:}: it says what it needs" "$(cat said)" \
        "sluice: ${pair%:*} needs a profile of one of these detectors: *"
    ok "-f ${pair%:*} of ${pair#*:}: before the program runs" [ ! -e ran ]
done
fails 'a detector that is none, before what a format needs' 2 '*unknown detector lopp; did you mean loop?*' \
    "$sluice" run -f loops -p lopp true
"$sluice" run -q -p edge+call@exact -f bolt -o f.db true >said 2>&1 </dev/null
is 'one of several detectors will do' "$?$(cat said)" 0
fails 'list of something else' 2 '*detectors*tables*' "$sluice" list frobs
fails 'two databases' 2 '*one database*' "$sluice" report a.db b.db

# Profiles: the message points at the character.
while read -r spec status pattern; do
    fails "-p '$spec'" "$status" "$pattern" "$sluice" run -p "$spec" ./program
done <<'END'
frob 2 *unknown?detector*frob*character?1*
edge@frob 2 *unknown?table*frob*character?6*
edge:frob 2 *unknown?metric*frob*character?6*
edge:@exact 2 *metric*
edge@ 2 *character?6*
@exact 2 *character?1*
edge@exact@exact 2 *TABLE*character?11?of*@exact*
edge@exact:count 2 *TABLE*character?11?of*:count*
function(tail=maybe) 2 *tail*maybe*character?15*
function(tall=1) 2 *tall*character?10*
function(tail=1 2 *character*
function(tail=1,tail=0) 2 *tail*twice*
value:instructions 2 *value*count*
edge(x) 2 *x*
edge) 2 *)*character?5*
END
fails "-p ''" 2 '*' "$sluice" run -p '' ./program

# Databases and traces that are none.
fails 'a database that is not there' 125 '*nowhere.db*' "$sluice" report nowhere.db
fails 'no sluice.db here' 125 "no sluice.db here: run 'sluice run PROGRAM' first, or give a database" sh -c 'cd nothing && exec "$0" report' "$sluice"
fails 'no sluice.db here, for annotate' 125 "no sluice.db here: run 'sluice run PROGRAM' first*" \
    sh -c 'cd nothing && exec "$0" annotate main' "$sluice"
fails 'an empty database' 125 '*empty*' "$sluice" report empty
fails 'text as a database' 125 '*text*' "$sluice" report text
fails 'a directory as a database' 125 '*' "$sluice" report nothing
sqlite3 foreign.db 'CREATE TABLE t (x); INSERT INTO t VALUES (1)'
fails 'another program'"'"'s database' 125 '*foreign.db*' "$sluice" report foreign.db
fails 'text as a trace' 125 '*text*' "$sluice" replay -o x.db text
fails 'an empty trace' 125 '*empty*' "$sluice" replay -o x.db empty
fails 'a machine for a synthetic stream' 2 '*synthetic stream has none*a program*trace*' \
    "$sluice" replay -o x.db -m tiger -p value 'synth:zipf(events=100)'
fails 'an invented stream of no kind' 2 '*frob*' "$sluice" replay -o x.db 'synth:frob()'

# A foreign file is never written over.
cp text precious
"$sluice" run -q -p edge -o precious sh -c 'touch ran' 2>err
is 'a file that is no database is not replaced: status 2' $? 2
same 'a file that is no database is not replaced: its contents' precious text
ok 'a file that is no database is not replaced: the program has not run' [ ! -e ran ]
"$sluice" run -q -p edge -o foreign.db ./program 2>err
is 'nor is another program'"'"'s database: status 2' $? 2
is 'nor is another program'"'"'s database: its contents' "$(sqlite3 foreign.db 'SELECT x FROM t')" 1
"$sluice" run -q -p edge -o a.db ./program
"$sluice" report -o a.db a.db 2>err
is 'a report does not replace its database: status 2' $? 2
is 'a report does not replace its database: it is whole' \
    "$(sqlite3 a.db 'SELECT wait_status >> 8 FROM program')" 1
echo kept >kept
"$sluice" report -f callgrind -o kept a.db 2>err
is 'a report that cannot be made: status 2' $? 2
is 'a report that cannot be made leaves the file as it was' "$(cat kept)" kept
"$sluice" report -o kept a.db
is 'one that can replaces it' $?/"$(grep -c instructions kept)" 0/1
"$sluice" report -o /dev/stdout a.db >out
is 'a device is written to' $?/"$(grep -c instructions out)" 0/1
finish
