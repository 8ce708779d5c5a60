#!/bin/sh
# SPDX-License-Identifier: MIT
# The FuseSoC core file is correct: it is valid YAML, and each target elaborates with exactly the
# files that it names. FuseSoC is not a Debian package; the test performs the steps of an icarus
# target itself.
. "$(dirname "$0")/../lib.sh"
need yq jq

query() { jq -r "$@" "$T/core.json"; }

# files TARGET: prints the files of all its file sets.
files()
{
    query --arg target "$1" '.filesets as $sets | .targets[$target].filesets[] | $sets[.].files[] |
        if type == "object" then keys[0] else . end'
}

# check_core NAME SPEC TOP [OPTION...]: writes the RTL and checks its core file.
check_core()
{
    local name=$1 spec=$2 top=$3 target
    shift 3
    rm -rf hw
    "$sluice" rtl "$spec" -o hw "$@" >out 2>err
    is "$name: is generated" $? 0
    is "$name: begins with the version of the format" "$(head -n 1 hw/sluice_table.core)" 'CAPI=2:'
    yq . hw/sluice_table.core >core.json 2>err
    is "$name: is valid YAML" $? 0
    is "$name: has the required sections" "$(query 'keys[]' | xargs)" 'CAPI=2 description filesets name targets'
    like "$name: has vendor, library, name and version" "$(query .name)" 'sluice:tables:sluice_table:[0-9]*.[0-9]*.[0-9]*'
    is "$name: has these targets" "$(query '.targets | keys[]' | xargs)" 'default sim'
    is "$name: targets name existing file sets" \
        "$(query '(.filesets | keys) as $sets | .targets[].filesets[] | select(IN($sets[]) | not)')" ''
    is "$name: file types are those of FuseSoC" "$(query '.filesets[] | .file_type,
        (.files[] | objects[].file_type // empty)' | sort -u | xargs)" 'user verilogSource'
    is "$name: the top level is the table's" "$(query .targets.default.toplevel)" "$top"
    for target in default sim; do
        rm -rf copy
        mkdir copy
        for file in $(files $target); do
            cp "hw/$file" copy/ || echo "$file"
        done >missing 2>&1
        is "$name, $target: every file exists" "$(cat missing)" ''
        if command -v iverilog >/dev/null; then
            (cd copy && iverilog $(query ".targets.sim.tools.icarus.iverilog_options[]") -o simulated \
                -s "$(query ".targets.$target.toplevel")" ./*.v) >out 2>&1
            is "$name, $target: elaborates with these files" "$?" 0
        else
            skip "$name, $target: elaborates with these files" 'iverilog is not installed'
        fi
    done
    if command -v iverilog >/dev/null; then
        (cd copy && vvp -n simulated) >out 2>&1
        like "$name: the simulation agrees" "$(tail -n 1 out)" 'agrees: *'
    else
        skip "$name: the simulation agrees" 'iverilog is not installed'
    fi
}

check_core 'a table' 'block:instructions@cocosketch(rows=3,columns=4,counter=13)' sluice_table -n 60
check_core 'probabilities and seeds' 'event@morris(counters=3,base=1.3,group=2,bits=7)' sluice_table -n 40
check_core 'at a core' 'edge@hpt(24x3,replacement=lru)' profiler --front rvfi:2 -n 200
finish
