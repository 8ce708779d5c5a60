#!/bin/sh
# SPDX-License-Identifier: MIT
# --range and --only count exactly the code that they name; invalid arguments are refused with
# status 2 and a message.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

build program gcc -O1 -g -static -fno-pie -no-pie "$programs/numbers.c"
profile all.db -p value -p edge -p call -p block -p type -- ./program >/dev/null

entries() # entries DATABASE PROFILE [CONDITION]
{
    sql "$1" "SELECT pc, value, count FROM entry WHERE profile = $2 AND ${3:-1} ORDER BY 1, 2"
}

start=$(nm -S program | awk '$4 == "interpret" { print $1 }')
size=$(nm -S program | awk '$4 == "interpret" { print $2 }')
low=$((0x$start)) high=$((0x$start + 0x$size))
for range in interpret "0x$start-$(printf '%x' $high)" "$start-$(printf '0x%x' $high)"; do
    profile a.db -p value -p edge -p call -p block -p type --range "$range" -- ./program
    is "--range $range: status" $? 0
    for p in 0 1 2 3; do
        entries a.db $p >got
        entries all.db $p "pc >= $low AND pc < $high" >wanted
        if [ -s wanted ]; then
            same "--range $range: profile $p is that part of the whole" got wanted
        else
            is "--range $range: profile $p is empty as that part of the whole" "$(cat got)" ''
        fi
    done
done
is 'the database says the range' "$(sql a.db 'SELECT range FROM program')" "$start-$(printf '0x%x' $high)"
# A range of all addresses is no selection, but is examined block by block, in another loop.
profile a.db -p function -p 'function(inclusive=1)' -p edge:instructions -- ./program
profile b.db -p function -p 'function(inclusive=1)' -p edge:instructions \
    --range 0x0-0xffffffffffffffff -- ./program
for p in 0 1 2; do
    entries a.db $p >wanted
    entries b.db $p >got
    ok "profile $p finds something" [ -s wanted ]
    same "--range of all addresses: profile $p is the same" got wanted
done
# Single instructions, and more than one span.
one=$(sql all.db "SELECT printf('%x', pc) FROM entry WHERE profile = 0 GROUP BY pc ORDER BY sum(count) DESC LIMIT 1")
two=$(sql all.db "SELECT printf('%x', pc) FROM entry WHERE profile = 1 GROUP BY pc ORDER BY sum(count) DESC LIMIT 1")
for range in "0$one" "0$one,0x$two" "0$two,0x$start-$(printf '%x' $high)"; do
    profile a.db -p value -p edge --range "$range" -- ./program
    case $range in
    *-*) in="pc = 0x$two OR pc >= $low AND pc < $high" ;;
    *,*) in="pc IN (0x$one, 0x$two)" ;;
    *) in="pc = 0x$one" ;;
    esac
    for p in 0 1; do
        entries a.db $p >got
        entries all.db $p "($in)" >wanted
        is "--range $range: profile $p has these instructions" "$(cat got)" "$(cat wanted)"
    done
done
profile a.db -p function -p function:count --range interpret -- ./program
is '--range of a function: its instructions alone, under its name' \
    "$(functions a.db 0 | cut -d ' ' -f 1)" interpret
is '--range of a function: it was called once' "$(functions a.db 1)" 'interpret 1'

# By class, against what objdump reports of each address.
objdump -d --no-show-raw-insn program | awk '
    /^ +[0-9a-f]+:/ {
        i = 2
        while ($i ~ /^(notrack|bnd|repz|rep|lock|cs|addr32|data16)$/) i++
        kind = ""
        if ($i ~ /^call/) kind = /\*/ ? "indirect-call" : "call"
        else if ($i ~ /^jmp/) kind = /\*/ ? "indirect" : "jump"
        else if ($i ~ /^j/) kind = "conditional"
        if (kind) { sub(/:/, "", $1); print $1, kind }
    }' | sort >kinds
for class in conditional indirect indirect-call call; do
    profile a.db -p edge -p call --only $class -- ./program
    p=0
    case $class in *call) p=1 ;; esac
    sql a.db "SELECT DISTINCT printf('%x', pc) FROM entry WHERE profile = $p" | sort | join - kinds |
        awk '{ print $2 }' | sort -u >got
    echo $class >wanted
    same "--only $class: every pc is that by objdump" got wanted
    sql all.db "SELECT DISTINCT printf('%x', pc) FROM entry WHERE profile = $((p + 1))" | sort |
        join - kinds | awk -v k=$class '$2 == k { print $1 }' >wanted
    sql a.db "SELECT DISTINCT printf('%x', pc) FROM entry WHERE profile = $p" | sort >got
    same "--only $class: and every one of them is there" got wanted
done
profile a.db -p edge --only conditional,indirect -- ./program
entries a.db 0 >got
entries all.db 1 >wanted
same '--only conditional,indirect: that is all edges' got wanted
profile a.db -p value --only load -- ./program
profile b.db -p value --only jump -- ./program
profile c.db -p value --only return,jump,load -- ./program
is '--only: two classes are the sum of both' \
    "$(($(sql a.db 'SELECT events FROM profile') + $(sql b.db 'SELECT events FROM profile')))" \
    "$(sql c.db 'SELECT events FROM profile')"
