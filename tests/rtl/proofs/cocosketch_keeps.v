/* CocoSketch with any hash and any random numbers, two rows of one bucket: what came is in the buckets, all of
 * it and once, as long as none is full, and a full one stays full. */
module cocosketch_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 3, WEIGHT = 2, WORDS = 2;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h21000002, 32'h20000002};
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] word;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(word), .done(done));
    cocosketch #(.ROWS(2), .INDEX_BITS(0), .COUNTER_BITS(3),
        .WEIGHT_BITS(WEIGHT)) twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    reg [7:0] all;
    wire [63:0] a = word[0 +: 64], b = word[64 +: 64];
    always @(posedge clk) begin
        if (rst)
            all <= 0;
        else if (taken)
            all <= all + in_weight;
        if (!rst && done)
            assert (a == 7 || b == 7 ? a + b <= all : a + b == all);
    end
endmodule
