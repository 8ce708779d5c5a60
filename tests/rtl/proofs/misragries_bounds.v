/* Misra-Gries, two places: after any four events a tuple's count, 0 if it has no place, is no more than the
 * truth, and no further below it than what was taken from all. One tuple is followed, whichever. */
module misragries_bounds (
    input clk,
    input rst
);
    localparam EVENTS = 4, WEIGHT = 2, WORDS = 6;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000006, 32'h10000004, 32'h10000002, 32'h10000000, 32'h1, 32'h0};
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] word;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(word), .done(done));
    misragries #(.ENTRIES(2), .COUNTER_BITS(5),
        .WEIGHT_BITS(WEIGHT)) twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    (* anyconst *) reg [1:0] followed;
    reg [7:0] truth;
    wire [63:0] used = word[0 +: 64], gone = word[64 +: 64];
    wire [63:0] pc0 = word[128 +: 64], count0 = word[192 +: 64];
    wire [63:0] pc1 = word[256 +: 64], count1 = word[320 +: 64];
    wire in0 = used > 0 && pc0 == followed, in1 = used > 1 && pc1 == followed;
    wire [63:0] count = in0 ? count0 : in1 ? count1 : 0;
    always @(posedge clk) begin
        if (rst)
            truth <= 0;
        else if (taken && in_pc == followed)
            truth <= truth + in_weight;
        if (!rst && done) begin
            assert (used <= 2);
            assert (!(in0 && in1));
            assert (count <= truth && count + gone >= truth);
        end
    end
endmodule
