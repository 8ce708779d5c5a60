#!/bin/sh
# SPDX-License-Identifier: MIT
# Other tools read the export formats: each accepts the file and computes the same counts as
# sluice.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq
llvm=/usr/lib/llvm-19/bin
bare="-nostdlib -static -fno-builtin -fno-stack-protector -fcf-protection=none -fno-pie -no-pie"
relocs="-fno-reorder-blocks-and-partition -Wl,--emit-relocs"
every='-p edge -p block -p call -p function -p function:count'

export_as() # export_as FORMAT DATABASE FILE
{
    "$sluice" report -f "$1" -o "$3" "$2"
}
total() # total DATABASE DETECTOR
{
    sql "$1" "SELECT sum(entry.count) FROM entry JOIN profile ON id = profile WHERE detector = '$2'"
}

# ---- perf2bolt and llvm-bolt -------------------------------------------------

# A figure of BOLT's own count of what the program executes, from the profile it was given.
dyno() # dyno NAME
{
    sed -n '/program-wide dynostats/,$p' bolt.log | awk -v name="$1" -F ' : ' \
        '$2 == name { print $1 + 0; exit }'
}

branches() # branches PROGRAM: those it takes
{
    profile branches.db -p edge -p block -- "$1"
    "$sluice" report -f bolt branches.db | awk '$1 == "B" { n += $4 } END { print n }'
}

transfers() # transfers FILE
{
    awk '{ n += $4 } END { print n }' "$1"
}

outside_of() # outside_of START SIZE: lines that do not begin in this function
{
    awk -v first="$1" -v last="$(printf '%x' $((0x$1 + 0x$2 - 1)))" '!($2 >= first && $2 <= last)'
}

bolt() # bolt WHAT PROGRAM DATABASE: makes PROGRAM.bolt
{
    export_as bolt "$3" "$2.pa"
    "$llvm/perf2bolt" -pa -p "$2.pa" -o "$2.fdata" "$2" >perf2bolt.log 2>&1
    is "$1: perf2bolt takes it" $? 0
    is "$1: all lines of it" "$(sed -n 's/.*read \([0-9]*\) aggregated LBR.*/\1/p' perf2bolt.log)" \
        "$(wc -l <"$2.pa")"
    "$llvm/llvm-bolt" "$2" -o "$2.bolt" -data "$2.fdata" -reorder-blocks=ext-tsp \
        -reorder-functions=cdsort -split-functions -dyno-stats >bolt.log 2>&1
    is "$1: llvm-bolt takes what that makes of it" $? 0
}

if [ -x $llvm/perf2bolt ]; then
    for options in -O1 -O2; do
        what="gcc $options, no C library"
        # shellcheck disable=SC2086
        build bare gcc $options -g $bare $relocs -I "$programs" "$programs/shapes.c"
        profile bare.db $every -- ./bare
        bolt "$what" bare bare.db
        is "$what: BOLT counts the instructions that were executed" \
            "$(dyno 'executed instructions')" "$(sql bare.db 'SELECT instructions FROM program')"
        is "$what: and the edges, of conditional branches and jump tables" \
            "$(($(dyno 'all conditional branches') + $(dyno 'taken jump table branches')))" \
            "$(total bare.db edge)"
        ./bare >wanted
        ./bare.bolt >got
        same "$what: the optimized program prints the same" got wanted
        before=$(branches ./bare) after=$(branches ./bare.bolt)
        ok "$what: and takes fewer branches ($after of $before)" [ "$after" -lt "$before" ]
        # A path has all blocks along it, and what their conditional branches did.
        profile path.db -p 'path(overflow=spill)' -- ./bare
        export_as bolt path.db path.pa
        sort bare.pa >wanted
        is "$what: paths say nothing else than edges and blocks do" \
            "$(sort path.pa | comm -23 - wanted)" ''
        least=$(($(transfers bare.pa) * 95 / 100))
        ok "$what: and at least 95 % of their transfers" [ "$(transfers path.pa)" -gt $least ]
        # Blocks can be worked out, but for those that no edge or call leads to.
        sqlite3 bare.db "DELETE FROM entry WHERE profile = 1; DELETE FROM profile WHERE id = 1"
        export_as bolt bare.db less.pa
        entry=$(nm -S bare | awk '$4 == "_start" { print substr($1, 11), $2 }')
        outside_of $entry <bare.pa >wanted
        outside_of $entry <less.pa >got
        same "$what: it is the same without a profile of blocks" got wanted
    done
    for pie in -no-pie -pie; do
        # shellcheck disable=SC2086
        build hosted gcc -O2 -DHOSTED $pie $relocs "$programs/shapes.c"
        profile hosted.db -p edge -p block -- ./hosted
        bolt "gcc -O2 $pie" hosted hosted.db
        ./hosted >wanted
        ./hosted.bolt >got
        same "gcc -O2 $pie: the optimized program prints the same" got wanted
        like "gcc -O2 $pie: hardly anything in it is not as in the file" "$(cat perf2bolt.log)" \
            '*mismatching disassembled function contents: * (0.[0-1]%)*'
    done
