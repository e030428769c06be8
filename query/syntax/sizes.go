package syntax

import (
	"fmt"
)

// mostArray is the number of elements of a value of a type as INTEGER[1000][100].
const mostArray = 100_000

// Sized refuses a type of arrays whose values are large whatever is in them.
func Sized(castType Tree) error {
	if n := elements(castType); n > mostArray {
		return fmt.Errorf("an array of %.0f elements: at most %d", n, mostArray)
	}
	return nil
}

// elements is the number of elements of a type, however deep its arrays are.
func elements(v any) float64 {
	sum := 0.0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			sum += elements(item)
		}
	case Tree:
		for _, item := range v {
			sum += elements(item)
		}
		return max(1, sum) * max(1, numberOf(v["size"]))
	}
	return sum
}
