package human

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseBytes reads an amount of memory as people and DuckDB write it: "4GB" is four thousand
// million bytes, "4GiB" 4·2³⁰, "500" bytes.
func ParseBytes(text string) (int64, error) {
	number := strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), "kmgtib ")
	unit := strings.TrimSpace(strings.ToLower(strings.TrimSpace(text))[len(number):])
	factor, known := map[string]float64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
		"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || !(n >= 0) || n*factor > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q is no amount of memory: want one as 500MB, 4GB or 16GiB", text)
	}
	return int64(n * factor), nil
}
