package comments

import "kifu/ingest/record"

// Mate returns the value of a mate in n moves, by Black if neg.
func Mate(n int32, neg bool) int32 {
	v := record.MateValue - min(n, 999)
	if neg {
		return -v
	}
	return v
}

// MaxValue keeps evaluations out of the range of mates.
const MaxValue = record.MateValue - 1000

// Decimal reads a number with up to two decimals, in hundredths; further decimals are rounded. point
// reports a decimal point.
func Decimal(c []byte, i int) (v int32, end int, point, ok bool) {
	neg := false
	if i < len(c) && (c[i] == '+' || c[i] == '-') {
		neg = c[i] == '-'
		i++
	}
	digits := 0
	for ; i < len(c) && c[i]-'0' <= 9; i++ {
		if v < MaxValue {
			v = 10*v + int32(c[i]-'0')
		}
		digits++
	}
	v = min(v, MaxValue) * 100
	if i < len(c) && c[i] == '.' {
		point = true
		i++
		for place := 1; i < len(c) && c[i]-'0' <= 9; i++ {
			switch d := int32(c[i] - '0'); place {
			case 1:
				v += 10 * d
			case 2:
				v += d
			case 3:
				v += d / 5
			}
			place++
			digits++
		}
	}
	v = min(v, MaxValue)
	if neg {
		v = -v
	}
	return v, i, point, digits > 0
}

// Integer reads a whole number with an optional sign; end is i without one.
func Integer(c []byte, i int) (n int32, end int, neg bool) {
	if i < len(c) && (c[i] == '-' || c[i] == '+') {
		neg = c[i] == '-'
		i++
	}
	for ; i < len(c) && c[i]-'0' <= 9; i++ {
		if n < 1e6 {
			n = 10*n + int32(c[i]-'0')
		}
	}
	return n, i, neg
}

// Clock reads h:mm:ss, mm:ss or a plain number, with a fraction of a second or none,
// in milliseconds. plain is the unit of a plain number in milliseconds.
func Clock(c []byte, plain int64) (int32, bool) {
	var total, field int64
	i, digits, colons := 0, 0, 0
	for ; i < len(c); i++ {
		if k := c[i] - '0'; k <= 9 {
			if field = 10*field + int64(k); field > 1<<40 {
				return 0, false
			}
			digits++
		} else if c[i] == ':' && digits > 0 && colons < 2 {
			total, field = (total+field)*60, 0
			colons++
		} else {
			break
		}
	}
	if digits == 0 {
		return 0, false
	}
	unit := plain
	if colons > 0 {
		unit = 1000
	}
	ms := (total + field) * unit
	if i < len(c) && c[i] == '.' {
		i++
		for unit /= 10; i < len(c) && c[i]-'0' <= 9; i++ {
			ms += unit * int64(c[i]-'0')
			unit /= 10
		}
	}
	if ms > 1<<31-1 {
		return 0, false
	}
	return int32(ms), true
}