profile a.db -p value --only load --range interpret -- ./program
profile b.db -p value --range interpret -- ./program
ok '--only load --range: something, and not more than the range' \
    [ "$(sql a.db 'SELECT events FROM profile')" -gt 0 -a \
    "$(sql a.db 'SELECT events FROM profile')" -le "$(sql b.db 'SELECT events FROM profile')" ]

# refused WHAT PATTERN COMMAND...: status 2, one line that is like the pattern, no database
refused()
{
    local what=$1 pattern=$2
    shift 2
    rm -f sluice.db
    "$sluice" "$@" >out 2>err </dev/null
    is "$what: status 2" $? 2
    like "$what: it says why" "$(cat err)" "$pattern"
    is "$what: in one line" "$(head -n 1 err | wc -l)$(grep -vc '^usage: ' err)" 11
    ok "$what: there is no database" [ ! -e sluice.db ]
}

# A function that is nowhere but inlined: the loads that debug information says are its own.
cat >inlined.c <<'END'
int table[100];
static inline int pick(int i)
{
    int sum = 0;
    for (int k = 0; k < i % 5 + 2; k++)
        sum += table[(i + k) * 7 % 100];
    return sum;
}
static inline int total(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += pick(i) + table[n];
    return sum;
}
int main(int argc, char **argv)
{
    (void)argv;
    table[3] = argc;
    return total(50 + table[9]) == 99;
}
END
build inlined gcc -O2 -g -static -fno-pie -no-pie inlined.c
profile all.db -p value -p block -- ./inlined
inside() # inside NAME: entries of the loads in it
{
    sql all.db "WITH RECURSIVE own(id) AS (SELECT id FROM inlined WHERE name = '$1' UNION
        SELECT inlined.id FROM inlined JOIN own ON parent = own.id)
        SELECT pc, value, count FROM entry JOIN span ON pc >= address AND pc < \"end\"
        WHERE profile = 0 AND inlined IN own ORDER BY 1, 2"
}
for name in pick total; do
    profile a.db -p value --range $name -- ./inlined
    entries a.db 0 >got
    inside $name >wanted
    same "--range $name: what was inlined, with what was inlined in that" got wanted
done
ok 'which is not the same' [ "$(inside pick | wc -l)" -lt "$(inside total | wc -l)" ]

refused 'an empty place in a list' 'sluice: --range: "401000,,402000" *' run --range 401000,,402000 -- ./program
refused 'a comma at the end' 'sluice: --range: "401000," *' run --range 401000, -- ./program
refused 'a function in a list' 'sluice: --range: "401000,main" *' run --range 401000,main -- ./program
refused 'more than 64' 'sluice: --range: *' run --range "$(seq -s , 1 65)" -- ./program
refused 'a range upside down' 'sluice: --range: "0x402000-0x401000" *' run --range 0x402000-0x401000 -- ./program
refused 'an empty range' 'sluice: --range: "401000-401000" *' run --range 401000-401000 -- ./program
refused 'not hexadecimal' 'sluice: --range: "12-zz" *' run --range 12-zz -- ./program
refused 'a range with more after it' 'sluice: --range: "1-2-3" *' run --range 1-2-3 -- ./program
refused 'an unknown class' 'sluice: *unknown instruction class lod*load*conditional*' run --only lod -- ./program
refused 'an empty class' 'sluice: *unknown instruction class *' run --only load, -- ./program
refused 'a class for functions' 'sluice: --only: *function*' run -p function --only load -- ./program
refused 'a symbol that is not there' 'sluice: --range: *function nowhere not found*' \
    run --range nowhere -- ./program
# A misspelled function is refused before the run, if the symbols of the program are known.
cat >said.c <<'END'
#include <stdio.h>
static inline int twice(int x) { return 2 * x; }
int main(int argc, char **argv) { (void)argv; printf("ran %d\n", twice(argc)); return 0; }
END
build said_static gcc -O1 -g -static said.c
build said gcc -O1 -g said.c
for option in range start-at; do
    "$sluice" run -q --$option nowhere -o a.db ./said_static >out 2>err
    is "--$option: a function that the program does not contain: status 2" $? 2
    is "--$option: a function that the program does not contain: a message" "$(cat err)" \
        "sluice: --$option: function nowhere not found in ./said_static"
    is "--$option: a function that the program does not contain: the program does not run" "$(cat out)" ''
    "$sluice" run -q --$option nowhere -o a.db ./said >out 2>err
    like "--$option: a function that may be in a library: a warning before the run" "$(head -n 1 err)" \
        "sluice: --$option: warning: function nowhere not found in ./said; *library*"
    is "--$option: a function that may be in a library: the program runs" "$(cat out)" 'ran 2'
done
"$sluice" run -q --range twice -o a.db ./said_static >out 2>err
is 'an inlined function is found before the run' $?/"$(cat err)" 0/
refused 'an empty symbol' 'sluice: --range: *' run --range '' -- ./program
finish
