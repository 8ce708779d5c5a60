#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages and --help state the same default values as the program uses.
. "$(dirname "$0")/../lib.sh"
need awk
pages=$root/docs/man

# ---- options of detectors, tables and synthetic streams -------------------------

# "detector name=default" from the program's tables.
declared() # declared KIND...
{
    "$sluice" list "$@" |
        awk '/^  options of all compressors/ { of = "compressors"; next }
             /^[^ ]/ { of = $1; sub(/^synth:/, "", of) }
             /^    [a-z_0-9]+=/ { print of, $1 }'
}
listed() # listed PAGE...: the same, from their sections
{
    (cd "$pages" && awk '/^\.SH / { inside = /DEFAULTS/; of = ""; next }
         !inside { next }
         /^\.TP/ { getline; of = $2; next }
         of { gsub(/\\-/, "-"); for (i = 1; i <= NF; i++) print of, $i }' "$@")
}
declared detectors tables >declared
declared streams >declared.streams
ok 'the program has options' [ "$(cat declared declared.streams | wc -l)" -gt 100 ]
listed sluice-profiles.7 sluice-tables.7 >got
same 'sluice-profiles(7) and sluice-tables(7) list all options with their defaults' got declared
listed sluice-replay.1 >got
same 'sluice-replay(1) lists the options of synthetic streams with their defaults' got declared.streams

# A paragraph states the default of an option in one of three forms:
#     .B name         .B name=value      The default is
#     (default value) (the default)      .B name=value
awk '
    NR == FNR { at = index($2, "="); is[$1, substr($2, 1, at - 1)] = substr($2, at + 1); next }
    /^\.S[HS] / { of = /COMPRESSORS/ ? "compressors" : ""; common = of; next }
    /^\.TP/ { getline; split($2, word, /[^a-zA-Z0-9_-]/); of = common ? common : word[1] }
    {
        line = $0
        gsub(/\\-/, "-", line)
        found = ""
        if (match(line, /^\(default [^)]+\)/))
            found = before "=" substr(line, 10, RLENGTH - 10)
        else if (line ~ /^\(the default/)
            found = before
        else if (introduced && line ~ /^\.BR? [a-z_0-9]+=/)
            found = $2
        introduced = line ~ /[Dd]efault is$/
        before = line ~ /^\.[BI]R? / ? $2 : ""
        at = index(found, "=")
        name = substr(found, 1, at - 1)
        if ((of, name) in is) {
            n++
            if (is[of, name] != substr(found, at + 1))
                print of ": " name " is " is[of, name] ", not " substr(found, at + 1)
        }
    }
    END { print n " of them" }' declared "$pages/sluice-profiles.7" "$pages/sluice-tables.7" >said
is 'the defaults in the paragraphs are the same' "$(sed '$d' said)" ''
ok 'the paragraphs state many of the defaults' [ "$(tail -n 1 said | cut -d' ' -f1)" -gt 50 ]

# ---- options of commands ---------------------------------------------------------

# help_lines COMMAND: its --help, with the continuation lines of an option joined to its first line
help_lines()
{
    "$sluice" "$1" --help | awk '/^                              / { sub(/^ +/, " "); line = line $0; next } { print line; line = $0 } END { print line }'
}

# "(default: 10)" in --help is also in the option's paragraph, on every page of a command that has
# the option.
for command in $("$sluice" --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p'); do
    help_lines "$command" |
        sed -n 's/^ .* \(--[a-z-]*\).*(default: \([0-9]\|[0-9][^ ;)]*[^ ;,)]\)[ ;,)].*/\1 \2/p' |
        while read -r option value; do
            awk -v option="$option" '
                /^\.TP/ { getline; gsub(/\\-/, "-"); gsub(/\\f.|"/, ""); inside = index($0 " ", option) }
                /^\.SH/ { inside = 0 }
                inside { gsub(/\\-/, "-"); printf "%s ", $0 }' "$pages/sluice-$command.1" |
                sed 's/\.B[RI]* //g; s/ GiB/Gi/g; s/\([0-9]\),\([0-9][0-9][0-9]\)/\1\2/g' >paragraph
            grep -qF -- "$value" paragraph || echo "sluice-$command(1): $option is $value"
        done
done >missing
is "the defaults of --help are in the manual page" "$(cat missing)" ''

# The program uses this default: the result with the option equals that without.
default_of() # default_of COMMAND OPTION
{
    help_lines "$1" | sed -n "s/^ .* $2[ =[].*(default: \([^ ;)]*[^ ;,)]\)[ ;,)].*/\1/p"
}
stream='synth:zipf(events=20K,tuples=500)'
for option in --error-of --below; do
    "$sluice" compare "$stream" --every 5K --json | sed 's/"events_per_second": [^,]*//' >without
    "$sluice" compare "$stream" --every 5K --json $option "$(default_of compare $option)" |
        sed 's/"events_per_second": [^,]*//' >with
    same "compare $option $(default_of compare $option)" with without
    "$sluice" compare "$stream" --every 5K --json $option 1,1%,1% 2>/dev/null >other ||
        "$sluice" compare "$stream" --every 5K --json $option 90% >other
    sed 's/"events_per_second": [^,]*//' other | cmp -s - without
    is 'another value gives another result' $? 1
done
for option in keep:3 window:1K; do
    name=--${option%:*}
    for value in '' "$(default_of replay "$name")" "${option#*:}"; do
        "$sluice" replay -q --exact -p value@hpt -o r.db ${value:+"$name" "$value"} "synth:zipf(events=200K)"
        "$sluice" report --json r.db >"json${value:+.$([ "$value" = "${option#*:}" ] && echo other || echo with)}"
    done
    same "replay $name $(default_of replay "$name")" json.with json
    cmp -s json.other json
    is 'another value gives another result' $? 1
done
finish
