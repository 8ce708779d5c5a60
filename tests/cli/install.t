#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` installs a sluice that works from any directory, with its header, library and
# manual pages.
. "$(dirname "$0")/../lib.sh"
need make gcc sqlite3
# The checkout that was built, if that is not the one this script is in.
checkout=${BUILD%/build*}
unset MAKEFLAGS MAKELEVEL MFLAGS SAN

make -s -C "$checkout" install DESTDIR="$T/stage" PREFIX=/usr >log 2>&1
is 'make install: status 0' $? 0
[ -s log ] && sed 's/^/# /' log | head -n 5
version=$("$sluice" --version)
version=${version#sluice }
(cd "$T/stage" && find . -type f | sort) >files
for file in ./usr/bin/sluice ./usr/bin/sluice-lab ./usr/lib/sluice/sluice-tap-1.so ./usr/lib/libsluice.a \
    ./usr/lib/libsluice.so.$version ./usr/lib/pkgconfig/sluice.pc ./usr/include/sluice.h ./usr/include/sluice-table.h ./usr/include/sluice-source.h ./usr/include/sluice-insn.h ./usr/include/sluice-needs.h ./usr/include/sluice-mark.h ./usr/share/man/man1/sluice-run.1 \
    ./usr/share/man/man5/sluice-machine.5 ./usr/share/man/man7/sluice-profiles.7 ./usr/share/man/man7/sluice-tables.7 ./usr/share/sluice/machines/rocket.txt \
    ./usr/share/sluice/workloads/spmv.c ./usr/share/sluice/workloads/workload.h \
    ./usr/share/doc/sluice/faq.md ./usr/share/doc/sluice/tutorials/slow-program.md; do
    ok "$file is installed" grep -qx "$file" files
done
is 'and nothing outside of the prefix' "$(grep -v '^./usr/' files)" ''

printf '#include <sluice-mark.h>\nint main(void) { SLUICE_BEGIN(); SLUICE_END(); return 3; }' >program.c
build program gcc -static -I "$T/stage/usr/include" program.c
mkdir elsewhere && cd elsewhere || exit 1
"$T/stage/usr/bin/sluice" run -q --marked -p block "$T/program" 2>err
is 'the installed sluice runs a program from another directory' $? 3
is 'and says nothing' "$(cat err)" ''
is 'the region between its marks has one block' "$(sql sluice.db 'SELECT events FROM profile')" 1
"$T/stage/usr/bin/sluice" run -q -m rocket -p function:energy "$T/program" 2>err
is 'it finds its machines' "$? $(cat err)" '3 '
ln -s "$T/stage/usr/bin/sluice" ../link
PATH=/usr/bin:/bin ../link run -q -p edge "$T/program"
is 'so it does through a link' $? 3
mv "$T/stage" "$T/moved, with a comma"
"$T/moved, with a comma/usr/bin/sluice" run -q -p edge "$T/program"
is 'and where it was moved to, whatever the name' $? 3

cat >use.c <<'END'
#include <sluice.h>
int main(void)
{
    struct sl_failure f;
    return sl_list("detectors", stdout, &f) < 0;
}
END
gcc -I "$T/moved, with a comma/usr/include" use.c "$T/moved, with a comma/usr/lib/libsluice.a" -o use \
    $(sed -n 's/^Libs.private: //p' "$T/moved, with a comma/usr/lib/pkgconfig/sluice.pc") 2>err
is 'a program can be built against the header and the library' $? 0
ok 'and it works' sh -c './use | grep -q ^edge'

# ---- the library, as those who embed it find it --------------------------------

# Where a user has put it, without a DESTDIR.
(umask 077; make -s -C "$checkout" install DESTDIR="$T/private" PREFIX=/usr >log 2>&1)
is 'with umask 077, every user can read what is installed' \
    "$(find "$T/private/usr" ! -perm -o+r; find "$T/private/usr" -type d ! -perm -o+x)" ''
rm -rf "$T/private"
make -s -C "$checkout" install PREFIX="$T/own" >log 2>&1
is 'make install into a directory of its own: status 0' $? 0
export PKG_CONFIG_PATH="$T/own/lib/pkgconfig" LD_LIBRARY_PATH="$T/own/lib"
library=$T/own/lib/libsluice.so
pkg_config=$(command -v pkg-config)

is 'pkg-config knows the version' "$(pkg-config --modversion sluice)" "$version"
soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
like 'the shared library has a name with a version' "$soname" "libsluice.so.${version%%.*}*"
is 'and links lead to it' "$(readlink "$library") $(readlink "$T/own/lib/$soname")" \
    "$soname libsluice.so.$version"

# What the header declares: every name that is followed by a parenthesis and is not in a comment.
gcc -E -P "$T/own/include/sluice.h" | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*[ *]\(sl_[a-z_]*\)(.*/\1/p' | sort -u >declared
nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >exported
ok 'the header declares functions' [ "$(wc -l <declared)" -gt 20 ]
is 'the shared library exports what the header declares' "$(comm -23 declared exported)" ''
is 'and nothing else' "$(comm -13 declared exported)" ''
is 'it cannot end a program' \
    "$(nm -D --undefined-only "$library" | grep -wE 'abort|exit|__assert_fail')" ''
is 'the static library defines no global name without its prefix' \
    "$(nm -g --defined-only "$T/own/lib/libsluice.a" 2>/dev/null | awk 'NF == 3 { print $3 }' |
        grep -v '^sl_')" ''

cat >versions.c <<'END'
#include <sluice.h>
#include <string.h>
int main(void)
{
    printf("%u %s\n", sl_version_number(), sl_version());
    return sl_version_number() != SL_VERSION_NUMBER || strcmp(sl_version(), SL_VERSION);
}
END
# shellcheck disable=SC2046
if [ "$pkg_config" ]; then
    build versions gcc versions.c $(pkg-config --cflags --libs sluice)
    is 'the version at run time is that of the header' "$(./versions)" \
        "$(echo "$version" | awk -F. '{ print 10000 * $1 + 100 * $2 + $3 }') $version"
    build use gcc use.c $(pkg-config --cflags --libs sluice)
    ok 'all of it is in the shared library' sh -c './use | grep -q ^edge'
    build use_static gcc use.c $(pkg-config --cflags sluice) -Wl,-Bstatic -lsluice -Wl,-Bdynamic \
        -L"$T/own/lib" $(pkg-config --static --libs sluice | sed 's/-lsluice//')
    ok 'pkg-config --static lists what the static one needs' \
        sh -c 'unset LD_LIBRARY_PATH; ./use_static | grep -q ^edge'
    # It finds machines and plugins from where it is itself.
    cat >session.c <<'END'
#include <sluice.h>
int main(int argc, char **argv)
{
    const char *spec = "function:cycles";
    struct sl_session_config config = {.size = sizeof config};
    struct sl_guest guest = {.size = sizeof guest};
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    (void)argc;
    config.spec = &spec;
    config.n_specs = 1;
    config.machine = "rocket";
    if (sl_session_open(&session, &config, &f) < 0)
        return fprintf(stderr, "%s\n", f.text), 1;
    guest.argv = argv + 1;
    guest.needs = sl_session_needs(session);
    if (sl_source_run(&source, &guest, &f) < 0 ||
        sl_session_run(session, source, NULL, NULL, &f) < 0 ||
        sl_session_save(session, "embedded.db", &f) < 0)
        return fprintf(stderr, "%s\n", f.text), 1;
    sl_source_close(source);
    sl_session_close(session);
    return 0;
}
END
    build session gcc session.c $(pkg-config --cflags --libs sluice)
    is 'a program with the shared library profiles another on a machine' \
        "$(./session "$T/program" 2>&1) $?" ' 0'
else
    skip 'programs are built with pkg-config' 'there is no pkg-config'
fi

# ---- the page on tables in one's own program -----------------------------------

# Word for word: its first example, how it is built and what it prints, in C and in C++.
page=$T/own/share/doc/sluice/embed.md
awk '/^```/ { inside = $0 == "```c" && !n++; next } inside' "$page" >example.c
awk '/^```/ { inside = $0 == "```console" && !n++; next } inside' "$page" >console
awk '/^```/ { inside = $0 == "```console" && n++; next } inside' "$page" >console-static
sed '/^\$ /d' console >wanted
for compiler in cc c++; do
    name="the example of embed.md prints what the page says, built with $compiler"
    if command -v "$compiler" pkg-config >/dev/null; then
        sed -n "s/^\$ //p" console | sed "s/^cc /$compiler -Wall -x $compiler /; s/-x cc/-x c/" |
            sh >got 2>&1
        same "$name" got wanted
    else
        skip "$name" "there is no $compiler"
    fi
done
# The second one, and what the page says that it prints.
awk '/^```/ { inside = $0 == "```c" && ++n == 2; next } inside' "$page" >example.c
awk '/^```/ { inside = $0 == "```text" && ++n == 1; next } inside' "$page" >wanted-intervals
if [ "$pkg_config" ]; then
    sed -n 's/^\$ //p' console | head -n 1 | sh >err 2>&1
    ./example >got
    same 'the example with intervals prints what the page says' got wanted-intervals
    awk '/^```/ { inside = $0 == "```c" && !n++; next } inside' "$page" >example.c
    sed -n 's/^\$ //p' console-static | sh >got 2>&1
    ok 'linked statically, it needs no library of ours' \
        sh -c '! readelf -d example | grep -q sluice && ./example | sort -rn | cmp - wanted'
fi

# A source distribution.
if git -C "$checkout" rev-parse HEAD >/dev/null 2>&1; then
    cd "$T" || exit 1
    make -s -C "$checkout" dist BUILD="$T/dist" >log 2>&1
    is 'make dist: status 0' $?/"$(tail -n 1 log)" 0/"$T/dist/sluice-$version.tar.xz"
    tar xf "dist/sluice-$version.tar.xz"
    is 'make dist packs the committed files' "$(cd "sluice-$version" && find . ! -type d | sort)" \
        "$(git -C "$checkout" ls-tree -r --name-only HEAD | sed 's|^|./|' | sort)"
    is 'the packed sources know how to build everything without git' \
        "$(env -i PATH="$PATH" HOME="$HOME" make -s -n -C "sluice-$version" ENGINE= all 2>&1 >/dev/null | grep -c '\*\*\*')" 0
fi

# The engine of a user whose directories are private.
if command -v qemu-x86_64 >/dev/null && qemu-x86_64 -h | grep -q '^-plugin'; then
    mkdir "$T/shared" "$T/private"
    cp "$sluice" "$BUILD"/sluice-tap-*.so "$T/program" "$T/shared"
    ln -s "$T/private/engine" "$T/shared/engine"
    mkdir "$T/private/engine"
    chmod 755 "$T"
    chmod 1777 "$T/shared"
    chmod 0 "$T/private"
    as_user=
    [ "$(id -u)" -ne 0 ] || as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
    (cd "$T/shared" && $as_user ./sluice run -p edge ./program) >said 2>&1
    like "the report says that another user's engine cannot be read" "$? $(tr -s ' \n' ' ' <said)" \
        "3 *engine belongs to another user and cannot be read, so that the slower plugin is used*"
    chmod 700 "$T/private"
else
    skip "the report says that another user's engine cannot be read" 'QEMU has no plugins here'
fi
finish
