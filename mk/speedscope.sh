#!/bin/sh
# SPDX-License-Identifier: MIT
# Downloads speedscope from npm for tests/oracle/viewers.t, which opens exported profiles in it.
#
# The package is unpacked in the user's cache and downloaded only once. Without npm or network the test
# is skipped.
version=1.25.0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/speedscope
[ -f "$cache/package.json" ] && exit
command -v npm >/dev/null || {
    echo 'npm is not installed: tests skip speedscope'
    exit
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
if npm pack --silent "speedscope@$version" >name 2>log && tar -xzf ./*.tgz && mkdir -p "${cache%/*}"; then
    mv package "$cache"
else
    echo "cannot download speedscope, tests skip it: $(tail -n 1 log)"
fi
