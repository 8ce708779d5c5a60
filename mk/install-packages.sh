#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the given Debian packages that are missing. If none is missing, it does nothing and needs
# neither network nor root.
#
#     install-packages.sh PACKAGE...
missing=
for package in "$@"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "sluice needs these Debian packages, or the corresponding ones of this system:$missing" >&2
    echo "install them, then run make again with NO_PACKAGES=1" >&2
    exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

# Runs apt-get. If another apt-get has the lock, for example an automatic update, it tries again for up
# to ten minutes. If an earlier installation was interrupted, it completes that one first.
run_apt()
{
    for try in $(seq 120); do
        messages=$($as_root apt-get "$@" 2>&1 >/dev/null)
        status=$?
        case $status:$messages in
        0:*) break ;;
        *'dpkg was interrupted'*) $as_root dpkg --configure -a >/dev/null 2>&1 && continue || break ;;
        *'ould not get lock'* | *'nable to lock'* | *'nable to acquire'*) ;;
        *) break ;;
        esac
        [ $try -gt 1 ] || echo 'waiting for another apt-get, up to ten minutes'
        sleep 5
    done
    [ -z "$messages" ] || printf '%s\n' "$messages" >&2
    return $status
}

run_apt update -qq && run_apt install -y -qq --no-install-recommends $missing || {
    echo "cannot install:$missing" >&2
    echo "install them by hand, then run make again" >&2
    exit 1
}
