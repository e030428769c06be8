#include "textflag.h"

// A pair of a table takes 16 bytes. A row's gaps begin where the last row's ended; 255 is Wide.

// func sumPairs(sums []Pair, from int, ends []uint32, gaps []uint8, codes []uint32, table []Pair)
TEXT ·sumPairs(SB), NOSPLIT, $0-128
	MOVQ sums_base+0(FP), R8
	MOVQ from+24(FP), R9
	MOVQ ends_base+32(FP), SI
	MOVQ ends_len+40(FP), CX
	MOVQ gaps_base+56(FP), DX
	MOVQ codes_base+80(FP), DI
	MOVQ table_base+104(FP), BX

row:
	MOVL (SI), R10
	XORPS X0, X0
	XORL AX, AX
	CMPQ R9, R10
	JGE done

gap:
	MOVBQZX (DX)(R9*1), R11
	INCQ R9
	ADDQ R11, AX
	CMPL R11, $255
	JEQ next
	MOVL (DI)(AX*4), R12
	SHLQ $4, R12
	MOVUPD (BX)(R12*1), X1
	ADDPD X1, X0

next:
	CMPQ R9, R10
	JLT gap

done:
	MOVUPD X0, (R8)
	ADDQ $16, R8
	ADDQ $4, SI
	DECQ CX
	JNZ row
	RET

// func addPairs(rows []Pair, from int, ends []uint32, gaps []uint8, codes []uint32, table []Pair)
TEXT ·addPairs(SB), NOSPLIT, $0-128
	MOVQ rows_base+0(FP), R8
	MOVQ from+24(FP), R9
	MOVQ ends_base+32(FP), SI
	MOVQ ends_len+40(FP), CX
	MOVQ gaps_base+56(FP), DX
	MOVQ codes_base+80(FP), DI
	MOVQ table_base+104(FP), BX

row:
	MOVL (SI), R10
	MOVUPD (R8), X0
	XORL AX, AX
	CMPQ R9, R10
	JGE done

gap:
	MOVBQZX (DX)(R9*1), R11
	INCQ R9
	ADDQ R11, AX
	CMPL R11, $255
	JEQ next
	MOVL (DI)(AX*4), R12
	SHLQ $4, R12
	MOVUPD (BX)(R12*1), X1
	ADDPD X0, X1
	MOVUPD X1, (BX)(R12*1)

next:
	CMPQ R9, R10
	JLT gap

done:
	ADDQ $16, R8
	ADDQ $4, SI
	DECQ CX
	JNZ row
	RET
