#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice compare`: rows are sorted, the measures of a row are consistent with each other, and
# errors decrease as tables grow.
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

# ---- default profiles ---------------------------------------------------------

"$sluice" compare "$stream" >text 2>err
is 'status 0' $? 0
is 'nothing on standard error' "$(cat err)" ''
is 'no database is written' "$(find . -name '*.db*')" ''
"$sluice" compare --json "$stream" >rows.json
is 'JSON: status 0' $? 0
is 'the default profiles are listed in order' "$(rows '.spec | sub("\\(.*"; "")')" 'value:count@R256
value:count@P256
value:count@H[P256]2048
value:count@H[P256]2048+A16
value:count@T2/256x2048w2+A16'
is 'the text has a heading and a line for each profile' "$(grep -c '^  .*value.*@.*%' text)" 5
is 'every row has the documented keys' "$(rows 'keys_unsorted | sort | join(" ")' | uniq)" \
    "$(echo cycles error error_curve events events_per_second events_until_below gap_median gap_min \
        gap_unit interrupts interval_error measure messages overhead overhead_of overlap overlap_dynamic \
        profiler_overhead residue spec storage_bits windows)"
is 'every row counted the whole stream' "$(rows .events | uniq)" 1000000
is 'every row has an error below 1' "$(rows 'select(.error <= 0 or .error >= 1)')" ''
is 'the error equals the last point of the curve' "$(rows 'select(.error_curve[-1][1] != .error)')" ''
is 'a message costs 30 cycles' "$(rows 'select(.cycles != 30 * .messages)')" ''
is 'the overhead is relative to instructions' "$(rows '.overhead_of' | uniq)" instructions
is 'the overhead percentage follows from messages and instructions' "$(rows 'select((.overhead - .cycles / 1000000 | fabs) > 1e-6)')" ''
is 'P256 sends every 256th event and holds the rest as residue' \
    "$(rows 'select(.spec | test("@P256")) | [.messages, .residue, .gap_min, .storage_bits]')" \
    '[3906,64,256,8]'
is 'a second level only reduces the number of messages' \
    "$(jq '.rows | .[3].messages < .[2].messages and .[3].storage_bits > .[2].storage_bits' \
        rows.json)" true

# ---- order, exact, sharing ----------------------------------------------------

"$sluice" compare --json -p value -p value@P100 -p value -p 'value@CR100(estimate=ratio)' \
    "$stream" >rows.json
is 'rows are in the given order, duplicates included' "$(rows '.spec | sub("\\(.*"; "")' | tr '\n' ' ')" \
    'value:count@exact value:count@P100 value:count@exact value:count@CR100 '
is 'exact has no error and sends nothing' \
    "$(rows 'select(.spec | test("@exact")) |
        [.error == 0, .messages, .overhead, .overhead_of, .residue]' | uniq)" \
    '[true,null,null,null,null]'
is 'the text shows no error and no messages for exact' \
    "$("$sluice" compare -p value "$stream" | awk '$1 == "value" { print $4, $5, $6 }')" '- - 0.00%'

# ---- curves --------------------------------------------------------------------

"$sluice" compare --json --every 100K "$stream" >rows.json
is '--every 100K of a million: ten points' "$(rows '.error_curve | length' | uniq)" 10
is 'the points are at multiples of 100K events' "$(rows '[.error_curve[][0]]' | uniq)" \
    '[100000,200000,300000,400000,500000,600000,700000,800000,900000,1000000]'
is 'the last error is below the first' "$(rows 'select(.error_curve[-1][1] >= .error_curve[0][1]) | .spec')" ''
is 'the later half of a curve is below the earlier half' \
    "$(rows 'select(([.error_curve[5:][][1]] | add) >= ([.error_curve[:5][][1]] | add)) | .spec')" ''
is 'intermediate measurements do not change the results' "$(rows '[.spec, .messages, .error]')" \
    "$("$sluice" compare --json "$stream" | jq -c '.rows[] | [.spec, .messages, .error]')"
"$sluice" compare --json -p 'value@multihash(interval=700K)' "$stream" >rows.json
whole=$(rows .error)
"$sluice" compare --json --every 250K -p 'value@multihash(interval=700K)' "$stream" >rows.json
is 'intermediate measurements do not change the results if the last interval is incomplete' "$(rows '[.error, .error_curve[-1]]')" \
    "[$whole,[1000000,$whole]]"
"$sluice" compare --json --every 300K -p value@P256 "$stream" >rows.json
is 'the end of the run is a point' "$(rows '[.error_curve[][0]]')" '[300000,600000,900000,1000000]'

# From the definition: the first point after the last that is above.
from='(.error_curve | map(.[1] > $limit) | rindex(true) // -1) as $last |
    if $last + 1 == (.error_curve | length) then null else .error_curve[$last + 1][0] end'
for limit in 3 5 10 60; do
    "$sluice" compare --json --every 50K --below $limit% "$stream" >rows.json
    is "below $limit%: the reported point is the first after which the error stays below" "$(rows .events_until_below)" \
        "$(jq -c --argjson limit "0.$(printf %02d $limit)" ".rows[] | $from" rows.json)"
done
is 'every row reaches one of the limits' "$(rows 'select(.events_until_below == null)')" ''

"$sluice" compare --every 50K -p value@P256 -p value "$stream" >text
like 'with points, the text shows when each limit is reached' "$(head -n 1 text)" '*below 5% from*'
like 'the text plots the errors' "$(cat text)" '*error by events*|*a*1,000,000 events'
is 'no line exceeds 100 columns' "$(awk 'length > 100' text)" ''
is 'a limit is in the heading' \
    "$("$sluice" compare --every 50K --below 2.5 -p value@P256 "$stream" |
        grep -c 'below 2.5% from')" 1

# ---- repeatability ---------------------------------------------------------------

"$sluice" compare --json --every 200K "$stream" | no_speed >first
"$sluice" compare --json --every 200K "$stream" | no_speed >second
same 'a second comparison gives the same results except for the speed' first second
"$sluice" compare -o saved.db --every 200K "$stream" >text
is '-o saves a database' "$(sql saved.db 'SELECT count(*) FROM profile')" 5
"$sluice" compare --json --every 200K "$stream" >rows.json
# differ A B: lines whose last words differ as numbers, to six digits
differ()
{
    paste -d ' ' "$1" "$2" | awk '{
        n = NF / 2; d = $n - $NF
        for (i = 1; i < n; i++) if ($i != $(n + i)) d = 1
        if (d > 1e-5 * $n || -d > 1e-5 * $n) print }'
}
sql saved.db "SELECT value FROM error WHERE name = 'invariance' ORDER BY profile" >saved
rows .error >shown
is 'the errors in the database equal those of the table' "$(wc -l <saved) $(differ saved shown)" '5 '
sql saved.db 'SELECT profile, events, error FROM error_curve' | tr '|' ' ' >saved
jq -r '.rows | to_entries[] | .key as $k | .value.error_curve[] | "\($k) \(.[0]) \(.[1])"' \
    rows.json >shown
