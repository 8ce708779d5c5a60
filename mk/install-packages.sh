#!/bin/sh
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
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq &&
    $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "could not install:$missing" >&2
    echo "install them by hand, then run make again" >&2
    exit 1
}
