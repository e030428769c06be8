package rows

import (
	"bytes"
	"math"
	"strconv"
)

// timeControl reads a time control as PGN has it, in seconds: 300, 300+5, 40/7200 (of
// several with a colon between, the first), *180 (a sand-clock); engines write
// fractions, 8+0.08. G/60 is sixty minutes. GGF writes 15:00/00:05/02:00, minutes and
// seconds: base, increment, grace. ok is false for anything else.
func timeControl(v []byte) (baseMS, incrementMS int32, ok bool) {
	v = bytes.TrimSpace(v)
	if base, rest, found := bytes.Cut(v, []byte("/")); found && bytes.IndexByte(base, ':') > 0 {
		if baseMS, ok = clock(base); !ok {
			return 0, 0, false
		}
		increment, _, _ := bytes.Cut(rest, []byte("/"))
		if len(increment) == 0 {
			return baseMS, 0, true
		}
		if incrementMS, ok = clock(increment); !ok {
			return 0, 0, false
		}
		return baseMS, incrementMS, true
	}
	v, _, _ = bytes.Cut(v, []byte(":"))
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

// clock reads [h:]m:s in milliseconds.
func clock(v []byte) (ms int32, ok bool) {
	for {
		part, rest, more := bytes.Cut(v, []byte(":"))
		n, ok := milliseconds(part, 1000)
		if !ok || ms > (math.MaxInt32-n)/60 {
			return 0, false
		}
		ms = 60*ms + n
		if !more {
			return ms, true
		}
		v = rest
	}
}
