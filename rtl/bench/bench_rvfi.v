/* SPDX-License-Identifier: MIT */
/* Shows the profiler what a core has retired, with pauses and in lanes at random, and holds it to
 * what the model made of the same program: messages in their order (expected.txt), then what the
 * table holds at the end (state.txt), read over the bus.
 *
 *     retired.txt    pc insn next address mask data weight...   hexadecimal, an instruction a line
 *     expected.txt   kind pc value count                        a message a line
 *     state.txt      address data                               of the read-out
 *
 * What it says last is "agrees: ..." or "differs: ...", and only the first ends without an error.
 * +pauses=0: no pauses. +bus=1: messages are taken over the bus, too. */
`timescale 1ns / 1ps
`include "shape.vh"
module bench;
    localparam LANES = `LANES, XLEN = `XLEN, PARTS = `PARTS;
    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg [LANES-1:0] valid = 0;
    reg [32*LANES-1:0] insn;
    reg [XLEN*LANES-1:0] pc, next, address;
    reg [8*LANES-1:0] mask;
    reg [64*LANES-1:0] data;
    reg [32*PARTS*LANES-1:0] weight;
    wire stall, irq, pready, pslverr, msg_valid, msg_kind;
    wire [63:0] msg_pc, msg_value, msg_count;
    wire [31:0] prdata;
    reg psel = 0, penable = 0, pwrite = 0, msg_ready = 0;
    reg [11:0] paddr = 0;
    reg [31:0] pwdata = 0;
    profiler profiler (
        .clk(clk), .rst(rst), .rvfi_valid(valid), .rvfi_trap({LANES{1'b0}}), .rvfi_insn(insn),
        .rvfi_pc_rdata(pc), .rvfi_pc_wdata(next), .rvfi_mem_addr(address), .rvfi_mem_rmask(mask),
        .rvfi_mem_rdata(data), .rvfi_weight(weight), .stall(stall), .psel(psel), .penable(penable),
        .pwrite(pwrite), .paddr(paddr), .pwdata(pwdata), .pready(pready), .prdata(prdata),
        .pslverr(pslverr), .irq(irq), .msg_valid(msg_valid), .msg_ready(msg_ready),
        .msg_kind(msg_kind), .msg_pc(msg_pc), .msg_value(msg_value), .msg_count(msg_count));

    integer retired, expected, words, n_retired, n_messages, n_words, n, i, part, pauses, bus, cycles;
    integer stalls, quiet;
    reg more, stalled;
    reg want_kind, took;
    reg [31:0] got, low, high;
    reg [63:0] want_pc, want_value, want_count, want_data, seed;
    reg [31:0] line_insn, line_weight, want_address;
    reg [63:0] line_pc, line_next, line_address, line_data;
    reg [7:0] line_mask;

    task stop(input ok);
        begin
            if (ok)
                $finish(0); // without a line of its own; Verilator adds one all the same
            else
                $fatal(1, "the profiler is not what the model is");
        end
    endtask

    /* The next instruction, into lane i; `more` falls behind the last. */
    task show(input integer lane);
        begin
            n = $fscanf(retired, "%h %h %h %h %h %h", line_pc, line_insn, line_next, line_address,
                        line_mask, line_data);
            more = n == 6;
            for (part = 0; part < PARTS && more; part = part + 1) begin
                n = $fscanf(retired, " %h", line_weight);
                weight[32*(PARTS*lane+part) +: 32] = line_weight;
            end

            if (more) begin
                n_retired = n_retired + 1;
                valid[lane] = 1;
                pc[XLEN*lane +: XLEN] = line_pc;
                insn[32*lane +: 32] = line_insn;
                next[XLEN*lane +: XLEN] = line_next;
                address[XLEN*lane +: XLEN] = line_address;
                mask[8*lane +: 8] = line_mask;
                data[64*lane +: 64] = line_data;
            end
        end
    endtask

    task check_message(input kind, input [63:0] got_pc, input [63:0] got_value,
                       input [63:0] got_count);
        begin
            n = $fscanf(expected, "%h %h %h %h\n", want_kind, want_pc, want_value, want_count);
            if (n != 4 || want_kind !== kind || want_pc !== got_pc || want_value !== got_value ||
                want_count !== got_count) begin
                $display("differs: message %0d is %0d %h %h %h, expected %s%0d %h %h %h", n_messages,
                         kind, got_pc, got_value, got_count, n == 4 ? "" : "none; not ",
                         want_kind, want_pc, want_value, want_count);
                stop(0);
            end
            n_messages = n_messages + 1;
        end
    endtask

    /* One cycle of the clock; inputs change after the edge. */
    task turn;
        begin
            seed = seed ^ seed << 13;
            seed = seed ^ seed >> 7;
            seed = seed ^ seed << 17;
            msg_ready = pauses == 0 || seed[17:16] != 0;
            @(posedge clk);
            cycles = cycles + 1;
            stalled = stall;
            if (stalled)
                stalls = stalls + 1;
            if (msg_valid && msg_ready)
                check_message(msg_kind, msg_pc, msg_value, msg_count);
            took = pready;
            got = prdata;
            #1;
            if (!stalled)
                valid = 0; /* retired */
        end
    endtask

    task access(input write, input [11:0] at, input [31:0] what);
        begin
            psel = 1;
            pwrite = write;
            paddr = at;
            pwdata = what;
            turn;
            penable = 1;
            turn;
            while (!took)
                turn;
            psel = 0;
            penable = 0;
        end
    endtask

    reg [63:0] m_pc, m_value, m_count;
    task take_by_bus;
        begin
            access(0, 12'h40, 0);
            while (got[31]) begin
                want_data[0] = got[0];
                access(0, 12'h44, 0); m_pc[31:0] = got;
                access(0, 12'h48, 0); m_pc[63:32] = got;
                access(0, 12'h4c, 0); m_value[31:0] = got;
                access(0, 12'h50, 0); m_value[63:32] = got;
                access(0, 12'h54, 0); m_count[31:0] = got;
                access(0, 12'h58, 0); m_count[63:32] = got;
                check_message(want_data[0], m_pc, m_value, m_count);
                access(1, 12'h5c, 0);
                access(0, 12'h40, 0);
            end
        end
    endtask

    task settle;
        begin
            got = 0;
            for (quiet = 0; quiet < 1000000 && (got[0] !== 1 || got[4] !== 0); quiet = quiet + 1) begin
                if (bus != 0)
                    take_by_bus;
                access(0, 12'h0c, 0);
            end
            if (got[0] !== 1) begin
                $display("differs: it never comes to rest");
                stop(0);
            end
        end
    endtask

    task read_all;
        begin
            while ($fscanf(words, "%h %h\n", want_address, want_data) == 2) begin
                access(1, 12'h20, want_address);
                access(0, 12'h24, 0);
                low = got;
                access(0, 12'h28, 0);
                high = got;
                if ({high, low} !== want_data) begin
                    $display("differs: word %h holds %h, expected %h", want_address, {high, low},
                             want_data);
                    stop(0);
                end
                n_words = n_words + 1;
            end
        end
    endtask

    initial begin
        /* As a whole, and here: of signals that a process with delays writes in parts alone (`show` does),
         * Verilator 5.006 does not see that they change, and what hangs on them keeps its first value. */
        {insn, pc, next, address, mask, data, weight} = 0;
        pauses = 1;
        bus = 0;
        if ($value$plusargs("pauses=%d", pauses)) ;
        if ($value$plusargs("bus=%d", bus)) ;
        retired = $fopen("retired.txt", "r");
        expected = $fopen("expected.txt", "r");
        words = $fopen("state.txt", "r");
        if (retired == 0 || expected == 0 || words == 0) begin
            $display("differs: retired.txt, expected.txt or state.txt cannot be read");
            stop(0);
        end
        n_retired = 0;
        n_messages = 0;
        n_words = 0;
        cycles = 0;
        stalls = 0;
        more = 1;
        seed = 64'h123456789abcdef1;
        repeat (4) @(posedge clk);
        #1 rst = 0;
        access(0, 12'h00, 0);
        if (got !== 32'h534c5501) begin
            $display("differs: the bus says %h where its identity is", got);
            stop(0);
        end
        access(1, 12'h04, bus != 0 ? 9 : 1);
        while (more) begin
            for (i = 0; i < LANES; i = i + 1)
                if (more && (pauses == 0 || seed[8 + 2*i +: 2] != 0))
                    show(i);
            turn;
            while (valid != 0) begin /* it stays until it is retired */
                if (bus != 0)
                    take_by_bus;
                turn;
            end
        end
        settle;
        access(1, 12'h08, 2);
        settle;
        n = $fscanf(expected, "%h %h %h %h\n", want_kind, want_pc, want_value, want_count);
        if (n == 4) begin
            $display("differs: message %0d never came", n_messages);
            stop(0);
        end
        read_all;
        $display("agrees: %0d instructions in %0d cycles (%0d of them stalled), %0d messages, %0d words read out",
                 n_retired, cycles, stalls, n_messages, n_words);
        stop(1);
    end
endmodule
