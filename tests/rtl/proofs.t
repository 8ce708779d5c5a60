#!/bin/sh
# SPDX-License-Identifier: MIT
# The formal proofs of the RTL hold, and fail when the RTL is broken on purpose.
. "$(dirname "$0")/../lib.sh"
need yosys yosys-smtbmc z3

sh "$root/tests/rtl/proofs/prove.sh" >lines 2>&1
is 'every property is proved, and every broken module is detected' $? 0
is 'nothing else is printed' "$(grep -v '^proved: \|^detected: ' lines)" ''
is 'every listed defect is detected' "$(grep -c '^detected: ' lines)" \
    "$(grep -vc '^#' "$root/tests/rtl/proofs/proofs.txt")"
finish
