#!/bin/sh
# prove.sh [NAME]: proves what proofs.txt lists, by yosys-smtbmc with z3, and shows that each proof fails
# when the module that it leans on is broken. A line each: "proved: ..." or "not proved: ...",
# "noticed: ..." or "not noticed: ...". Exits with 1 if one of the second is among them.
here=$(cd "$(dirname "$0")" && pwd)
rtl=$(cd "$here/../../../rtl" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-proof.XXXXXX")
trap 'rm -rf "$work"' EXIT

# holds NAME DIR MODULES STEPS...: whether the solver finds no counterexample.
holds()
{
    name=$1 dir=$2 modules=$3
    shift 3
    files=$(for module in $modules; do
        if [ -e "$here/$module.v" ]; then printf '%s/%s.v ' "$here" "$module"
        else printf '%s/%s.v ' "$dir" "$module"; fi
    done)
    yosys -q -p "read_verilog -formal $here/$name.v $files; prep -flatten -top $name; opt -full; async2sync; dffunmap; \
        write_smt2 -wires $work/$name.smt2" >"$work/log" 2>&1 || { cat "$work/log"; return 2; }
    yosys-smtbmc --noprogress -s z3 -t "$1" "$work/$name.smt2" >"$work/log" 2>&1 || return 1
    [ "$2" != inductive ] || yosys-smtbmc --noprogress -s z3 -i -t "$1" "$work/$name.smt2" >"$work/log" 2>&1
}

grep -v '^#' "$here/proofs.txt" | while IFS='|' read -r name modules steps what broken how; do
    case ${1:-$name} in $name) ;; *) continue ;; esac
    if [ ! -e "$work/$name.proved" ]; then
        if holds "$name" "$rtl" "$modules" $steps; then echo "proved: $what ($steps steps)"
        else echo "not proved: $what"; cat "$work/log"; fi
        : >"$work/$name.proved"
    fi
    rm -rf "$work/rtl"
    cp -r "$rtl" "$work/rtl"
    sed -i "$how" "$work/rtl/$broken.v"
    if cmp -s "$rtl/$broken.v" "$work/rtl/$broken.v"; then echo "not noticed: $how changes nothing in $broken.v"
    elif holds "$name" "$work/rtl" "$modules" $steps; then echo "not noticed: $broken.v broken by $how"
    else echo "noticed: $broken.v broken by $how"; fi
done | tee "$work/lines"
[ -s "$work/lines" ] && ! grep -q '^not ' "$work/lines"
