package constraints

import (
	"fmt"
	"testing"
)

func TestParseBound(t *testing.T) {
	show := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return fmt.Sprint(*x)
	}
	for text, want := range map[string]string{
		"a>=0": "a 0 -", "a <= -1.5": "a - -1.5", "0<=a b<=9": "a b 0 9", "a=3": "a 3 3",
		"a": "", ">=1": "", "a>=x": "", "5<=a<=1": "", "a>=NaN": "", "a>1": "", "a<=1<=b": "",
	} {
		b, err := ParseBound(text)
		got := ""
		if err == nil {
			got = b.Of + " " + show(b.Low) + " " + show(b.High)
		}
		if got != want {
			t.Errorf("%s: %q (%v), want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]Prior{"30": {"", 30}, "mobility=2.5": {"mobility", 2.5}, "0": {}, "a=": {}, "-1": {}} {
		if got, err := ParsePrior(text); got != want || (err == nil) != (want.SD > 0) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
