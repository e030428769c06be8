package ingest

import (
	"bytes"
	"math"
	"strconv"
)

// timeControl reads a time control as PGN has it, in seconds: 300, 300+5, 40/7200 (of
// several with a colon between, the first), *180 (a sand-clock); engines write
// fractions, 8+0.08. G/60 is sixty minutes. ok is false for anything else.
func timeControl(v []byte) (baseMS, incrementMS int32, ok bool) {
	v, _, _ = bytes.Cut(bytes.TrimSpace(v), []byte(":"))
	unit := 1000.0
	switch {
	case bytes.HasPrefix(v, []byte("G/")):
		v, unit = v[2:], 60_000
	case bytes.HasPrefix(v, []byte("*")):
		v = v[1:]
	default:
		if moves, rest, found := bytes.Cut(v, []byte("/")); found {
			if _, ok := milliseconds(moves, 1); !ok {
				return 0, 0, false
			}
			v = rest
		}
	}
	base, increment, found := bytes.Cut(v, []byte("+"))
	if baseMS, ok = milliseconds(base, unit); !ok || !found {
		return baseMS, 0, ok
	}
	incrementMS, ok = milliseconds(increment, 1000)
	return baseMS, incrementMS, ok
}

// milliseconds reads a number of the unit, in milliseconds: digits with at most one
// point in them.
func milliseconds(v []byte, unit float64) (int32, bool) {
	v = bytes.TrimSpace(v)
	for _, b := range v {
		if b != '.' && (b < '0' || b > '9') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if ms := math.Round(x * unit); err == nil && ms <= math.MaxInt32 {
		return int32(ms), true
	}
	return 0, false
}
