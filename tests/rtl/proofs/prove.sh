#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the proofs of proofs.txt, by yosys-smtbmc with z3 or by abc in yosys, and checks that each
# one fails when the module it relies on is broken.
#
#     prove.sh [NAME]
#
# Prints one line per proof and per broken module: "proved: ..." or "not proved: ...", "detected: ..." or "not detected: ...".
# Exits with 1 if a property is not proved or a defect is not detected.
here=$(cd "$(dirname "$0")" && pwd)
rtl=$(cd "$here/../../../rtl" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-proof.XXXXXX")
trap 'rm -rf "$work"' EXIT

# holds NAME DIR MODULES METHOD...: returns 0 if the property is proved, 1 if there is a counterexample, 2 if
# neither is known. Modules of tests/rtl/proofs take precedence over those of DIR.
holds()
{
    name=$1 dir=$2 modules=$3
    shift 3
    files=$(for module in $modules; do
        if [ -e "$here/$module.v" ]; then printf '%s/%s.v ' "$here" "$module"
        else printf '%s/%s.v ' "$dir" "$module"; fi
    done)
    read="read_verilog -formal $here/$name.v $files; prep -flatten -top $name"
    case $1 in
    abc) by_abc "$2" ;;
    *) by_z3 "$@" ;;
    esac
}

# by_z3 STEPS [inductive]
by_z3()
{
    yosys -q -p "$read; async2sync; dffunmap; write_smt2 -wires $work/$name.smt2" >"$work/log" 2>&1 || return 2
    for induction in '' ${2:+-i}; do
        yosys-smtbmc --noprogress -s z3 $induction -t "$1" "$work/$name.smt2" >"$work/log" 2>&1 && continue
        grep -qi 'status: failed' "$work/log" && return 1
        return 2
    done
}

# by_abc STEPS|any
by_abc()
{
    yosys -q -p "$read; memory_map; opt -full; setundef -anyseq; async2sync; dffunmap; techmap; opt -fast; dffunmap
        abc -g AND -fast; opt_clean; write_aiger -zinit -I -B $work/$name.aig" >"$work/log" 2>&1 || return 2
    case $1 in any) search=pdr ;; *) search="bmc3 -F $1" ;; esac
    yosys-abc -c "read_aiger $work/$name.aig; fold; scorr; $search" >"$work/log" 2>&1
    ! grep -q 'Property proved\|No output asserted in' "$work/log" || return 0
    ! grep -q 'asserted in frame' "$work/log" || return 1
    return 2
}

grep -v '^#' "$here/proofs.txt" | while IFS='|' read -r name modules steps what broken how; do
    case ${1:-$name} in $name) ;; *) continue ;; esac
    if [ ! -e "$work/$name.proved" ]; then
        if holds "$name" "$rtl" "$modules" $steps; then echo "proved: $what ($steps)"
        else echo "not proved: $what"; cat "$work/log"; fi
        : >"$work/$name.proved"
    fi
    rm -rf "$work/rtl"
    cp -r "$rtl" "$work/rtl"
    sed -i "$how" "$work/rtl/$broken.v"
    if cmp -s "$rtl/$broken.v" "$work/rtl/$broken.v"; then
        echo "not detected: $how changes nothing in $broken.v"
        continue
    fi
    holds "$name" "$work/rtl" "$modules" $steps
    case $? in
    1) echo "detected: $broken.v broken by $how" ;;
    *) echo "not detected: $broken.v broken by $how"; tail -n 3 "$work/log" ;;
    esac
done | tee "$work/lines"
[ -s "$work/lines" ] && ! grep -q '^not ' "$work/lines"
