// SPDX-License-Identifier: MIT
//
// Formal proof that a tuple never has two slots of a top list (top_list.v).
//
// The list never uses more slots than it has, and a tuple that was inserted is found by the next
// search for it. Instance: two slots and any four searches, each followed by an insertion. Then
// both slots are compared.

module top_list_unique (
    input clk,
    input rst
);
    localparam STEPS = 4;
    (* anyseq *) reg request;
    (* anyseq *) reg [1:0] tuple, count;
    reg [1:0] requested;
    reg [2:0] steps;
    reg [1:0] read_step;
    reg waiting, insert;
    wire done, found, is_free;
    wire [1:0] data, used, peek_data;
    wire [63:0] peek_pc;
    reg [63:0] first;
    wire begins = request && !waiting && !insert && steps != STEPS && !rst;
    top_list #(.ENTRIES(2), .COUNT_BITS(2)) list (
        .clk(clk), .rst(rst), .find(begins), .insert(insert), .decrement(1'b0),
        .pc({62'b0, begins ? tuple : requested}),
        .value(64'b0), .insert_data(count), .decrement_by(2'b0), .done(done), .found(found),
        .is_free(is_free),
        .data(data), .used(used), .peek(read_step[1]), .peek_pc(peek_pc), .peek_data(peek_data));
    reg started = 0;
    reg [1:0] last;
    reg any;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        insert <= done && !rst;
        if (begins) begin
            requested <= tuple;
            waiting <= 1;
            steps <= steps + 1;
        end
        if (insert && !rst) begin
            waiting <= 0;
            last <= requested;
            any <= 1;
            if (any && last == requested)
                assert (found);
            if (!any)
                assert (is_free && !found);
        end
        // 1: reads slot 0; 2: has slot 0 and reads slot 1; 3: has slot 1
        if (steps == STEPS && !waiting && !insert && read_step != 3)
            read_step <= read_step + 1;
        if (read_step == 2)
            first <= peek_pc;
        if (rst) begin
            steps <= 0;
            waiting <= 0;
            read_step <= 0;
            any <= 0;
            insert <= 0;
        end else begin
            assert (used <= 2);
            if (read_step == 3 && used == 2)
                assert (peek_pc != first);
        end
    end
endmodule
