#!/bin/sh
# SPDX-License-Identifier: MIT
# Profilers side by side: rows in order, figures that fit together, errors that fall.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3
stream='synth:zipf(events=1M)'

rows() # rows FILTER: of the JSON in rows.json, one line for each row
{
    jq -rc ".rows[] | $1" rows.json
}
no_speed() # of JSON
{
    jq 'del(.rows[].events_per_second)'
}

# ---- the usual profiles ------------------------------------------------------

"$sluice" compare "$stream" >text 2>err
is 'status 0' $? 0
is 'nothing on standard error' "$(cat err)" ''
is 'no database is written' "$(find . -name '*.db*')" ''
"$sluice" compare --json "$stream" >rows.json
is 'JSON: status 0' $? 0
is 'the usual profiles, in their order' "$(rows '.spec | sub("\\(.*"; "")')" 'value:count@R256
value:count@P256
value:count@H[P256]2048
value:count@H[P256]2048+A16
value:count@T2/256x2048w2+A16'
is 'the text has a line for each, below its heading' "$(grep -c '^  .*value.*@.*%' text)" 5
is 'every row has these keys' "$(rows 'keys_unsorted | sort | join(" ")' | uniq)" \
    "$(echo below_limit_from curve cycles error events events_per_second gap_median gap_min \
        gap_unit interrupts interval_error measure messages overhead overhead_of overlap overlap_dynamic \
        profiler_overhead residue spec storage_bits windows)"
is 'all saw the whole stream' "$(rows .events | uniq)" 1000000
is 'all have an error, below 1' "$(rows 'select(.error <= 0 or .error >= 1)')" ''
is 'the error is the last point of the curve' "$(rows 'select(.curve[-1][1] != .error)')" ''
is 'a message costs 30 cycles' "$(rows 'select(.cycles != 30 * .messages)')" ''
is 'the overhead is of instructions' "$(rows '.overhead_of' | uniq)" instructions
is 'and is their share' "$(rows 'select((.overhead - .cycles / 1000000 | fabs) > 1e-6)')" ''
is 'P256 sends every 256th event, and the rest is its residue' \
    "$(rows 'select(.spec | test("@P256")) | [.messages, .residue, .gap_min, .storage_bits]')" \
    '[3906,64,256,8]'
is 'a second level only makes fewer messages' \
    "$(jq '.rows | .[3].messages < .[2].messages and .[3].storage_bits > .[2].storage_bits' \
        rows.json)" true

# ---- order, exact, sharing ----------------------------------------------------

"$sluice" compare --json -p value -p value@P100 -p value -p 'value@CR100(estimate=ratio)' \
    "$stream" >rows.json
is 'rows come as given, also twice' "$(rows '.spec | sub("\\(.*"; "")' | tr '\n' ' ')" \
    'value:count@exact value:count@P100 value:count@exact value:count@CR100 '
is 'exact has no error and sends nothing' \
    "$(rows 'select(.spec | test("@exact")) |
        [.error == 0, .messages, .overhead, .overhead_of, .residue]' | uniq)" \
    '[true,null,null,null,null]'
is 'nor does the text say so' \
    "$("$sluice" compare -p value "$stream" | awk '$1 == "value" { print $4, $5, $6 }')" '- - 0.00%'

# ---- curves --------------------------------------------------------------------

"$sluice" compare --json --every 100K "$stream" >rows.json
is '--every 100K of a million: ten points' "$(rows '.curve | length' | uniq)" 10
is 'at each 100K' "$(rows '[.curve[][0]]' | uniq)" \
    '[100000,200000,300000,400000,500000,600000,700000,800000,900000,1000000]'
is 'the last error is below the first' "$(rows 'select(.curve[-1][1] >= .curve[0][1]) | .spec')" ''
is 'the later half of a curve is below the earlier half' \
    "$(rows 'select(([.curve[5:][][1]] | add) >= ([.curve[:5][][1]] | add)) | .spec')" ''
is 'measuring on the way changes no result' "$(rows '[.spec, .messages, .error]')" \
    "$("$sluice" compare --json "$stream" | jq -c '.rows[] | [.spec, .messages, .error]')"
"$sluice" compare --json -p 'value@multihash(interval=700K)' "$stream" >rows.json
whole=$(rows .error)
"$sluice" compare --json --every 250K -p 'value@multihash(interval=700K)' "$stream" >rows.json
is 'nor does it where the last interval is cut short' "$(rows '[.error, .curve[-1]]')" \
    "[$whole,[1000000,$whole]]"
"$sluice" compare --json --every 300K -p value@P256 "$stream" >rows.json
is 'the end is a point, too' "$(rows '[.curve[][0]]')" '[300000,600000,900000,1000000]'

# From the definition: the first point after the last that is above.
from='(.curve | map(.[1] > $limit) | rindex(true) // -1) as $last |
    if $last + 1 == (.curve | length) then null else .curve[$last + 1][0] end'
for limit in 3 5 10 60; do
    "$sluice" compare --json --every 50K --below $limit% "$stream" >rows.json
    is "below $limit% from where it stays there" "$(rows .below_limit_from)" \
        "$(jq -c --argjson limit "0.$(printf %02d $limit)" ".rows[] | $from" rows.json)"
done
is 'one limit is reached by all of them' "$(rows 'select(.below_limit_from == null)')" ''

"$sluice" compare --every 50K -p value@P256 -p value "$stream" >text
like 'with points the text says from when on' "$(head -n 1 text)" '*below 5% from*'
like 'and plots the errors' "$(cat text)" '*error by events*|*a*1,000,000 events'
is 'no line above 100 columns' "$(awk 'length > 100' text)" ''
is 'a limit is in the heading' \
    "$("$sluice" compare --every 50K --below 2.5 -p value@P256 "$stream" |
        grep -c 'below 2.5% from')" 1

# ---- the same again --------------------------------------------------------------

"$sluice" compare --json --every 200K "$stream" | no_speed >first
"$sluice" compare --json --every 200K "$stream" | no_speed >second
same 'repeated, all but the speed is the same' first second
"$sluice" compare -o saved.db --every 200K "$stream" >text
is '-o saves a database' "$(sql saved.db 'SELECT count(*) FROM profile')" 5
"$sluice" compare --json --every 200K "$stream" >rows.json
# differ A B: lines of which the last word is not the same number, to six digits
differ()
{
    paste -d ' ' "$1" "$2" | awk '{
        n = NF / 2; d = $n - $NF
        for (i = 1; i < n; i++) if ($i != $(n + i)) d = 1
        if (d > 1e-5 * $n || -d > 1e-5 * $n) print }'
}
sql saved.db "SELECT value FROM error WHERE name = 'invariance' ORDER BY profile" >saved
rows .error >shown
is 'its errors are those of the table' "$(wc -l <saved) $(differ saved shown)" '5 '
sql saved.db 'SELECT profile, events, error FROM curve' | tr '|' ' ' >saved
jq -r '.rows | to_entries[] | .key as $k | .value.curve[] | "\($k) \(.[0]) \(.[1])"' \
    rows.json >shown
