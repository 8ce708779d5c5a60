#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs tests with prove, two in parallel: prove.sh TEST...
#
# Failed tests run once more, one after the other. A test that passes then is reported as UNSTEADY, so
# that it gets fixed, and does not change the exit status. The last lines are prove's summary.
state=${BUILD:-build}/prove.state
rm -f "$state"
prove -j2 --state=save --statefile="$state" "$@"
status=$?
# Status 1: tests failed. Others: success, or prove itself failed.
[ $status -eq 1 ] || exit $status
echo
echo 'Failed tests, run again one after the other:'
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
prove --state=failed --statefile="$state" >"$log"
status=$?
sed -n 's/ *\.\.* ok$//p' "$log" | sed 's/^/UNSTEADY, passed the second time: /'
cat "$log"
exit $status
