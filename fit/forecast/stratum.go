package forecast

import (
	"fmt"
	"slices"

	"kifu/eval"
)

// Positions are grouped into bands of their ply and of their phase. A stratum is one
// band of each.
const phaseBands = 3

// plyStarts are the first plies of the bands.
var plyStarts = [...]int32{0, 20, 40, 60, 80, 120}

// StratumOf returns the stratum of a position: its band of plies, and its band of phases
// between the first knot and the last.
func StratumOf(m *eval.Model, ply int32, phase int) uint8 {
	band := 0
	for band+1 < len(plyStarts) && ply >= plyStarts[band+1] {
		band++
	}
	return uint8(band*phaseBands + phaseBand(m, phase))
}

func phaseBand(m *eval.Model, phase int) int {
	first, last := m.Knots[0], m.Knots[len(m.Knots)-1]
	if first == last {
		return 0
	}
	return min(phaseBands-1, max(0, phaseBands*(phase-first)/(last-first)))
}

// bandNames returns the names of the bands of ply and phase, as "20-39".
func bandNames(m *eval.Model) (plies, phases []string) {
	for i, from := range plyStarts {
		if i+1 == len(plyStarts) {
			plies = append(plies, fmt.Sprintf("%d-", from))
		} else {
			plies = append(plies, fmt.Sprintf("%d-%d", from, plyStarts[i+1]-1))
		}
	}
	first, last := m.Knots[0], m.Knots[len(m.Knots)-1]
	for band := range phaseBands {
		var in []int
		for phase := min(first, last); phase <= max(first, last); phase++ {
			if phaseBand(m, phase) == band {
				in = append(in, phase)
			}
		}
		if first > last {
			slices.Reverse(in)
		}
		if len(in) == 0 {
			phases = append(phases, "")
			continue
		}
		phases = append(phases, fmt.Sprintf("%d-%d", in[0], in[len(in)-1]))
	}
	return plies, phases
}
