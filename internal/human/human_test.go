package human

import (
	"math"
	"testing"
)

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{Number(0.1 + 0.2), "0.3"}, {Number(-25), "−25"}, {Number(-1e-9), "0"}, {Number(1e6), "1000000"}, {Number(nan), "–"},
		{Short(0.0023456), "0.002346"}, {Short(-123456), "−1.235e+05"}, {Short(nan), "–"},
		{Fixed(0.69314, 4), "0.6931"}, {Fixed(-1.25, 1), "−1.2"}, {Fixed(nan, 4), "–"},
		{Signed(7.84, 1), "+7.8"}, {Signed(-7.86, 1), "−7.9"}, {Signed(-0.04, 1), "0.0"}, {Signed(nan, 1), "–"},
		{Weight(31.249), "31.2"}, {Weight(-2.5), "−2.50"}, {Weight(0.004), "0"}, {Weight(-0.004), "0"}, {Weight(nan), "–"},
		{Percent(0.6543, 1), "65.4\u00a0%"}, {Percent(nan, 0), "–"},
		{Grouped(999), "999"}, {Grouped(1000), "1,000"}, {Grouped(-1234567), "-1,234,567"}, {Grouped(-123), "-123"},
		{Plural(1, "game", "games"), "1 game"}, {Plural(1234, "game", "games"), "1,234 games"},
		{Chance(0.0499), "0.050"}, {Chance(0.00012), "1e-04"}, {Chance(0), "< 1e-300"}, {Chance(nan), "–"},
		{Capital("élan"), "Élan"}, {Capital(""), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
