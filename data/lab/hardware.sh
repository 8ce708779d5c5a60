#!/bin/sh
# SPDX-License-Identifier: MIT
# What the hardware of a table takes in an FPGA.
#
#     hardware.sh SLUICE SPEC FUNCTIONS MORE
#
# In an empty directory: writes the hardware of SPEC (for a program with this number of functions, where it
# is made for a program; otherwise 0), and prints figures, a name, a tab and a value each. MORE is what
# is found next to those of an iCE40: ecp5, clock, both with a comma, or nothing.
#
#     memory                          bits of memories, as the modules describe them
#     ice40_luts _registers _rams     what yosys makes of it: logic of four inputs, flip-flops, blocks
#     ecp5_luts _registers _rams      of memory (4 Kbit in an iCE40, 18 Kbit in an ECP5); carries and
#                                     memories of 16 words count as the logic whose place they take
#                                     (ecp5_ with `ecp5`)
#     agrees                          1: the netlist for iCE40 gives what the model gives, by icarus; only
#                                     of up to 3,000 LUTs, and of what is held every 16th word is read
#     ice40_mhz                       with `clock`: of the same netlist, by nextpnr, in an iCE40 HX8K
#     ecp5_mhz                        with `ecp5` too, in an ECP5 of 24,000 LUTs, where nextpnr-ecp5 is installed
#     ice40_too_large                 instead of that: it does not fit there (also ecp5_too_large)
#     late                            a tool was stopped at its limit of CPU seconds; its name
#     absent                          no other results, and the reason
#
# Ports have more bits than a chip has pins, so for the clock they are registers in a row
# (harness.v), which are not in the other figures.
sluice=$1 spec=$2 functions=$3 more=,$4,
limit=900

for tool in yosys cc iverilog nextpnr-ice40; do
    command -v $tool >/dev/null && continue
    printf 'absent\t%s is not installed (make rtl-packages)\n' $tool
    exit 0
done

failed() # WHAT
{
    echo "hardware.sh: $spec: $1" >&2
    exit 1
}

# within TOOL ARGUMENT...: returns 1 and prints `late` if it exceeds the limit.
within()
{
    (ulimit -t $limit && exec "$@") >log 2>&1
    case $? in
    0) return 0 ;;
    137|152) printf 'late\t%s\n' "$1"; return 1 ;; # killed, as the limit does
    *) failed "$1: $(tail -n 1 log)" ;;
    esac
}

cells() # FILE PATTERN: how many cells have such a name
{
    awk -v pattern="^($2)\$" '$1 ~ pattern { n += $2 } END { print n + 0 }' "$1"
}

program=
if [ "$functions" -gt 0 ]; then
    i=1
    while [ $i -lt "$functions" ]; do
        echo "void f$i(void) { __asm__ volatile(\"\"); }"
        i=$((i + 1))
    done >functions.c
    echo 'void _start(void) { for (;;) ; }' >>functions.c
    cc -O1 -nostdlib -static -fno-pie -no-pie -fcf-protection=none -o functions functions.c ||
        failed 'a program was not built'
    program='--program ./functions'
