/* Space-Saving, two places, counters of 4 bits: after any four events a tuple that has a place counts no less
 * than the truth, nor more than that and its error; one that has none came no more often than the
 * least of the others counts. One tuple is followed, whichever. */
module spacesaving_bounds (
    input clk,
    input rst
);
    localparam EVENTS = 4, WEIGHT = 2, WORDS = 6;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000007, 32'h10000006, 32'h10000004, 32'h10000003,
                                           32'h10000002, 32'h10000000};
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] word;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(word), .done(done));
    spacesaving #(.ENTRIES(2), .COUNTER_BITS(4),
        .WEIGHT_BITS(WEIGHT)) twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    (* anyconst *) reg [1:0] followed;
    reg [7:0] truth;
    reg [3:0] seen; /* which tuples came */
    wire [63:0] pc0 = word[0 +: 64], count0 = word[64 +: 64], error0 = word[128 +: 64];
    wire [63:0] pc1 = word[192 +: 64], count1 = word[256 +: 64], error1 = word[320 +: 64];
    wire [63:0] least = truth > 15 ? 15 : truth;
    wire two = (seen & (seen - 1)) != 0; /* the second place is taken, too */
    wire in0 = pc0 == followed, in1 = two && pc1 == followed;
    always @(posedge clk) begin
        if (rst) begin
            truth <= 0;
            seen <= 0;
        end else if (taken && in_weight != 0) begin
            truth <= truth + (in_pc == followed ? in_weight : 0);
            seen[in_pc[1:0]] <= 1;
        end
        if (!rst && done && seen != 0) begin
            assert (!(in0 && in1));
            if (in0)
                assert (count0 >= least && (count0 - error0 <= truth || count0 == 15));
            if (in1)
                assert (count1 >= least && (count1 - error1 <= truth || count1 == 15));
            if (!in0 && !in1 && truth != 0)
                assert (count0 >= least && count1 >= least);
        end
    end
endmodule
