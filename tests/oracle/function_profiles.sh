# SPDX-License-Identifier: MIT
# Helpers of the tests of function profiles; sourced after lib.sh.

have() # have COMPILER: or what it is for is skipped
{
    command -v "$1" >/dev/null || { skip "$1" 'it is not there'; false; }
}

# The functions of a linked program that are in one of its source files: all that is local to
# it, and main, if that is called: newer C libraries of RISC-V jump to it. Some assemblers know a
# file by its path.
own_functions() # own_functions PROGRAM SOURCE
{
    readelf -sW "$1" | awk -v source="$2" '
        $4 == "FILE" { sub(/.*\//, "", $NF); inside = $NF == source }
        $4 == "FUNC" && inside && $5 == "LOCAL" { print $NF }
        $NF == "main" { called = 1 }
        $NF == "__wrap_main" { jumped = 1 }
        END { if (called && !jumped) print "main" }' | sort
}
own() { join own -; } # those of the file `own`

by_name() # by_name DATABASE SPEC: "function count" of the profile given so
{
    functions "$1" "$(sql "$1" "SELECT id FROM profile WHERE given_spec = '$2'")"
}

# Of a profile, what it has and what it dropped: all that there was, or within its bounds.
conserves() # conserves WHAT DATABASE SPEC ALL
{
    case $3 in
    *:energy@leap*)
        ok "$1: $3: all is there or counted as dropped, up to rounding" [ "$(sql "$2" "SELECT
            abs(drops_weight + coalesce((SELECT sum(count) FROM entry WHERE profile = id), 0) - $4)
            <= $4 / 100 FROM profile WHERE given_spec = '$3'")" = 1 ]
        return ;;
    esac
    is "$1: $3: all is there or counted as dropped" "$(sql "$2" "SELECT drops_weight +
        coalesce((SELECT sum(count) FROM entry WHERE profile = id), 0)
        FROM profile WHERE given_spec = '$3'")" "$4"
}

# total DATABASE METRIC: what the machine counted
total()
{
    case $2 in
    stalls) sql "$1" "SELECT sum(count) FROM machine_event WHERE name LIKE 'stall-%'" ;;
    mispredict) sql "$1" "SELECT sum(count) FROM machine_event WHERE name IN ('direction', 'target')" ;;
    *) sql "$1" "SELECT count FROM machine_event WHERE name = '$2'" ;;
    esac
}

# The exact profile, LEAP's, which knows no symbols, and SnoopP's, which knows no calls. SnoopP's
# energy is in picojoules, too many for 32 bits.
wide='(bits=64)'
specs() # specs METRIC...: the three profiles of each
{
    for metric in "$@"; do
        printf -- '-p %s ' "function:$metric" "function(tail=0):$metric@leap$wide" \
            "block:$metric@snoopp$wide"
    done
}

# LEAP keeps energy by its parts, whole cycles of each: with those of a function multiplied, it
# is between its bounds, or, on a core whose cycles are shared by instructions, near by.
agree_in_parts() # agree_in_parts WHAT DATABASE [COMMAND...]
{
    local what=$1 database=$2
    shift 2
    sql "$database" "SELECT coalesce(e.function, '?') || ' ' || e.exact || ' ' ||
        coalesce(l.low, l.count, 0) || ' ' || coalesce(l.high, l.count, 0) || ' ' ||
        coalesce(p.bounds, 'none') FROM profile p, (SELECT pc, count AS exact, function FROM entry
        LEFT JOIN location ON address = pc WHERE profile = (SELECT id FROM profile WHERE
        given_spec = 'function:energy')) e LEFT JOIN entry l ON l.pc = e.pc AND l.profile = p.id
        WHERE p.given_spec = 'function(tail=0):energy@leap$wide'" | sort | "${@:-cat}" >parts
    ok "$what: LEAP has the exact profile, by calls and returns alone, to the bounds it gives" \
        awk '{ sum += $2; off += $5 ~ /certain/ ? $2 < $3 || $2 > $4 : 0
               near += $5 ~ /certain/ ? 0 : $3 - $2 }
        END { if (off || near > sum / 100 || near < -sum / 100) { print "#", off, near, sum; exit 1 }
              exit !NR }' parts
}

# agree WHAT DATABASE METRIC [COMMAND...]: as for what the command leaves of the functions
agree()
{
    local what="$1, $3" database=$2 metric=$3
    shift 3
    by_name "$database" "function:$metric" | "${@:-cat}" >wanted
    if [ "$metric" = energy ]; then
        agree_in_parts "$what" "$database" "$@"
    else
        by_name "$database" "function(tail=0):$metric@leap$wide" | "${@:-cat}" >got
        same "$what: LEAP has the exact profile, by calls and returns alone" got wanted
    fi
    by_name "$database" "block:$metric@snoopp$wide" | "${@:-cat}" >got
    same "$what: SnoopP has it, by addresses alone" got wanted
}

# What a profile by calls and returns alone says that it has charged to other functions than
# executed it; 0 if it says nothing.
misplaced() # misplaced DATABASE SPEC
{
    local by_others='\b\([0-9][0-9]*\) of the weight ([^)]*) is charged to the wrong function'
    sql "$1" "SELECT warning FROM profile WHERE given_spec = '$2'" |
        sed -n "s/.*$by_others.*/\1/p" | grep . || echo 0
}
