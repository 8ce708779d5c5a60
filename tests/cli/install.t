#!/bin/sh
# `make install` gives a sluice that works from anywhere, with its header,
# library and manual.
. "$(dirname "$0")/../lib.sh"
need make gcc sqlite3
# The checkout that was built, if that is not the one this script is in.
checkout=${BUILD%/build*}
unset MAKEFLAGS MAKELEVEL MFLAGS SAN

make -s -C "$checkout" install DESTDIR="$T/stage" PREFIX=/usr >log 2>&1
is 'make install: status 0' $? 0
[ -s log ] && sed 's/^/# /' log | head -n 5
(cd "$T/stage" && find . -type f | sort) >files
for file in ./usr/bin/sluice ./usr/lib/sluice/sluice-tap-1.so ./usr/lib/libsluice.a \
    ./usr/include/sluice.h ./usr/include/sluice-mark.h ./usr/share/man/man1/sluice-run.1 \
    ./usr/share/man/man5/sluice-machine.5 ./usr/share/sluice/machines/rocket.txt \
    ./usr/share/sluice/workloads/spmv.c ./usr/share/sluice/workloads/workload.h; do
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
    -lzstd -lz -lxxhash -ldw -lelf -lcapstone -lsqlite3 -ljansson -lstdc++ -lm -lpthread 2>err
is 'a program can be built against the header and the library' $? 0
ok 'and it works' sh -c './use | grep -q ^edge'

# The page on tables in one's own program, word for word: its example, how it is built and
# what it prints.
page="$T/moved, with a comma/usr/share/doc/sluice/embed.md"
awk '/^```/ { inside = $0 == "```c" && !n++; next } inside' "$page" >example.c
awk '/^```/ { inside = $0 == "```console"; next } inside' "$page" >console
export C_INCLUDE_PATH="$T/moved, with a comma/usr/include"
export LIBRARY_PATH="$T/moved, with a comma/usr/lib"
sed -n 's/^\$ //p' console | sh >got 2>&1
sed '/^\$ /d' console >wanted
same 'the example of embed.md prints what the page says' got wanted
finish
