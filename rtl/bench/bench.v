/* SPDX-License-Identifier: MIT */
/* Gives the twin the events of events.txt, with pauses, and holds it to what the model made of
 * them: messages in their order (expected.txt), then what it holds at the end (state.txt).
 *
 *     events.txt     pc value weight                 hexadecimal, one event a line
 *     expected.txt   kind pc value count             a message a line
 *     state.txt      address data                    of the read-out
 *
 * What it says last is "agrees: ..." or "differs: ...", and only the first ends without an error.
 * Runs in Icarus and in Verilator (--binary --timing). +pauses=0: no pauses. */
`timescale 1ns / 1ps
module bench;
    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg in_valid = 0, out_ready = 0, rd_valid = 0;
    wire in_ready, out_valid, out_kind, rd_done, idle;
    reg [63:0] in_pc = 0, in_value = 0;
    reg [31:0] in_weight = 0, rd_address = 0;
    wire [63:0] out_pc, out_value, out_count, rd_data;
    twin twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_value(in_value), .in_weight(in_weight), .out_valid(out_valid), .out_ready(out_ready),
        .out_kind(out_kind), .out_pc(out_pc), .out_value(out_value), .out_count(out_count),
        .rd_valid(rd_valid), .rd_address(rd_address), .rd_done(rd_done), .rd_data(rd_data),
        .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0), .clear(1'b0), .idle(idle));

    integer events, expected, words, n_events, n_messages, n_words, n, quiet, pauses, cycles;
    reg more, taken;
    reg want_kind;
    reg [63:0] want_pc, want_value, want_count, want_data;
    reg [63:0] seed;

    /* The verdict, with an exit status that says it too. */
    task stop(input ok);
        begin
            if (ok)
                $finish(0); // without a line of its own; Verilator adds one all the same
            else
                $fatal(1, "the twin is not what the model is");
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
            n = $fscanf(expected, "%h %h %h %h\n", want_kind, want_pc, want_value, want_count);
            if (n != 4 || want_kind !== out_kind || want_pc !== out_pc ||
                want_value !== out_value || want_count !== out_count) begin
                $display("differs: message %0d is %0d %h %h %h, expected %s%0d %h %h %h", n_messages,
                         out_kind, out_pc, out_value, out_count, n == 4 ? "" : "none; not ",
                         want_kind, want_pc, want_value, want_count);
                stop(0);
            end
            n_messages = n_messages + 1;
        end
    endtask

    task read_all;
        begin
            while ($fscanf(words, "%h %h\n", rd_address, want_data) == 2) begin
                rd_valid = 1;
                @(posedge clk);
                while (!rd_done)
                    @(posedge clk);
                if (rd_data !== want_data) begin
                    $display("differs: word %h holds %h, expected %h", rd_address, rd_data,
                             want_data);
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
        quiet = 0;
        taken = 1;
        seed = 64'h123456789abcdef1;
        repeat (4) @(posedge clk);
        #1 rst = 0;
        next_event;
        /* Inputs change after the edge; what was agreed on at the edge counts. */
        while (more || quiet < 1000) begin
            seed = seed ^ seed << 13;
            seed = seed ^ seed >> 7;
            seed = seed ^ seed << 17;
            if (!in_valid || taken)
                in_valid = more && (pauses == 0 || seed[9:8] != 0);
            out_ready = pauses == 0 || seed[17:16] != 0;
            @(posedge clk);
            cycles = cycles + 1;
            taken = in_valid && in_ready;
            quiet = idle && !out_valid && !in_valid ? quiet + 1 : 0;
            if (out_valid && out_ready)
                check_message;
            #1;
            if (taken)
                next_event;
        end
        in_valid = 0;
        n = $fscanf(expected, "%h %h %h %h\n", want_kind, want_pc, want_value, want_count);
        if (n == 4) begin
            $display("differs: message %0d never came", n_messages);
            stop(0);
        end
        read_all;
        $display("agrees: %0d events in %0d cycles, %0d messages, %0d words read out", n_events,
                 cycles, n_messages, n_words);
        stop(1);
    end
endmodule
