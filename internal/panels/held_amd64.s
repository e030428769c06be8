#include "textflag.h"

// func sumHeld(sums []Held, spans []Words, first, second []uint64, codes []uint16, table []Pair, counts []uint32)
//
// A sum takes 24 bytes, a pair of a table 16. The sum is in X0 and its number in R12; SI has the bits that are left of a word, AX is
// the word's number, and its codes are at R13.
TEXT ·sumHeld(SB), NOSPLIT, $0-168
	MOVQ sums_base+0(FP), DI
	MOVQ spans_base+24(FP), R8
	MOVQ spans_len+32(FP), CX
	MOVQ first_base+48(FP), R9
	MOVQ second_base+72(FP), R10
	MOVQ codes_base+96(FP), DX
	MOVQ table_base+120(FP), BX
	MOVQ counts_base+144(FP), R11

span:
	VXORPD X0, X0, X0
	XORL R12, R12
	MOVL (R8), AX
	CMPL AX, 4(R8)
	JGE done

word:
	MOVQ (R9)(AX*8), SI
	ANDQ (R10)(AX*8), SI
	JZ next
	MOVQ AX, R13
	SHLQ $7, R13
	ADDQ DX, R13
	POPCNTQ SI, R14
	ADDQ R14, R12

bit:
	TZCNTQ SI, R14
	MOVWLZX (R13)(R14*2), R14
	INCL (R11)(R14*4)
	SHLQ $4, R14
	VADDPD (BX)(R14*1), X0, X0
	BLSRQ SI, SI
	JNZ bit

next:
	INCQ AX
	CMPL AX, 4(R8)
	JLT word

done:
	VMOVUPD X0, (DI)
	MOVQ R12, 16(DI)
	ADDQ $24, DI
	ADDQ $8, R8
	DECQ CX
	JNZ span
	RET
