#!/bin/sh
# SPDX-License-Identifier: MIT
# Downloads the upstream sources of Debian packages for tests/oracle/real_lines.t.
#
#     real-sources.sh PACKAGE...
#
# The sources are unpacked in the user's cache as PACKAGE/. Packages that are already there are not
# downloaded again. Packages that cannot be downloaded are reported, and the test skips them.
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/sources
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

fetch() # PACKAGE: some archives have a top directory, some do not
{
    sh "$here/apt-source.sh" "$1" --download-only >log 2>&1 &&
        mkdir -p "$cache" unpacked && tar -xf "$1"_*.orig.tar.* -C unpacked || return
    set -- "$1" unpacked/*
    [ $# -eq 2 ] && [ -d "$2" ] || set -- "$1" unpacked
    mv "$2" "$cache/$1" && rm -rf unpacked
}

for package in "$@"; do
    [ -d "$cache/$package" ] || fetch "$package" ||
        echo "cannot download the source of $package, tests skip it: $(tail -n 1 log)"
done
