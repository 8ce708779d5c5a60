#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds DIR/lockstep, which runs the RTL of SPEC, translated by Verilator, together with its
# model.
#
#     build-lockstep.sh SPEC DIR [RTL]
#
# RTL is a directory of modules to use instead of those that come with sluice. $BUILD is the build
# directory.
set -e
spec=$1 dir=$2
here=$(cd "$(dirname "$0")" && pwd)
include=$(verilator --getenv VERILATOR_ROOT)/include
rm -rf "$dir/obj" "$dir/rtl"
mkdir -p "$dir"
[ -z "$3" ] || export SLUICE_DATA="$3"
"$BUILD/sluice" rtl "$spec" -n 1 ${LOCKSTEP_PROGRAM:+--program "$LOCKSTEP_PROGRAM"} -o "$dir/rtl" >/dev/null
rm -f "$dir/rtl/bench.v"
verilator --cc -O3 --x-assign fast --noassert -Wno-lint -Wno-WIDTH --top-module sluice_table \
    --Mdir "$dir/obj" "$dir"/rtl/*.v
for file in "$dir"/obj/Vsluice_table*.cpp "$here/verilated_rtl.cc"; do
    echo "#include \"$file\""
done >"$dir/all.cc"
g++ -std=gnu++17 -O1 -w -I"$dir/obj" -I"$include" -I"$here" -c -o "$dir/all.o" "$dir/all.cc"
g++ -o "$dir/lockstep" "$dir/all.o" "$BUILD/tests/rtl/lockstep.o" "$BUILD/tests/rtl/verilated.o" \
    "$BUILD/tests/rtl/verilated_threads.o" "$BUILD/libsluice-study.a" "$BUILD/libsluice.a" $(cat "$BUILD/tests/rtl/libs")
