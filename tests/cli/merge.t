#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice merge` adds up the databases of several runs: sums are exact, bounds hold, names and
# lines are preserved. Tables that cannot be added up are omitted with a reason.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

bare='-O1 -g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
program() # program TIMES MORE: a source; both programs are at the same addresses
{
    cat <<END
static volatile int sum;
__attribute__((noinline)) static void shared(int n)
{
    for (int i = 0; i < n; i++)
        sum += i;
}
$2
void _start(void)
{
    for (int i = 0; i < $1; i++)
        shared(20);
    ${3:-}
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
    __builtin_unreachable();
}
END
}
program 30 '' >one.c
program 50 '__attribute__((noinline)) static void own(int n) { while (n--) sum ^= n; }' 'own(70);' >two.c
build one gcc $bare one.c
build two gcc $bare two.c

merge() { rm -f "$1"; "$sluice" merge -o "$@" >out 2>err; }
column() { sql "$1" "SELECT $2 FROM program"; }
entries() # entries DATABASE DETECTOR: what its entries are, wherever they are, with their counts
{
    sql "$1" "SELECT p.function, p.object_address - f.object_address, q.function, sum(e.count), sum(e.low), sum(e.high)
        FROM entry e JOIN profile r ON r.id = e.profile AND r.detector = '$2'
        LEFT JOIN location p ON p.address = e.pc LEFT JOIN location f ON f.address = p.function_start
        LEFT JOIN location q ON r.detector = 'edge' AND q.address = e.value
        GROUP BY p.function, p.object, e.pc, e.value ORDER BY 1, 2, 3, 4"
}

# ---- runs of one program
profile a.db -p function -p edge -p value -p context -p block -- ./one
merge m.db a.db a.db a.db
is 'three runs: status' "$? $(cat err)" '0 '
is 'three runs: instructions are sums' "$(column m.db instructions)" $((3 * $(column a.db instructions)))
for detector in function edge value context block; do
    is "three runs: $detector" "$(entries m.db $detector)" "$(entries a.db $detector |
        awk -F'|' -v OFS='|' '{ $4 *= 3; $5 *= 3; $6 *= 3; print }')"
done
is 'three runs: whole weights' "$(sql m.db 'SELECT weight, events, "distinct", stored_weight FROM profile ORDER BY id')" \
    "$(sql a.db 'SELECT 3 * weight, 3 * events, "distinct", 3 * stored_weight FROM profile ORDER BY id')"
is 'three runs: code is there once' "$(sql m.db 'SELECT (SELECT count(*) FROM block), (SELECT count(*) FROM location),
    (SELECT count(*) FROM span), (SELECT count(*) FROM object), (SELECT count(*) FROM source_file)')" \
    "$(sql a.db 'SELECT (SELECT count(*) FROM block), (SELECT count(*) FROM location),
    (SELECT count(*) FROM span), (SELECT count(*) FROM object), (SELECT count(*) FROM source_file)')"
"$sluice" report m.db >out
like 'three runs: the report says what it is' "$(cat out)" '*! merged from 3 runs of 1 program*'
"$sluice" annotate m.db shared >out 2>err
is 'three runs: source is annotated' "$? $(grep -c 'sum += i' out)" '0 1'
merge s.db a.db
is 'one alone is what it was' "$(entries s.db edge)" "$(entries a.db edge)"

# ---- programs at the same addresses
profile b.db -p function -p edge -p value -p context -p block -- ./two
merge m.db a.db b.db
is 'two programs: status' "$? $(cat err)" '0 '
is 'two programs: instructions' "$(column m.db instructions)" $(($(column a.db instructions) + $(column b.db instructions)))
for detector in function edge block; do
    is "two programs: $detector, nothing is mixed up" "$(entries m.db $detector)" \
        "$( (entries a.db $detector; entries b.db $detector) | sort -t'|' -k1,1 -k2,2n -k3,3 -k4,4n)"
