#!/bin/sh
# SPDX-License-Identifier: MIT
# Calling contexts with inlined functions: self and inclusive costs equal those computed from
# callgrind's cost per instruction and addr2line's inlined functions, to the instruction. Without
# inlined functions the contexts do not change, and every format contains them.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

inlined='mix|weigh|walk|check'
own="$inlined|step|complain|main"
plain='context(nested=1)'
with='context(nested=1,inlined=1)'

# "name self all" of folded stacks, of the program's own functions.
costs()
{
    awk -v own="^($own)\$" '{ n = split(substr($0, 1, length($0) - length($NF) - 1), f, ";")
            split("", seen)
            for (i = 1; i <= n; i++)
                if (f[i] ~ own && !(f[i] in seen)) { seen[f[i]] = 1; all[f[i]] += $NF }
            if (f[n] ~ own) self[f[n]] += $NF }
        END { for (name in all) print name, self[name] + 0, all[name] }' | sort
}
total()
{
    awk '{ sum += $NF } END { printf "%.0f\n", sum }'
}

build inlined gcc -O2 -g -no-pie -fno-pie -fno-ipa-icf -fcf-protection=none "$programs/inlined.c"
"$sluice" record -q -o i.slt -- ./inlined
"$sluice" replay -q -p "$plain" -o p.db i.slt
"$sluice" replay -q -p "$with" -o i.db i.slt
instructions=$(sql i.db 'SELECT instructions FROM program')
"$sluice" report -f folded p.db >plain
"$sluice" report -f folded i.db >with
is 'all contexts together have executed what the program has' "$(total <with)" "$instructions"
is 'every caller is there' "$(cut -d';' -f1 with | sed 's/ [0-9]*$//' | sort -u)" \
    "$(cut -d';' -f1 plain | sed 's/ [0-9]*$//' | sort -u)"
is 'no stack is there twice' "$(sed 's/ [0-9]*$//' with | sort | uniq -d)" ''
for stack in 'main;weigh;mix' 'main;walk;step' 'main;check'; do
    like "$stack is one" "$(cat with)" "*;$stack [0-9]*"
done

# Without the inlined functions it is what it was.
grep ';main' with | awk -v inlined="^($inlined)\$" '
    { n = split(substr($0, 1, length($0) - length($NF) - 1), f, ";")
      stack = f[1]
      for (i = 2; i <= n; i++) if (f[i] !~ inlined) stack = stack ";" f[i]
      sum[stack] += $NF }
    END { for (stack in sum) print stack, sum[stack] }' | sort >got
grep ';main' plain | sort >wanted
same 'without inlined functions, contexts are those without them' got wanted

# The same from valgrind and binutils.
if command -v valgrind >/dev/null && command -v addr2line >/dev/null; then
    valgrind -q --tool=callgrind --compress-strings=no --compress-pos=no --dump-instr=yes --dump-line=no \
        --callgrind-out-file=callgrind.out ./inlined >out.valgrind 2>valgrind.err || sed 's/^/# /' valgrind.err
    awk '/^ob=/ { ours = /\/inlined$/ }
         /^cfn=/ { jump = /=main/ } # to main.cold and back is no call, though callgrind says so
         /^calls=/ { getline; if (ours && !jump) print $1, $2, "call"; next }
         /^0x/ { if (ours) print $1, $2, "self" }' callgrind.out >costs
    cut -d' ' -f1 costs | sort -u >addresses
    addr2line -e inlined -f -i -a <addresses |
        awk '/^0x/ { printf "%s0x", (NR > 1 ? "\n" : ""); sub(/^0x0*/, ""); printf "%s", $0; odd = 1; next }
             odd { sub(/\.cold$/, ""); printf " %s", $0 } { odd = !odd } END { print "" }' >stacks
    awk -v own="^($own)\$" 'NR == FNR { stack[$1] = $0; next }
         { n = split(stack[$1], f, " ")
           if ($3 == "self") self[f[2]] += $2
           split("", seen)
           for (i = 2; i <= n; i++) if (!(f[i] in seen)) { seen[f[i]] = 1; all[f[i]] += $2 } }
         END { for (name in all) if (name ~ own) print name, self[name] + 0, all[name] }' \
        stacks costs | sort >wanted
    costs <with >got
    same 'what each costs, itself and with all that it calls, is as callgrind and addr2line say' got wanted
else
    skip 'what each costs is as callgrind and addr2line say' 'there is no valgrind or addr2line'
fi

# ---- formats ---------------------------------------------------------------------

costs <with >wanted
"$sluice" report -f speedscope i.db >speedscope.json
jq -r '.shared.frames as $f | .profiles[0] | [.samples, .weights] | transpose[] |
    ([.[0][] | $f[.].name] | join(";")) + " " + (.[1] | tostring)' speedscope.json | costs >got
