/* SPDX-License-Identifier: MIT */
/* Proof: the gathering sampler sends or holds every event exactly once. Two substreams, every fourth event,
 * two samples gathered; any four events at any time, then both entries are read. */
module gathering_keeps (
    input clk,
    input rst
);
    localparam EVENTS = 4;
    (* anyseq *) reg wants, which;
    (* anyseq *) reg [1:0] weight, tag;
    reg [1:0] event_weight, event_tag;
    reg event_stream;
    reg [2:0] given, look;
    reg [4:0] all, sent, held;
    wire ready, done;
    wire [4:0] count, peek_count, peek_gathered;
    wire go = ready && wants && given != EVENTS && !rst;
    wire stream = look != 0 ? look[1] : go ? which : event_stream;
    gathering #(.STREAM_BITS(1), .TAG_BITS(2), .RATE(4), .SAMPLES(2), .WEIGHT_BITS(2), .RATE_BITS(2),
                .COUNT_BITS(5)) gathering (
        .clk(clk), .rst(rst), .go(go), .ready(ready), .stream(stream), .tag(go ? tag : event_tag),
        .weight(go ? weight : event_weight), .done(done), .count(count), .peek_count(peek_count),
        .peek_gathered(peek_gathered));
    reg begun = 0;
    always @(posedge clk) begin
        begun <= 1;
        assume (rst == !begun);
        if (go) begin
            event_weight <= weight;
            event_tag <= tag;
            event_stream <= which;
            given <= given + 1;
            all <= all + weight;
        end
        if (done)
            sent <= sent + count;
        /* 1: entry 0 is asked for; 2: it is there, and entry 1 asked for; 3: that is there */
        if (given == EVENTS && ready && !done && look != 4)
            look <= look + 1;
        if (look == 2 || look == 3)
            held <= held + peek_count + peek_gathered;
        if (rst) begin
            given <= 0;
            look <= 0;
            all <= 0;
            sent <= 0;
            held <= 0;
        end else if (look == 4)
            assert (sent + held == all);
    end
endmodule