is 'the curves in the database equal those of the table' "$(wc -l <saved) $(differ saved shown)" '25 '
is 'messages and residue of P, H, A and T add up to the whole stream' \
    "$(sql saved.db "SELECT message_weight + residue FROM profile WHERE id > 0" | uniq)" 1000000
is 'sluice report shows the profile with its error' \
    "$("$sluice" report saved.db | grep -c 'error [0-9.]*%')" 5

# ---- which instructions the error covers ---------------------------------------------

"$sluice" compare --json --error-of 1G,10%,40% -p value@P256 "$stream" >rows.json
is 'without an instruction above the limit there is no error' "$(rows '[.error, .error_curve]')" \
    '[null,[]]'
"$sluice" compare --error-of 1G,10%,40% -p value@P256 "$stream" >text
like 'the text explains why there is no error' "$(cat text)" '*! no error can be computed, because no instruction has enough executions*'
"$sluice" compare --json --error-of 1,0.1%,0.1% -p value@P256 "$stream" >all.json
"$sluice" compare --json --error-of 1000,10%,40% -p value@P256 "$stream" >usual.json
"$sluice" compare --json -p value@P256 "$stream" >rows.json
is 'the limits change the error' \
    "$(jq -s '.[0].rows[0].error == .[1].rows[0].error' all.json usual.json)" false
