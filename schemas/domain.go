package schemas

import (
	"math"
	"strings"
)

// Domain is the set of values that a column can have, and that readers may rely on. The zero
// value allows every finite number of the column's type, and every text in UTF-8 of at most
// MaxText bytes. Null is no value: Column.Nullable allows it.
type Domain struct {
	Low, High float64 // of a number, or of the elements of a list; both 0: any
	Words     string  // the texts that it can have, "|" between; "": any
	Count     string  // the column that counts the elements of the list, or the pairs of bytes
}

// MaxText is the largest number of bytes of a text: four times the limit of a game's record.
const MaxText = 32 << 20

// The domains of several columns. A game has fewer plies than its record can have bytes.
var (
	ids     = Range(0, 1<<48)
	plies   = Range(0, 1<<23)
	counts  = Range(0, math.MaxInt32)
	ratings = Range(0, math.MaxInt16)
	phases  = Range(0, 1000)
	shares  = Range(0, 1)
	results = Domain{Words: "first|second|draw"}
)

// Range returns the domain of the numbers from low to high.
func Range(low, high float64) Domain { return Domain{Low: low, High: high} }

// Bounds returns the least and the greatest number that a column can have.
func (c *Column) Bounds() (low, high float64) {
	low, high = -math.MaxFloat64, math.MaxFloat64
	switch c.Type {
	case Int16:
		low, high = math.MinInt16, math.MaxInt16
	case Int32, Int32List:
		low, high = math.MinInt32, math.MaxInt32
	case Float32:
		low, high = -math.MaxFloat32, math.MaxFloat32
	}
	if d := c.Domain; d.Low != 0 || d.High != 0 {
		low, high = max(low, d.Low), min(high, d.High)
	}
	return low, high
}

// Allows reports whether a column of that domain can have the text.
func (d Domain) Allows(text []byte) bool {
	if d.Words == "" {
		return true
	}
	for word := range strings.SplitSeq(d.Words, "|") {
		if string(text) == word {
			return true
		}
	}
	return false
}

// DomainOf returns the domain of a column of the table of that name. It is the zero value for
// columns that are not declared here: columns of a game, of an evaluator, or of a file.
func DomainOf(table string, c Column) Domain {
	for _, d := range declared(table).Columns {
		if d.Name == c.Name && d.Type == c.Type {
			return d.Domain
		}
	}
	return Domain{}
}

// DocOf returns the paragraph about the tables of that name, "" if none is declared here.
func DocOf(table string) string { return declared(table).Doc }

// declared returns the columns that tables of that name can have, and their paragraph.
func declared(table string) Table {
	for _, t := range []Table{Changes, Conjunctions, Duplicates, Generations, Players, Tables, Trajectory, Weights, Predictions(), Tree("rating", "speed", "month")} {
		if t.Name == table {
			return t
		}
	}
	optional := Positions(0, nil, true)
	optional.Columns = append(optional.Columns, phase, LegalMoves, HalfmoveClock, ExpectedResult, OpeningName)
	optional.Columns = append(optional.Columns, Suites[:]...)
	switch table {
	case Games.Name:
		return Played(true)
	case "motifs":
		t := Motifs(0, nil)
		t.Columns = positions
		return t
	case "positions":
		return optional
	case "choices":
		return Choices(optional, nil)
	case "labels":
		t := Labels(optional, nil, nil, "")
		t.Columns = append(append(append(t.Columns, RolloutColumns(0)...), MateColumns(0)...), EngineColumns(true, true)...)
		return t
	}
	return Table{}
}
