#!/bin/sh
# SPDX-License-Identifier: MIT
# The lab's programs (programs.sh): their list, versions and sizes, errors about missing compilers,
# and that repeated runs take the same inputs and the same branches.
. "$(dirname "$0")/../lib.sh"
need gcc cc sqlite3
script=$BUILD/data/lab/programs.sh
export SIZE=tiny
unset WORKLOADS

programs_sh()
{
    sh "$script" "$@"
}

# ---- list ----------------------------------------------------------------------------------

programs_sh list >list
is 'list: status 0' $? 0
is 'each line is a name, its kind, and some words' \
    "$(awk -F '\t' 'NF != 3 || $1 !~ /^[a-z0-9]+(\.mipsel|\.riscv64|\.long)?$/ ||
        $2 !~ /^(real|small|mips|riscv|long)$/ || $3 == ""' list)" ''
is 'no name is there twice' "$(cut -f 1 list | sort | uniq -d)" ''
is 'twelve are real' "$(grep -c '	real	' list)" 12
is 'the small ones are those with a source' "$(awk -F '\t' '$2 == "small" { print $1 }' list)" \
    "$(cd "$root/bench/workloads" && ls ./*.c | sed 's,^./,,; s/\.c$//')"
is 'each of them is there for MIPS, too' "$(awk -F '\t' '$2 == "mips" { print $1 }' list)" \
    "$(awk -F '\t' '$2 == "small" { print $1 ".mipsel" }' list)"
is "those of the counters' document for RISC-V, as it has them" \
    "$(awk -F '\t' '$2 == "riscv" { print $1 }' list)" 'spmv.riscv64
vvadd.riscv64'
is 'and no others' "$(programs_sh there sha.riscv64)" "there is no program called 'sha.riscv64'"

is 'those that run long are real ones' "$(sed -n 's/\.long	.*//p' list | while read -r name; do
        grep -q "^$name	real	" list || echo "$name"
    done)" ''
is 'and their version is theirs' "$(programs_sh version gzip.long)" "$(programs_sh version gzip)"

# ---- there, version ------------------------------------------------------------------------

why=$(programs_sh there nothing)
is 'a name that is none: status 1' $? 1
is 'a name that is none: why' "$why" "there is no program called 'nothing'"
is 'nor is a path' "$(programs_sh there ../workloads/sha)" \
    "there is no program called '../workloads/sha'"

mkdir few
for tool in awk cat dirname ls perl tail; do
    ln -s "$(command -v $tool)" few/
done
why=$(PATH=$T/few /bin/sh "$script" there gcc)
is 'no compiler to run: status 1' $? 1
is 'no compiler to run: why' "$why" 'gcc is not installed (package gcc)'
why=$(PATH=$T/few /bin/sh "$script" there sha)
is 'no compiler to compile with: status 1' $? 1
is 'no compiler to compile with: why' "$why" \
    'there is no C compiler to prepare sha with (package gcc)'

why=$(PATH=$T/few /bin/sh "$script" there sha.mipsel)
is 'no compiler for MIPS: status 1' $? 1
is 'no compiler for MIPS: why' "$why" 'there is no compiler for MIPS (package gcc-mipsel-linux-gnu)'
is 'for MIPS, too, a name that is none is none' "$(programs_sh there nothing.mipsel)" \
    "there is no program called 'nothing.mipsel'"

installed=
for name in $(awk -F '\t' '$2 == "real" { print $1 }' list); do
    if why=$(programs_sh there "$name"); then
        is "$name is there, and no more is reported" "$why" ''
        like "$name has a version" "$(programs_sh version "$name")" '*[a-z]* *[0-9]*'
        installed="$installed $name"
    else
        like "$name is not there, with a package to install" "$why" '* (package *)'
    fi
done
like 'the version of a small one is that of the compiler' "$(programs_sh version sha)" \
    "ours, *$(cc -dumpversion)*"

# ---- runs ----------------------------------------------------------------------------------

# `true` does not start the program; `env` does nothing else.
mkdir inputs
for name in $installed; do
    (cd inputs && programs_sh run "$name" true)
    is "$name: the status is that of the command" $? 0
    programs_sh run "$name" env 2>err
    is "$name runs to its end, and has nothing to complain of" "$? $(cat err)" '0 '
    rm "inputs/$name/output"
    is "$name: the same inputs each time" "$(cd "inputs/$name" && cksum ./*)" \
        "$(cd "$name" && cksum $(cd "../inputs/$name" && ls -d ./*))"
    ok "$name: there are inputs" [ "$(ls "inputs/$name" | wc -l)" -ge 2 ]
