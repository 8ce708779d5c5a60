#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten widely used programs with debug information: `-f callgrind` has the same cost of each source
# line, and the same inclusive cost of each function, as valgrind's callgrind, which runs them
# natively.
#
# Lines are all those of the program itself, including headers of the C library and inlined code.
# Inclusive costs are compared for functions that call nothing outside the program: the C library
# selects other string functions on another processor, and reads an environment to which valgrind
# adds. The remaining differences are listed next to the programs, with reasons. `make check`
# fetches the sources (mk/real-sources.sh); a program without sources is skipped.
. "$(dirname "$0")/../lib.sh"
need valgrind gcc awk
sources=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/sources
# Without lazy binding, which is the loader's work.
flags='-O2 -gdwarf-4 -w -Wl,-z,now'

# "line FILE:LINE COST" and "with FUNCTION COST" of a program's own code in callgrind's file or in ours, which
# has addresses, too. A function that is called again before it returns has no cost with all that it
# calls that adds up, so those that reach themselves are left out, as are lines and functions in `but`.
figures() # figures PROGRAM FILE
{
    awk -v own="$1" -v but="$but" '
        # 1: all that it calls belongs to the program, and never itself; 2: not; 3: being examined
        function closed(fn,   i, n, to) {
            if (fn in state)
                return state[fn] == 1
            state[fn] = 3
            n = split(calls[fn], to, "\t")
            for (i = 1; i <= n; i++)
                if (!closed(to[i])) {
                    state[fn] = 2
                    return 0
                }
            state[fn] = fn in mine ? 1 : 2
            return state[fn] == 1
        }
        /^positions:/ { at = NF - 1; next }
        /^ob=/ { n = split($0, part, "/"); here = part[n] == own || $0 == "ob=" own; next }
        /^(fl|fi|fe)=/ { n = split($0, part, /[=\/]/); file = part[n]; next }
        /^fn=/ { fn = substr($0, 4); sub(/\x27[0-9]+$/, "", fn); next }
        /^cfn=/ { cfn = substr($0, 5); sub(/\x27[0-9]+$/, "", cfn); next }
        /^calls=/ {
            getline
            with[fn] += $(at + 1)
            if (!((fn, cfn) in known)) {
                known[fn, cfn] = 1
                calls[fn] = calls[fn] (calls[fn] == "" ? "" : "\t") cfn
            }
            next
        }
        /^[0-9+*-]/ {
            with[fn] += $(at + 1)
            if (here && $at) {
                mine[fn] = 1
                cost[file ":" $at] += $(at + 1)
            }
        }
        END {
            for (line in cost)
                if (cost[line] && index(" " but " ", " " line " ") == 0)
                    print "line", line, cost[line]
            for (fn in mine)
                if (with[fn] && index(" " but " ", " " fn " ") == 0 && closed(fn))
                    print "with", fn, with[fn]
        }' "$2" | sort
}

but= # lines and functions that may differ
least=100 # lines that there must be
real() # real WHAT PROGRAM [ARGUMENT...]
{
    what=$1
    shift
    valgrind -q --tool=callgrind --compress-strings=no --compress-pos=no --dump-instr=no --skip-plt=no \
        --callgrind-out-file=callgrind.out "$@" >out.native 2>valgrind.err || sed 's/^/# /' valgrind.err
    "$sluice" run -q -f callgrind -o a.db "$@" >out.format 2>out.ours ||
        { [ -s a.db ] || sed 's/^/# /' out.ours; }
    figures "${1##*/}" callgrind.out >wanted.all
    "$sluice" report -f callgrind a.db >ours.out
    figures "${1##*/}" ours.out >got.all
    for kind in line with; do
        grep "^$kind " wanted.all >wanted
        grep "^$kind " got.all >got
        case $kind in
        line) same "$what: every line has callgrind's instructions" got wanted ;;
        with) same "$what: every function has, with all that it calls" got wanted ;;
        esac
    done
    ok "$what: of at least $least lines" [ "$(grep -c '^line' got.all)" -ge "$least" ]
    ok "$what: and of some functions" [ "$(grep -c '^with' got.all)" -ge 2 ]
    but= least=100
}

source_of() # source_of PACKAGE WHAT: whether it is there; a copy of it, src/PACKAGE
{
    [ -d "$sources/$1" ] && mkdir -p src && cp -r "$sources/$1" src/ && return
    skip "$2" "there is no source of $1: make real-sources"
    return 1
}

# Something to compress and to compile.
awk 'BEGIN { for (i = 0; i < 600; i++) { x = (x * 1103 + 12345) % 65521; printf "%d %s line %d\n", x, x % 7 ? "a" : "another", i } }' >text

if source_of bzip2 bzip2; then
    build bzip2 gcc $flags src/bzip2/bzip2.c src/bzip2/blocksort.c src/bzip2/huffman.c \
        src/bzip2/crctable.c src/bzip2/randtable.c src/bzip2/compress.c src/bzip2/decompress.c \
        src/bzip2/bzlib.c
    real bzip2 ./bzip2 -c -1 text
fi

