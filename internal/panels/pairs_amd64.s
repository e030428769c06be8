#include "textflag.h"

// A pair of a table takes 16 bytes. A row's codes begin where the last row's ended.

// func sumPairs(sums []Pair, from int, ends []uint32, codes []uint16, table []Pair)
TEXT ·sumPairs(SB), NOSPLIT, $0-104
	MOVQ sums_base+0(FP), R8
	MOVQ from+24(FP), R9
	MOVQ ends_base+32(FP), SI
	MOVQ ends_len+40(FP), CX
	MOVQ codes_base+56(FP), DX
	MOVQ table_base+80(FP), BX

row:
	MOVL (SI), R10
	XORPS X0, X0
	CMPQ R9, R10
	JGE done

code:
	MOVWQZX (DX)(R9*2), AX
	SHLQ $4, AX
	MOVUPD (BX)(AX*1), X1
	ADDPD X1, X0
	INCQ R9
	CMPQ R9, R10
	JLT code

done:
	MOVUPD X0, (R8)
	ADDQ $16, R8
	ADDQ $4, SI
	DECQ CX
	JNZ row
	RET

// func addPairs(rows []Pair, from int, ends []uint32, codes []uint16, table []Pair)
TEXT ·addPairs(SB), NOSPLIT, $0-104
	MOVQ rows_base+0(FP), R8
	MOVQ from+24(FP), R9
	MOVQ ends_base+32(FP), SI
	MOVQ ends_len+40(FP), CX
	MOVQ codes_base+56(FP), DX
	MOVQ table_base+80(FP), BX

row:
	MOVL (SI), R10
	MOVUPD (R8), X0
	CMPQ R9, R10
	JGE done

code:
	MOVWQZX (DX)(R9*2), AX
	SHLQ $4, AX
	MOVUPD (BX)(AX*1), X1
	ADDPD X0, X1
	MOVUPD X1, (BX)(AX*1)
	INCQ R9
	CMPQ R9, R10
	JLT code

done:
	ADDQ $16, R8
	ADDQ $4, SI
	DECQ CX
	JNZ row
	RET
