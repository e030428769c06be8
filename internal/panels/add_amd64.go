package panels

import "golang.org/x/sys/cpu"

var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT
	hasAVX512 = cpu.X86.HasAVX512F
)

// add is addEach, or the same in assembly.
func add(sum *Line, times []float64, at []uint16, panel []Line) {
	if hasAVX2 {
		addAVX2(sum, times, at, panel)
	} else {
		addEach(sum, times, at, panel)
	}
}

// both adds to the sums of two panels, of which each has the lines that at names.
func both(a, b *Line, times []float64, at []uint16, left, right []Line) {
	if hasAVX512 {
		bothAVX512(a, b, times, at, left, right)
	} else {
		add(a, times, at, left)
		add(b, times, at, right)
	}
}

// within is withinEach of a multiple of four values, or the same in assembly.
func within(values []float64, low, high float64) uint64 {
	if hasAVX2 {
		return withinAVX2(values, low, high)
	}
	return withinEach(values, low, high)
}

//go:noescape
func addAVX2(sum *Line, times []float64, at []uint16, panel []Line)

//go:noescape
func bothAVX512(a, b *Line, times []float64, at []uint16, left, right []Line)

//go:noescape
func withinAVX2(values []float64, low, high float64) (word uint64)
