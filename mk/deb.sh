#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh STAGE TARGET VERSION SONAME: Debian packages of what `make install` has put below STAGE
# (DESTDIR, with PREFIX=/usr): the program, the library, what one builds with it, and the engine, if
# there is one. They go into TARGET. dpkg-dev's tools find out what they depend on.
#
#     sluice            the program, its plugins, data, manual pages and completion
#     libsluice0.1      the shared library
#     libsluice-dev     headers, static libraries, pkg-config
#     sluice-engine     QEMU with the tap inside, under QEMU's licence
#
# DEBFULLNAME and DEBEMAIL are the maintainer's, as everywhere in Debian; DEB_LEVEL is how much xz tries.
set -e
umask 022
stage=$1 target=$2 version=$3 soname=$4
tree=$(cd "$(dirname "$0")/.." && pwd)
work=$target/work
arch=$(dpkg --print-architecture)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
library=libsluice${soname#libsluice.so.}
maintainer="${DEBFULLNAME:-the sluice authors} <${DEBEMAIL:-sluice@$(uname -n).invalid}>"
rm -rf "$work"
mkdir -p "$work/debian"
# dpkg-shlibdeps wants to be in a source tree.
printf 'Source: sluice\nMaintainer: %s\n\nPackage: sluice\nArchitecture: any\nDescription: x\n' \
    "$maintainer" >"$work/debian/control"

# give PACKAGE PATH...: what of the stage belongs to it.
give()
{
    root=$work/$1
    shift
    for path; do
        [ -e "$stage/$path" ] || [ -L "$stage/$path" ] || { echo "deb.sh: $path was not installed" >&2; exit 1; }
        mkdir -p "$root/${path%/*}"
        cp -a "$stage/$path" "$root/${path%/*}/"
    done
}

# depends PACKAGE FILE...: the libraries that its programs need, of this system's packages.
depends()
{
    name=$1
    shift
    (cd "$work" && dpkg-shlibdeps -O -l"$work/$library/usr/lib/$multiarch" "$@" 2>/dev/null) |
        sed -n 's/^shlibs:Depends=//p'
}

# The licences by files; what every Debian has, the GPL, is referred to.
own_licence()
{
    printf 'Files: *\n%s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c)/Copyright:/p' "$tree/LICENSE")"
    sed -n '/^Permission is/,/^SOFTWARE\./p' "$tree/LICENSE" | sed 's/^$/./; s/^/ /'
    printf '\nFiles: tap/*\n%s\nLicense: GPL-2+\n' "$(sed -n 's/^Copyright (c)/Copyright:/p' "$tree/LICENSE")"
    printf ' Version 2 of it is in /usr/share/common-licenses/GPL-2.\n'
}
engine_licence()
{
    printf 'Files: *\nCopyright: 2003-2025 the authors of QEMU, 2026 the sluice authors\nLicense: GPL-2\n'
    printf ' It is in /usr/share/common-licenses/GPL-2. Parts of QEMU are under other licences that\n'
    printf ' go together with it, as the source package of QEMU says file by file.\n'
}

# papers PACKAGE LICENCE: licence and changes, as Debian's policy has them.
papers()
{
    doc=$work/$1/usr/share/doc/$1
    mkdir -p "$doc"
    "$2" >"$doc/copyright"
    {
        printf 'sluice (%s) unstable; urgency=medium\n\n' "$version"
        printf '  * The changes are those of CHANGELOG.md, in the source.\n\n'
        printf ' -- %s  %s\n' "$maintainer" "$(date -R -r "$tree/CHANGELOG.md")"
    } | gzip -9n >"$doc/changelog.gz"
}

# pack PACKAGE SECTION DEPENDS MORE SUMMARY, and its description on standard input. MORE is lines of the
# control file, or nothing.
pack()
{
    root=$work/$1
    mkdir -p "$root/DEBIAN"
    find "$root/usr" -name '*.[15]' -path '*/man/*' -exec gzip -9nf {} +
    find "$root/usr" -type d -exec chmod 755 {} +
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' "$1" "$version" "$arch" "$maintainer"
        printf 'Section: %s\nPriority: optional\nInstalled-Size: %s\n' "$2" "$(du -sk "$root/usr" | cut -f1)"
        printf 'Depends: %s\n' "$3"
        [ -z "$4" ] || printf '%s\n' "$4"
        printf 'Description: %s\n' "$5"
        sed 's/^$/./; s/^/ /'
    } >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
    dpkg-deb --root-owner-group -Zxz -z"${DEB_LEVEL:-6}" --build "$root" "$target/$1_${version}_$arch.deb" >/dev/null
    echo "  DEB  $target/$1_${version}_$arch.deb"
}