if source_of zlib minigzip; then
    build minigzip gcc $flags -Isrc/zlib -D_LARGEFILE64_SOURCE=1 -include unistd.h \
        src/zlib/test/minigzip.c src/zlib/*.c
    real minigzip ./minigzip -c text
fi

if source_of lz4 lz4; then
    build lz4 gcc $flags -Isrc/lz4/lib src/lz4/programs/*.c src/lz4/lib/*.c
    # It takes the time, and how long that took decides which lines are executed.
    but='util.h:281 util.h:282 util.h:283 util.h:285 util.h:286'
    real lz4 ./lz4 -q -9 -c text
fi

# Strings are found by a seed that has addresses of the stack in it, which begins below the environment:
# lua is built with another. And with a cache of strings of one place, which go there by their addresses.
if source_of lua5.4 lua; then
    cat >hot.lua <<'END'
local t = {}
for i = 1, 300 do t[i] = (i * 7919) % 1009 end
table.sort(t)
local words = {}
for i = 1, 300 do local w = string.format("w%d", t[i] % 31); words[w] = (words[w] or 0) + 1 end
local s = 0
for w, n in pairs(words) do s = s + n * #w end
print(s, (string.gsub("some words here", "%w+", string.upper)))
END
    build lua gcc $flags -Isrc/lua5.4/src '-Dluai_makeseed(L)=17' -DSTRCACHE_N=1 -DSTRCACHE_M=1 \
        $(ls src/lua5.4/src/*.c | grep -v '/luac\.c$') -lm
    real lua ./lua hot.lua
fi

if source_of tcc tcc; then
    (cd src/tcc && ./configure >/dev/null 2>&1)
    cat >small.c <<'END'
int f(int x) { return x * 3 + 1; }
int main(void)
{
    int i, s = 0;
    for (i = 0; i < 9; i++)
        s += f(i);
    return s;
}
END
    build tcc gcc $flags -DONE_SOURCE=1 -DTCC_TARGET_X86_64 -Isrc/tcc src/tcc/tcc.c -ldl -lpthread
    # tcc_free is inlined from libtcc.c; callgrind has some of it in tccpp.c, where that was called, at the
    # line that it has in libtcc.c. addr2line(1) has it as we do.
    but='libtcc.c:232 tccpp.c:232'
    real tcc ./tcc -nostdlib -c small.c -o small.o
fi

if source_of xxhash xxhsum; then
    build xxhsum gcc $flags -Isrc/xxhash src/xxhash/xxhash.c src/xxhash/cli/*.c
    real xxhsum ./xxhsum -H2 text
fi

if source_of cjson cJSON; then
    cat >json.c <<'END'
#include "cJSON.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    cJSON *all = cJSON_CreateArray();
    for (int i = 0; i < 200; i++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "number", i * 7);
        cJSON_AddStringToObject(one, "text", i % 3 ? "plain" : "with \"marks\"\n");
        cJSON_AddItemToArray(all, one);
    }
    char *text = cJSON_PrintUnformatted(all);
    cJSON *again = cJSON_Parse(text);
    printf("%d\n", cJSON_Compare(all, again, 1));
    free(text);
    cJSON_Delete(all);
    cJSON_Delete(again);
    return 0;
}
END
    build json gcc $flags -Isrc/cjson json.c src/cjson/cJSON.c -lm
    real cJSON ./json
fi

if source_of tinyxml2 tinyxml2; then
    cat >xml.cc <<'END'
#include "tinyxml2.h"
#include <cstdio>
#include <string>
using namespace tinyxml2;
int main()
{
    std::string text = "<all>";
    for (int i = 0; i < 150; i++)
        text += "<one n=\"" + std::to_string(i) + "\">a &amp; b<two/></one>";
    XMLDocument document;
    document.Parse((text + "</all>").c_str());
    int sum = 0;
    for (XMLElement *e = document.RootElement()->FirstChildElement(); e; e = e->NextSiblingElement())
        sum += e->IntAttribute("n");
    XMLPrinter printer;
    document.Print(&printer);
    std::printf("%d %d\n", sum, printer.CStrSize());
}
END
    build xml g++ $flags -Isrc/tinyxml2 xml.cc src/tinyxml2/tinyxml2.cpp
    # At the address where this function begins, the code before it ends with a row of no length, of
    # tinyxml2.h, and libdw may take that for the function's.
    but='tinyxml2.cpp:781 tinyxml2.h:2247'
    real tinyxml2 ./xml
fi

if [ -f /usr/include/nlohmann/json.hpp ]; then
    cat >values.cc <<'END'
#include <iostream>
#include <nlohmann/json.hpp>
int main()
{
    nlohmann::json all = nlohmann::json::array();
    for (int i = 0; i < 50; i++)
        all.push_back({{"number", i * 7}, {"half", i / 2.0}, {"text", i % 3 ? "plain" : "\"marks\"\n"}});
    std::cout << (nlohmann::json::parse(all.dump()) == all) << "\n";
}
END
    build values g++ $flags values.cc
    real nlohmann-json ./values
else
    skip nlohmann-json 'there is no nlohmann-json3-dev'
fi

if command -v rustc >/dev/null; then
    cat >words.rs <<'END'
use std::collections::BTreeMap;
fn words(n: u64) -> Vec<String> {
    let mut x = 7u64;
    (0..n)
        .map(|_| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            format!("w{}", (x >> 40) % 97)
        })
        .collect()
}
fn main() {
    let mut seen = BTreeMap::new();
    for w in words(1000) {
        *seen.entry(w).or_insert(0u32) += 1;
    }
    let mut all: Vec<_> = seen.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    for (w, n) in all.iter().take(5) {
        println!("{} {}", w, n);
    }
}
END
    build words rustc -O -g words.rs
    real Rust ./words
else
    skip Rust 'there is no rustc'
fi
finish
