// SPDX-License-Identifier: MIT
//
// Perfect hash of function addresses: maps the address of a function to the index of its counter.
//
// The C model is src/tables/functions/perfect_hash.h. The module is a pipeline of three stages:
// `index` is the result for the address of three cycles before. The parameters V, A1, A2, B1, B2
// and TAB are computed for the functions of one program, so that no two functions have the same
// index. For another program, configuration writes replace the parameters: address 0 is V, 1 A1, 2
// A2, 3 B1, 4 B2, and 256 + i is tab[i].
//
//     x = address + V;  x += x << 8;  x ^= x >> 4
//     b = x >> B1 & B2;  a = (x + (x << A1)) >> A2;  index = a ^ tab[b]
//
//     address ──► + V, shifts ──► | x | ─┬─► + << A1 >> A2 ─────────► | a | ───► ^ ──► | index |
//                                        └─► >> B1 & B2 ──► tab ──► | from_tab | ┘

module perfect_hash #(
    parameter INDEX_BITS = 8,
    parameter [31:0] V = 0,
    parameter [4:0] A1 = 0,
    parameter [5:0] A2 = 0,
    parameter [5:0] B1 = 0,
    parameter [31:0] B2 = 0,
    parameter [(INDEX_BITS << INDEX_BITS)-1:0] TAB = 0
) (
    input clk,
    input rst,
    input [31:0] address,
    output reg [INDEX_BITS-1:0] index,
    input cfg_write,
    input [31:0] cfg_address,
    input [31:0] cfg_data
);
    reg [31:0] v, b2;
    reg [5:0] a1, a2, b1;
    reg [INDEX_BITS-1:0] tab [0:(1 << INDEX_BITS)-1];
    integer i;
    initial
        for (i = 0; i < 1 << INDEX_BITS; i = i + 1)
            tab[i] = TAB[INDEX_BITS*i +: INDEX_BITS];

    wire [31:0] x1 = address + v;
    wire [31:0] x2 = x1 + (x1 << 8);
    reg [31:0] x;
    wire [31:0] b = x >> b1 & b2;
    wire [31:0] sum = x + (x << a1);
    reg [INDEX_BITS-1:0] a, from_tab;
    always @(posedge clk) begin
        x <= x2 ^ x2 >> 4;
        a <= sum >> a2;
        from_tab <= tab[b[INDEX_BITS-1:0]];
        index <= a ^ from_tab;
        if (rst) begin
            v <= V;
            a1 <= A1;
            a2 <= A2;
            b1 <= B1;
            b2 <= B2;
        end else if (cfg_write) begin
            case (cfg_address)
                0: v <= cfg_data;
                1: a1 <= cfg_data;
                2: a2 <= cfg_data;
                3: b1 <= cfg_data;
                4: b2 <= cfg_data;
                default: if (cfg_address >= 256)
                    tab[cfg_address - 256] <= cfg_data;
            endcase
        end
    end
endmodule