# The library first: the others are linked with it.
give "$library" "usr/lib/$multiarch/$soname" "usr/lib/$multiarch/libsluice.so.$version"
strip --strip-unneeded "$work/$library/usr/lib/$multiarch/libsluice.so.$version"
papers "$library" own_licence
mkdir -p "$work/$library/DEBIAN"
echo "libsluice ${soname#libsluice.so.} $library (>= $version)" >"$work/$library/DEBIAN/shlibs"
echo 'activate-noawait ldconfig' >"$work/$library/DEBIAN/triggers"
pack "$library" libs "$(depends "$library" -e"$library/usr/lib/$multiarch/libsluice.so.$version")" \
    'Multi-Arch: same' 'profiler of instruction streams: the library' <<'END'
Tables that find the heaviest tuples of a stream in a few kilobytes, models of
profiling hardware, and all that the program sluice does, behind one header.

This package has the shared library.
END

give libsluice-dev usr/include "usr/lib/$multiarch/libsluice.so" "usr/lib/$multiarch/libsluice.a" \
    "usr/lib/$multiarch/libsluice-study.a" \
    "usr/lib/$multiarch/pkgconfig"
strip --strip-debug -D "$work/libsluice-dev/usr/lib/$multiarch"/libsluice*.a
papers libsluice-dev own_licence
pack libsluice-dev libdevel "$library (= $version)" "Recommends: libzstd-dev, zlib1g-dev, liblzma-dev, libxxhash-dev, libdw-dev, libelf-dev, libcapstone-dev, libiberty-dev, libsqlite3-dev, libjansson-dev" \
    'profiler of instruction streams: for building' <<'END'
Tables that find the heaviest tuples of a stream in a few kilobytes, models of
profiling hardware, and all that the program sluice does, behind one header.

This package has that header, the static library and a file for pkg-config.
What the static library needs itself is recommended.
END

give sluice usr/bin usr/share/sluice usr/share/man usr/share/doc
for plugin in "$stage"/usr/lib/sluice/*.so; do
    give sluice "usr/lib/sluice/${plugin##*/}"
done
strip "$work"/sluice/usr/bin/*
strip --strip-unneeded "$work"/sluice/usr/lib/sluice/*.so
mkdir -p "$work/sluice/usr/share/bash-completion/completions" "$work/sluice/usr/share/zsh/vendor-completions"
"$stage/usr/bin/sluice" completion bash >"$work/sluice/usr/share/bash-completion/completions/sluice"
{ echo '#compdef sluice' && "$stage/usr/bin/sluice" completion zsh; } >"$work/sluice/usr/share/zsh/vendor-completions/_sluice"
papers sluice own_licence
pack sluice devel "$(depends sluice -esluice/usr/bin/sluice -esluice/usr/bin/sluice-lab), sluice-engine | qemu-user" \
    'Recommends: sluice-engine
Suggests: gnuplot-nox, sqlite3, verilator' 'profiler of unmodified programs under QEMU' <<'END'
sluice finds what a program does most: which functions it spends its
instructions in, where its branches go, which values its loads bring. It runs
the program unmodified, needs no performance counters, and models profiling
hardware and processors bit for bit.
END

[ -d "$stage/usr/lib/sluice/engine" ] || exit 0
give sluice-engine usr/lib/sluice/engine
engine=$work/sluice-engine/usr/lib/sluice/engine
strip "$engine"/qemu-*
mkdir -p "$work/sluice-engine/usr/share/doc/sluice-engine"
mv "$engine/README" "$work/sluice-engine/usr/share/doc/sluice-engine/README"
papers sluice-engine engine_licence
rm "$engine/COPYING"
pack sluice-engine devel "$(depends sluice-engine -esluice-engine/usr/lib/sluice/engine/qemu-x86_64)" \
    "Enhances: sluice" 'profiler of unmodified programs: QEMU with the tap inside' <<'END'
The user mode of QEMU, with the tap of sluice in it: the program runs with a
fraction of what a plugin costs, and on systems whose QEMU has no plugins.
sluice finds it by itself.
END
rm -rf "$work"
