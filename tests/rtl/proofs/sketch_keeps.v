/* Count-min with any hash, two rows of two counters that stop at 7, one name: each row holds what came, all of
 * it and once, as long as none of its counters is full; and who has the name counts no less than the truth. */
module sketch_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 3, WEIGHT = 2, WORDS = 6;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000002, 32'h10000000, 32'h21000001, 32'h21000000,
                                           32'h20000001, 32'h20000000};
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] word;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(word), .done(done));
    sketch #(.ROWS(2), .INDEX_BITS(1), .COUNTER_BITS(3), .ENTRIES(1), .SIGNED(0), .CONSERVATIVE(0),
        .WEIGHT_BITS(WEIGHT)) twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    (* anyconst *) reg [1:0] followed;
    reg [7:0] truth, all;
    wire [63:0] a0 = word[0 +: 64], a1 = word[64 +: 64], b0 = word[128 +: 64], b1 = word[192 +: 64];
    wire [63:0] pc = word[256 +: 64], count = word[320 +: 64];
    always @(posedge clk) begin
        if (rst) begin
            truth <= 0;
            all <= 0;
        end else if (taken) begin
            truth <= truth + (in_pc == followed ? in_weight : 0);
            all <= all + in_weight;
        end
        if (!rst && done) begin
            assert (a0 == 7 || a1 == 7 || a0 + a1 == all);
            assert (b0 == 7 || b1 == 7 || b0 + b1 == all);
            assert (a0 <= 7 && a1 <= 7 && b0 <= 7 && b1 <= 7);
            if (all != 0 && pc == followed)
                assert (count >= truth || count == 7);
        end
    end
endmodule
