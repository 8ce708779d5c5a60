/* SPDX-License-Identifier: MIT */
/* From branches to paths: the path detector (src/detect/paths/path_control.h, path_stack.h and
 * path_branch.h are the model).
 *
 *     branch ──► class ──► control ──► update | update_count, pop, push
 *                                          │
 *                     ┌─────────────────── top ──► finished path: <first pc, branches>, weight
 *                     ▼                     ▲
 *     | path | path | path | ... |  stack ──┘   a path under way for each active procedure
 *
 *     path   | start | length, outcomes | events | expects | extension |
 *
 * `control` has four bits for each class of branches, call lowest, then return, forward, backward,
 * indirect: update, update_count, pop, push. What is done at a branch is done in this order. The
 * path on top is in registers, those below in a RAM; a full stack loses its oldest. With REPAIR a
 * return that the path on top does not expect unwinds to the one that does; if none does, all are
 * gone. KIND 0: as `control` says; 1 loop: a path goes on through EXTEND backward branches; 2
 * procedure: through EXTEND calls, and back; where these return to is in a RAM beside the stack.
 *
 * Cycles per branch: 3, and 1 for each finished path, as long as that has to wait; 2 for each path
 * (3 for each call in it) that is unwound. With COUNTS a path weighs 1, else what its branches
 * weighed that update, up to 2^EVENT_BITS - 1.
 *
 * Not here: stacks of their own for handlers of interrupts; let the core's port show one level of
 * privilege only. `lost`, `unwound`, `purged` are as in the model, and stop at their ends. */
