#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs those of the named Debian packages that are missing. Does nothing,
# and needs no network and no rights, when all are there.
missing=
for package in "$@"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "sluice needs these Debian packages or their like:$missing" >&2
    echo "install them, then run make again with NO_PACKAGES=1" >&2
    exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

# Another apt-get may have the lock, as one that updates the system by itself does: it is waited for,
# ten minutes at most.
get()
{
    for try in $(seq 120); do
        said=$($as_root apt-get "$@" 2>&1 >/dev/null)
        status=$?
        case $status:$said in
        0:*) break ;;
        *'ould not get lock'* | *'nable to lock'* | *'nable to acquire'*) ;;
        *) break ;;
        esac
        [ $try -gt 1 ] || echo 'waiting for another apt-get, up to ten minutes'
        sleep 5
    done
    [ -z "$said" ] || printf '%s\n' "$said" >&2
    return $status
}

get update -qq && get install -y -qq --no-install-recommends $missing || {
    echo "could not install:$missing" >&2
    echo "install them by hand, then run make again" >&2
    exit 1
}
