#!/bin/sh
# SPDX-License-Identifier: MIT
# Viewers show the same figures for our exported files: callgrind_annotate, go's pprof, speedscope
# and flamegraph.pl agree with each other, also on inlined functions, and for functions that are
# not inlined with valgrind's callgrind, which ran the program natively.
. "$(dirname "$0")/../lib.sh"
need gcc awk

cat >deep.c <<'END'
__attribute__((noinline)) int leaf(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i ^ n;
    return s;
}
static inline int weigh(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s * 3 + i;
    return s;
}
__attribute__((noinline)) int twice(int n) { return leaf(n) + weigh(n); }
__attribute__((noinline)) int once(int n) { return leaf(n) - 1; }
int main(void)
{
    int s = 0;
    for (int i = 0; i < 100; i++)
        s += twice(i) + once(i);
    return s == 1;
}
END
build deep gcc -O2 -g -Wl,-z,now deep.c
profile a.db -p 'context(nested=1,inlined=1)' -p block -p call -p edge -p 'context(nested=1)' \
    -p 'context(nested=1):count' -- ./deep
for format in folded speedscope pprof callgrind; do
    "$sluice" report -f $format -o out.$format a.db
    is "$format is made" $? 0
done
own='main twice once leaf weigh'

# "FUNCTION SELF ALL" from folded stacks: to compare the others with. A function counts once in a stack.
awk -v own="$own" '
    { n = split(substr($0, 1, length($0) - length($NF) - 1), frame, ";"); split("", seen)
      self[frame[n]] += $NF
      for (i = 1; i <= n; i++) if (!(frame[i] in seen)) { seen[frame[i]] = 1; all[frame[i]] += $NF } }
    END { n = split(own, name, " "); for (i = 1; i <= n; i++) print name[i], self[name[i]] + 0, all[name[i]] + 0 }' \
    out.folded >wanted
is 'folded stacks have all five functions' "$(awk '$2 > 0 && $3 >= $2' wanted | wc -l)" 5

if command -v valgrind >/dev/null && command -v callgrind_annotate >/dev/null; then
    valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out ./deep 2>err
    for file in callgrind.out out.callgrind; do
        for inclusive in no yes; do
            callgrind_annotate --auto=no --threshold=100 --inclusive=$inclusive $file 2>/dev/null |
                sed -n 's/^ *\([0-9,]*\) .*:\(main\|twice\|once\|leaf\)\( .*\)\{0,1\}$/\2 \1/p' | tr -d , |
                sort -u >$file.$inclusive
        done
    done
    # weigh is in twice there: its file has lines, and functions as the linker has them.
    same "callgrind_annotate of our file has callgrind's own figures" out.callgrind.no callgrind.out.no
    same 'and with all that functions call' out.callgrind.yes callgrind.out.yes
    sort wanted | awk '$1 != "weigh" { print $1, $3 }' >folded.yes
    same 'which folded stacks have, too' folded.yes callgrind.out.yes
else
    skip callgrind_annotate 'there is no valgrind'
fi

if command -v go >/dev/null && HOME=$T go tool pprof -h >/dev/null 2>&1 || [ -x "$(command -v pprof)" ]; then
    pprof='pprof'
    command -v pprof >/dev/null || pprof='go tool pprof'
    HOME=$T PPROF_TMPDIR=$T $pprof -top -nodefraction=0 -edgefraction=0 -nodecount=100000 out.pprof >top 2>err
    for name in $own; do
        awk -v name="$name" '{ sub(/ \(inline\)$/, "") } $NF == name { print name, $1, $4 }' top
    done >got
    same "go's pprof has them" got wanted
    is 'and knows that one is inlined' "$(grep -c 'weigh (inline)' top)" 1
else
    skip "go's pprof" 'there is no go'
fi

# speedscope itself, in Chromium: it is given the file as its own command does, and the table of its
# sandwich view has what each function executes with all that it calls, and itself.
speedscope=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/speedscope/dist/release/index.html
browser=$BUILD/tests/support/browser
if [ -f "$speedscope" ] && command -v chromium >/dev/null && HOME=$T "$browser" "$T/profile" </dev/null 2>err; then
    printf 'speedscope.loadFileFromBase64("deep", "%s")' "$(base64 -w 0 out.speedscope)" >load.js
    {
        echo 'size 1280 20000' # rows that are not to be seen are not in the page
        echo "open file://$speedscope#localProfilePath=$T/load.js"
        echo "is document.body.innerText.includes('Sandwich')"
        echo 'key 3'
        echo "is document.body.innerText.includes('Symbol Name')"
        while read -r name self all; do
            echo "is (t => t === '$name $self $all' || t)([...document.querySelectorAll('tr')].map(r => [...r.cells].map(c => c.innerText.replace(/ .*/s, ''))" \
                ".reverse().join(' ').replaceAll(',', '')).find(t => t.startsWith('$name ')) || 'no row')"
        done <wanted
    } >script
    HOME=$T "$browser" "$T/profile" <script >got 2>err || sed 's/^/# /' err
    { echo 'a sandwich view' && echo 'its table' && cat wanted; } >about
    while read -r said; do
        read -r name self all
        is "speedscope has $name $self${all:+ $all}" "$said" true
    done <<END
$(paste -d '\n' got about)
END
else
    skip speedscope "there is no speedscope, or no Chromium: make speedscope browser-packages"
fi

flamegraph=$(command -v flamegraph.pl || echo /usr/share/perl5/Devel/NYTProf/flamegraph.pl) # Debian's is there
if [ -x "$flamegraph" ]; then
    "$flamegraph" --minwidth 0 out.folded >flame.svg 2>err
    for name in $own; do
        sed -n "s/.*<title>$name (\([0-9,]*\) samples.*/\1/p" flame.svg | tr -d , |
            awk -v name="$name" '{ n += $1 } END { print name, n }'
    done >got
    awk '{ print $1, $3 }' wanted >all
    same 'flamegraph.pl has them' got all
else
    skip flamegraph.pl 'there is none: libdevel-nytprof-perl has it'
fi
finish
