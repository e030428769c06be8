package kif

import "bytes"

// took takes the time of a move, the text up to a slash or bracket, off a side's clock.
func (r *BlockReader) took(side int, text []byte) (left int32, ok bool) {
	if i := bytes.IndexAny(text, "/)"); i >= 0 {
		text = text[:i]
	}
	used, ok := duration(bytes.TrimSpace(text))
	if !ok {
		r.clocks.Running = false
		return 0, false
	}
	return r.clocks.Spend(side, used)
}

// duration reads m:s or h:m:s, with or without a fraction, in milliseconds.
func duration(text []byte) (ms int64, ok bool) {
	for {
		part, rest, more := bytes.Cut(text, []byte(":"))
		whole, fraction, _ := bytes.Cut(part, []byte("."))
		if len(whole) == 0 || len(whole) > 6 || digits(whole) != len(whole) || digits(fraction) != len(fraction) {
			return 0, false
		}
		n := int64(0)
		for _, d := range whole {
			n = 10*n + int64(d-'0')
		}
		ms = 60*ms + 1000*n
		for i, unit := 0, int64(100); i < len(fraction) && unit > 0; i, unit = i+1, unit/10 {
			ms += int64(fraction[i]-'0') * unit
		}
		if !more {
			return ms, true
		}
		text = rest
	}
}
