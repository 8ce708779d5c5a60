// SPDX-License-Identifier: MIT
//
// Register map of a profiler on a 32-bit APB bus (version 3, with PREADY).
//
// Through the registers, software controls the front end and the table of rvfi_profiler.v, reads
// the table's words, and receives the table's messages. docs/registers.md describes how software
// uses the registers. A read at an offset that is not in the map returns 0. The Verilog module of
// the table defines the addresses of the table's words and settings. An access takes two cycles,
// the minimum of APB. Only a read of a table word takes longer, until the table returns the word.
// PSLVERR is never set.
//
//     offset  name              content
//     0x00    ID                0x534c5501: "SLU", version 1 of this map                     read
//     0x04    CONTROL           0 enable. 1 drop events if the queue is full (else stall the
//                               core). 2 drop messages if their queue is full (else the table
//                               waits). 3 messages go to the bus (else to the port)    read, write
//     0x08    COMMAND           0 clear. 1 flush. 2 reset the drop counters                 write
//     0x0c    STATUS            0 all idle. 1 a message is available. 2 events were dropped.
//                               3 messages were dropped. 4 a command is in progress          read
//     0x10    EVENTS_DROPPED    number of dropped events, saturates                          read
//     0x14    MESSAGES_DROPPED  number of dropped messages, saturates                        read
//     0x18    INTERRUPT         mask of the STATUS bits that set `irq`                 read, write
//     0x1c    SHAPE             0-3 lanes. 8-15 XLEN. 16-23 bits of a weight                 read
//     0x20    READ_ADDRESS      starts to read the table word with this address             write
//     0x24    READ_LOW          low half of that word; the bus waits until it is available   read
//     0x28    READ_HIGH         high half                                                    read
//     0x30    SET_LOW           low half of the value for SET_ADDRESS                  read, write
//     0x34    SET_HIGH          high half                                              read, write
//     0x38    SET_ADDRESS       writes that value to this setting of the table              write
//     0x40    MESSAGE           31 a message is available. 0 its kind                        read
//     0x44    MESSAGE_PC        low half, then high half                                     read
//     0x4c    MESSAGE_VALUE     low half, then high half                                     read
//     0x54    MESSAGE_COUNT     low half, then high half                                     read
//     0x5c    MESSAGE_POP       any value: removes the message, so that the next one shows  write
//     0x60    KINDS             mask of the branch kinds of rvfi_decode.v              read, write
//     0x64    PATHS             the `control` input of path_frontend.v                 read, write
//
//     APB ──► address ─┬─► registers ──► enable, kinds, paths, drop_* ──► front end, queues
//      ▲               ├─► commands ───► clear, flush, clear_drops
//      │               └─► addresses ──► cfg_*, rd_* ──► table ──┐
//      └── read data ◄── status ◄── message ◄── table word ◄─────┘

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
    input flushed, // acknowledges `flush`
    output reg clear_drops,
    output reg clear,
    input idle,    // the table is idle; acknowledges `clear`
    input all_idle, // table, front end and queues are idle
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
    output messages_to_bus, // messages go to the bus, not to the port
    input message_valid,
    output message_ready,
    input message_kind,
    input [63:0] message_pc,
    input [63:0] message_value,
    input [63:0] message_count
);
    reg bus_mode;
    reg [4:0] mask;
    reg [63:0] word;
    wire [4:0] status = {clear || flush, messages_overflow, events_overflow, bus_mode &&
        message_valid, all_idle};
    assign irq = (status & mask) != 0;
    assign messages_to_bus = bus_mode;
    assign pslverr = 0;
    assign pready = !(rd_valid && paddr[11:2] >= 8 && paddr[11:2] <= 10);

    wire writes = psel && penable && pwrite && pready;
    assign message_ready = writes && paddr[11:2] == 23;
    always @* case (paddr[11:2])
        0: prdata = 32'h534c5501;
        1: prdata = {bus_mode, drop_messages, drop_events, enable};
        3: prdata = status;
        4: prdata = events_dropped;
        5: prdata = messages_dropped;
        6: prdata = mask;
        7: prdata = SHAPE;
        9: prdata = word[31:0];
        10: prdata = word[63:32];
        12: prdata = cfg_data[31:0];
        13: prdata = cfg_data[63:32];
        16: prdata = {bus_mode && message_valid, 30'b0, message_kind};
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
        clear_drops <= 0;
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
            bus_mode <= 0;
            mask <= 0;
            clear <= 0;
            flush <= 0;
            rd_valid <= 0;
            kinds <= KINDS;
            paths <= PATHS;
        end else if (writes) case (paddr[11:2])
            1: {bus_mode, drop_messages, drop_events, enable} <= pwdata[3:0];
            2: begin
                clear <= clear && !idle || pwdata[0];
                flush <= flush && !flushed || pwdata[1];
                clear_drops <= pwdata[2];
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