same 'speedscope has the same stacks' got wanted
"$sluice" report -f pprof i.db | gzip -dc >pprof 2>/dev/null
ok 'pprof has the names' grep -q weigh pprof
if command -v go >/dev/null || command -v pprof >/dev/null; then
    "$sluice" report -f pprof i.db >i.pb.gz
    if command -v go >/dev/null; then set -- go tool pprof; else set -- pprof; fi
    HOME=$T "$@" -unit=minimum -top -nodecount=0 -nodefraction=0 i.pb.gz 2>/dev/null |
        awk -v own="^($own)\$" '$6 ~ own && !($6 in self) { self[$6] = $1; all[$6] = $4 }
            END { for (name in self) print name, self[name], all[name] }' | sort >got
    same "go's pprof has the same figures" got wanted
else
    skip "go's pprof has the same figures" 'there is no go'
fi
if command -v protoc >/dev/null; then
    "$sluice" report -f pprof i.db | gzip -dc | protoc --decode_raw >decoded
    # Locations (4) with several lines (4): functions with others inlined in them.
    ok 'inlined functions are lines of one location' [ "$(awk '/^4 / { n = 0 } /^  4 / { n++ }
        /^}/ { if (n > 1) several++; n = 0 } END { print several + 0 }' decoded)" -ge 4 ]
else
    skip 'inlined functions are lines of one location' 'there is no protoc'
fi
"$sluice" report --json i.db >i.json
is 'JSON says what is inlined' "$(jq -r '[.profiles[0].entries[] | select(.inlined) | .function] | unique[]' \
    i.json | grep -xE "$inlined" | tr '\n' ' ')" 'check mix walk weigh '
is 'and has no count but those' "$(jq '[.profiles[0].entries[].count] | add' i.json)" "$instructions"
like 'the report marks them' "$("$sluice" report i.db)" '*weigh \[inlined\] *'

# Functions as the source has them follow from such contexts exactly, and are those of blocks.
"$sluice" replay -q -p function -p block:instructions -o f.db i.slt
"$sluice" replay -q -p function -p block:instructions -p "$with" -o c.db i.slt
listed()
{
    "$sluice" report -n 100000 "$1" | sed -n '/^Functions/,/^$/p' |
        awk -v own="^($own)\$" -v column="$2" '$2 ~ /%$/ && $(3 + column) ~ own {
            gsub(",", "", $1); print $1, $(3 + column) }' | sort
}
listed f.db 0 >wanted
listed c.db 1 >got
same 'what functions cost themselves follows from contexts as it does from blocks' got wanted
is 'and what they cost in all is no guess' "$("$sluice" report -n 100000 c.db | grep -c ' ~')" 0
"$sluice" report -f flat -n 100000 c.db >flat
like 'the flat profile has them' "$(cat flat)" '*weigh \[inlined\] *'
like 'and the call graph' "$("$sluice" report -f callgraph c.db)" '*mix \[inlined\] \[*'

# ---- merging, machines, shared objects, recursion ------------------------------------

"$sluice" merge -o two.db i.db i.db >/dev/null
"$sluice" report -f folded two.db | awk '{ $NF = $NF / 2; print }' | sort >got
sort with >wanted
same 'two runs merged have twice as much of each' got wanted
profile m.db -m rocket -p "$with:cycles" -p "$plain:cycles" -- ./inlined
is 'cycles add up, too' "$(sql m.db 'SELECT DISTINCT weight FROM profile' | wc -l)" 1
is 'with the counts of all contexts' \
    "$(sql m.db 'SELECT sum(count) = weight FROM entry, profile WHERE profile = id GROUP BY id' | sort -u)" 1
is 'and every caller is there, if it weighs nothing' \
    "$("$sluice" report -f folded m.db | cut -d';' -f1 | sed 's/ [0-9]*$//' | sort -u)" \
    "$(cut -d';' -f1 plain | sed 's/ [0-9]*$//' | sort -u)"

cat >recursive.c <<'END'
static int walk(int n);
static inline int visit(int n) { return n % 3 + walk(n - 1); }
__attribute__((noinline)) static int walk(int n) { return n > 0 ? visit(n / 2) + visit(n - 1) : n; }
int main(void) { return walk(14) == 12345; }
END
build recursive gcc -O2 -g -fno-ipa-cp -fno-optimize-sibling-calls recursive.c
profile r.db -p "$with" -p function -- ./recursive
"$sluice" report -f folded r.db >with
is 'recursion through inlined functions ends' "$(total <with)" "$(sql r.db 'SELECT instructions FROM program')"
is 'and what main costs is all that is below it' \
    "$(own='walk|visit' costs <with | awk '{ self += $2; if ($3 > all) all = $3 } END { print self == all }')" 1
finish
