//go:build !amd64

package panels

func add(sum *Line, times []float64, at []uint16, panel []Line) { addEach(sum, times, at, panel) }
