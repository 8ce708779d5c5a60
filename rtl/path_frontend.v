// SPDX-License-Identifier: MIT
//
// Front end that derives path events from branches, as the detector `path` does in software.
//
// The C model is src/detect/paths/path_control.h, path_stack.h and path.h. A path is a start
// address and the outcomes of the branches after it. A stack holds one unfinished path for each
// active procedure. The input `control` has four bits for each class of branches. From the lowest
// bits up, the classes are call, return, forward, backward and indirect, and the bits of a class
// are update, update_count, pop and push. A branch applies these operations in this order. `update`
// appends the outcome to the path on top, and `pop` finishes that path and sends it.
//
// The top path is in registers, the others are in a RAM; a full stack loses its oldest path. With
// REPAIR, a return that does not match the path on top unwinds the stack to the path that expects
// it; if none does, the stack is emptied. KIND 0: as `control` specifies. KIND 1 (loop): a path
// extends through EXTEND backward branches. KIND 2 (procedure): a path extends through EXTEND
// calls and back; the return addresses of these calls are in a second RAM.
//
// With UNIT_WEIGHT a path has weight 1. Otherwise its weight is the sum of the weights of its
// branches with update or update_count, at most 2^EVENT_BITS - 1. `lost`, `unwound` and `purged`
// count paths as in the model and saturate. Not implemented: separate stacks for interrupt
// handlers. Connect the front end to one privilege level only.
//
// Cycles per branch: 3, plus 1 for each finished path and waiting for out_ready, plus 2 per
// unwound path (3 for each call in it).
//
//     branch ──► class ──► control ──► update, update_count, pop, push
//                                          │
//                     ┌─────────────────── top ──► finished path: <start pc, outcomes>, weight
//                     ▼                     ▲
//     | path | path | path | ... |  stack ──┘
//
//     path   | start | length, outcomes | events | expected return | extension |