is 'and so are its curves' "$(wc -l <saved) $(differ saved shown)" '25 '
is 'what P, H, A and T sent and hold is the whole stream' \
    "$(sql saved.db "SELECT message_weight + residue FROM profile WHERE id > 0" | uniq)" 1000000
is 'sluice report shows it, error included' \
    "$("$sluice" report saved.db | grep -c 'error [0-9.]*%')" 5

# ---- what the error is of ----------------------------------------------------------

"$sluice" compare --json --error-of 1G,10%,40% -p value@P256 "$stream" >rows.json
is 'without an instruction executed so often there is no error' "$(rows '[.error, .curve]')" \
    '[null,[]]'
"$sluice" compare --error-of 1G,10%,40% -p value@P256 "$stream" >text
like 'and the text says why' "$(cat text)" '*! no instruction was executed so often*other*limits*'
"$sluice" compare --json --error-of 1,0.1%,0.1% -p value@P256 "$stream" >all.json
"$sluice" compare --json --error-of 1000,10%,40% -p value@P256 "$stream" >usual.json
"$sluice" compare --json -p value@P256 "$stream" >rows.json
is 'the limits matter' \
    "$(jq -s '.[0].rows[0].error == .[1].rows[0].error' all.json usual.json)" false
is 'those of the document are the usual ones' "$(no_speed <usual.json)" "$(no_speed <rows.json)"

