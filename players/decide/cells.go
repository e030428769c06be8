package decide

import "strconv"

// Decimal is a number as the tables of a model's directory have it: six digits.
func Decimal(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// OrEmpty is Decimal, or nothing for a number that there is not.
func OrEmpty(x *float64) string {
	if x == nil {
		return ""
	}
	return Decimal(*x)
}
