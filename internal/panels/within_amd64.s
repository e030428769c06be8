#include "textflag.h"

// func withinAVX2(values []float64, low, high float64) (word uint64)
//
// The last four values come first. A comparison with NaN is false.
TEXT ·withinAVX2(SB), NOSPLIT, $0-48
	MOVQ values_base+0(FP), SI
	MOVQ values_len+8(FP), CX
	VBROADCASTSD low+24(FP), Y0
	VBROADCASTSD high+32(FP), Y1
	XORL AX, AX
	TESTQ CX, CX
	JZ none

next:
	VMOVUPD -32(SI)(CX*8), Y2
	VCMPPD $0x1D, Y0, Y2, Y3 // at least
	VCMPPD $0x12, Y1, Y2, Y4 // at most
	VANDPD Y3, Y4, Y3
	VMOVMSKPD Y3, DX
	SHLQ $4, AX
	ORQ DX, AX
	SUBQ $4, CX
	JNZ next

none:
	VZEROUPPER
	MOVQ AX, word+40(FP)
	RET