else
    skip 'profiles for BOLT' 'there is no bolt-19'
fi

# ---- llvm-profgen, and what is nearly the same -------------------------------

# shellcheck disable=SC2086
if [ -x $llvm/llvm-profgen ] && [ -x $llvm/clang ]; then
    build sampled $llvm/clang -O1 -g -fdebug-info-for-profiling -w $bare -I "$programs" \
        "$programs/shapes.c"
    profile sampled.db $every -- ./sampled
    export_as profgen sampled.db sampled.txt
    "$llvm/llvm-profgen" --unsymbolized-profile=sampled.txt --use-offset=0 --binary=sampled \
        --output=sampled.prof >profgen.log 2>&1
    is 'llvm-profgen takes it' $? 0
    "$llvm/llvm-profdata" show --sample sampled.prof |
        sed -n 's/^Function: \([^:]*\): [0-9]*, \([0-9]*\),.*/\1 \2/p' | sort >got
    functions sampled.db 4 | grep -v '^_start ' >wanted
    same 'and finds every function to be entered as often as it was' got wanted
    build again $llvm/clang -O2 -g -fprofile-sample-use=sampled.prof -w $bare -I "$programs" \
        "$programs/shapes.c"
    ./sampled >wanted
    ./again >got
    same 'clang takes what that makes of it' got wanted
else
    skip 'profiles for llvm-profgen' 'there is no llvm-19 or clang-19'
fi
# shellcheck disable=SC2086
build bare gcc -O2 -g $bare -I "$programs" "$programs/shapes.c"
profile bare.db $every -- ./bare
export_as profgen bare.db profgen.txt
export_as autofdo bare.db autofdo.txt
# vaddr and offset of the segment with the code
set -- $(readelf -lW bare | awk '$1 == "LOAD" && /R E/ { print $3, $2 }')
sed -n '2s/-.*//p' profgen.txt >first
is 'autofdo has places in the file where profgen has addresses' \
    "$(sed -n '2s/-.*//p' autofdo.txt)" "$(printf '%x' $((0x$(cat first) - $1 + $2)))"
sed 's/.*[-:]//' autofdo.txt | sed "$(($(sed 1q autofdo.txt) + 2))d" >got # without its 0 addresses
sed 's/.*[-:]//' profgen.txt >wanted
same 'and the same counts' got wanted

# ---- viewers -------------------------------------------------------------------

viewers() # viewers WHAT DATABASE INSTRUCTIONS
{
    export_as callgrind "$2" out.callgrind
    if command -v callgrind_annotate >/dev/null; then
        callgrind_annotate --auto=no --threshold=100 out.callgrind >annotated 2>err
        is "$1: callgrind_annotate has nothing to say against it" "$(cat err)" ''
        is "$1: its total is the program's" \
            "$(sed -n 's/ .*PROGRAM TOTALS//p' annotated | tr -d ,)" "$3"
    else
        skip "$1: callgrind_annotate" 'there is no callgrind_annotate'
    fi
    export_as folded "$2" out.folded
    is "$1: so is that of folded stacks" "$(awk '{ n += $NF } END { print n }' out.folded)" "$3"
    is "$1: no stack is there twice" "$(sed 's/ [0-9]*$//' out.folded | sort | uniq -d)" ''
    export_as speedscope "$2" out.json
    is "$1: so is that of a profile for speedscope" \
        "$(jq '.profiles[0] | .endValue, (.weights | add)' out.json | uniq)" "$3"
    is "$1: which satisfies its schema" "$(jq '
        (.["$schema"] | endswith("file-format-schema.json")) and (.exporter | type == "string") and
        (.shared.frames | all(.name | type == "string")) and
        ((.shared.frames | length) as $n | .profiles | all(
            .type == "sampled" and .unit == "none" and .startValue == 0 and
            (.name | type == "string") and (.samples | length) == (.weights | length) and
            (.samples | all(length > 0 and all(. >= 0 and . < $n)))))' out.json)" true
    export_as pprof "$2" out.pb.gz
    if command -v protoc >/dev/null; then
        gzip -dc out.pb.gz | protoc --decode=Profile profile.proto >decoded
        is "$1: so is that of a profile for pprof" \
            "$(awk '/^sample / { inside = 1; n++ } /^}/ { inside = 0 }
                inside && $1 == "value:" { if (n != last) sum += $2; last = n }
                END { print sum }' decoded)" "$3"
        is "$1: its first mapping is the program" \
            "$(awk '/^mapping / { getline; print $2; exit }' decoded)" \
            "$(sql "$2" "SELECT min(id) + 1 FROM object, program
                WHERE name = replace(program.path, './', '')")"
        ok "$1: every field of it is known" [ -z "$(grep '^ *[0-9]*:' decoded)" ]
    else
        skip "$1: a profile for pprof" 'there is no protoc'
    fi
}

