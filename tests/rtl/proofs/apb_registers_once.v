/* SPDX-License-Identifier: MIT */
/* Proof: every bus transfer takes effect exactly once. A requested word is read once and is the word that the
 * bus gets; a message is taken and a setting is written only when the bus requests it; a clear remains set
 * until the table has seen it. The bus follows APB: a transfer that is not ready does not change. */
module apb_registers_once (
    input clk,
    input rst,
    input idle,
    input answers,
    input [3:0] data
);
    (* anyseq *) reg begins, write;
    (* anyseq *) reg [11:0] address;
    (* anyseq *) reg [31:0] wdata;
    reg sel, enable, is_write;
    reg [11:0] at;
    reg [31:0] given;
    wire ready, rd_valid, cfg_write, message_ready, clear;
    wire [31:0] prdata;
    wire rd_done = rd_valid && answers;
    apb_registers registers (
        .clk(clk), .rst(rst), .psel(sel), .penable(enable), .pwrite(is_write), .paddr(at), .pwdata(given),
        .pready(ready), .prdata(prdata), .flushed(1'b1), .clear(clear), .idle(idle), .at_rest(idle),
        .events_overflow(1'b0), .events_dropped(32'b0), .messages_overflow(1'b0),
        .messages_dropped(32'b0), .rd_valid(rd_valid), .rd_done(rd_done), .rd_data({60'b0, data}),
        .cfg_write(cfg_write), .message_valid(1'b1), .message_ready(message_ready),
        .message_kind(1'b0), .message_pc(64'b0), .message_value(64'b0), .message_count(64'b0));
    wire completes = sel && enable && ready;
    wire writes = completes && is_write;
    reg [3:0] asked, read, set, written, wanted, taken;
    reg [3:0] word;
    reg clearing, known;
    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        /* the bus */
        if (!sel || completes) begin
            sel <= begins;
            enable <= 0;
            is_write <= write;
            at <= address;
            given <= wdata;
        end else
            enable <= 1;
        /* what it did, and what came of it */
        asked <= asked + (writes && at[11:2] == 8);
        set <= set + (writes && at[11:2] == 14);
        wanted <= wanted + (writes && at[11:2] == 23);
        read <= read + rd_done;
        written <= written + cfg_write;
        taken <= taken + message_ready;
        if (rd_done) begin
            word <= data;
            known <= 1;
        end
        clearing <= clearing && !idle || writes && at[11:2] == 2 && given[0];
        if (rst) begin
            sel <= 0;
            asked <= 0;
            read <= 0;
            set <= 0;
            written <= 0;
            wanted <= 0;
            taken <= 0;
            clearing <= 0;
            known <= 0;
        end else begin
            assert (asked == read + rd_valid);
            assert (set == written + cfg_write);
            assert (wanted == taken);
            assert (clear == clearing);
            if (completes && !is_write && at[11:2] == 9 && known)
                assert (asked == read && prdata == word);
        end
    end
endmodule
