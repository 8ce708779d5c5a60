#!/bin/sh
# SPDX-License-Identifier: MIT
# Creates a new Debian system of the suite in TARGET, a tar file or a directory, with mmdebstrap.
#
#     debian.sh SUITE TARGET MMDEBSTRAP-OPTION...
#
# It uses the mirrors, proxy settings, updates and security archives of this system's apt configuration.
suite=$1 target=$2
shift 2
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
keyring=/usr/share/keyrings/debian-archive-keyring.gpg signed=
[ ! -f $keyring ] || signed="[signed-by=$keyring] "

apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' \
    'Origin: Debian' 2>/dev/null |
    awk -v own="$(. /etc/os-release && echo "$VERSION_CODENAME")" -v suite="$suite" -v signed="$signed" '
        $2 == own || index($2, own "-") == 1 {
            print "deb " signed $1 " " suite substr($2, length(own) + 1) " " $3
        }' | sort -u >"$work/sources"
[ -s "$work/sources" ] ||
    { echo "apt has no package lists of this system's release: run apt-get update" >&2 && exit 1; }
apt-config dump | grep -E '^Acquire::([^ ]*[Pp]roxy|Check-Valid-Until)' >"$work/options"
[ ! -s "$work/options" ] || set -- --aptopt="$work/options" "$@"
mmdebstrap --quiet --dpkgopt=force-unsafe-io "$@" "$suite" "$target" "$work/sources"
