/* HeavyKeeper with any hash, any random numbers and any chances, where fingerprints tell tuples apart: a
 * name counts no more than its tuple came, and no counter wraps. One tuple is followed, whichever. */
module heavykeeper_never_above (
    input clk,
    input rst
);
    localparam EVENTS = 3, WEIGHT = 2, WORDS = 3;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h10000002, 32'h10000000, 32'h0};
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] word;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(word), .done(done));
    heavykeeper #(.ROWS(1), .INDEX_BITS(1), .FINGERPRINT(3), .COUNTER_BITS(3), .ENTRIES(1),
        .WEIGHT_BITS(WEIGHT)) twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    (* anyconst *) reg [1:0] followed;
    reg [7:0] truth;
    wire [63:0] used = word[0 +: 64], pc = word[64 +: 64], count = word[128 +: 64];
    always @(posedge clk) begin
        if (rst)
            truth <= 0;
        else if (taken && in_pc == followed)
            truth <= truth + in_weight;
        if (!rst && done && used != 0 && pc == followed)
            assert (count <= truth && count <= 7);
    end
endmodule
