/* The elastic sketch with any hash, one bucket of one tuple, two light counters: what came is in the bucket or
 * in a light counter, all of it and once, as long as none of these is full. */
module elastic_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 3, WEIGHT = 2, WORDS = 3;
    localparam [32*WORDS-1:0] ADDRESSES = {32'h30000001, 32'h30000000, 32'h10000002};
    wire in_valid, in_ready, taken, rd_valid, rd_done, done;
    wire [63:0] in_pc, rd_data;
    wire [31:0] rd_address;
    wire [WEIGHT-1:0] in_weight;
    wire [64*WORDS-1:0] word;
    driver #(.EVENTS(EVENTS), .WORDS(WORDS), .WEIGHT_BITS(WEIGHT), .ADDRESSES(ADDRESSES)) driver (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc),
        .in_weight(in_weight), .taken(taken), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .words(word), .done(done));
    elastic #(.BUCKET_BITS(0), .WAYS(1), .COUNTER_BITS(5), .LAMBDA(1), .LIGHT_BITS(1), .LIGHT_COUNTER(3),
        .WEIGHT_BITS(WEIGHT)) twin (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_pc(in_pc), .in_value(64'b0),
        .in_weight(in_weight), .out_ready(1'b1), .rd_valid(rd_valid), .rd_address(rd_address),
        .rd_done(rd_done), .rd_data(rd_data), .cfg_write(1'b0), .cfg_address(32'b0), .cfg_data(64'b0),
        .clear(1'b0));
    reg [7:0] all;
    wire [63:0] heavy = word[0 +: 64], light0 = word[64 +: 64], light1 = word[128 +: 64];
    always @(posedge clk) begin
        if (rst)
            all <= 0;
        else if (taken)
            all <= all + in_weight;
        if (!rst && done) begin
            assert (light0 == 7 || light1 == 7 || heavy + light0 + light1 == all);
            assert (light0 <= 7 && light1 <= 7);
        end
    end
endmodule
