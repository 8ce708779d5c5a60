// SPDX-License-Identifier: MIT
//
// Test bench of a profiler's table: sends the events of events.txt to the table and compares the
// table's messages and contents with those of the C model.
//
// The messages must equal those of expected.txt, in the same order. At the end, the words that are
// read from the table must equal those of state.txt. The last line of output is "agrees: ..." or
// "differs: ...". If it is "differs", the simulation ends with an error. The bench pauses input and
// output at random; +pauses=0 disables the pauses. The bench runs in Icarus and in Verilator
// (--binary --timing). All numbers in the files are hexadecimal.
//
//     events.txt     pc value weight                 one event per line
//     expected.txt   kind pc value count             one message per line
//     state.txt      address data                    one word per line

`timescale 1ns / 1ps
module bench;
    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg in_valid = 0, out_ready = 0, rd_valid = 0;
    wire in_ready, out_valid, out_kind, rd_done, idle;
    reg [63:0] in_pc = 0, in_value = 0;
    reg [31:0] in_weight = 0, rd_address = 0;
    wire [63:0] out_pc, out_value, out_count, rd_data;
    sluice_table dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_value(in_value), .in_weight(in_weight), .out_valid(out_valid), .out_ready(out_ready),
        .out_kind(out_kind), .out_pc(out_pc), .out_value(out_value), .out_count(out_count),
        .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0), .clear(1'b0), .idle(idle));

    integer events, expected, words, n_events, n_messages, n_words, n, idle_cycles, pauses, cycles;
    reg more, accepted;
    reg expected_kind;
    reg [63:0] expected_pc, expected_value, expected_count, expected_data;
    reg [63:0] seed;

    // Ends the simulation; the exit status is 0 only if `ok`.
    task stop(input ok);
        begin
            if (ok)
                $finish(0); // prints no line (Verilator prints one anyway)
            else
                $fatal(1, "the table differs from the model");
        end
    endtask

    task next_event;
        begin
            n = $fscanf(events, "%h %h %h\n", in_pc, in_value, in_weight);
            more = n == 3;
            if (more)
                n_events = n_events + 1;
        end
    endtask

    task check_message;
        begin
            n = $fscanf(expected, "%h %h %h %h\n", expected_kind, expected_pc, expected_value,
                        expected_count);
            if (n != 4 || expected_kind !== out_kind || expected_pc !== out_pc ||
                expected_value !== out_value || expected_count !== out_count) begin
                $display("differs: message %0d is %0d %h %h %h, expected %s%0d %h %h %h",
                         n_messages,
                         out_kind, out_pc, out_value, out_count, n == 4 ? "" : "none; not ",
                         expected_kind, expected_pc, expected_value, expected_count);
                stop(0);
            end
            n_messages = n_messages + 1;
        end
    endtask

    task compare_words;
        begin
            while ($fscanf(words, "%h %h\n", rd_address, expected_data) == 2) begin
                rd_valid = 1;
                @(posedge clk);
                while (!rd_done)
                    @(posedge clk);
                if (rd_data !== expected_data) begin
                    $display("differs: word %h holds %h, expected %h", rd_address, rd_data,
                             expected_data);
                    stop(0);
                end
                #1 rd_valid = 0;
                @(posedge clk);
                #1 n_words = n_words + 1;
            end
        end
    endtask

    initial begin
        pauses = 1;
        if ($value$plusargs("pauses=%d", pauses)) ;
        events = $fopen("events.txt", "r");
        expected = $fopen("expected.txt", "r");
        words = $fopen("state.txt", "r");
        if (events == 0 || expected == 0 || words == 0) begin
            $display("differs: events.txt, expected.txt or state.txt cannot be read");
            stop(0);
        end
        n_events = 0;
        n_messages = 0;
        n_words = 0;
        cycles = 0;
        idle_cycles = 0;
        accepted = 1;
        seed = 64'h123456789abcdef1;
        repeat (4) @(posedge clk);
        #1 rst = 0;
        next_event;
        // Inputs change after the clock edge; a transfer counts as sampled at the edge.
        while (more || idle_cycles < 1000) begin
            seed = seed ^ seed << 13;
            seed = seed ^ seed >> 7;
            seed = seed ^ seed << 17;
            if (!in_valid || accepted)
                in_valid = more && (pauses == 0 || seed[9:8] != 0);
            out_ready = pauses == 0 || seed[17:16] != 0;
            @(posedge clk);
            cycles = cycles + 1;
            accepted = in_valid && in_ready;
            idle_cycles = idle && !out_valid && !in_valid ? idle_cycles + 1 : 0;
            if (out_valid && out_ready)
                check_message;
            #1;
            if (accepted)
                next_event;
        end
        in_valid = 0;
        n = $fscanf(expected, "%h %h %h %h\n", expected_kind, expected_pc, expected_value,
                    expected_count);
        if (n == 4) begin
            $display("differs: message %0d is missing", n_messages);
            stop(0);
        end
        compare_words;
        $display("agrees: %0d events in %0d cycles, %0d messages, %0d words", n_events,
                 cycles, n_messages, n_words);
        stop(1);
    end
endmodule
