#!/bin/sh
# SPDX-License-Identifier: MIT
# `make deb` builds packages that contain every installed file exactly once and name their
# dependencies; the unpacked sluice works.
. "$(dirname "$0")/../lib.sh"
need make gcc dpkg-deb dpkg-shlibdeps dpkg-architecture sqlite3
checkout=${BUILD%/build*}
unset MAKEFLAGS MAKELEVEL MFLAGS SAN

version=$("$sluice" --version)
version=${version#sluice }
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
make -s -C "$checkout" install DESTDIR="$T/stage" PREFIX=/usr LIBDIR="/usr/lib/$multiarch" >log 2>&1
is 'make install: status 0' $? 0
soname=$(cd "$T/stage/usr/lib/$multiarch" && readlink libsluice.so)
DEB_LEVEL=0 sh "$checkout/mk/deb.sh" "$T/stage" "$T/deb" "$version" "$soname" >log 2>&1
is 'make deb: status 0' "$? $(grep -v '^  DEB' log)" '0 '
library=libsluice${soname#libsluice.so.}
arch=$(dpkg --print-architecture)
for package in sluice "$library" libsluice-dev; do
    file=deb/${package}_${version}_$arch.deb
    ok "$package is built" [ -f "$file" ]
    like "$package: its name, version and dependencies are correct" \
        "$(dpkg-deb -f "$file" Package Version Depends | tr '\n' ' ')" "Package: $package Version: $version Depends: ?*"
    dpkg-deb -c "$file" | sed -n 's/^-[^ ]* [^ ]* *[^ ]* [^ ]* [^ ]* \.//p' >>all
    is "$package: every file belongs to root" "$(dpkg-deb -c "$file" | awk '$2 != "root/root"')" ''
    dpkg-deb -x "$file" system
done
like 'the program depends on the libraries that it is linked with' "$(dpkg-deb -f deb/sluice_*.deb Depends)" '*libsqlite3-0*'
is 'no file is in two packages' "$(sort all | uniq -d)" ''
# (Manual pages are compressed; files in /usr/share/doc belong to the packages themselves; the
# engine has its own package.)
(cd stage && find usr -type f | grep -v /engine/ | sed 's,^,/,; s,\(/man/.*\),\1.gz,' | sort) >installed
is 'every installed file is in a package' "$(sort all | comm -23 installed -)" ''

printf 'int main(void) { return 3; }' >program.c
build program gcc program.c
system/usr/bin/sluice run -q -p block ./program 2>err
is 'the unpacked sluice runs a program' "$? $(cat err)" '3 '
ok 'the unpacked sluice saves its database' [ "$(sql sluice.db 'SELECT events FROM profile')" -gt 0 ]
export PKG_CONFIG_PATH="$T/system/usr/lib/$multiarch/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$T/system"
is 'pkg-config finds the version' "$(pkg-config --modversion sluice)" "$version"

# make uninstall removes all installed files.
make -s -C "$checkout" uninstall DESTDIR="$T/stage" PREFIX=/usr LIBDIR="/usr/lib/$multiarch" >log 2>&1
is 'make uninstall: status 0' "$? $(cat log)" '0 '
is 'make uninstall leaves no file' "$(find stage ! -type d)" ''

if command -v lintian >/dev/null; then
    lintian --fail-on error deb/*.deb >said 2>&1
    is 'lintian reports no errors' "$? $(grep ^E said)" '0 '
fi
finish