done
callers() { "$sluice" report --json "$1" | jq -r '.profiles[] | select(.detector == "context") | .entries[] |
    "\(.object) \(.function) \(.callers) \(.count)"' | sort; }
is 'two programs: contexts have their callers' "$(callers m.db)" "$( (callers a.db; callers b.db) | sort)"
lines() { "$sluice" report -f callgrind "$1" | sed -n '/^fl=\|^fn=\|^[+*0-9-]/p' | wc -l; }
"$sluice" diff --json a.db m.db >out
is 'two programs: lines of the other one are added' \
    "$(jq -r '.sections[] | select(.name == "line:instructions") | .rows[] | select(.name == "own") | .change' out |
       awk '{ n += $1 } END { print n }')" "$(sql b.db "SELECT e.count FROM entry e JOIN profile r ON r.id = e.profile
       AND r.detector = 'function' JOIN location ON address = pc WHERE function = 'own'")"
merge n.db b.db a.db
is 'the other way round it is the same' "$(entries n.db edge)" "$(entries m.db edge)"
merge n.db m.db a.db
is 'what is one can become part of one' "$(column n.db instructions)" \
    $((2 * $(column a.db instructions) + $(column b.db instructions)))

# ---- what not all tables can
profile c.db -p edge@multihash -p path@wpp -p function -- ./one
merge m.db c.db c.db
is 'some tables cannot: status' $? 0
like 'some tables cannot: says which and why' "$(cat err)" \
    '*edge@multihash is omitted: *intervals*path@wpp is omitted: *order*'
is 'some tables cannot: the others are there' "$(sql m.db 'SELECT detector FROM profile')" function
is 'alone they can' "$(merge m.db c.db; sql m.db 'SELECT count(*) FROM profile')" 3
profile d.db -p edge@multihash -- ./one
merge m.db d.db d.db
is 'none can: status' $? 2
like 'none can: says so' "$(cat err)" '*no common profile whose counts can be added'
ok 'none can: nothing is left behind' [ ! -e m.db ]
merge m.db a.db c.db
like 'not all have it: says so' "$(cat err)" '*the profile edge is omitted: it is missing in c.db*'

# ---- bounds
profile e.db -p value -- ./one
profile e3.db --keep 3 -p value -- ./one
profile f.db -p value@P16 -p value@exact -- ./two
profile g.db -p value@P16 -p value@exact -- ./one
merge m.db e3.db e.db
is 'not all were saved: the truth is within the bounds' "$(sql m.db "ATTACH 'e.db' AS e;
    SELECT count(*), sum(m.low <= 2 * t.count AND 2 * t.count <= m.high) FROM main.entry m
    JOIN e.entry t ON t.pc = m.pc AND t.value = m.value" | awk -F'|' '{ print ($1 > 3), ($1 == $2) }')" '1 1'
merge m.db f.db g.db
is 'samplers: estimates are added up' "$(sql m.db 'SELECT sum(count) FROM entry WHERE profile = 0')" \
    $(($(sql f.db 'SELECT sum(count) FROM entry WHERE profile = 0') + $(sql g.db 'SELECT sum(count) FROM entry WHERE profile = 0')))
is 'samplers: messages, too' "$(sql m.db 'SELECT messages FROM profile WHERE id = 0')" \
    $(($(sql f.db 'SELECT messages FROM profile WHERE id = 0') + $(sql g.db 'SELECT messages FROM profile WHERE id = 0')))
is 'samplers: nearly all truths are within the bounds' "$(sql m.db 'SELECT count(*) > 20, sum(m.low <= t.count AND
    t.count <= m.high) >= 0.9 * count(*) FROM entry m JOIN entry t ON t.pc = m.pc AND t.value = m.value
    WHERE m.profile = 0 AND t.profile = 1')" '1|1'

# ---- a machine, and its approximate counters
profile ma.db -m rocket -p 'event(all)@morris' -p function:cycles -- ./one
profile mb.db -m rocket -p 'event(all)@morris' -p function:cycles -- ./two
merge m.db ma.db mb.db
is 'a machine: status' "$? $(cat err)" '0 '
total() { sql "$1" "SELECT count FROM machine_event WHERE name = '$2'"; }
for event in cycles base dmiss energy; do
    is "a machine: $event" "$(total m.db $event)" $(($(total ma.db $event) + $(total mb.db $event)))
done
is 'Morris counters: readings are added up' "$(sql m.db 'SELECT sum(count) FROM entry WHERE profile = 0')" \
    $(($(sql ma.db 'SELECT sum(count) FROM entry WHERE profile = 0') + $(sql mb.db 'SELECT sum(count) FROM entry WHERE profile = 0')))
"$sluice" report m.db >out
is 'a machine: it can be reported' $? 0
profile mc.db -m rocket -p 'event(all)@morris(seed=7)' -- ./two
merge m.db ma.db mc.db
is 'Morris counters: seeds may differ' "$? $(sql m.db 'SELECT sum(count) FROM entry')" \
    "0 $(($(sql ma.db 'SELECT sum(count) FROM entry WHERE profile = 0') + $(sql mc.db 'SELECT sum(count) FROM entry')))"
profile mc.db -m rocket -p 'event(all)@morris(seed=7,bits=7)' -- ./two
merge m.db ma.db mc.db
is 'Morris counters: nothing else may' $? 2
merge x.db ma.db a.db
is 'not both have a machine: status' $? 2
like 'not both have a machine: says so' "$(cat err)" '*cannot merge ma.db and a.db: they have different CPU models'

# ---- process trees
if [ -x "$BUILD/engine/qemu-x86_64" ]; then
    printf '#!/bin/sh\n./one; ./two; ./one\n' >script
    chmod +x script
    timeout 120 "$sluice" run -q --follow -p function -p edge -o processes.db ./script >/dev/null 2>&1
    merge m.db processes.db
    is 'a process tree: status' "$? $(cat err)" '0 '
    is 'a process tree: all are in it' "$(sql m.db "SELECT name, function, count FROM entry JOIN profile ON profile.id = profile
        AND detector = 'function' JOIN location ON address = pc JOIN object ON object.id = object
        WHERE function IN ('shared', 'own') ORDER BY 1, 2")" \
        "$(for n in 'one 2 a' 'two 1 b'; do
            set -- $n
            sql "$3.db" "SELECT '$1', function, $2 * count FROM entry JOIN profile ON profile.id = profile
                AND detector = 'function' JOIN location ON address = pc
                WHERE function IN ('shared', 'own') ORDER BY 1, 2"
        done)"
    is 'a process tree: no process is left over' "$(sql m.db 'SELECT count(*) FROM process')" 0
