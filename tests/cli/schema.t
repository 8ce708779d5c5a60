#!/bin/sh
# SPDX-License-Identifier: MIT
# The JSON report conforms to docs/report.schema.json for every kind of content, and has no key
# that the schema does not define. The callers of contexts take little space.
. "$(dirname "$0")/../lib.sh"
need gcc jq
schema=$BUILD/tests/support/schema
[ -x "$schema" ] || skip_all "there is no $schema: make tests"

build program gcc -O2 -g -w "$programs/inlined.c"
n=0
fits() # fits WHAT OPTION...
{
    local what=$1
    shift
    n=$((n + 1))
    "$sluice" run -q -o $n.db "$@" ./program >out 2>err || sed 's/^/# /' err
    "$sluice" report --json $n.db >report.json
    is "$what" "$("$schema" "$root/docs/report.schema.json" report.json)" ''
    [ -s report.json ] || verdict 1 "$what: there is one"
}
fits 'the default profiles'
fits 'a machine' -m rocket
fits 'all that the page is made from' -f html
fits 'loops' -f loops -m rocket
fits 'contexts' -f flat
fits 'values, types, loads, blocks' -p value -p type -p load -p stride -p block -p 'edge+call@H[P256]2048'
fits 'phases of paths' -p 'path@hpt(phase=1K)'
fits 'errors, intervals, curves' -p path -p 'value@multihash(interval=1K,threshold=1%)' --exact --every 10K
fits 'sequences, parameters' -p edge@wpp -p function@leap
fits 'counters, several runs' -m rocket -p 'event(all)@morris' --runs 3 --exact
fits 'a part of it' --skip 1000 --limit 20000
"$sluice" replay -q -p value -o s.db 'synth:zipf(events=10K)' >out 2>err
"$sluice" report --json s.db >report.json
is 'an invented stream' "$("$schema" "$root/docs/report.schema.json" report.json)" ''

# It stays small: what is beyond ten thousand entries is summed up.
"$sluice" replay -q -p value -o s.db 'synth:uniform(events=60K,tuples=30K)' >out 2>err
for n in '' 7 1G; do
    "$sluice" report --json ${n:+-n $n} s.db >report.json
    is "${n:-10000} entries: it fits" "$("$schema" "$root/docs/report.schema.json" report.json)" ''
    is "${n:-10000} entries and the rest are all" "$(jq -r '.profiles[0] | .omitted as $rest | .entries |
        "\(length + $rest.entries) \(map(.count) + [$rest.count] | add)"' report.json)" \
        "$(sql s.db 'SELECT stored_entries, stored_weight FROM profile' | tr '|' ' ')"
done
is 'with all entries there is no rest' "$(jq '.profiles[0] | has("omitted")' report.json)" false
"$sluice" report --json s.db >report.json
is 'without a number, ten thousand' "$(jq '.profiles[0].entries | length' report.json)" 10000

# The schema refuses wrong reports.
for change in 'del(.version)' '.version = 99' '.instructions = -1' '.more = 1' '.warnings = [1]' \
    '.profiles[0].entries[0].pc = "12"' '.profiles[0].entries[0].count = "many"'; do
    jq "$change" report.json >changed.json
    "$schema" "$root/docs/report.schema.json" changed.json >said
    is "it refuses $change" $? 1
done

# Contexts.
"$sluice" report --json 5.db >report.json
is 'following the callers leads to the root' "$(jq -r '.profiles[0].entries as $e |
    [$e[] | select(.function == "mix") | [recurse(if .caller then $e[.caller] else empty end) | .function] |
        contains(["main"]) and .[-1] == "_start"] | all' report.json)" true
is 'and the nearest are there by name' "$(jq -r '.profiles[0].entries as $e | [$e[] |
    (.callers[0] // null) == (if .caller then $e[.caller] | .function // .symbol else null end)] | all' \
    report.json)" true
is 'no more than three of them' "$(jq '[.profiles[0].entries[].callers | length] | max' report.json)" 3
finish
