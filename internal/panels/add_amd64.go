package panels

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// add is addEach, or the same in assembly.
func add(sum *Line, times []float64, at []uint16, panel []Line) {
	if hasAVX2 {
		addAVX2(sum, times, at, panel)
	} else {
		addEach(sum, times, at, panel)
	}
}

//go:noescape
func addAVX2(sum *Line, times []float64, at []uint16, panel []Line)