# "function cost" from "9,864 (16.51%) 610 (19.7%)  /shapes.c:fibonacci [/bare]"; what comes
# from another file than its function does is without the last word.
annotated()
{
    awk '{ name = $NF ~ /^\[/ ? $(NF - 1) : $NF }
        /^ *[0-9,]+ \(/ && sub(/.*:/, "", name) { gsub(/,/, "", $1); sum[name] += $1 }
        END { for (name in sum) print name, sum[name] }' | sort
}

cat >profile.proto <<'END'
syntax = "proto3";
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; }
message Mapping {
  uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3; uint64 file_offset = 4;
  int64 filename = 5; int64 build_id = 6; bool has_functions = 7; bool has_filenames = 8;
  bool has_line_numbers = 9;
}
message Line { uint64 function_id = 1; int64 line = 2; }
message Location {
  uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4;
}
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; }
message Profile {
  repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
  repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6;
  repeated int64 comment = 13; int64 default_sample_type = 14;
}
END

viewers 'blocks, no C library' bare.db "$(sql bare.db 'SELECT instructions FROM program')"
if command -v callgrind_annotate >/dev/null; then
    annotated <annotated >got
    functions bare.db 3 >wanted
    same 'callgrind_annotate finds what each function executed' got wanted
    # Those that are called, and not only jumped to.
    profile bare.db $every -p 'function(inclusive=1)' -- ./bare
    export_as callgrind bare.db out.callgrind
    callgrind_annotate --auto=no --threshold=100 --inclusive=yes out.callgrind |
        grep '\]$' | annotated >got.all
    sql bare.db "SELECT DISTINCT function FROM entry JOIN location ON address = value
        WHERE profile = 2" | sort >called
    join called got.all >got
    functions bare.db 5 | join called - >wanted
    same 'and what each that is called executed with all that it called' got wanted
    ok 'which are several' [ "$(wc -l <wanted)" -gt 10 ]
fi
build hosted gcc -O2 -g -DHOSTED "$programs/shapes.c"
profile hosted.db -m rocket -p block -p call -p edge -p function:cycles -- ./hosted
instructions=$(sql hosted.db 'SELECT instructions FROM program')
viewers 'blocks, and functions by cycles' hosted.db "$instructions"
is 'a second metric has its own total' "$(jq '.profiles[1].endValue' out.json)" \
    "$(sql hosted.db "SELECT count FROM machine_event WHERE name = 'cycles'")"
profile hosted.db -p function -- ./hosted
viewers 'functions' hosted.db "$(sql hosted.db 'SELECT instructions FROM program')"

"$sluice" report -f html -n 5 hosted.db >out.html
sed -n '/^<script type="application.json"/,/^<.script>/p' out.html | sed '1d; $d' >page.json
is 'html has as many rows as requested' "$(jq '.tables[0].rows | length' page.json)" 5
ok 'and nothing from elsewhere' [ -z "$(grep -E 'https?:|src=|url\(' out.html | grep -v www.w3.org/2000/svg)" ]

# ---- refusals --------------------------------------------------------------------

"$sluice" report -f bolt hosted.db >out 2>err
is 'a database without edges is refused' "$? $(cat out)" '2 '
like 'with what to do' "$(cat err)" 'sluice: *with the profile edge or path*'
"$sluice" report -f bolt --object libnone.so bare.db 2>err
is 'a file that was not executed is refused' $? 2
like 'with those that were' "$(cat err)" 'sluice: --object: no code of libnone.so was executed: choose one of *bare*'
finish
