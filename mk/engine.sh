#!/bin/sh
# SPDX-License-Identifier: MIT
# engine.sh LINK GUEST...: QEMU's user mode with our tap in it, for these guests. LINK then leads
# to a directory with qemu-GUEST for each.
#
# It is made once a machine, by engine-build.sh: the directory is in a cache that all checkouts
# share, named by all that goes into it. It appears there in one step. Whoever comes second waits
# for the first; what an interrupted build has left is removed by the next.
#
# From the environment: QEMU_SOURCE, a tarball or directory of QEMU, instead of the source package
# of the distribution; CC, the compiler; KNOWN, not empty: only if it is in the cache.
link=$1
shift
mk=$(cd "$(dirname "$0")" && pwd)
tree=${mk%/*}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/engine

stop()
{
    printf 'make engine: %s\n' "$@" >&2
    exit 1
}

# The version of the distribution's source package, without asking the network.
package_version()
{
    dpkg-query -W -f '${source:Version}' qemu-user 2>/dev/null && return
    apt-cache show --no-all-versions qemu-user 2>/dev/null |
        sed -n 's/^Version: //p; s/^Source: .*(\(.*\)).*/\1/p' | tail -n 1
}

sources()
{
    if [ -d "$QEMU_SOURCE" ]; then
        (cd "$QEMU_SOURCE" && find . -type f -printf '%p %s %T@\n' | sort)
    elif [ "$QEMU_SOURCE" ]; then
        cat "$QEMU_SOURCE"
    else
        echo "$package"
    fi
}

# Those of other versions make no difference.
patches()
{
    version=${package#*:}
    mine=tap/engine/hooks-$(echo "$version" | sed 's/\([0-9]*\.[0-9]*\).*/\1/').patch
    if [ "$QEMU_SOURCE" ] || [ ! -f "$mine" ]; then ls tap/engine/hooks-*.patch; else echo "$mine"; fi
}

key() # GUEST...
{
    (
        cd "$tree" && sources &&
            { find tap/engine mk/engine-build.sh -type f | grep -v "hooks-.*patch\|README" && patches &&
                sed '/^#/d; s/[[:space:]].*//' tap/engine/files; } |
            sort -u | xargs sha256sum
        sed -n '/^ID=/p; /^VERSION_ID=/p' /etc/os-release
        ${CC:-cc} -dumpmachine
        echo "$@"
    ) | sha256sum | cut -c 1-16
}

[ -f "$tree/tap/engine/files" ] || stop "there is no tap/engine in $tree"
[ -z "$QEMU_SOURCE" ] || [ -e "$QEMU_SOURCE" ] ||
    stop "QEMU_SOURCE is neither a tarball nor a directory: $QEMU_SOURCE"
case $QEMU_SOURCE in '' | /*) ;; *) QEMU_SOURCE=$PWD/$QEMU_SOURCE ;; esac
package=$(package_version)
export QEMU_SOURCE package
if [ "$KNOWN" ]; then
    key=$(key "$@") && [ -d "$cache/$key" ] && ln -sfn "$cache/$key" "$link"
    exit 0
fi
key=$(key "$@") && mkdir -p "$cache" "$(dirname "$link")" || exit

# The lock goes away with the last process that has it open, however that ends.
(
    flock -n 9 || { echo '  ENGINE  waits for another build of it' && flock 9; } || exit
    [ ! -d "$cache/$key" ] || exit 0
    work=$cache/$key.work log=$cache/$key.log
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' INT TERM HUP
    rm -rf "$work" && mkdir "$work" && cd "$work" &&
        sh "$mk/engine-build.sh" "$tree" "$log" "$@" 9>&- && mv -T result "$cache/$key"
) 9>"$cache/$key.lock" || exit
ln -sfn "$cache/$key" "$link"
