//go:build !amd64

package panels

func add(sum *Line, times []float64, at []uint16, panel []Line) { addEach(sum, times, at, panel) }

func both(a, b *Line, times []float64, at []uint16, left, right []Line) {
	addEach(a, times, at, left)
	addEach(b, times, at, right)
}

func within(values []float64, low, high float64) uint64 { return withinEach(values, low, high) }
