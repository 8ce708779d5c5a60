#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds Debian packages in TARGET from the files that `make install` wrote below STAGE (DESTDIR, with
# PREFIX=/usr). dpkg-shlibdeps determines the dependencies.
#
#     deb.sh STAGE TARGET VERSION SONAME
#
#     sluice            the program, its plugins, data, manual pages and completion
#     libsluice0.1      the shared library
#     libsluice-dev     headers, static libraries, pkg-config
#     sluice-engine     QEMU with the tap, under QEMU's licence; only if an engine is installed
#
# DEBFULLNAME and DEBEMAIL: the maintainer, as for other Debian tools. DEB_LEVEL: level of xz (default 6).
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
# dpkg-shlibdeps needs a source tree with debian/control.
printf 'Source: sluice\nMaintainer: %s\n\nPackage: sluice\nArchitecture: any\nDescription: x\n' \
    "$maintainer" >"$work/debian/control"

# add_files PACKAGE PATH...: copies files from STAGE to the package.
add_files()
{
    root=$work/$1
    shift
    for path; do
        [ -e "$stage/$path" ] || [ -L "$stage/$path" ] || { echo "deb.sh: $path was not installed" >&2; exit 1; }
        mkdir -p "$root/${path%/*}"
        cp -a "$stage/$path" "$root/${path%/*}/"
    done
}

# depends PACKAGE FILE...: prints the packages of the libraries that its programs need.
depends()
{
    name=$1
    shift
    (cd "$work" && dpkg-shlibdeps -O -l"$work/$library/usr/lib/$multiarch" "$@" 2>/dev/null) |
        sed -n 's/^shlibs:Depends=//p'
}

# Licences by files. The text of the GPL is part of every Debian system.
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

# add_documents PACKAGE LICENCE: adds copyright and changelog, as Debian's policy requires.
add_documents()
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

# pack PACKAGE SECTION DEPENDS MORE SUMMARY <DESCRIPTION: builds the package. MORE has further lines of
# the control file, or is empty.
pack()
{
    root=$work/$1
    mkdir -p "$root/DEBIAN"
    find "$root/usr" -name '*.[157]' -path '*/man/*' -exec gzip -9nf {} +
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

# The library first, because the other packages depend on it.
add_files "$library" "usr/lib/$multiarch/$soname" "usr/lib/$multiarch/libsluice.so.$version"
strip --strip-unneeded "$work/$library/usr/lib/$multiarch/libsluice.so.$version"
add_documents "$library" own_licence
mkdir -p "$work/$library/DEBIAN"
echo "libsluice ${soname#libsluice.so.} $library (>= $version)" >"$work/$library/DEBIAN/shlibs"
echo 'activate-noawait ldconfig' >"$work/$library/DEBIAN/triggers"
pack "$library" libs "$(depends "$library" -e"$library/usr/lib/$multiarch/libsluice.so.$version")" \
    'Multi-Arch: same' 'profiler of instruction streams: the library' <<'END'
Tables that find the most frequent tuples of a stream in a few kilobytes, models
of profiling hardware, and all functions of the program sluice, in one header.

This package contains the shared library.
END

add_files libsluice-dev usr/include "usr/lib/$multiarch/libsluice.so" "usr/lib/$multiarch/libsluice.a" \
    "usr/lib/$multiarch/libsluice-study.a" \
    "usr/lib/$multiarch/pkgconfig"
strip --strip-debug -D "$work/libsluice-dev/usr/lib/$multiarch"/libsluice*.a
add_documents libsluice-dev own_licence
pack libsluice-dev libdevel "$library (= $version)" "Recommends: libzstd-dev, zlib1g-dev, liblzma-dev, libxxhash-dev, libdw-dev, libelf-dev, libcapstone-dev, libiberty-dev, libsqlite3-dev, libjansson-dev" \
    'profiler of instruction streams: for building' <<'END'
Tables that find the most frequent tuples of a stream in a few kilobytes, models
of profiling hardware, and all functions of the program sluice, in one header.

This package contains the headers, the static libraries and a pkg-config file.
The libraries that the static library needs are recommended.
END

add_files sluice usr/bin usr/share/sluice usr/share/man usr/share/doc
for plugin in "$stage"/usr/lib/sluice/*.so; do
    add_files sluice "usr/lib/sluice/${plugin##*/}"
done
strip "$work"/sluice/usr/bin/*
strip --strip-unneeded "$work"/sluice/usr/lib/sluice/*.so
mkdir -p "$work/sluice/usr/share/bash-completion/completions" "$work/sluice/usr/share/zsh/vendor-completions"
"$stage/usr/bin/sluice" completion bash >"$work/sluice/usr/share/bash-completion/completions/sluice"
{ echo '#compdef sluice' && "$stage/usr/bin/sluice" completion zsh; } >"$work/sluice/usr/share/zsh/vendor-completions/_sluice"
add_documents sluice own_licence
pack sluice devel "$(depends sluice -esluice/usr/bin/sluice -esluice/usr/bin/sluice-lab), sluice-engine | qemu-user" \
    'Recommends: sluice-engine
Suggests: gnuplot-nox, sqlite3, verilator' 'profiler of unmodified programs under QEMU' <<'END'
sluice finds what a program does most: the functions in which it spends its
instructions, the targets of its branches, the values of its loads. It runs
the program unmodified under QEMU, needs no performance counters, and models
profiling hardware and processors exactly.
END

[ -d "$stage/usr/lib/sluice/engine" ] || exit 0
add_files sluice-engine usr/lib/sluice/engine
engine=$work/sluice-engine/usr/lib/sluice/engine
strip "$engine"/qemu-*
mkdir -p "$work/sluice-engine/usr/share/doc/sluice-engine"
mv "$engine/README" "$work/sluice-engine/usr/share/doc/sluice-engine/README"
add_documents sluice-engine engine_licence
rm "$engine/COPYING"
pack sluice-engine devel "$(depends sluice-engine -esluice-engine/usr/lib/sluice/engine/qemu-x86_64)" \
    "Enhances: sluice" 'profiler of unmodified programs: QEMU with the tap' <<'END'
The user mode of QEMU with the tap of sluice. Profiling is much faster than with
a QEMU plugin, and also works on systems whose QEMU has no plugins. sluice finds
this engine automatically.
END
rm -rf "$work"
