#!/bin/sh
# SPDX-License-Identifier: MIT
# Downloads a source package of this system's distribution into the current directory.
#
#     apt-source.sh PACKAGE [APT-GET-SOURCE-OPTION...]
#
# The apt configuration of the system is not changed. Few systems list sources. The script therefore
# creates lists in ./apt from the system's own ones, with the same mirror, suite, components and key,
# but of type deb-src. It reads both formats of lists: lines (*.list) and paragraphs (*.sources).
package=$1
shift
own=$PWD/apt

# Converts a file of lines. Lines that are already of type deb-src would appear twice: sort -u.
lines()
{
    sed -n 's/^[[:space:]]*deb\(-src\)\{0,1\}[[:space:]]/deb-src /p' "$1" | sort -u
}

paragraphs()
{
    sed 's/^[Tt]ypes:.*/Types: deb-src/' "$1"
}

make_lists()
{
    eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
    rm -rf "$own/parts"
    mkdir -p "$own/parts" "$own/lists/partial" "$own/archives/partial" || return
    for file in "$list" "$parts"/*.list; do
        [ ! -f "$file" ] || lines "$file" >"$own/parts/${file##*/}" || return
    done
    for file in "$parts"/*.sources; do
        [ ! -f "$file" ] || paragraphs "$file" >"$own/parts/${file##*/}" || return
    done
}

own_apt() # PROGRAM ARGUMENT...
{
    program=$1
    shift
    "$program" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$own/parts" \
        -o Dir::State::lists="$own/lists" -o Dir::Cache::archives="$own/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Get::List-Cleanup=0 \
        -o Acquire::http::Timeout=30 -o Acquire::Retries=2 "$@"
}

# A failing update is ignored, because a list of another vendor may be unreachable or have no sources.
# Only a missing package is an error.
make_lists && { own_apt apt-get update || :; } && own_apt apt-get source "$@" "$package"
