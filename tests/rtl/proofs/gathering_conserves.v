// SPDX-License-Identifier: MIT
//
// Formal proof that the gathering sampler sends or stores every event exactly once (gathering.v).
//
// The counts of all messages and of both table entries add up to the weight of all events.
// Instance: two substreams, a sample for every fourth unit of weight, two samples per message, any
// four events.

module gathering_conserves (
    input clk,
    input rst
);
    localparam EVENTS = 4;
    (* anyseq *) reg request, any_stream;
    (* anyseq *) reg [1:0] weight, tag;
    reg [1:0] event_weight, event_tag;
    reg event_stream;
    reg [2:0] n_sent_events, read_step;
    reg [4:0] all, sent, stored;
    wire ready, done;
    wire [4:0] count, peek_count, peek_gathered;
    wire go = ready && request && n_sent_events != EVENTS && !rst;
    wire stream = read_step != 0 ? read_step[1] : go ? any_stream : event_stream;
    gathering #(.STREAM_BITS(1), .TAG_BITS(2), .RATE(4), .SAMPLES(2), .WEIGHT_BITS(2),
        .RATE_BITS(2),
                .COUNT_BITS(5)) gathering (
        .clk(clk), .rst(rst), .go(go), .ready(ready), .stream(stream), .tag(go ? tag : event_tag),
        .weight(go ? weight : event_weight), .done(done), .count(count), .peek_count(peek_count),
        .peek_gathered(peek_gathered));
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        assume (rst == !started);
        if (go) begin
            event_weight <= weight;
            event_tag <= tag;
            event_stream <= any_stream;
            n_sent_events <= n_sent_events + 1;
            all <= all + weight;
        end
        if (done)
            sent <= sent + count;
        // 1: reads entry 0; 2: has entry 0 and reads entry 1; 3: has entry 1
        if (n_sent_events == EVENTS && ready && !done && read_step != 4)
            read_step <= read_step + 1;
        if (read_step == 2 || read_step == 3)
            stored <= stored + peek_count + peek_gathered;
        if (rst) begin
            n_sent_events <= 0;
            read_step <= 0;
            all <= 0;
            sent <= 0;
            stored <= 0;
        end else if (read_step == 4)
            assert (sent + stored == all);
    end
endmodule