done
bytes() # SIZE [NAME]: of what gzip reads
{
    SIZE=$1 programs_sh run "${2:-gzip}" true && wc -c <"${2:-gzip}/input"
}
case $installed in
*gzip*)
    ok 'there is more of what is quick than of what is tiny' [ "$(bytes tiny)" -lt "$(bytes quick)" ]
    ok 'and still more of what is full' [ "$(bytes quick)" -lt "$(bytes full)" ]
    ok 'what runs long has more than what is full' [ "$(bytes full)" -lt "$(bytes full gzip.long)" ]
    ;;
esac

for name in $(awk -F '\t' '$2 == "small" { print $1 }' list); do
    programs_sh run "$name" env
    is "$name runs to its end" $? 0
    like "$name has checked itself" "$(cat "$name/output")" "$name: ok [0-9a-f]*"
done

if command -v qemu-mipsel >/dev/null && programs_sh there sha.mipsel >/dev/null; then
    programs_sh run sha.mipsel qemu-mipsel
    is 'for MIPS it runs to its end' $? 0
    programs_sh run sha env
    same 'and finds the same' sha.mipsel/output sha/output
    like 'its version is that of the compiler' "$(programs_sh version sha.mipsel)" \
        "ours, mipsel-*$(mipsel-linux-gnu-gcc -dumpversion)*"
else
    skip 'sha.mipsel' 'there is nothing to compile or run it with'
fi

if command -v qemu-riscv64 >/dev/null && programs_sh there spmv.riscv64 >/dev/null; then
    programs_sh run spmv.riscv64 qemu-riscv64
    is 'for RISC-V it runs to its end' $? 0
    programs_sh run spmv env
    same 'and finds the same' spmv.riscv64/output spmv/output
else
    skip 'spmv.riscv64' 'there is nothing to compile or run it with'
fi

OURS=1 programs_sh run sha sh -c 'env; exit 7'
is 'the status is that of the command' $? 7
is 'its environment does not have ours' "$(grep -c '^OURS' sha/output)" 0
touch sha/old
programs_sh run sha true
is 'nor does its directory have what was there before' "$(ls sha)" output

# What the clock says must not matter: between two runs it has gone on.
branches() # DATABASE: of those of which time would change something
{
    for name in lua ray; do
        case $installed in *$name*) ;; *) continue ;; esac
        programs_sh run $name "$sluice" run -q --keep all -p edge -o "$T/$1" -- 2>err
        is "$name runs under sluice" "$? $(cat err)" '0 '
        sql "$1" 'SELECT instructions FROM program; SELECT * FROM entry' >"$name.$1"
    done
}
branches first.db
sleep 1
branches second.db
for name in lua ray; do
    case $installed in *$name*) ;; *) continue ;; esac
    same "$name takes the same branches a second later" $name.second.db $name.first.db
done

# ---- small ones are compiled when they have to be --------------------------------------------

mkdir mine
cat >mine/seven.c <<'END'
/* Seven, for a test. */
#include "seven.h"
int main(void) { return SEVEN; }
END
echo '#define SEVEN 7' >mine/seven.h
export WORKLOADS="$T/mine"
is 'sources may be elsewhere' "$(programs_sh list | grep small)" 'seven	small	Seven'
programs_sh run seven env
is 'it is compiled' $? 7
cp -p seven.bin kept && programs_sh run seven env
ok 'and not again' [ ! seven.bin -nt kept ]
sleep 0.1
echo '#define SEVEN 8' >mine/seven.h
programs_sh run seven env
is 'but when a header has changed' $? 8
sleep 0.1
echo 'nonsense' >mine/seven.h
programs_sh run seven env 2>err
is 'what cannot be compiled: status 125' $? 125
ok 'and the compiler says why' grep -q nonsense err

programs_sh run nothing env 2>err
is 'running what is none: status 125' $? 125
is 'running what is none: why' "$(cat err)" "programs.sh: there is no program called 'nothing'"
programs_sh run sha 2>err
is 'a run without a command: status 125' $? 125
like 'a run without a command: usage' "$(cat err)" 'usage: *'
SIZE=huge programs_sh list 2>err
is 'a size that is none: status 125' $? 125
finish
