package record

// Decimal reads a decimal number without a sign, of at most nine digits before the point, in
// units of 10^-places; further digits are cut off.
func Decimal(text []byte, places int) (v int64, ok bool) {
	digits, point := 0, false
	for _, c := range text {
		switch {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9' || digits == 9 && !point:
			return 0, false
		case point && places == 0:
		default:
			v = 10*v + int64(c-'0')
			digits++
			if point {
				places--
			}
		}
	}
	for ; places > 0; places-- {
		v *= 10
	}
	return v, digits > 0
}
