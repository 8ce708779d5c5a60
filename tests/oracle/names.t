#!/bin/sh
# SPDX-License-Identifier: MIT
# Readable names of C++ and Rust against c++filt's, over all symbols of the libraries that are here.
#
# Differences that are meant: c++filt writes >> where the last argument is an empty pack, and leaves
# the comma of an empty one in front; where S_ refers to a reference to T_ of another function, it
# shows what T_ was there. Newer compilers have forms that are not read. So one in a hundred may
# differ, and one in a hundred may stay mangled; here it was one in 2,000, and none.
. "$(dirname "$0")/../lib.sh"
need c++filt nm awk
readable=$BUILD/tests/support/readable

# compare NAME FILE: its mangled names, also of what it only uses.
compare()
{
    nm -D "$2" 2>/dev/null | sed -n 's/.* \(_Z[^@ ]*\).*/\1/p' | sort -u >names
    if [ "$(wc -l <names)" -lt 100 ]; then
        skip "$1" 'has hardly any names'
        return
    fi
    c++filt -i -n --format=gnu-v3 <names >theirs
    "$readable" <names >ours
    paste -d '\n' names theirs ours | awk '
        function plain(s)
        {
            while (gsub(/> >/, ">>", s));
            gsub(/\(, /, "(", s); gsub(/<, /, "<", s); gsub(/, , /, ", ", s)
            return s
        }
        NR % 3 == 1 { name = $0 }
        NR % 3 == 2 { theirs = $0 }
        NR % 3 == 0 { n++
            if ($0 == name && theirs != name) { if (mangled++ < 5) print "# stays: " name }
            else if (plain($0) != plain(theirs)) differ++ }
        END { print n + 0, mangled + 0, differ + 0 }' >verdicts
    grep '^#' verdicts
    read -r n mangled differ <<END
$(tail -n 1 verdicts)
END
    ok "$1: $mangled of $n names stay mangled, at most one in a hundred" test $((mangled * 100)) -le "$n"
    ok "$1: $differ of $n differ, at most one in a hundred" test $((differ * 100)) -le "$n"
}

first() # FILE...: the first that can be read
{
    for file; do
        [ ! -r "$file" ] || { echo "$file"; return; }
    done
}

# Rust's newer names: those of a program and the library in it. What was appended to a name c++filt leaves out.
if command -v rustc >/dev/null && echo 'fn main() { println!("{:?}", std::env::args().map(|a| (a, [1u8; 3])).collect::<Vec<_>>()); }' >r.rs &&
    rustc -O -C symbol-mangling-version=v0 -o r r.rs 2>errors; then
    nm r | sed -n 's/.* \(_R[^@ .]*\)$/\1/p' | sort -u >names
    c++filt -i <names >theirs
    "$readable" <names >ours
    same "Rust: $(wc -l <names) names are as c++filt has them" ours theirs
    ok 'Rust: which are not the mangled ones' [ "$(sort ours | comm -12 names - | wc -l)" -lt 3 ]
else
    skip Rust 'there is no rustc'
fi
compare 'libstdc++' "$(first /usr/lib/*/libstdc++.so.6 /usr/lib64/libstdc++.so.6)"
compare libLLVM "$(first /usr/lib/*/libLLVM-[0-9]*.so.1 /usr/lib/llvm-*/lib/libLLVM*.so.1)"
finish