is 'the default limits are those of the paper' "$(no_speed <usual.json)" "$(no_speed <rows.json)"

# ---- too little memory ---------------------------------------------------------------

many='synth:uniform(events=200K,tuples=100K,pcs=10)'
"$sluice" compare --json --memory 1M -p value@P1 -p value@P100 -p value "$many" >rows.json
notes=$(jq -r '.warnings[]' rows.json)
is 'an incomplete exact profile and two rows that drop events give three warnings' \
    "$(echo "$notes" | wc -l)" 3
like 'errors relative to an incomplete exact profile are reported as wrong' "$notes" \
    'the measured errors are wrong*exact profiles*memory limit*'
like 'a row that drops messages is named' "$notes" '*value@P1: *software used up its memory*'
like 'an incomplete exact profile is named' "$notes" '*value: the exact table used up its memory*'
like 'the text begins with the same warnings' "$("$sluice" compare --memory 1M -p value@P1 "$many")" \
    '! the measured errors are wrong*! value@P1: *software*profile*'
is 'with enough memory there are no warnings' \
    "$("$sluice" compare --json -p value@P1 "$many" | jq -c .warnings)" '[]'
"$sluice" replay -q --exact --memory 1M -p value@P1 -o little.db "$many"
like 'a report warns about dropped messages' "$("$sluice" report little.db)" \
    '*more values; * messages dropped*'
like 'a saved error has the same warning' \
    "$(sql little.db 'SELECT warning FROM program')" 'the measured errors are wrong*'

# ---- a program -----------------------------------------------------------------------

build program gcc -O1 -g -static "$programs/numbers.c"
"$sluice" record -q -p edge -p call -o edges.slt ./program >/dev/null
"$sluice" compare --json edges.slt >rows.json
is 'for a trace without values, edges are compared' "$(rows '.spec | sub(":.*"; "")' | uniq)" edge
instructions=$("$sluice" replay -p edge -o a.db --json edges.slt | jq .instructions)
is 'the overhead is relative to the instructions of the program' \
    "$(rows "select((.overhead - .cycles / $instructions | fabs) > 1e-5 * .overhead) | .spec")" ''
"$sluice" compare --json -p edge+call@P100 -p edge@P100 -p call@P100 edges.slt >rows.json
is 'several detectors that share a table: the events of both are counted' \
    "$(jq '.rows[0].events == .rows[1].events + .rows[2].events' rows.json)" true
whole=$(jq '.rows[1].events' rows.json)
"$sluice" compare --json -p edge@P100 --range sieve edges.slt >rows.json
ok '--range excludes code outside the range' [ "$(rows .events)" -gt 0 ]
ok '--range reduces the counts' [ "$(rows .events)" -lt "$whole" ]
"$sluice" compare -p value@P100 edges.slt >out 2>err
is 'a profile that needs values which the trace does not have: status 2' $? 2
head -c 3000 edges.slt | tr '\000-\010' '\020-\030' >damaged.slt
"$sluice" compare damaged.slt >out 2>err
is 'a file that is not a trace: status 125' $? 125

# ---- error measures of detectors ----------------------------------------------------------

"$sluice" record -q -m rocket -p value -o all.slt ./program >/dev/null
"$sluice" compare --json -m rocket -p value@P100 -p call@P100 -p edge@P100 -p block@P100 -p path@P100 -p function@P100 \
    -p context@P100 -p event@morris -p edge+value@P100 all.slt >rows.json
is 'each detector has its own error measure' "$(rows .measure | tr '\n' ' ')" \
    'invariance overlap overlap overlap overlap overlap overlap relative overlap '
