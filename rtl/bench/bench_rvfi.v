// SPDX-License-Identifier: MIT
//
// Test bench of a profiler with its front end: sends the retired instructions of a program to the
// profiler and compares the profiler's messages and table with those of the C model.
//
// The bench sends the instructions of retired.txt in random lanes and with random pauses. The
// messages must equal those of expected.txt, in the same order. At the end, the words of the table
// that the bench reads over the bus must equal those of state.txt. The last line of output is
// "agrees: ..." or "differs: ...". If it is "differs", the simulation ends with an error. +pauses=0
// disables the pauses. With +bus=1, the bench also reads messages over the bus. All numbers in the
// files are hexadecimal.
//
//     retired.txt    pc insn next address mask data weight...   one instruction per line
//     expected.txt   kind pc value count                        one message per line
//     state.txt      address data                               one word per line

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

    integer retired, expected, words, n_retired, n_messages, n_words, n, i, part, pauses, bus,
        cycles;
    integer stalls, n_polls;
    reg more, stalled;
    reg expected_kind, ready;
    reg [31:0] read_data, low, high;
    reg [63:0] expected_pc, expected_value, expected_count, expected_data, seed;
    reg [31:0] line_insn, line_weight, expected_address;
    reg [63:0] line_pc, line_next, line_address, line_data;
    reg [7:0] line_mask;

    task stop(input ok);
        begin
            if (ok)
                $finish(0); // prints no line (Verilator prints one anyway)
            else
                $fatal(1, "the profiler differs from the model");
        end
    endtask

    // Presents the next instruction in a lane. `more` is 0 after the last instruction.
    task present(input integer lane);
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
            n = $fscanf(expected, "%h %h %h %h\n", expected_kind, expected_pc, expected_value,
                        expected_count);
            if (n != 4 || expected_kind !== kind || expected_pc !== got_pc ||
                expected_value !== got_value ||
                expected_count !== got_count) begin
                $display("differs: message %0d is %0d %h %h %h, expected %s%0d %h %h %h",
                         n_messages,
                         kind, got_pc, got_value, got_count, n == 4 ? "" : "none; not ",
                         expected_kind, expected_pc, expected_value, expected_count);
                stop(0);
            end
            n_messages = n_messages + 1;
        end
    endtask

    // Runs one clock cycle. Inputs change after the edge.
    task run_cycle;
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
            ready = pready;
            read_data = prdata;
            #1;
            if (!stalled)
                valid = 0; // the core has retired them
        end
    endtask

    task access(input write, input [11:0] offset, input [31:0] written_data);
        begin
            psel = 1;
            pwrite = write;
            paddr = offset;
            pwdata = written_data;
            run_cycle;
            penable = 1;
            run_cycle;
            while (!ready)
                run_cycle;
            psel = 0;
            penable = 0;
        end
    endtask

    reg [63:0] m_pc, m_value, m_count;
    task read_messages_by_bus;
        begin
            access(0, 12'h40, 0);
            while (read_data[31]) begin
                expected_data[0] = read_data[0];
                access(0, 12'h44, 0); m_pc[31:0] = read_data;
                access(0, 12'h48, 0); m_pc[63:32] = read_data;
                access(0, 12'h4c, 0); m_value[31:0] = read_data;
                access(0, 12'h50, 0); m_value[63:32] = read_data;
                access(0, 12'h54, 0); m_count[31:0] = read_data;
                access(0, 12'h58, 0); m_count[63:32] = read_data;
                check_message(expected_data[0], m_pc, m_value, m_count);
                access(1, 12'h5c, 0);
                access(0, 12'h40, 0);
            end
        end
    endtask

    task wait_until_idle;
        begin
            read_data = 0;
            for (n_polls = 0; n_polls < 1000000 && (read_data[0] !== 1 ||
                read_data[4] !== 0); n_polls =
                n_polls + 1) begin
                if (bus != 0)
                    read_messages_by_bus;
                access(0, 12'h0c, 0);
            end
            if (read_data[0] !== 1) begin
                $display("differs: the profiler does not become idle");
                stop(0);
            end
        end
    endtask

    task compare_words;
        begin
            while ($fscanf(words, "%h %h\n", expected_address, expected_data) == 2) begin
                access(1, 12'h20, expected_address);
                access(0, 12'h24, 0);
                low = read_data;
                access(0, 12'h28, 0);
                high = read_data;
                if ({high, low} !== expected_data) begin
                    $display("differs: word %h holds %h, expected %h", expected_address,
                             {high, low}, expected_data);
                    stop(0);
                end
                n_words = n_words + 1;
            end
        end
    endtask

    initial begin
        // Initializes whole vectors here, because Verilator 5.006 misses changes of signals that a
        // process with delays only writes in parts, as `present` does.
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
        if (read_data !== 32'h534c5501) begin
            $display("differs: register ID is %h", read_data);
            stop(0);
        end
        access(1, 12'h04, bus != 0 ? 9 : 1);
        while (more) begin
            for (i = 0; i < LANES; i = i + 1)
                if (more && (pauses == 0 || seed[8 + 2*i +: 2] != 0))
                    present(i);
            run_cycle;
            while (valid != 0) begin // presented until retired
                if (bus != 0)
                    read_messages_by_bus;
                run_cycle;
            end
        end
        wait_until_idle;
        access(1, 12'h08, 2);
        wait_until_idle;
        n = $fscanf(expected, "%h %h %h %h\n", expected_kind, expected_pc, expected_value,
                    expected_count);
        if (n == 4) begin
            $display("differs: message %0d is missing", n_messages);
            stop(0);
        end
        compare_words;
        $display("agrees: %0d instructions in %0d cycles (%0d stalled), %0d messages, %0d words",
                 n_retired, cycles, stalls, n_messages, n_words);
        stop(1);
    end
endmodule
