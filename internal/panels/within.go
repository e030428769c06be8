package panels

// Within has the bit of every value, at most 64, from low to high.
func Within(values []float64, low, high float64) uint64 {
	if len(values) > 64 {
		panic("panels: more values than bits")
	}
	fours := len(values) &^ 3
	return within(values[:fours], low, high) | withinEach(values[fours:], low, high)<<(fours&63)
}

// withinEach is Within, without jumps that could not be foreseen.
func withinEach(values []float64, low, high float64) (word uint64) {
	for i, x := range values {
		word |= bit(x >= low) & bit(x <= high) << (i & 63)
	}
	return word
}

func bit(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}
