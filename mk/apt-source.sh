#!/bin/sh
# SPDX-License-Identifier: MIT
# apt-source.sh PACKAGE [APT-GET-SOURCE-OPTION...]: the source package of the system's own
# distribution, into the current directory.
#
# Nothing of the user's apt is changed: few systems list sources, so lists are made in ./apt from
# the user's own, each with its mirror, suite, components and key as it is, but of type deb-src.
# Both forms of lists are known: lines (*.list) and paragraphs (*.sources).
package=$1
shift
own=$PWD/apt

# Lines that ask for sources already come twice then; once is enough.
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

# A list of another maker that cannot be had, or has no sources, does no harm: what counts is
# whether the package is found.
make_lists && { own_apt apt-get update || :; } && own_apt apt-get source "$@" "$package"
