#!/bin/sh
# docs/results/interval.md: the interval profilers on real programs, with the published
# figures beside ours.
#
#     bench/results_interval.sh [-w] [-o FILE] [-d DIR] [NAME=STREAM ...]
#
# Records each program of workloads.sh, and one with phases of known length, once; goes
# over each trace once, with all configurations; collects what was measured in an SQLite
# database and writes the document from it. With NAME=STREAM, these traces, or made-up
# streams, take the place of the programs. Traces, inputs and the database stay in DIR;
# -w only writes the document again, from what is there. $BUILD is where things were built.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-$here/../build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
out=$here/../docs/results/interval.md
dir=$BUILD/results/interval
phase_lengths='20000 500000 5000000'
phase_total=40000000
for part in workloads results_tables results_interval_text results_interval_beyond \
    results_interval_words; do
    . "$here/$part.sh"
done

measured=
while getopts wo:d: option; do
    case $option in
    w) measured=1 ;;
    o) out=$OPTARG ;;
    d) dir=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
case $out in /*) ;; *) out=$PWD/$out ;; esac
mkdir -p "$dir" "$(dirname "$out")" && dir=$(cd "$dir" && pwd) || exit 1

fail() # WHY
{
    echo "results_interval: $*" >&2
    exit 1
}

# ---- what is measured -------------------------------------------------------------------

settings='10K,1 1M,0.1' # interval, threshold in percent

of_setting() # INTERVAL,PERCENT: the common beginning of a table's options
{
    echo "interval=${1%,*},threshold=${1#*,}%"
}

# One a line. What is spelled out here are the switches of the document; n = 1 is singlehash.
value_specs()
{
    for setting in $settings; do
        common=$(of_setting "$setting")
        for reset in 0 1; do
            for retain in 0 1; do
                echo "value@singlehash($common,reset=$reset,retain=$retain)"
            done
            for n in 2 4 8; do
                for update in 0 1; do
                    echo "value@multihash($common,tables=$n,conservative=$update,reset=$reset)"
                done
            done
        done
        echo "value@multihash($common,tables=16)"
        case $setting in 10K,*) narrow='7 8 12 16 20' ;; *) narrow='10 12 16 20' ;; esac
        for bits in $narrow; do
            echo "value@multihash($common,bits=$bits)"
            [ "$bits" -gt 12 ] || echo "value@multihash($common,bits=$bits,conservative=0)"
        done
        eight_tables value "$common"
    done
    length_specs
}

# With as few counters as make an index of 7 bits, and as many as make one of 9.
eight_tables() # DETECTOR COMMON
{
    echo "$1@multihash($2,tables=8,counters=1024)"
    echo "$1@multihash($2,tables=8,counters=4096)"
}

length_specs() # intervals of several lengths, and one that follows the program
{
    for percent in 1 0.1; do
        for interval in 10K 100K 1M; do
            case " $settings " in
            *" $interval,$percent "*) [ "$1" != all ] && continue ;;
            esac
            echo "value@multihash($(of_setting "$interval,$percent"))"
        done
        echo "value@multihash($(of_setting "100K,$percent"),adapt=1)"
        echo "value@multihash($(of_setting "auto,$percent"))"
    done
}

edge_specs()
{
    for setting in $settings; do
        common=$(of_setting "$setting")
        echo "edge@singlehash($common)"
        for n in 1 2 4 8; do
            echo "edge@multihash($common,tables=$n)"
        done
        eight_tables edge "$common"
    done
}

measure() # NAME STREAM SPECS: rows into NAME.tsv
{
    local name stream specs
    name=$1 stream=$2 specs=$3
    set --
    while read -r spec; do
        set -- "$@" "$spec"
    done <<END
$specs
END
    "$BUILD/bench/results_interval" "$stream" "$@" >"$name.tsv"
}

# ---- traces -------------------------------------------------------------------------------

record() # NAME
{
    set -- "$1" "$BUILD/sluice" record -q -p value -o "$PWD/$1.slt" --
    case $1 in
    phases-*)
        local length
        length=${1#phases-}
        shift
        "$@" ./phases "$length" $phase_total >/dev/null
        ;;
    *) workload "$@" ;;
    esac
}

do_one() # NAME[=STREAM]
{
    case $1 in
    *=*) measure "${1%%=*}" "${1#*=}" "$(value_specs; edge_specs)" ;;
    phases-*) record "$1" && measure "$1" "$1.slt" "$(length_specs all)" ;;
    *) record "$1" && measure "$1" "$1.slt" "$(value_specs; edge_specs)" ;;
    esac && echo "${1%%=*}: done" >&2
}

# Every n-th of them, from one on.
do_lane() # LANE LANES NAME[=STREAM] ...
{
    local lane lanes i
    lane=$1 lanes=$2 i=0
    shift 2
    for one in "$@"; do
        [ $((i % lanes)) -ne "$lane" ] || do_one "$one" || return 1
        i=$((i + 1))
    done
}

# As many at a time as there are processors.
do_all() # NAME[=STREAM] ...
{
    local lanes lane jobs status
    lanes=$(nproc 2>/dev/null || echo 1)
    jobs= status=0 lane=0
    while [ "$lane" -lt "$lanes" ]; do
        do_lane "$lane" "$lanes" "$@" &
        jobs="$jobs $!"
        lane=$((lane + 1))
    done
    for job in $jobs; do
        wait "$job" || status=1
    done
    return $status
}

# ---- the database ---------------------------------------------------------------------------

about() # NAME[=STREAM] POSITION: a row of the table program
{
    case $1 in
    *=*) printf '%s\t%s\t%s\t%s\t0\n' "${1%%=*}" "$2" '–' 'a stream that was given' ;;
    phases-*) printf '%s\t%s\t%s\t%s\t1\n' "$1" "$2" '–' 'phases of known length' ;;
    *) printf '%s\t%s\t%s\t%s\t0\n' "$1" "$2" "$(workload_version "$1")" "$(workload_does "$1")" ;;
    esac
}

collect() # NAME[=STREAM] ...
{
    local position
    position=0
    rm -f results.db
    : >program.rows
    for one in "$@"; do
        position=$((position + 1))
        about "$one" "$position" >>program.rows
        awk -F '\t' -v OFS='\t' -v name="${one%%=*}" '
            { file = $1 ".rows"; $1 = name; print >>file }' "${one%%=*}.tsv"
    done
    "$BUILD/bench/results_interval" -b | cut -f 2- >bound.rows
    sqlite3 -bail results.db >/dev/null <<END && rm -f ./*.rows
.read '$here/results_interval.sql'
.mode tabs
.import program.rows program
.import profile.rows profile
.import interval.rows one_interval
.import bound.rows bound
UPDATE profile SET error = NULL, false_positive = NULL, false_negative = NULL,
    neutral_positive = NULL, neutral_negative = NULL, false_positive_rate = NULL,
    distinct_tuples = NULL, candidates = NULL, reported = NULL WHERE error = '';
UPDATE profile SET foretold = NULL, entered = NULL WHERE foretold = '';
UPDATE one_interval SET change = NULL WHERE change = '';
END
}

# ---- all of it ------------------------------------------------------------------------------

absent= phases=
for given in "$@"; do # relative to where we were called
    shift
    case $given in
    *=synth:* | *=/*) ;;
    *=*) given=${given%%=*}=$PWD/${given#*=} ;;
    *) fail "$given is not NAME=STREAM" ;;
    esac
    set -- "$@" "$given"
done
cd "$dir" || exit 1
rm -f ./*.rows failed
if [ $# -eq 0 ]; then
    for name in $workloads; do
        if workload_there "$name"; then set -- "$@" "$name"; else absent="$absent $name"; fi
    done
    [ $# -gt 0 ] || fail 'none of the programs is installed: make results-packages'
    cc -O2 -o phases "$here/guests/phases.c" || fail 'cannot build phases.c'
    for length in $phase_lengths; do
        phases="$phases phases-$length"
    done
fi
# shellcheck disable=SC2086
set -- "$@" $phases
[ "$measured" ] || do_all "$@" || fail 'something could not be measured'
collect "$@" && text >interval.md && [ ! -e failed ] && cp interval.md "$out" ||
    fail 'cannot write the document'
