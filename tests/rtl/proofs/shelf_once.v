/* SPDX-License-Identifier: MIT */
/* Proof: no tuple has two slots of a top list, no more slots are used than exist, and an inserted tuple is
 * found. Two slots, any four lookups and insertions, then both slots are read. */
module shelf_once (
    input clk,
    input rst
);
    localparam TURNS = 4;
    (* anyseq *) reg wants;
    (* anyseq *) reg [1:0] tuple, count;
    reg [1:0] seeking;
    reg [2:0] turns;
    reg [1:0] look;
    reg waiting, put;
    wire done, found, fresh;
    wire [1:0] data, used, peek_data;
    wire [63:0] peek_pc;
    reg [63:0] first;
    wire begins = wants && !waiting && !put && turns != TURNS && !rst;
    shelf #(.ENTRIES(2), .COUNT_BITS(2)) shelf (
        .clk(clk), .rst(rst), .seek(begins), .put(put), .wear(1'b0), .pc({62'b0, begins ? tuple : seeking}),
        .value(64'b0), .put_data(count), .less(2'b0), .done(done), .found(found), .fresh(fresh),
        .data(data), .used(used), .peek(look[1]), .peek_pc(peek_pc), .peek_data(peek_data));
    reg begun = 0;
    reg [1:0] last;
    reg any;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        put <= done && !rst;
        if (begins) begin
            seeking <= tuple;
            waiting <= 1;
            turns <= turns + 1;
        end
        if (put && !rst) begin
            waiting <= 0;
            last <= seeking;
            any <= 1;
            if (any && last == seeking)
                assert (found);
            if (!any)
                assert (fresh && !found);
        end
        /* 1: place 0 is asked for; 2: it is there, and place 1 asked for; 3: that is there */
        if (turns == TURNS && !waiting && !put && look != 3)
            look <= look + 1;
        if (look == 2)
            first <= peek_pc;
        if (rst) begin
            turns <= 0;
            waiting <= 0;
            look <= 0;
            any <= 0;
            put <= 0;
        end else begin
            assert (used <= 2);
            if (look == 3 && used == 2)
                assert (peek_pc != first);
        end
    end
endmodule
