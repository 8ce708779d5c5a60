#!/bin/sh
# SPDX-License-Identifier: MIT
# What is proved of the hardware holds, and fails when the hardware is broken on purpose.
. "$(dirname "$0")/../lib.sh"
need yosys yosys-smtbmc z3

sh "$root/tests/rtl/proofs/prove.sh" >lines 2>&1
is 'everything is proved, and every broken module noticed' $? 0
is 'nothing else is said' "$(grep -v '^proved: \|^noticed: ' lines)" ''
is 'as many faults as are listed' "$(grep -c '^noticed: ' lines)" \
    "$(grep -vc '^#' "$root/tests/rtl/proofs/proofs.txt")"
finish
