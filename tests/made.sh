# SPDX-License-Identifier: MIT
# Checks that the programs a test script needs are built: sluice, and the programs of tests/support
# that the script names. If one is missing, the script ends with one message instead of many
# failures. lib.sh includes this file; scripts without lib.sh include it directly.
helpers=
if grep -q 'BUILD/tests/support' "$0"; then
    helpers=$(cd "$(dirname "$0")/../.." && echo tests/support/*.c)
fi
for file in sluice $helpers; do
    name=${file##*/}
    [ -x "$BUILD/${file%.c}" ] && continue
    grep -qw "${name%.c}" "$0" || [ "$file" = sluice ] || continue
    echo "# ${0##*/}: $BUILD/${file%.c} is missing: run 'make tests'" >&2
    printf 'not ok 1 - the programs that the test needs are built\n1..1\n'
    exit 1
done
