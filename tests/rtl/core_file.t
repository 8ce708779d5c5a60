#!/bin/sh
# SPDX-License-Identifier: MIT
# The FuseSoC core file is correct: it is valid YAML, and each target elaborates with exactly the
# files that it names. FuseSoC is not a Debian package; the test performs the steps of an icarus
# target itself.
. "$(dirname "$0")/../lib.sh"
need yq jq

of() { jq -r "$@" "$T/core.json"; }

# files TARGET: those of all its file sets.
files()
{
    of --arg target "$1" '.filesets as $sets | .targets[$target].filesets[] | $sets[.].files[] |
        if type == "object" then keys[0] else . end'
}

# whole NAME SPEC TOP [OPTION...]
whole()
{
    local name=$1 spec=$2 top=$3 target
    shift 3
    rm -rf hw
    "$sluice" rtl "$spec" -o hw "$@" >out 2>err
    is "$name: is written" $? 0
    is "$name: begins as such files do" "$(head -n 1 hw/twin.core)" 'CAPI=2:'
    yq . hw/twin.core >core.json 2>err
    is "$name: is YAML" $? 0
    is "$name: has these parts" "$(of 'keys[]' | xargs)" 'CAPI=2 description filesets name targets'
    like "$name: has vendor, library, name and version" "$(of .name)" 'sluice:tables:twin:[0-9]*.[0-9]*.[0-9]*'
    is "$name: has these targets" "$(of '.targets | keys[]' | xargs)" 'default sim'
    is "$name: no file set is named that there is not" \
        "$(of '(.filesets | keys) as $sets | .targets[].filesets[] | select(IN($sets[]) | not)')" ''
    is "$name: types of files are such that FuseSoC knows" "$(of '.filesets[] | .file_type,
        (.files[] | objects[].file_type // empty)' | sort -u | xargs)" 'user verilogSource'
    is "$name: the top level is the table's" "$(of .targets.default.toplevel)" "$top"
    for target in default sim; do
        rm -rf alone
        mkdir alone
        for file in $(files $target); do
            cp "hw/$file" alone/ || echo "$file"
        done >missing 2>&1
        is "$name, $target: every file is there" "$(cat missing)" ''
        if command -v iverilog >/dev/null; then
            (cd alone && iverilog $(of ".targets.sim.tools.icarus.iverilog_options[]") -o simulated \
                -s "$(of ".targets.$target.toplevel")" ./*.v) >out 2>&1
            is "$name, $target: is whole" "$?" 0
        else
            skip "$name, $target: is whole" 'there is no iverilog'
        fi
    done
    if command -v iverilog >/dev/null; then
        (cd alone && vvp -n simulated) >out 2>&1
        like "$name: the simulation agrees" "$(tail -n 1 out)" 'agrees: *'
    else
        skip "$name: the simulation agrees" 'there is no iverilog'
    fi
}

whole 'a table' 'block:instructions@cocosketch(rows=3,columns=4,counter=13)' twin -n 60
whole 'chances and seeds' 'event@morris(counters=3,base=1.3,group=2,bits=7)' twin -n 40
whole 'behind a core' 'edge@hpt(24x3,replacement=lru)' profiler --front rvfi:2 -n 200
finish