else
    skip 'a process tree' 'the engine is not built (make engine)'
fi

# ---- views

# Equal inlined calls in two functions, of which one is called much more often than the other.
cat >twins.c <<'END'
static inline __attribute__((always_inline)) int small(volatile int *p, int i) { return p[i & 63] += i; }
#define HOST(name) __attribute__((noinline)) int name(volatile int *p, int n) { int s = 1; while (n--) s ^= small(p, n * 3); return s; }
HOST(large) HOST(little)
static volatile int p[64];
int main(int n, char **v)
{
    return n > 1 ? little(p, 7000) + (n > 2 ? large(p, 3) : 0) : (large(p, 5000) ^ little(p, 3)) == 99;
}
END
build twins gcc -O2 -g -static twins.c
build twins-dynamic gcc -O2 -g twins.c
# Rows "key number" of the view VIEW of databases, added by key.
rows() # rows VIEW DATABASE...
{
    local view=$1 file
    shift
    for file; do
        case $view in
        functions) "$sluice" report -n 1000000 "$file" | sed -n '/^Functions by/,/^$/p' | tr -d , |
            sed -n 's/^ *\([0-9]*\)  *[0-9.]*%  *[~0-9.]*%  *\([^ ]\{1,8\}\).*/\2 \1/p' ;; # names are cut
        flat) "$sluice" report -f flat -n 1000000 "$file" | tr -d , |
            sed -n 's/^ *[0-9.]*%  *[0-9.]*%  *\([0-9]*\)  \([^ ]*\).*/\2 \1/p' ;;
        folded) "$sluice" report -f folded "$file" | sed 's/\(.*\) \([0-9]*\)$/\1|\2/; s/ /_/g; s/|/ /' ;;
        speedscope) "$sluice" report -f speedscope "$file" |
            jq -r '.shared.frames as $f | .profiles[0] | [.samples, .weights] | transpose[] |
                "\(.[0] | map($f[.].name) | join(";") | gsub(" "; "_")) \(.[1])"' ;;
        callgrind) "$sluice" report -f callgrind "$file" |
            awk '/^fn=/ { fn = $1 } /^calls=/ { getline; next } /^0x/ { print fn, $3 }' ;;
        json) "$sluice" report --json "$file" | jq -r '.profiles[] | select(.detector != "value") | .detector as $d | .entries[]? |
            "\($d):\(.object)+\(.object_address):\(.function):\(.value):\(.callers // [] | join(";")) \(.count)"' |
            sed 's/ /_/g; s/_\([0-9]*\)$/ \1/' ;;
        esac
    done | awk '{ sum[$1] += $2 } END { for (key in sum) printf "%s %d\n", key, sum[key] }' | sort
}
for program in twins twins-dynamic; do
    profile v1.db -- "./$program"
    profile v2.db -- "./$program" 1
    profile v3.db -- "./$program" 1 2
    for parts in 'v1.db v1.db' 'v1.db v2.db' 'v2.db v1.db v3.db v2.db'; do
        # shellcheck disable=SC2086
        merge m.db $parts
        for view in functions flat folded speedscope callgrind json; do
            # shellcheck disable=SC2086
            rows $view $parts >parts
            rows $view m.db >merged
            same "$program, $parts: the view $view is the sum of the parts' views" merged parts
        done
        rows functions m.db >merged
        is "$program, $parts: the source functions have all instructions" \
            "$(awk '{ sum += $2 } END { print sum }' merged)" "$(column m.db instructions)"
    done
done

# ---- refusals
merge x.db
is 'nothing to merge: status' $? 2
"$sluice" merge a.db >out 2>err
is 'no name: status' $? 2
echo text >text.db
merge x.db a.db text.db
is 'no database: status' $? 125
cp text.db keep.db
"$sluice" merge -o keep.db a.db >out 2>err
is 'a file that is none is not replaced' "$? $(cat keep.db)" '2 text'
for damage in "block SET bytes = bytes || x'90'" "block SET instruction_sizes = x'00'" "program SET arch = 'vax'"; do
    cp a.db damaged.db
    sqlite3 damaged.db "UPDATE $damage"
    "$sluice" report -f callgrind damaged.db >out 2>said
    merge x.db damaged.db
    is "what could not be read back is not merged: $damage" "$? $(cat err)" "125 $(cat said)"
    ok "and nothing is left behind: $damage" [ ! -e x.db ]
done
profile h.db -p function --limit 500 -- ./one
merge x.db a.db h.db
is 'parts of runs: status' $? 2
cp a.db self.db
"$sluice" merge -o self.db self.db a.db
is 'into one of them' "$? $(column self.db instructions)" "0 $((2 * $(column a.db instructions)))"
finish