fi
case $spec in event@*) events=8 ;; *) events=60 ;; esac # some of these weigh thousands of cycles
"$sluice" rtl $program -n $events -o hw "$spec" >log || failed "$(cat log)"
sources=$(ls hw/*.v | grep -v bench.v | tr '\n' ' ')
read="read_verilog -defer -sv $sources"

within yosys -q -p "$read; hierarchy -top sluice_table; proc; flatten; opt_clean; tee -o memory.txt stat" || exit 0
awk '/Number of memory bits:/ { bits = $NF } END { printf "memory\t%d\n", bits }' memory.txt

within yosys -q -p "$read; synth_ice40 -top sluice_table -run begin:check; blackbox =A:whitebox; tee -o ice40.txt stat; write_verilog -noattr netlist.v
    write_rtlil ice40.il" || exit 0
luts=$(cells ice40.txt SB_LUT4)
printf 'ice40_luts\t%d\nice40_registers\t%d\nice40_rams\t%d\n' $luts "$(cells ice40.txt 'SB_DFF.*')" \
    "$(cells ice40.txt 'SB_RAM40.*')"

case $more in *,ecp5,*)
    within yosys -q -p "$read; synth_ecp5 -top sluice_table -run begin:check; blackbox =A:whitebox; tee -o ecp5.txt stat; write_rtlil ecp5.il" &&
        printf 'ecp5_luts\t%d\necp5_registers\t%d\necp5_rams\t%d\n' \
            $(($(cells ecp5.txt LUT4) + 2 * $(cells ecp5.txt CCU2C) + 4 * $(cells ecp5.txt TRELLIS_DPR16X4))) \
            "$(cells ecp5.txt TRELLIS_FF)" "$(cells ecp5.txt DP16KD)" ;;
esac

# A netlist of many thousand cells takes icarus longer than all the rest.
cells=$(dirname "$(dirname "$(command -v yosys)")")/share/yosys/ice40/cells_sim.v
if [ $luts -le 3000 ]; then
    awk 'NR % 16 == 1' hw/state.txt >state.txt && mv state.txt hw/state.txt
    within iverilog -g2005-sv -DNO_ICE40_DEFAULT_ASSIGNMENTS -o netlist.vvp hw/bench.v netlist.v "$cells" || exit 0
    (cd hw && within vvp -n ../netlist.vvp && mv log ..) && printf 'agrees\t%d\n' "$(grep -c agrees log)"
fi

case $more in *,clock,*) ;; *) exit 0 ;; esac
cat >harness.v <<'V'
module harness(input clk, input rst, input d, output reg q);
    reg [325:0] in;
    wire [260:0] out;
    reg [260:0] held;
    always @(posedge clk) begin
        in <= {in[324:0], d};
        held <= out;
        q <= ^held;
    end
    sluice_table table_instance(.clk(clk), .rst(rst), .in_valid(in[0]), .in_pc(in[64:1]), .in_value(in[128:65]),
              .in_weight(in[160:129]), .out_ready(in[161]), .rd_valid(in[162]),
              .rd_address(in[194:163]), .cfg_write(in[195]), .cfg_address(in[227:196]),
              .cfg_data(in[291:228]), .clear(in[292]), .in_ready(out[0]), .out_valid(out[1]),
              .out_kind(out[2]), .out_pc(out[66:3]), .out_value(out[130:67]),
              .out_count(out[194:131]), .rd_done(out[195]), .rd_data(out[259:196]), .idle(out[260]));
endmodule
V
# The netlist stays as it is: only what is around it is synthesized.
clock() # CHIP NEXTPNR-OPTION...
{
    chip=$1
    shift
    within yosys -q -p "read_rtlil $chip.il; blackbox sluice_table; read_verilog harness.v
        synth_$chip -top harness -run begin:check; blackbox =A:whitebox; read_rtlil $chip.il; flatten; opt_clean
        write_json harness.json" || return
    (ulimit -t $limit && exec nextpnr-$chip -q "$@" --seed 1 --json harness.json --log clock.txt) >log 2>&1
    case $? in
    0) awk -v chip=$chip '/Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
        END { if (mhz) printf "%s_mhz\t%s\n", chip, mhz }' clock.txt ;;
    137|152) printf 'late\tnextpnr-%s\n' $chip ;;
    *) grep -qi 'failed to \(place\|expand region\)\|unable to \(place\|find legal placement\)\|no Bels remaining' clock.txt log ||
        failed "nextpnr-$chip: $(tail -n 1 log)"
        printf '%s_too_large\t1\n' $chip ;;
    esac
}
clock ice40 --hx8k --package ct256 --pcf-allow-unconstrained
case $more in *,ecp5,*) ;; *) exit 0 ;; esac
! command -v nextpnr-ecp5 >/dev/null || clock ecp5 --25k --package CABGA381 --lpf-allow-unconstrained
