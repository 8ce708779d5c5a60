#!/bin/sh
# SPDX-License-Identifier: MIT
# The function list with inlined functions as the source has them: costs equal those computed from
# callgrind's cost per instruction and addr2line's inlined functions, and totals do not change.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

# The functions that sluice lists: "name cost", and "name all".
listed() # listed DATABASE [OPTION...]
{
    local database=$1
    shift
    "$sluice" report -n 100000 "$@" "$database" | sed -n '/^Functions/,/^$/p' |
        awk '$2 ~ /%$/ { gsub(",", "", $1); print }'
}
sum()
{
    awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

build inlined gcc -O2 -g -no-pie -fno-pie -fno-ipa-icf -fcf-protection=none "$programs/inlined.c"
profile i.db -p function -p block:instructions -p 'context(nested=1)' -- ./inlined
listed i.db >rows
listed i.db --symbols >symbols
total=$(sql i.db 'SELECT instructions FROM program')
is 'all functions of the source together have executed what the program has' "$(sum <rows)" "$total"
is 'and so have those of the linker' "$(sum <symbols)" "$total"
for name in mix weigh walk check; do
    like "$name is a function that is inlined" "$(grep " $name " rows)" '* inlined in *'
    is "$name is none of the linker's" "$(grep -c " $name " symbols)" 0
done
is 'what was split off is part of its function' "$(grep -c 'main\.cold' rows)" 0
like 'a function says who calls it' "$(grep ' step ' rows)" '*< walk*'

# The same from valgrind and binutils.
if command -v valgrind >/dev/null && command -v addr2line >/dev/null; then
    valgrind -q --tool=callgrind --compress-strings=no --compress-pos=no --dump-instr=yes --dump-line=no \
        --callgrind-out-file=callgrind.out ./inlined >out.valgrind 2>valgrind.err || sed 's/^/# /' valgrind.err
    # "address cost what": of instructions, and of what they call.
    awk '/^ob=/ { ours = /\/inlined$/ }
         /^cfn=/ { jump = /=main/ } # to main.cold and back is no call, though callgrind says so
         /^calls=/ { getline; if (ours && !jump) print $1, $2, "call"; next }
         /^0x/ { if (ours) print $1, $2, "self" }' callgrind.out >costs
    cut -d' ' -f1 costs | sort -u >addresses
    # "address function function ...", from the inside out.
    addr2line -e inlined -f -i -a <addresses |
        awk '/^0x/ { printf "%s0x", (NR > 1 ? "\n" : ""); sub(/^0x0*/, ""); printf "%s", $0; odd = 1; next }
             odd { sub(/\.cold$/, ""); printf " %s", $0 } { odd = !odd } END { print "" }' >stacks
    awk 'NR == FNR { stack[$1] = $0; next }
         { n = split(stack[$1], f, " ")
           if ($3 == "self") self[f[2]] += $2
           split("", seen)
           for (i = 2; i < n; i++) if (!(f[i] in seen)) { seen[f[i]] = 1; all[f[i]] += $2 } }
         END { for (name in self) if (name ~ /^(mix|weigh|walk|check|step|complain|main)$/)
                   print name, self[name], ((name in all) ? all[name] : "-") }' stacks costs | sort >wanted
    awk -v total="$total" '{ print $4, $1 }' rows | grep -E '^(mix|weigh|walk|check|step|complain|main) ' |
        sort >got
    cut -d' ' -f1,2 wanted >wanted.self
    same 'self costs are those of callgrind and addr2line' got wanted.self
    # Shares of all that was executed have two digits; `~` marks a guess.
    awk -v total="$total" 'NR == FNR { if ($3 != "-") all[$1] = sprintf("%.2f%%", 100 * $3 / total); next }
        $4 in all { got = $3; sub(/^~/, "", got); print $4, got, all[$4] }' \
        wanted rows >compared
    is 'and so is what inlined functions cost with all that they call' \
        "$(cut -d' ' -f1,2 compared)" "$(cut -d' ' -f1,3 compared)"
    is 'of all four' "$(wc -l <compared)" 4
else
    skip 'self costs are those of callgrind and addr2line' 'there is no valgrind or addr2line'
    skip 'and so is what inlined functions cost with all that they call' 'there is no valgrind or addr2line'
    skip 'of all four' 'there is no valgrind or addr2line'
fi

# Profiles of code say what was inlined there, as addr2line does.
profile p.db -p edge -p value -p block -p loop -p path -- ./inlined
"$sluice" report --json p.db >p.json
if command -v addr2line >/dev/null && command -v jq >/dev/null; then
    jq -r '.profiles[] | .detector as $d | .entries[] | select(.object == "inlined" and
        ($d != "loop" or .branch)) | .pc + " " + (.inlined_function // "-")' p.json | sort -u >got
    cut -d' ' -f1 got | addr2line -e inlined -f -i -a |
        awk '/^0x/ { if (NR > 1) print at, (n > 1 ? first : "-"); sub(/^0x0*/, ""); at = "0x" $0; n = 0; odd = 1; next }
             odd { if (!n++) first = $0 } { odd = !odd } END { print at, (n > 1 ? first : "-") }' >wanted
    same 'code that was inlined has its function next to it' got wanted
    ok 'which are several' [ "$(grep -v -- ' -$' got | cut -d' ' -f2 | sort -u | wc -l)" -ge 3 ]
else
    skip 'code that was inlined has its function next to it' 'there is no addr2line or jq'
    skip 'which are several' 'there is no addr2line or jq'
fi
"$sluice" report -n 1000 p.db >screen
for part in Edges Values Blocks Loops Paths; do
    ok "the report has it: $part" sh -c "sed -n '/^$part/,/^\$/p' screen | grep -qE ' main.*0x[0-9a-f]+ \((mix|weigh|walk|check)\)'"
done
"$sluice" report -f html p.db | grep -o '"main+0x[0-9a-f]* ([a-z]*)"' | sort -u >page
jq -r '.profiles[] | select(.detector != "path" and .detector != "loop") | .entries[:250][] |
    select(.inlined_function and (.symbol | startswith("main+"))) | "\"" + .symbol + " (" + .inlined_function + ")\""' p.json | sort -u >wanted
is "so do the page's tables" "$(comm -13 page wanted)" ''

# Whatever is executed, sums are the same.
if command -v g++ >/dev/null; then
    build classes g++ -O2 -g "$programs/classes.cc"
    profile c.db -p function -p block:instructions -p 'context(nested=1)' -- ./classes
    is 'C++: sums are the same' "$(listed c.db | sum) $(listed c.db --symbols | sum)" \
        "$(sql c.db "SELECT instructions || ' ' || instructions FROM program")"
fi
for source in callers numbers shapes; do
    build hosted gcc -O3 -g -DHOSTED "$programs/$source.c" -lm
    profile h.db -p function -p block:instructions -- ./hosted
    is "$source.c: sums are the same" "$(listed h.db | sum) $(listed h.db --symbols | sum)" \
        "$(sql h.db "SELECT instructions || ' ' || instructions FROM program")"
done
profile h.db -p function -p block:instructions -p 'context(nested=1)' -- ./hosted
"$sluice" report -n 100000 h.db >with
is 'stubs are part of what they lead to' "$(sed -n '/^Functions/,/^$/p' with | grep -c 'memcpy@plt')" 0
is 'contexts are not listed next to functions' "$(grep -c '^Contexts' with)" 0
profile h.db -p function:cycles -m rocket -- ./hosted
like 'a profile of functions alone is as the linker has it' "$("$sluice" report h.db)" '*Functions by cycles*'
finish
