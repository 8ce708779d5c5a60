#!/bin/sh
# SPDX-License-Identifier: MIT
# real-sources.sh PACKAGE...: the upstream source of each, from the distribution's source packages, unpacked
# in the user's cache, PACKAGE/. What is there already stays; what cannot be had is named, and tests do
# without it (tests/oracle/real_lines.t).
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/sources
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

fetch() # PACKAGE: some have all their files in a directory, some have not
{
    sh "$here/apt-source.sh" "$1" --download-only >log 2>&1 &&
        mkdir -p "$cache" unpacked && tar -xf "$1"_*.orig.tar.* -C unpacked || return
    set -- "$1" unpacked/*
    [ $# -eq 2 ] && [ -d "$2" ] || set -- "$1" unpacked
    mv "$2" "$cache/$1" && rm -rf unpacked
}

for package in "$@"; do
    [ -d "$cache/$package" ] || fetch "$package" ||
        echo "there is no source of $package: tests do without it ($(tail -n 1 log))"
done
