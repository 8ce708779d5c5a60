#!/bin/sh
# bare.sh SUITE: makes a new, bare Debian system of that suite, puts a clone of HEAD into it, and
# runs there what README.md tells a newcomer to run. Needs root, mmdebstrap and the network.
#
# Exit status: 0 all went well, 1 something failed in the system, 77 it could not be made.
#
# The system has what every Debian has, and make. It comes from the mirrors of this one's own apt,
# with the suite exchanged, and stays packed in a cache. The engine's cache is the one of this
# machine, seen from inside at its place: engines are kept apart by the system's kind.
# BARE_LIMIT, in minutes, is how long each command may take.
suite=$1
tree=$(git rev-parse --show-toplevel) || exit 77
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice
packed=$cache/bare/$suite.tar

cannot()
{
    echo "make bare: no bare $suite can be made here: $*" >&2
    exit 77
}

# The first mirror that this system's apt has its own release from.
mirror()
{
    apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
        awk -v own="$(. /etc/os-release && echo "$VERSION_CODENAME")" '$2 == own { print $1; exit }'
}

pack()
{
    mirror=$(mirror)
    [ "$mirror" ] || cannot "apt here has no lists of its own release: run apt-get update"
    mkdir -p "$cache/bare" || exit
    echo "  BARE    makes a bare $suite"
    mmdebstrap --quiet --variant=minbase --include=make --dpkgopt=force-unsafe-io \
        "$suite" "$packed.$$" "$mirror" >"$log" 2>&1 &&
        mv "$packed.$$" "$packed" && return
    rm -f "$packed.$$"
    tail -n 3 "$log" >&2
    cannot 'mmdebstrap failed'
}

# In namespaces of its own: what is mounted and started there ends with it.
inside() # COMMAND...
{
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1 cache=$2
        shift 2
        mount --make-rprivate / &&
            mount --rbind /dev "$root/dev" && mount -t tmpfs shm "$root/dev/shm" &&
            mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" &&
            mount --bind "$cache" "$root/root/.cache/sluice/engine" &&
            exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
                ${CI:+CI="$CI"} "$@"' sh "$root" "$cache/engine" "$@" </dev/null
}

run() # COMMAND
{
    echo "  BARE    $suite: $1"
    began=$(date +%s)
    inside timeout -k 10 "$((60 * ${BARE_LIMIT:-40}))" sh -c "cd /root/sluice && $1" || {
        echo "make bare: \"$1\" failed in a bare $suite" >&2
        exit 1
    }
    echo "  BARE    $suite: $1 took $(($(date +%s) - began)) seconds"
}

[ "$(id -u)" = 0 ] || cannot 'it takes root'
command -v mmdebstrap >/dev/null || cannot 'there is no mmdebstrap'
command -v apt-get >/dev/null || cannot 'there is no apt-get'
unshare --mount --pid --fork true 2>/dev/null || cannot 'namespaces are not allowed'
work=$(mktemp -d) || exit 77
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
root=$work/root log=$work/log
[ -f "$packed" ] || pack
mkdir -p "$root" "$cache/engine" && tar -C "$root" -xf "$packed" || cannot 'unpacking it failed'
mkdir -p "$root/root/.cache/sluice/engine" && cp /etc/resolv.conf /etc/hosts "$root/etc/" &&
    git clone -q --no-hardlinks "$tree" "$root/root/sluice" || exit 77

# The commands of README.md's section on building, as they stand there.
sed -n '/^## Build, check/,/^## /p' "$tree/README.md" | sed -n '/^```sh/,/^```/p' |
    sed '/^```/d; s/[[:space:]]*#.*//' >"$work/commands"
[ -s "$work/commands" ] || { echo 'make bare: README.md names no commands' >&2 && exit 1; }
while read -r command; do
    run "$command"
done <"$work/commands"