module path_frontend #(
    parameter STACK = 32,
    parameter LENGTH = 32,
    parameter KIND = 0,
    parameter EXTEND = 1,
    parameter REPAIR = 1,
    parameter UNIT_WEIGHT = 0,
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
    localparam SLOT = STACK > 1 ? $clog2(STACK) : 1;
    localparam LEVEL = $clog2(EXTEND + 1);
    localparam EXTENSION_SLOT = SLOT + LEVEL;
    localparam PROCEDURE = KIND == 2, LOOP = KIND == 1;
    localparam CALL = 0, RETURN = 1, FORWARD = 2, BACKWARD = 3, INDIRECT = 4; // classes of branches
    localparam IDLE = 0, CHECK_RETURN = 1, UNWIND = 2, UNWIND_CALL = 3, LOAD_BELOW = 4, MATCHED = 5,
               SPLIT = 6, APPLY = 7, FINISH = 8, READ_BELOW = 9, REPLACE = 10, POP_PATH = 11,
               PUSH_PATH = 12, RESTART = 13;
    localparam ENTRY = 64 + 6 + 32 + EVENT_BITS + 65 + LEVEL;
    localparam [EVENT_BITS-1:0] MOST = {EVENT_BITS{1'b1}};

    reg [3:0] state;
    // ---- branch ----
    reg [2:0] branch_class;
    reg taken;
    // next_start: start of the next path if this one is split
    reg [63:0] next, link, last_target, next_start;
    reg [WEIGHT_BITS-1:0] branch_weight;
    wire [3:0] operations = control >> {branch_class, 2'b00};
    wire update = operations[0], update_count = operations[1], pop = operations[2],
         push = operations[3];

    // ---- path on top and path below ----
    reg [63:0] start;
    reg [5:0] length;
    reg [31:0] outcomes;
    reg [EVENT_BITS-1:0] events;
    reg any_return; // any return matches
    reg [63:0] return_pc;
    reg [LEVEL-1:0] extension;
    reg [SLOT-1:0] top;
    reg [SLOT:0] depth; // number of paths, including the one on top
    reg [SLOT:0] n_unwound;  // number of paths unwound so far
    reg [LEVEL-1:0] level;
    reg waited;
    wire [ENTRY-1:0] top_entry = {start, length, outcomes, events, any_return, return_pc,
        extension};
    wire [ENTRY-1:0] below_entry;
    wire [SLOT-1:0] below_slot = top == 0 ? STACK - 1 : top - 1;
    wire [SLOT-1:0] above_slot = top == STACK - 1 ? 0 : top + 1;
    wire pushes = state == PUSH_PATH && push || state == RESTART;
    ram #(.WIDTH(ENTRY), .DEPTH(STACK)) stack (
        .clk(clk), .write(pushes && depth != 0), .write_address(top), .write_data(top_entry),
        .read_address(below_slot), .read_data(below_entry));
    wire [LEVEL-1:0] below_extension = below_entry[LEVEL-1:0];
    wire below_any_return = below_entry[LEVEL+64];
    wire [63:0] below_return_pc = below_entry[LEVEL +: 64];

    // Return addresses of the calls through which a path was extended.
    wire in_extension = PROCEDURE && extension != 0;
    wire [64:0] extension_return;
    reg extension_write;
    reg [EXTENSION_SLOT-1:0] extension_slot;
    reg [64:0] extension_data;
    wire [LEVEL-1:0] extension_level = state == UNWIND_CALL || state == UNWIND ? level - 1'b1 :
                                   state == READ_BELOW ? below_extension - 1'b1 : extension - 1'b1;
    generate
        if (PROCEDURE) begin : extension_returns
            ram #(.WIDTH(65), .DEPTH(1 << EXTENSION_SLOT)) returns (
                .clk(clk), .write(extension_write), .write_address(extension_slot),
                .write_data(extension_data),
                .read_address({state == READ_BELOW ? below_slot : top, extension_level}),
                .read_data(extension_return));
        end else begin : none
            assign extension_return = 0;
        end
    endgenerate
    wire expected_any = in_extension ? extension_return[64] : any_return;
    wire [63:0] expected = in_extension ? extension_return[63:0] : return_pc;

    // ---- updates ----
    function [EVENT_BITS-1:0] saturating_sum(input [EVENT_BITS-1:0] counter, input [63:0] more);
        saturating_sum = more > MOST - counter ? MOST : counter + more[EVENT_BITS-1:0];
    endfunction
    wire extend_path = LOOP ? branch_class == BACKWARD && extension < EXTEND :
                   PROCEDURE ? branch_class == CALL && extension < EXTEND ||
                       branch_class == RETURN && extension != 0 :
                   0;
    reg extending;

    // the extension RAM is written one cycle later
    assign in_ready = state == IDLE && !extension_write;
    assign idle = state == IDLE;
    assign out_valid = state == SPLIT || state == FINISH;
    assign out_pc = start;
    assign out_value = {26'b0, length, outcomes};
    assign out_weight = UNIT_WEIGHT != 0 ? 1 : events;

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
            {start, length, outcomes, events, any_return, return_pc, extension} <= below_entry;
            top <= below_slot;
            depth <= depth - 1;
        end
    endtask

    // The return address of the current call is unknown: accepts any return.
    task expect_any_return;
        if (in_extension) begin
            extension_write <= 1;
            extension_slot <= {top, extension - 1'b1};
            extension_data <= {1'b1, 64'b0};
        end else
            any_return <= 1;
    endtask

    function [31:0] saturating_count(input [31:0] counter, input [31:0] more);
        saturating_count = more > ~counter ? ~32'b0 : counter + more;
    endfunction

    always @(posedge clk) begin
        extension_write <= 0;
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
                branch_class <= in_kind == 4 || in_kind == 5 ? CALL : in_kind == 6 ? RETURN :
                         in_kind == 3 ? INDIRECT : in_backward ? BACKWARD : FORWARD;
                taken <= in_taken;
                next <= in_next;
                link <= in_link;
                branch_weight <= in_weight;
                last_target <= in_next;
                next_start <= last_target;
                state <= CHECK_RETURN;
            end
            CHECK_RETURN: begin
                n_unwound <= 0;
                level <= extension;
                waited <= 0;
                if (depth == 0)
                    state <= branch_class == RETURN ? RESTART : PUSH_PATH;
                else if (branch_class == RETURN && REPAIR != 0 && !expected_any && expected != next)
                    state <= UNWIND;
                else
                    state <= MATCHED;
            end
            UNWIND: begin // compares the return with the path on top
                waited <= 0;
                if (PROCEDURE && level != 0)
                    state <= UNWIND_CALL;
                else if (!any_return && return_pc == next) begin
                    if (PROCEDURE)
                        extension <= 0;
                    unwound <= saturating_count(unwound, n_unwound);
                    state <= MATCHED;
                end else begin
                    n_unwound <= n_unwound + 1;
                    load_below;
                    state <= LOAD_BELOW;
                end
            end
            UNWIND_CALL: begin // compares the return with the call at `level`
                waited <= 1;
                if (waited) begin
                    waited <= 0;
                    if (!extension_return[64] && extension_return[63:0] == next) begin
                        extension <= level;
                        unwound <= saturating_count(unwound, n_unwound);
                        state <= LOAD_BELOW;
                        n_unwound <= 0;
                        level <= 0;
                        extending <= 1; // the expected return was found
                    end else begin
                        level <= level - 1;
                        state <= UNWIND;
                    end
                end
            end
            LOAD_BELOW: begin // reads the path below, then compares it
                level <= extension;
                waited <= 1;
                if (extending) begin
                    extending <= 0;
                    state <= MATCHED;
                end else if (depth == 0) begin
                    purged <= saturating_count(purged, n_unwound);
                    state <= RESTART;
                end else if (waited)
                    state <= UNWIND;
            end
            RESTART: begin // a return without a path: a new path starts after it
                begin_path(next);
                any_return <= 1;
                extension <= 0;
                top <= above_slot;
                depth <= depth + 1;
                state <= IDLE;
            end
            MATCHED: begin
                extending <= extend_path;
                state <= (extend_path || update) && length == LENGTH ? SPLIT : APPLY;
            end
            SPLIT: if (out_ready) begin
                begin_path(next_start);
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
                    events <= saturating_sum(events, branch_weight);
                extending <= 0;
                state <= PUSH_PATH;
                if (extending) begin
                    extension <= branch_class == RETURN ? extension - 1'b1 : extension + 1'b1;
                    if (PROCEDURE && branch_class == CALL) begin
                        extension_write <= 1;
                        extension_slot <= {top, extension};
                        extension_data <= {1'b0, link};
                    end
                    state <= IDLE;
                end else if (pop)
                    state <= FINISH;
                else if (branch_class == RETURN)
                    expect_any_return;
            end
            FINISH: if (out_ready)
                state <= push ? (branch_class == RETURN ? READ_BELOW : REPLACE) : POP_PATH;
            READ_BELOW: state <= REPLACE; // reads the return that the path below expects
            REPLACE: begin
                begin_path(next);
                if (!PROCEDURE || branch_class == CALL || branch_class == RETURN)
                    extension <= 0;
                if (branch_class == CALL) begin
                    any_return <= 0;
                    return_pc <= link;
                end else if (branch_class == RETURN) begin
                    any_return <= depth == 1 ? 1'b1 :
                                PROCEDURE && below_extension != 0 ? extension_return[64] :
                                    below_any_return;
                    return_pc <= PROCEDURE && below_extension != 0 ? extension_return[63:0] :
                        below_return_pc;
                end
                state <= IDLE;
            end
            POP_PATH: begin
                load_below;
                state <= PUSH_PATH;
            end
            PUSH_PATH: begin
                if (push) begin
                    begin_path(next);
                    any_return <= branch_class == CALL ? 1'b0 : depth == 0 ||
                        branch_class == RETURN || expected_any;
                    return_pc <= branch_class == CALL ? link : expected;
                    extension <= 0;
                    top <= above_slot;
                    if (depth == STACK)
                        lost <= saturating_count(lost, 1);
                    else
                        depth <= depth + 1;
                end else if (branch_class == CALL && depth != 0)
                    expect_any_return;
                state <= IDLE;
            end
            default: state <= IDLE;
        endcase
    end
endmodule
