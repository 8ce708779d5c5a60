/* SPDX-License-Identifier: MIT */
/* The register map of a profiler, on an APB bus (version 3: with PREADY) of 32 bits. docs/registers.md
 * says how it is used.
 *
 *     APB ──► address ─┬─► registers ──► enable, kinds, paths, dropping ──► front, ports
 *      ▲               ├─► commands ───► clear, flush, forget, once each
 *      │               └─► addresses ──► cfg_*, rd_* ──► table ──┐
 *      └── what is read ◄── status ◄── message ◄── word read ◄───┘
 *
 *     offset  name              what it is
 *     0x00    ID                0x534c5501: "SLU", version 1 of this map                    read
 *     0x04    CONTROL           bit 0 enable; 1 drop events that find no room (else stall);
 *                               2 drop messages (else the table waits); 3 messages are taken
 *                               here (else at the port)                               read/write
 *     0x08    COMMAND           bit 0 clear; 1 flush; 2 forget what was dropped            write
 *     0x0c    STATUS            bit 0 at rest; 1 a message waits; 2 events were dropped;
 *                               3 messages were dropped; 4 a command is under way           read
 *     0x10    EVENTS_DROPPED    how many; stops at its end                                  read
 *     0x14    MESSAGES_DROPPED  likewise                                                    read
 *     0x18    INTERRUPT         bits of STATUS that set `irq`                         read/write
 *     0x1c    SHAPE             bits 0-3 lanes, 8-15 XLEN, 16-23 bits of a weight           read
 *     0x20    READ_ADDRESS      begins to read the word of the table that has this address write
 *     0x24    READ_LOW          that word; the bus waits for it                             read
 *     0x28    READ_HIGH
 *     0x30    SET_LOW           what is to be set                                     read/write
 *     0x34    SET_HIGH
 *     0x38    SET_ADDRESS       sets it in the table                                       write
 *     0x40    MESSAGE           bit 31 there is one; 0 its kind                             read
 *     0x44    MESSAGE_PC        low, then high                                              read
 *     0x4c    MESSAGE_VALUE     low, then high                                              read
 *     0x54    MESSAGE_COUNT     low, then high                                              read
 *     0x5c    MESSAGE_TAKE      any value: the next message, please                        write
 *     0x60    KINDS             a bit for each kind of branch (rvfi_decode.v)         read/write
 *     0x64    PATHS             the control register of path_front.v                  read/write
 *
 * Other offsets read as 0. Addresses of words and of what can be set are those of the table's
 * module. An access takes two cycles, as APB has it; reading a word waits as long as the table
 * takes. PSLVERR is never set. */
module apb_registers #(
    parameter [7:0] KINDS = 0,
    parameter [19:0] PATHS = 0,
    parameter [31:0] SHAPE = 0
) (
    input clk,
    input rst,
    input psel,
    input penable,
    input pwrite,
    input [11:0] paddr,
    input [31:0] pwdata,
    output pready,
    output reg [31:0] prdata,
    output pslverr,
    output irq,
    output reg enable,
    output reg drop_events,
    output reg drop_messages,
    output reg [7:0] kinds,
    output reg [19:0] paths,
    output reg flush,
    input flushed, /* a flush is done in such a cycle */
    output reg forget,
    output reg clear,
    input idle,    /* of the table: a clear is done in such a cycle */
    input at_rest, /* of everything */
    input events_overflow,
    input [31:0] events_dropped,
    input messages_overflow,
    input [31:0] messages_dropped,
    output reg rd_valid,
    output reg [31:0] rd_address,
    input rd_done,
    input [63:0] rd_data,
    output reg cfg_write,
    output reg [31:0] cfg_address,
    output reg [63:0] cfg_data,
    output here, /* messages are taken here */
    input message_valid,
    output message_ready,
    input message_kind,
    input [63:0] message_pc,
    input [63:0] message_value,
    input [63:0] message_count
);
    reg to_bus;
    reg [4:0] mask;
    reg [63:0] word;
    wire [4:0] status = {clear || flush, messages_overflow, events_overflow, to_bus && message_valid, at_rest};
    assign irq = (status & mask) != 0;
    assign here = to_bus;
    assign pslverr = 0;
    assign pready = !(rd_valid && paddr[11:2] >= 8 && paddr[11:2] <= 10);

    wire writes = psel && penable && pwrite && pready;
    assign message_ready = writes && paddr[11:2] == 23;
    always @* case (paddr[11:2])
        0: prdata = 32'h534c5501;
        1: prdata = {to_bus, drop_messages, drop_events, enable};
        3: prdata = status;
        4: prdata = events_dropped;
        5: prdata = messages_dropped;
        6: prdata = mask;
        7: prdata = SHAPE;
        9: prdata = word[31:0];
        10: prdata = word[63:32];
        12: prdata = cfg_data[31:0];
        13: prdata = cfg_data[63:32];
        16: prdata = {to_bus && message_valid, 30'b0, message_kind};
        17: prdata = message_pc[31:0];
        18: prdata = message_pc[63:32];
        19: prdata = message_value[31:0];
        20: prdata = message_value[63:32];
        21: prdata = message_count[31:0];
        22: prdata = message_count[63:32];
        24: prdata = kinds;
        25: prdata = paths;
        default: prdata = 0;
    endcase

    always @(posedge clk) begin
        forget <= 0;
        cfg_write <= 0;
        if (clear && idle)
            clear <= 0;
        if (flush && flushed)
            flush <= 0;
        if (rd_valid && rd_done) begin
            rd_valid <= 0;
            word <= rd_data;
        end
        if (rst) begin
            enable <= 0;
            drop_events <= 0;
            drop_messages <= 0;
            to_bus <= 0;
            mask <= 0;
            clear <= 0;
            flush <= 0;
            rd_valid <= 0;
            kinds <= KINDS;
            paths <= PATHS;
        end else if (writes) case (paddr[11:2])
            1: {to_bus, drop_messages, drop_events, enable} <= pwdata[3:0];
            2: begin
                clear <= clear && !idle || pwdata[0];
                flush <= flush && !flushed || pwdata[1];
                forget <= pwdata[2];
            end
            6: mask <= pwdata[4:0];
            8: begin
                rd_valid <= 1;
                rd_address <= pwdata;
            end
            12: cfg_data[31:0] <= pwdata;
            13: cfg_data[63:32] <= pwdata;
            14: begin
                cfg_write <= 1;
                cfg_address <= pwdata;
            end
            24: kinds <= pwdata[7:0];
            25: paths <= pwdata[19:0];
            default: ;
        endcase
    end
endmodule
