#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the commands of README.md, or the given ones, in a new minimal Debian system of the suite, on a
# clone of HEAD. Needs root, mmdebstrap and the network.
#
#     bare.sh SUITE [COMMAND...]
#
# Exit status: 0 success, 1 a command failed, 77 the system could not be created.
#
# The system contains only the packages of Debian's minbase variant and make. It is cached as a tar
# file. The engine cache of this computer is mounted in the system; its keys contain the distribution.
# BARE_LIMIT is the time limit of all commands together in minutes (default 40).
suite=$1
shift
tree=$(cd "$(dirname "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice
packed=$cache/bare/$suite.tar
home=/home/ann

cannot()
{
    echo "make bare: cannot create a Debian $suite system: $*" >&2
    exit 77
}

pack()
{
    echo "  BARE    creating a Debian $suite system"
    mkdir -p "$cache/bare" &&
        sh "$tree/mk/debian.sh" "$suite" "$work/new.tar" --variant=minbase --include=make \
            >"$work/log" 2>&1 && mv "$work/new.tar" "$packed" && return
    tail -n 3 "$work/log" >&2
    cannot 'mmdebstrap failed'
}

# Runs a command in the system, in its own mount and process namespaces, so that mounts and processes
# end with it. /dev is a copy with the usual devices, so that root in the system cannot damage this one.
inside() # COMMAND...
{
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1 engines=$2 home=$3
        shift 3
        mount --make-rprivate / && mount -t tmpfs -o mode=755 dev "$root/dev" &&
            cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty "$root/dev/" && chmod 666 "$root"/dev/* &&
            mkdir -m 1777 "$root/dev/shm" && mkdir "$root/dev/pts" && mount -t tmpfs shm "$root/dev/shm" &&
            mount -t devpts -o newinstance,ptmxmode=666 pts "$root/dev/pts" &&
            ln -s pts/ptmx "$root/dev/ptmx" && ln -s /proc/self/fd "$root/dev/fd" &&
            ln -s fd/0 "$root/dev/stdin" && ln -s fd/1 "$root/dev/stdout" && ln -s fd/2 "$root/dev/stderr" &&
            mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" &&
            mount --bind "$engines" "$root$home/.cache/sluice/engine" &&
            exec chroot "$root" /usr/bin/env -i HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
        sh "$root" "$cache/engine" "$home" "$@" </dev/null
}

run() # COMMAND
{
    began=$(date +%s)
    left=$((until - began))
    echo "  BARE    $suite: $1"
    inside timeout -k 10 "$((left > 1 ? left : 1))" sh -c "cd ~/sluice && $1"
    status=$?
    echo "  BARE    $suite: $1 took $(($(date +%s) - began)) seconds, status $status"
    [ $status = 0 ] || exit 1
}

[ "$(id -u)" = 0 ] || cannot 'run it as root'
command -v mmdebstrap >/dev/null || cannot 'install mmdebstrap'
unshare --mount --pid --fork true 2>/dev/null || cannot 'namespaces are not allowed'
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}") || exit 77
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
root=$work/root
[ -f "$packed" ] || pack
mkdir -p "$root" "$cache/engine" && tar -C "$root" -xf "$packed" &&
    mkdir -p "$root$home/.cache/sluice/engine" && cp /etc/resolv.conf /etc/hosts "$root/etc/" &&
    git clone -q --no-hardlinks "$tree" "$root$home/sluice" || cannot 'git is missing, or the disk is full'

# The commands of the build section of README.md.
if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
else
    sed -n '/^## Build, check/,/^## C/p' "$tree/README.md" | sed -n '/^```sh/,/^```/p' |
        sed '/^```/d; s/[[:space:]]*#.*//'
fi >"$work/commands"
[ -s "$work/commands" ] || { echo 'make bare: no commands found in README.md' >&2 && exit 1; }
until=$(($(date +%s) + 60 * ${BARE_LIMIT:-40}))
while read -r command <&3; do
    run "$command"
done 3<"$work/commands"
