// SPDX-License-Identifier: MIT
//
// Formal proof that every bus transfer of apb_registers.v takes effect exactly once.
//
// A requested word is read once, and the bus gets that word. A message is removed, and a setting
// is written, only when the bus requests it. A clear stays set until the table has seen it. The
// bus follows the APB protocol: a transfer does not change while it waits for PREADY.

module apb_registers_once (
    input clk,
    input rst,
    input idle,
    input answers,
    input [3:0] data
);
    (* anyseq *) reg request, write;
    (* anyseq *) reg [11:0] address;
    (* anyseq *) reg [31:0] wdata;
    reg select, enable, is_write;
    reg [11:0] at;
    reg [31:0] written_data;
    wire ready, rd_valid, cfg_write, message_ready, clear;
    wire [31:0] prdata;
    wire rd_done = rd_valid && answers;
    apb_registers registers (
        .clk(clk), .rst(rst), .psel(select), .penable(enable), .pwrite(is_write), .paddr(at),
        .pwdata(written_data),
        .pready(ready), .prdata(prdata), .flushed(1'b1), .clear(clear), .idle(idle),
        .all_idle(idle),
        .events_overflow(1'b0), .events_dropped(32'b0), .messages_overflow(1'b0),
        .messages_dropped(32'b0), .rd_valid(rd_valid), .rd_done(rd_done), .rd_data({60'b0, data}),
        .cfg_write(cfg_write), .message_valid(1'b1), .message_ready(message_ready),
        .message_kind(1'b0), .message_pc(64'b0), .message_value(64'b0), .message_count(64'b0));
    wire completes = select && enable && ready;
    wire writes = completes && is_write;
    reg [3:0] n_requested, n_read, n_set, n_written, n_takes, n_taken;
    reg [3:0] word;
    reg clearing, known;
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        // The bus.
        if (!select || completes) begin
            select <= request;
            enable <= 0;
            is_write <= write;
            at <= address;
            written_data <= wdata;
        end else
            enable <= 1;
        // Requests and their effects.
        n_requested <= n_requested + (writes && at[11:2] == 8);
        n_set <= n_set + (writes && at[11:2] == 14);
        n_takes <= n_takes + (writes && at[11:2] == 23);
        n_read <= n_read + rd_done;
        n_written <= n_written + cfg_write;
        n_taken <= n_taken + message_ready;
        if (rd_done) begin
            word <= data;
            known <= 1;
        end
        clearing <= clearing && !idle || writes && at[11:2] == 2 && written_data[0];
        if (rst) begin
            select <= 0;
            n_requested <= 0;
            n_read <= 0;
            n_set <= 0;
            n_written <= 0;
            n_takes <= 0;
            n_taken <= 0;
            clearing <= 0;
            known <= 0;
        end else begin
            assert (n_requested == n_read + rd_valid);
            assert (n_set == n_written + cfg_write);
            assert (n_takes == n_taken);
            assert (clear == clearing);
            if (completes && !is_write && at[11:2] == 9 && known)
                assert (n_requested == n_read && prdata == word);
        end
    end
endmodule
