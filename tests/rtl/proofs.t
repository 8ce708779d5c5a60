#!/bin/sh
# SPDX-License-Identifier: MIT
# The formal proofs of the RTL hold, and fail when the RTL is broken on purpose.
. "$(dirname "$0")/../lib.sh"
need yosys yosys-smtbmc z3

sh "$root/tests/rtl/proofs/prove.sh" >lines 2>&1
is 'everything is proved, and every broken module noticed' $? 0
is 'nothing else is said' "$(grep -v '^proved: \|^noticed: ' lines)" ''
is 'as many faults as are listed' "$(grep -c '^noticed: ' lines)" \
    "$(grep -vc '^#' "$root/tests/rtl/proofs/proofs.txt")"
finish