module path_front #(
    parameter STACK = 32,
    parameter LENGTH = 32,
    parameter KIND = 0,
    parameter EXTEND = 1,
    parameter REPAIR = 1,
    parameter COUNTS = 0,
    parameter EVENT_BITS = 32,
    parameter WEIGHT_BITS = 32
) (
    input clk,
    input rst,
    input [19:0] control,
    input in_valid,
    output in_ready,
    input [2:0] in_kind,
    input in_taken,
    input in_backward,
    input [63:0] in_next,
    input [63:0] in_link,
    input [WEIGHT_BITS-1:0] in_weight,
    output out_valid,
    input out_ready,
    output [63:0] out_pc,
    output [63:0] out_value,
    output [WEIGHT_BITS-1:0] out_weight,
    output idle,
    output reg [31:0] lost,
    output reg [31:0] unwound,
    output reg [31:0] purged
);
    localparam PLACE = STACK > 1 ? $clog2(STACK) : 1;
    localparam LEVEL = $clog2(EXTEND + 1);
    localparam INNER = PLACE + LEVEL;
    localparam PROCEDURE = KIND == 2, LOOP = KIND == 1;
    localparam CALL = 0, RETURN = 1, FORWARD = 2, BACKWARD = 3, INDIRECT = 4; /* classes */
    localparam IDLE = 0, SETTLE = 1, UNWIND = 2, CALLS = 3, LOAD = 4, USE = 5, SPLIT = 6, APPLY = 7,
               FINISH = 8, BELOW = 9, REPLACE = 10, DROP = 11, LATE = 12, REFILL = 13;
    localparam ENTRY = 64 + 6 + 32 + EVENT_BITS + 65 + LEVEL;
    localparam [EVENT_BITS-1:0] MOST = {EVENT_BITS{1'b1}};

    reg [3:0] state;
    /* ---- the branch -------------------------------------------------------------------- */
    reg [2:0] sort;
    reg taken;
    reg [63:0] next, link, from, behind; /* behind: where the next path would start, if split */
    reg [WEIGHT_BITS-1:0] since;
    wire [3:0] operations = control >> {sort, 2'b00};
    wire update = operations[0], update_count = operations[1], pop = operations[2],
         push = operations[3];

    /* ---- the path on top, and what is below ---------------------------------------------- */
    reg [63:0] start;
    reg [5:0] length;
    reg [31:0] outcomes;
    reg [EVENT_BITS-1:0] events;
    reg anywhere; /* any return fits */
    reg [63:0] expects;
    reg [LEVEL-1:0] extension;
    reg [PLACE-1:0] top;
    reg [PLACE:0] depth; /* of all, the one on top included */
    reg [PLACE:0] gone;  /* of those that are being unwound */
    reg [LEVEL-1:0] level;
    reg waited;
    wire [ENTRY-1:0] mine = {start, length, outcomes, events, anywhere, expects, extension};
    wire [ENTRY-1:0] below;
    wire [PLACE-1:0] under = top == 0 ? STACK - 1 : top - 1;
    wire [PLACE-1:0] over = top == STACK - 1 ? 0 : top + 1;
    wire pushes = state == LATE && push || state == REFILL;
    ram #(.WIDTH(ENTRY), .DEPTH(STACK)) stack (
        .clk(clk), .write(pushes && depth != 0), .write_address(top), .write_data(mine),
        .read_address(under), .read_data(below));
    wire [LEVEL-1:0] below_extension = below[LEVEL-1:0];
    wire below_anywhere = below[LEVEL+64];
    wire [63:0] below_expects = below[LEVEL +: 64];

    /* Where the calls that a path went on into return to. */
    wire deeper = PROCEDURE && extension != 0;
    wire [64:0] inner;
    reg inner_write;
    reg [INNER-1:0] inner_place;
    reg [64:0] inner_data;
    wire [LEVEL-1:0] inner_level = state == CALLS || state == UNWIND ? level - 1'b1 :
                                   state == BELOW ? below_extension - 1'b1 : extension - 1'b1;
    generate
        if (PROCEDURE) begin : calls
            ram #(.WIDTH(65), .DEPTH(1 << INNER)) returns (
                .clk(clk), .write(inner_write), .write_address(inner_place),
                .write_data(inner_data),
                .read_address({state == BELOW ? under : top, inner_level}), .read_data(inner));
        end else begin : none
            assign inner = 0;
        end
    endgenerate
    wire expected_anywhere = deeper ? inner[64] : anywhere;
    wire [63:0] expected = deeper ? inner[63:0] : expects;

    /* ---- what an update does --------------------------------------------------------------- */
    function [EVENT_BITS-1:0] added(input [EVENT_BITS-1:0] counter, input [63:0] more);
        added = more > MOST - counter ? MOST : counter + more[EVENT_BITS-1:0];
    endfunction
    wire goes_on = LOOP ? sort == BACKWARD && extension < EXTEND :
                   PROCEDURE ? sort == CALL && extension < EXTEND || sort == RETURN && extension != 0 :
                   0;
    reg extending;

    assign in_ready = state == IDLE && !inner_write; /* what was written can be read */
    assign idle = state == IDLE;
    assign out_valid = state == SPLIT || state == FINISH;
    assign out_pc = start;
    assign out_value = {26'b0, length, outcomes};
    assign out_weight = COUNTS != 0 ? 1 : events;

    task begin_path(input [63:0] at);
        begin
            start <= at;
            length <= 0;
            outcomes <= 0;
            events <= 0;
        end
    endtask

    task load_below;
        begin
            {start, length, outcomes, events, anywhere, expects, extension} <= below;
            top <= under;
            depth <= depth - 1;
        end
    endtask

    /* What the path on top is in returns to a place that it cannot know. */
    task lose_way;
        if (deeper) begin
            inner_write <= 1;
            inner_place <= {top, extension - 1'b1};
            inner_data <= {1'b1, 64'b0};
        end else
            anywhere <= 1;
    endtask

    function [31:0] counted(input [31:0] counter, input [31:0] more);
        counted = more > ~counter ? ~32'b0 : counter + more;
    endfunction

    always @(posedge clk) begin
        inner_write <= 0;
        if (rst) begin
            state <= IDLE;
            depth <= 0;
            top <= 0;
            extending <= 0;
            lost <= 0;
            unwound <= 0;
            purged <= 0;
        end else case (state)
            IDLE: if (in_valid && in_ready) begin
                sort <= in_kind == 4 || in_kind == 5 ? CALL : in_kind == 6 ? RETURN :
                         in_kind == 3 ? INDIRECT : in_backward ? BACKWARD : FORWARD;
                taken <= in_taken;
                next <= in_next;
                link <= in_link;
                since <= in_weight;
                from <= in_next;
                behind <= from;
                state <= SETTLE;
            end
            SETTLE: begin
                gone <= 0;
                level <= extension;
                waited <= 0;
                if (depth == 0)
                    state <= sort == RETURN ? REFILL : LATE;
                else if (sort == RETURN && REPAIR != 0 && !expected_anywhere && expected != next)
                    state <= UNWIND;
                else
                    state <= USE;
            end
            UNWIND: begin /* the path on top: does it expect this? */
                waited <= 0;
                if (PROCEDURE && level != 0)
                    state <= CALLS;
                else if (!anywhere && expects == next) begin
                    if (PROCEDURE)
                        extension <= 0;
                    unwound <= counted(unwound, gone);
                    state <= USE;
                end else begin
                    gone <= gone + 1;
                    load_below;
                    state <= LOAD;
                end
            end
            CALLS: begin /* the call at `level` */
                waited <= 1;
                if (waited) begin
                    waited <= 0;
                    if (!inner[64] && inner[63:0] == next) begin
                        extension <= level;
                        unwound <= counted(unwound, gone);
                        state <= LOAD;
                        gone <= 0;
                        level <= 0;
                        extending <= 1; /* found */
                    end else begin
                        level <= level - 1;
                        state <= UNWIND;
                    end
                end
            end
            LOAD: begin /* what is below arrives; then the next is looked at */
                level <= extension;
                waited <= 1;
                if (extending) begin
                    extending <= 0;
                    state <= USE;
                end else if (depth == 0) begin
                    purged <= counted(purged, gone);
                    state <= REFILL;
                end else if (waited)
                    state <= UNWIND;
            end
            REFILL: begin /* a return without a path: one begins behind it */
                begin_path(next);
                anywhere <= 1;
                extension <= 0;
                top <= over;
                depth <= depth + 1;
                state <= IDLE;
            end
            USE: begin
                extending <= goes_on;
                state <= (goes_on || update) && length == LENGTH ? SPLIT : APPLY;
            end
            SPLIT: if (out_ready) begin
                begin_path(behind);
                if (!PROCEDURE)
                    extension <= 0;
                state <= APPLY;
            end
            APPLY: begin
                if (extending || update) begin
                    length <= length + 1;
                    outcomes <= {outcomes[30:0], taken};
                end
                if (extending || update || update_count)
                    events <= added(events, since);
                extending <= 0;
                state <= LATE;
                if (extending) begin
                    extension <= sort == RETURN ? extension - 1'b1 : extension + 1'b1;
                    if (PROCEDURE && sort == CALL) begin
                        inner_write <= 1;
                        inner_place <= {top, extension};
                        inner_data <= {1'b0, link};
                    end
                    state <= IDLE;
                end else if (pop)
                    state <= FINISH;
                else if (sort == RETURN)
                    lose_way;
            end
            FINISH: if (out_ready)
                state <= push ? (sort == RETURN ? BELOW : REPLACE) : DROP;
            BELOW: state <= REPLACE; /* what the path below expects */
            REPLACE: begin
                begin_path(next);
                if (!PROCEDURE || sort == CALL || sort == RETURN)
                    extension <= 0;
                if (sort == CALL) begin
                    anywhere <= 0;
                    expects <= link;
                end else if (sort == RETURN) begin
                    anywhere <= depth == 1 ? 1'b1 :
                                PROCEDURE && below_extension != 0 ? inner[64] : below_anywhere;
                    expects <= PROCEDURE && below_extension != 0 ? inner[63:0] : below_expects;
                end
                state <= IDLE;
            end
            DROP: begin
                load_below;
                state <= LATE;
            end
            LATE: begin
                if (push) begin
                    begin_path(next);
                    anywhere <= sort == CALL ? 1'b0 : depth == 0 || sort == RETURN || expected_anywhere;
                    expects <= sort == CALL ? link : expected;
                    extension <= 0;
                    top <= over;
                    if (depth == STACK)
                        lost <= counted(lost, 1);
                    else
                        depth <= depth + 1;
                end else if (sort == CALL && depth != 0)
                    lose_way;
                state <= IDLE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
