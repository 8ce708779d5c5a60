#!/bin/sh
# SPDX-License-Identifier: MIT
# The RTL of a table equals its model, event by event: every word of storage and every message.
. "$(dirname "$0")/../lib.sh"
need verilator g++

sh "$root/tests/rtl/lockstep-all.sh" check >lines 2>&1
is 'the RTL of every table agrees with its model' $? 0
is 'no run differs' "$(grep -v ': agrees: ' lines)" ''
while read -r kind spec; do
    [ "$kind" = check ] || continue
    is "$spec: agrees on four streams" "$(grep -cF "$spec: agrees: " lines)" 4
done <"$root/tests/rtl/specs.txt"
finish
