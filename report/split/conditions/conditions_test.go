package conditions

import (
	"math"
	"testing"

	"kifu/schemas"
)

func TestCuts(t *testing.T) {
	many := make([]float64, 1000)
	rare := make([]float64, 1000)
	few := make([]float64, 1000)
	for i := range many {
		many[i] = float64(i-500) / 3
		few[i] = float64(i % 4)
		if i%20 == 0 {
			rare[i] = float64(i%7) - 3.5
		}
	}
	twelfths, some := make([]float64, 1000), make([]float64, 1000)
	for i := range 1000 {
		if i%40 == 0 {
			twelfths[i] = float64(float32(i%11+5) / 12)
		}
		some[i] = float64(float32(i%3) * 5 / 12)
	}
	sqls := func(column []float64, of schemas.Type) (all string) {
		singles, two := cutColumn(0, "x", column, of)
		for _, a := range singles {
			all += a.sql + "; "
		}
		for _, a := range two {
			all += "& " + a.sql + " "
		}
		return all
	}
	for _, c := range []struct {
		name   string
		column []float64
		of     schemas.Type
		want   string
	}{
		{"many", many, schemas.Float64, "x <= -150; x <= -133; x <= -83; x >= 0; x >= 83; x >= 133; x >= 150; & x <= -100 & x >= 100 "},
		{"rare", rare, schemas.Float64, "x <= -0.5; x >= 0.5; & x <= -0.5 & x >= 0.5 "},
		{"few", few, schemas.Float64, "x = 0; x = 1; x = 2; x >= 2; x = 3; & x <= 0 & x >= 3 "},
		{"truth", []float64{0, 1, 1, math.NaN()}, schemas.Bool, "x; & x & NOT x "},
		{"two values", []float64{3, 5, 5, 3}, schemas.Float64, "x = 5; & x = 5 & x = 3 "},
		{"short of single precision", []float64{float64(float32(-0.3)), float64(float32(0.7))}, schemas.Float32, "x = 0.7; & x = 0.7 & x = -0.3 "},
		{"twelfths, seldom", twelfths, schemas.Float32, "x <= 0; x >= 0.41; & x <= 0 & x >= 0.41 "},
		{"three of twelfths", some, schemas.Float32, "x = 0; x = 0.41666666; x = 0.8333333; & x <= 0 & x >= 0.83 "},
		{"one value", []float64{2, 2, 2}, schemas.Float64, ""},
	} {
		if got := sqls(c.column, c.of); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}