# ---- too little memory ---------------------------------------------------------------

many='synth:uniform(events=200K,tuples=100K,pcs=10)'
"$sluice" compare --json --memory 1M -p value@P1 -p value@P100 -p value "$many" >rows.json
notes=$(jq -r '.notes[]' rows.json)
is 'an exact profile that does not fit, and what does not fit of two rows: three notes' \
    "$(echo "$notes" | wc -l)" 3
like 'errors against what is left of it are said to be wrong' "$notes" \
    'the exact profiles*share of memory*errors are wrong*'
like 'a row whose messages are dropped is named' "$notes" '*value@P1: software*share of memory*'
like 'so is an exact one' "$notes" '*value: the exact table*share of memory*'
like 'the text says the same, first' "$("$sluice" compare --memory 1M -p value@P1 "$many")" \
    '! the exact profiles*! value@P1: software*profile*'
is 'with enough of it there is nothing to say' \
    "$("$sluice" compare --json -p value@P1 "$many" | jq -c .notes)" '[]'
"$sluice" replay -q --exact --memory 1M -p value@P1 -o little.db "$many"
like 'a report says that messages were not kept' "$("$sluice" report little.db)" \
    '*more values; * messages were not kept*'
like 'a saved error comes with the same warning' \
    "$(sql little.db 'SELECT warning FROM program')" 'the exact profiles*'

# ---- a program -----------------------------------------------------------------------

build program gcc -O1 -g -static "$programs/numbers.c"
"$sluice" record -q -p edge -p call -o edges.slt ./program >/dev/null
"$sluice" compare --json edges.slt >rows.json
is 'of a trace without values, the edges' "$(rows '.spec | sub(":.*"; "")' | uniq)" edge
instructions=$("$sluice" replay -p edge -o a.db --json edges.slt | jq .instructions)
is 'the overhead is of the instructions of the program' \
    "$(rows "select((.overhead - .cycles / $instructions | fabs) > 1e-5 * .overhead) | .spec")" ''
"$sluice" compare --json -p edge+call@P100 -p edge@P100 -p call@P100 edges.slt >rows.json
is 'several detectors through one table: the events of both' \
    "$(jq '.rows[0].events == .rows[1].events + .rows[2].events' rows.json)" true
whole=$(jq '.rows[1].events' rows.json)
"$sluice" compare --json -p edge@P100 --range sieve edges.slt >rows.json
ok '--range leaves out what is elsewhere' [ "$(rows .events)" -gt 0 ]
ok 'and counts less' [ "$(rows .events)" -lt "$whole" ]
"$sluice" compare -p value@P100 edges.slt >out 2>err
is 'a profile that the trace has not the values for: status 2' $? 2
head -c 3000 edges.slt | tr '\000-\010' '\020-\030' >damaged.slt
"$sluice" compare damaged.slt >out 2>err
is 'a trace that is none: status 125' $? 125

# ---- the error that means something for the detector -------------------------------------

"$sluice" record -q -m rocket -p value -o all.slt ./program >/dev/null
"$sluice" compare --json -m rocket -p value@P100 -p call@P100 -p edge@P100 -p block@P100 -p path@P100 -p function@P100 \
    -p context@P100 -p event@morris -p edge+value@P100 all.slt >rows.json
is 'each detector has its measure' "$(rows .measure | tr '\n' ' ')" \
    'invariance overlap overlap overlap overlap overlap overlap relative overlap '
ok 'calls that are counted wrong have an error, though each has one target' [ "$(rows 'select(.spec | startswith("call")) | .error > 0.01')" = true ]
is 'the error of an overlap is what is missing to 1' \
    "$(rows 'select(.measure == "overlap" and (.error + .overlap - 1 | fabs) > 1e-5) | .spec')" ''
