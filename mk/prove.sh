#!/bin/sh
# SPDX-License-Identifier: MIT
# prove.sh TEST...: all tests, two at a time. What failed is run once more, one by one: a test
# that passes then is unsteady, and is named so that somebody mends it; one that fails again
# decides. The last thing is prove's summary either way.
state=${BUILD:-build}/prove.state
rm -f "$state"
prove -j2 --state=save --statefile="$state" "$@"
status=$?
# (Not 1: nothing failed, or prove itself did.)
[ $status -eq 1 ] || exit $status
echo
echo 'These failed, and run again by themselves:'
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
prove --state=failed --statefile="$state" >"$log"
status=$?
sed -n 's/ *\.\.* ok$//p' "$log" | sed 's/^/UNSTEADY, passes the second time: /'
cat "$log"
exit $status
