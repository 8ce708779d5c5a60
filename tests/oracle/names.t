#!/bin/sh
# SPDX-License-Identifier: MIT
# Demangled names of C++ and Rust against c++filt's, over all symbols of installed libraries. Both use
# libiberty, so they are equal; the bounds of sl_demangle() must not reject a name of a compiler.
. "$(dirname "$0")/../lib.sh"
need c++filt nm
readable=$BUILD/tests/support/readable

# compare NAME FILE: its mangled names, defined and undefined.
compare()
{
    nm -D "$2" 2>/dev/null | sed -n 's/.* \(_Z[^@ ]*\).*/\1/p' | sort -u >names
    if [ "$(wc -l <names)" -lt 100 ]; then
        skip "$1" 'has hardly any names'
        return
    fi
    c++filt -i -n --format=gnu-v3 <names >theirs
    "$readable" <names >ours
    same "$1: $(wc -l <names) names are as c++filt has them" ours theirs
}

first() # FILE...: the first that can be read
{
    for file; do
        [ ! -r "$file" ] || { echo "$file"; return; }
    done
}

# Rust's v0 names, of a program and the library in it. c++filt drops suffixes, so names with one are left out.
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
