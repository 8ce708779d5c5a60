// SPDX-License-Identifier: MIT
//
// Decoder of RISC-V control flow: classifies a retired instruction as a kind of branch.
//
// The module is combinational. The C model is src/code/isa/riscv.c. `insn` contains the instruction
// as it is in memory; a compressed instruction is in the low 16 bits. `next` is the address of the
// instruction that was executed after `insn`.
//
//     kind   0 none      1 conditional   2 jump       3 indirect jump
//            4 call      5 indirect call 6 return     (enum sl_branch)
//
// A call writes a link register (x1 or x5). A return jumps to the address in a link register and
// writes none. `backward` is set for direct branches whose target is not above the branch, taken
// or not. `taken` is 1 for all unconditional branches and for all other instructions; a
// conditional branch whose target is the next instruction counts as taken.
//
//     insn, pc, next ──► kind, compressed, backward, taken

module rvfi_decode #(
    parameter XLEN = 64
) (
    input [31:0] insn,
    input [XLEN-1:0] pc,
    input [XLEN-1:0] next,
    output reg [2:0] kind,
    output compressed,
    output backward,
    output taken
);
    localparam NONE = 0, CONDITIONAL = 1, JUMP = 2, INDIRECT = 3, CALL = 4, INDIRECT_CALL = 5,
               RETURN = 6;
    assign compressed = insn[1:0] != 2'b11;

    // Registers of a jump in either encoding.
    wire [4:0] c_rs1 = insn[11:7];
    wire [4:0] rd = compressed ? (insn[12] ? 5'd1 : 5'd0) : insn[11:7];
    wire [4:0] rs1 = compressed ? c_rs1 : insn[19:15];
    wire links = rd == 1 || rd == 5;
    wire returns = rd == 0 && (rs1 == 1 || rs1 == 5);
    wire [2:0] of_register = links ? INDIRECT_CALL : returns ? RETURN : INDIRECT;

    wire [12:0] of_branch = {insn[31], insn[7], insn[30:25], insn[11:8], 1'b0};
    wire [20:0] of_jal = {insn[31], insn[19:12], insn[20], insn[30:21], 1'b0};
    wire [11:0] of_c_jump = {insn[12], insn[8], insn[10:9], insn[6], insn[7], insn[2], insn[11],
                             insn[5:3], 1'b0};
    wire [8:0] of_c_branch = {insn[12], insn[6:5], insn[2], insn[11:10], insn[4:3], 1'b0};
    reg signed [20:0] offset;
    always @* begin
        kind = NONE;
        offset = 0;
        if (compressed) begin
            case ({insn[1:0], insn[15:13]})
                5'b01_001: if (XLEN == 32) begin
                    kind = CALL;
                    offset = {{9{of_c_jump[11]}}, of_c_jump};
                end
                5'b01_101: begin
                    kind = JUMP;
                    offset = {{9{of_c_jump[11]}}, of_c_jump};
                end
                5'b01_110, 5'b01_111: begin
                    kind = CONDITIONAL;
                    offset = {{12{of_c_branch[8]}}, of_c_branch};
                end
                5'b10_100: if (insn[6:2] == 0 && c_rs1 != 0)
                    kind = of_register;
                default: kind = NONE;
            endcase
        end else case (insn[6:0])
            7'b1100011: if (insn[14:13] != 2'b01) begin
                kind = CONDITIONAL;
                offset = {{8{of_branch[12]}}, of_branch};
            end
            7'b1101111: begin
                kind = links ? CALL : JUMP;
                offset = of_jal;
            end
            7'b1100111: if (insn[14:12] == 0)
                kind = of_register;
            default: kind = NONE;
        endcase
    end
    wire [XLEN-1:0] target = pc + {{XLEN-21{offset[20]}}, offset};
    assign backward = (kind == CONDITIONAL || kind == JUMP) && offset <= 0;
    assign taken = kind != CONDITIONAL || next == target;
endmodule