ok 'wrongly counted calls have an error although each has one target' [ "$(rows 'select(.spec | startswith("call")) | .error > 0.01')" = true ]
is 'the error of an overlap is 1 minus the overlap' \
    "$(rows 'select(.measure == "overlap" and (.error + .overlap - 1 | fabs) > 1e-5) | .spec')" ''
"$sluice" replay -q -m rocket --keep all -p event@morris -p event -o events.db all.slt
mean=$(sql events.db 'SELECT avg(abs(1.0 * coalesce(m.count, 0) - e.count) / e.count)
    FROM entry AS e LEFT JOIN entry AS m ON m.profile = 0 AND m.pc = e.pc WHERE e.profile = 1 AND e.count > 0')
is 'the error of events is the mean relative error of the counts' \
    "$(rows "select(.measure == \"relative\") | .error - $mean | fabs < 1e-5")" true
is 'exact profiles have no error, whatever the measure' "$("$sluice" compare --json -m rocket -p value -p edge -p function -p event \
    all.slt | jq -c '[.rows[].error == 0]')" '[true,true,true,true]'

# ---- two interpretations of a figure -------------------------------------------------------

"$sluice" compare --json -p 'value@T2/100x256w2' -p 'value@T2/100x256w2(quotient=integer)' \
    -p 'value@T2/100x256w2(first_miss=counts)' "$stream" >rows.json
is 'the two interpretations of the tagged table send different messages' "$(rows .messages | sort -u | wc -l)" 3
"$sluice" replay --exact -o e.db -p call@P100 -p edge@P100 -p edge+call@P100 edges.slt >text
is "a report has the invariance error for values only: for calls it would always be 0" "$(grep -c ", error [0-9]" text)" 0
is "a report has the overlap for the other detectors" "$(grep -c ", overlap [0-9]" text)" 3
"$sluice" replay --exact -o e.db --json -p edge@P100 -p edge edges.slt >replay.json
is 'replay --exact reports the errors' \
    "$(jq -c '[.profiles[].error.invariance | . != null]' replay.json)" '[true,true]'
is 'exact tables have no error' "$(jq '.profiles[1].error.invariance == 0' replay.json)" true
"$sluice" replay -o e.db --json -p edge@P100 edges.slt >replay.json
is 'without --exact there are no errors' "$(jq -c '.profiles[0] | [.error, .error_curve]' replay.json)" '[{},null]'

# ---- wrong usage -----------------------------------------------------------------------

refused() # refused WHAT PATTERN ARGUMENT...
{
    local what=$1 pattern=$2
    shift 2
    "$sluice" compare "$@" >out 2>err
    is "$what: status 2" $? 2
    is "$what: nothing on standard output" "$(cat out)" ''
    # shellcheck disable=SC2254
    like "$what: the message is printed" "$(cat err)" "sluice: $pattern"
}
echo 'a letter' >letter
refused 'no stream' 'give one trace*'
refused 'two streams' 'give one trace*' "$stream" "$stream"
refused 'an unknown table' '*unknown table*' -p value@nothing "$stream"
refused 'an unknown detector' '*unknown detector*' -p nothing@P256 "$stream"
refused 'too many detectors, in a long spec' 'more than 8 detectors*(character 41 of *' \
    -p "$(printf 'edge+%.0s' $(seq 300))edge" "$stream"
refused 'text after a profile' 'unexpected text after a profile*(character 11 of *' \
    -p 'value@P256@exact' "$stream"
refused 'an unknown stream' '*' synth:nothing
refused '--every 0' '--every 0: give a number above 0*' --every 0 "$stream"
refused '--every with a sign after a blank' '--every  -5: give a number above 0*' \
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
is 'the other file is unchanged' "$(cat letter)" 'a letter'
"$sluice" compare nowhere.slt >out 2>err
is 'a missing trace: status 125' $? 125
"$sluice" compare "$stream" >/dev/full 2>err
is 'a table that cannot be written: status 125' $? 125
"$sluice" compare -o no/such/folder.db -p value@P256 "$stream" >out 2>err
is 'a database that cannot be written: status 125' $? 125
like 'the comparison is printed although the database cannot be written' "$(cat out)" '*value*P256*'
finish
