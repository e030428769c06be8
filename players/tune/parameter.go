package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/internal/edits"
	"kifu/search/engine"
)

// Parameter is an option of the program that is tuned.
type Parameter struct {
	Name  string  `json:"name"`
	Float bool    `json:"float,omitempty"` // else its values are whole numbers
	Start float64 `json:"start"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	C     float64 `json:"c_end"` // by how much it is moved in the last iteration
	R     float64 `json:"r_end"` // a_N/c_N²: the share of C that one game moves it in the last iteration
}

// ParseParameter reads a parameter as OpenBench and fishtest write them,
//
//	NAME, int|float, START, MIN, MAX, C_END, R_END
//	NAME, START, MIN, MAX, C_END, R_END
//
// or its beginning: NAME alone. What is missing Complete takes from the program.
func ParseParameter(text string) (q Parameter, err error) {
	q = Parameter{Start: math.NaN(), Min: math.NaN(), Max: math.NaN()}
	fields := strings.Split(text, ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	if q.Name = fields[0]; q.Name == "" {
		return q, fmt.Errorf("parameter %q: want NAME, int or float, START, MIN, MAX, C_END, R_END", text)
	}
	fields = fields[1:]
	whole := true
	if len(fields) > 0 && (fields[0] == "int" || fields[0] == "float") {
		whole, fields = fields[0] == "int", fields[1:]
	} else {
		for _, f := range fields[:min(len(fields), 3)] {
			whole = whole && !strings.ContainsAny(f, ".eE")
		}
	}
	q.Float = !whole
	places := []*float64{&q.Start, &q.Min, &q.Max, &q.C, &q.R}
	if len(fields) > len(places) {
		return q, fmt.Errorf("parameter %q: %d numbers, want START, MIN, MAX, C_END, R_END", text, len(fields))
	}
	for i, f := range fields {
		if *places[i], err = strconv.ParseFloat(f, 64); err != nil {
			return q, fmt.Errorf("parameter %q: %q is not a number", text, f)
		}
	}
	return q, nil
}

// Complete sets missing values: start and bounds as the program announces them for its option, C to a
// twentieth of the range, and R to 0.002.
func (q *Parameter) Complete(program string, options []engine.OptionInfo) error {
	var found *engine.OptionInfo
	var names []string
	for i, o := range options {
		if names = append(names, o.Name); strings.EqualFold(o.Name, q.Name) {
			found = &options[i]
		}
	}
	switch {
	case found == nil:
		return fmt.Errorf("%s has no option %q%s", program, q.Name, edits.Meant(q.Name, names))
	case found.Type != "spin" && !(found.Type == "string" && q.Float):
		return fmt.Errorf("option %s of %s is a %s: want a spin, or a string with a number (float)", found.Name, program, found.Type)
	}
	q.Name = found.Name
	if value, err := strconv.ParseFloat(found.Default, 64); err == nil && math.IsNaN(q.Start) {
		q.Start = value
	}
	if found.Bounded {
		low, high := float64(found.Min), float64(found.Max)
		if math.IsNaN(q.Min) {
			q.Min = low
		}
		if math.IsNaN(q.Max) {
			q.Max = high
		}
		if q.Min < low || q.Max > high {
			return fmt.Errorf("option %s of %s goes from %d to %d: %s to %s goes beyond", q.Name, program, found.Min, found.Max, q.text(q.Min), q.text(q.Max))
		}
	}
	q.C = cmp.Or(q.C, (q.Max-q.Min)/20)
	q.R = cmp.Or(q.R, 0.002)
	if err := q.validate(); err != nil {
		return fmt.Errorf("parameter %s: %w", q.Name, err)
	}
	return nil
}

func (q Parameter) validate() error {
	switch {
	case math.IsNaN(q.Min) || math.IsNaN(q.Max) || math.IsInf(q.Max-q.Min, 0):
		return errors.New("the program announces no bounds: give them as NAME, START, MIN, MAX")
	case !(q.Min < q.Max):
		return fmt.Errorf("from %s to %s: want two bounds", q.text(q.Min), q.text(q.Max))
	case !(q.Start >= q.Min && q.Start <= q.Max):
		return fmt.Errorf("it starts at %s, which is not from %s to %s", q.text(q.Start), q.text(q.Min), q.text(q.Max))
	case !q.Float && (q.Min != math.Trunc(q.Min) || q.Max != math.Trunc(q.Max)):
		return errors.New("its values are whole numbers, but its bounds are not (float)")
	case !(q.C > 0 && q.C <= q.Max-q.Min):
		return fmt.Errorf("c_end %g: want a number above 0 and within its range", q.C)
	case !(q.R > 0 && !math.IsInf(q.R, 0)):
		return fmt.Errorf("r_end %g: want a number above 0", q.R)
	}
	return nil
}

func (q Parameter) clip(v float64) float64 { return max(q.Min, min(q.Max, v)) }

// text writes a value as the program takes it.
func (q Parameter) text(v float64) string {
	if !q.Float {
		v = math.Round(v)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
