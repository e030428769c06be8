package schemas

import "bytes"

// Date is a value of the columns of dates at its precision, in their order: 1950 is before 1950-07. 0 is unknown.
type Date uint32

// The bits of the year, the month and the day; month and day are one more than they are, 0 where they are missing.
const (
	dateBits = 7
	yearBits = 14
)

// DateOf reads 1950, 1950-07 or 1950-07-15; ok is false for other texts.
func DateOf(text []byte) (d Date, ok bool) {
	parts := bytes.Split(text, []byte("-"))
	if len(parts) > 3 || len(parts[0]) != 4 {
		return 0, false
	}
	d = 1 // so that the year 0 is a date
	for i, bits := range []int{yearBits, dateBits, dateBits} {
		d <<= bits
		if i >= len(parts) {
			continue
		}
		n := Date(0)
		for _, c := range parts[i] {
			if c < '0' || c > '9' {
				return 0, false
			}
			n = n*10 + Date(c-'0')
		}
		if i > 0 {
			if len(parts[i]) != 2 {
				return 0, false
			}
			n++
		}
		d |= n
	}
	return d, true
}

// Year returns the year, from 0 to 9999.
func (d Date) Year() int64 { return int64(d >> (2 * dateBits) & (1<<yearBits - 1)) }

// Month and Day return the fields of a date, -1 for missing ones.
func (d Date) Month() int64 { return int64(d>>dateBits&(1<<dateBits-1)) - 1 }

// Day is described at Month.
func (d Date) Day() int64 { return int64(d&(1<<dateBits-1)) - 1 }

// String is the inverse of DateOf.
func (d Date) String() string { return string(AppendDate(nil, d.Year(), d.Month(), d.Day())) }

// AppendDate appends a date as DateOf reads it; a month or a day below 0 is missing.
func AppendDate(dst []byte, year, month, day int64) []byte {
	two := func(n int64) { dst = append(dst, byte('0'+n/10), byte('0'+n%10)) }
	two(year / 100)
	two(year % 100)
	for _, n := range []int64{month, day} {
		if n < 0 {
			break
		}
		dst = append(dst, '-')
		two(n)
	}
	return dst
}
