package event

import (
	"fmt"
	"math"
	"slices"

	"kifu/report/sheet"
)

// move is a move of a player; what is not known of it is NaN.
type move struct {
	value, clock  float64
	rating, ahead float64 // the player's, and how far above the opponent's
	number        float64
	event         bool
}

// mostValue is the value beyond which values count as equal.
const mostValue = 1000

// valueBands are the bands of the values from -mostValue on.
var valueBands = func() (of [2*mostValue + 1]float64) {
	for i := range of {
		value := float64(i - mostValue)
		of[i] = math.Floor(math.Copysign(math.Log1p(math.Abs(value)/100)*4, value))
	}
	return of
}()

// bands are the widths in which moves count as equal, and their names for readers, with a number that orders them.
var bands = []struct {
	name  string
	whole bool                  // all moves of a side have the same band
	of    func(m *move) float64 // number of the band; NaN where it is not known
	label func(m *move) string
}{
	{"value", false, func(m *move) float64 {
		if m.value != m.value {
			return m.value
		}
		return valueBands[int(m.value)+mostValue]
	}, func(m *move) string {
		switch {
		case m.value < -300:
			return "1: below −300"
		case m.value < -100:
			return "2: −300 to −100"
		case m.value <= 100:
			return "3: −100 to 100"
		case m.value <= 300:
			return "4: 100 to 300"
		}
		return "5: above 300"
	}},
	{"rating", true, func(m *move) float64 { return math.Floor(m.ahead / 100) }, func(m *move) string {
		switch {
		case m.ahead < -100:
			return "1: more than 100 below"
		case m.ahead <= 100:
			return "2: within 100"
		}
		return "3: more than 100 above"
	}},
	{"clock", false, func(m *move) float64 {
		if m.clock != m.clock {
			return m.clock
		}
		return float64(int(math.Float64bits(1+max(0, m.clock))>>52) - 1023) // Logb of a number from 1 on
	}, func(m *move) string {
		i := slices.IndexFunc(sheet.ClockBands, func(b sheet.ClockBand) bool { return max(0, m.clock) >= float64(b.From) })
		return clockLabels[i]
	}},
	{"move", false, func(m *move) float64 { return math.Floor(m.number / 10) }, func(m *move) string {
		switch {
		case m.number <= 20:
			return "1: to 20"
		case m.number <= 40:
			return "2: 21 to 40"
		}
		return "3: from 41"
	}},
	{"strength", true, func(m *move) float64 { return math.Floor(m.rating / 200) }, func(m *move) string {
		from := 200 * math.Floor(m.rating/200)
		return fmt.Sprintf("%.0f to %.0f", from, from+199)
	}},
}

var clockLabels = func() (of []string) {
	for i, b := range sheet.ClockBands {
		of = append(of, fmt.Sprintf("%d: %s", len(sheet.ClockBands)-i, b.Name))
	}
	return of
}()

// Bands lists the names of bands.
func Bands() (names []string) {
	for _, b := range bands {
		names = append(names, b.name)
	}
	return names
}