"$sluice" replay -q -m rocket --keep all -p event@morris -p event -o events.db all.slt
mean=$(sql events.db 'SELECT avg(abs(1.0 * coalesce(m.count, 0) - e.count) / e.count)
    FROM entry AS e LEFT JOIN entry AS m ON m.profile = 0 AND m.pc = e.pc WHERE e.profile = 1 AND e.count > 0')
is 'that of events is how far counts are off, in the mean' \
    "$(rows "select(.measure == \"relative\") | .error - $mean | fabs < 1e-5")" true
is 'exact profiles have none, whatever the measure' "$("$sluice" compare --json -m rocket -p value -p edge -p function -p event \
    all.slt | jq -c '[.rows[].error == 0]')" '[true,true,true,true]'

# ---- two readings of a figure -------------------------------------------------------------

"$sluice" compare --json -p 'value@T2/100x256w2' -p 'value@T2/100x256w2(quotient=integer)' \
    -p 'value@T2/100x256w2(first_miss=counts)' "$stream" >rows.json
is 'the two readings of the tagged table make other messages' "$(rows .messages | sort -u | wc -l)" 3
"$sluice" replay --exact -o e.db -p call@P100 -p edge@P100 -p edge+call@P100 edges.slt >text
is "a report has the error of invariances of values only: of calls it would be 0 whatever is counted" "$(grep -c ", error [0-9]" text)" 0
is "and the overlap of the others" "$(grep -c ", overlap [0-9]" text)" 3
"$sluice" replay --exact -o e.db --json -p edge@P100 -p edge edges.slt >replay.json
is 'replay --exact reports the errors' \
    "$(jq -c '[.profiles[].error.invariance | . != null]' replay.json)" '[true,true]'
is 'of exact, none' "$(jq '.profiles[1].error.invariance == 0' replay.json)" true
"$sluice" replay -o e.db --json -p edge@P100 edges.slt >replay.json
is 'without it there is none' "$(jq -c '.profiles[0] | [.error, .curve]' replay.json)" '[{},null]'

# ---- wrong usage -----------------------------------------------------------------------

refused() # refused WHAT PATTERN ARGUMENT...
{
    local what=$1 pattern=$2
    shift 2
    "$sluice" compare "$@" >out 2>err
    is "$what: status 2" $? 2
    is "$what: nothing on standard output" "$(cat out)" ''
    # shellcheck disable=SC2254
    like "$what: says what is wrong" "$(cat err)" "sluice: $pattern"
}
echo 'a letter' >letter
refused 'no stream' 'give one trace*'
refused 'two streams' 'give one trace*' "$stream" "$stream"
refused 'an unknown table' '*no table called*' -p value@nothing "$stream"
refused 'an unknown detector' '*no detector called*' -p nothing@P256 "$stream"
refused 'too many detectors, in a long spec' 'there are more than 8 detectors*(character 41 of *' \
    -p "$(printf 'edge+%.0s' $(seq 300))edge" "$stream"
refused 'something behind a profile' 'a profile ends in front of this*(character 11 of *' \
    -p 'value@P256@exact' "$stream"
refused 'an unknown stream' '*' synth:nothing
refused '--every 0' '--every 0: give a number above 0*' --every 0 "$stream"
refused '--every with a sign behind a blank' '--every  -5: give a number above 0*' \
    --every ' -5' "$stream"
for limit in 0 -1 101% x 5%x ''; do
    refused "--below '$limit'" '--below *: give a percentage above 0*' "--below=$limit" "$stream"
done
for of in 1000 1000,10% 1000,10%,40%,1 0,10%,40% 1000,0,40 1000,10%,x ,10%,40% x,10%,40% \
    1000,10%,400%; do
    refused "--error-of $of" "--error-of $of: give a number of executions*" --error-of $of "$stream"
done
refused 'an option of another command' '-n is not an option of this command*' -n 3 "$stream"
refused 'a database over another file' '*letter exists and is not a database*' -o letter "$stream"
is 'which is as it was' "$(cat letter)" 'a letter'
"$sluice" compare nowhere.slt >out 2>err
is 'a missing trace: status 125' $? 125
"$sluice" compare "$stream" >/dev/full 2>err
is 'a table that cannot be written: status 125' $? 125
"$sluice" compare -o no/such/folder.db -p value@P256 "$stream" >out 2>err
is 'a database that cannot be written: status 125' $? 125
like 'the table is printed all the same' "$(cat out)" '*value*P256*'
finish
