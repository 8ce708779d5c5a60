#!/bin/sh
# SPDX-License-Identifier: MIT
# speedscope.sh: speedscope, as npm has it, unpacked in the user's cache, for tests/oracle/viewers.t to open our
# files in. What is there already stays; without npm or network the test does without it.
version=1.25.0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/speedscope
[ -f "$cache/package.json" ] && exit
command -v npm >/dev/null || {
    echo 'there is no npm to fetch speedscope with: tests do without it'
    exit
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
if npm pack --silent "speedscope@$version" >name 2>log && tar -xzf ./*.tgz && mkdir -p "${cache%/*}"; then
    mv package "$cache"
else
    echo "speedscope cannot be fetched: tests do without it ($(tail -n 1 log))"
fi
