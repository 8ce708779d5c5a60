# SPDX-License-Identifier: MIT
# What a script cannot do without is said in one sentence, not by all that fails for want of it:
# sluice, and the programs of tests/support that the script names. lib.sh has this; scripts that do
# without lib.sh begin with it.
helpers=
if grep -q 'BUILD/tests/support' "$0"; then
    helpers=$(cd "$(dirname "$0")/../.." && echo tests/support/*.c)
fi
for file in sluice $helpers; do
    name=${file##*/}
    [ -x "$BUILD/${file%.c}" ] && continue
    grep -qw "${name%.c}" "$0" || [ "$file" = sluice ] || continue
    echo "# ${0##*/}: there is no $BUILD/${file%.c}; 'make tests' makes it" >&2
    printf 'not ok 1 - what the test needs has been made\n1..1\n'
    exit 1
done
