#!/bin/sh
# SPDX-License-Identifier: MIT
# Provides the engine, QEMU's user mode with the tap, for the guests: makes LINK a symbolic link to a
# directory with a program qemu-GUEST for each guest.
#
#     engine.sh LINK GUEST...
#
# The directory is in a cache that all checkouts share. Its name is a hash of all inputs of the build.
# If it is missing, engine-build.sh builds it, and a rename puts it into the cache in one step. Parallel
# builds of the same engine wait for the first one. The next build removes files of an interrupted one.
#
# Environment: QEMU_SOURCE, a tar file or directory of QEMU instead of the distribution's source package;
# CC, the compiler; CACHED_ONLY, if not empty: only update the link if the engine is in the cache.
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

# Prints the version of the distribution's source package, without network access.
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

# Prints the patches that are inputs of the build: those of other QEMU versions are not.
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

[ -f "$tree/tap/engine/files" ] || stop "$tree/tap/engine is missing"
[ -z "$QEMU_SOURCE" ] || [ -e "$QEMU_SOURCE" ] ||
    stop "QEMU_SOURCE is neither a tarball nor a directory: $QEMU_SOURCE"
case $QEMU_SOURCE in '' | /*) ;; *) QEMU_SOURCE=$PWD/$QEMU_SOURCE ;; esac
package=$(package_version)
export QEMU_SOURCE package
if [ "$CACHED_ONLY" ]; then
    key=$(key "$@") && [ -d "$cache/$key" ] && ln -sfn "$cache/$key" "$link"
    exit 0
fi
key=$(key "$@") && mkdir -p "$cache" "$(dirname "$link")" || exit

# The kernel releases the lock when the last process that has it open ends.
(
    flock -n 9 || { echo '  ENGINE  waiting for another build of the same engine' && flock 9; } || exit
    [ ! -d "$cache/$key" ] || exit 0
    work=$cache/$key.work log=$cache/$key.log
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' INT TERM HUP
    rm -rf "$work" && mkdir "$work" && cd "$work" &&
        sh "$mk/engine-build.sh" "$tree" "$log" "$@" 9>&- && mv -T result "$cache/$key"
) 9>"$cache/$key.lock" || exit
ln -sfn "$cache/$key" "$link"
