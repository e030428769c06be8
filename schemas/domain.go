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
	for _, d := range declared(table) {
		if d.Name == c.Name && d.Type == c.Type {
			return d.Domain
		}
	}
	return Domain{}
}

// declared returns the columns that tables of that name can have.
func declared(table string) []Column {
	optional := append(Positions(0, nil, true).Columns, phase, LegalMoves, HalfmoveClock, ExpectedResult, OpeningName)
	optional = append(optional, Suites[:]...)
	switch table {
	case Changes.Name:
		return Changes.Columns
	case Conjunctions.Name:
		return Conjunctions.Columns
	case Duplicates.Name:
		return Duplicates.Columns
	case Games.Name:
		return Played(true).Columns
	case Generations.Name:
		return Generations.Columns
	case Players.Name:
		return Players.Columns
	case Tables.Name:
		return Tables.Columns
	case "tree":
		return Tree("rating", "speed", "month").Columns
	case Trajectory.Name:
		return Trajectory.Columns
	case Weights.Name:
		return Weights.Columns
	case "predictions":
		return predictions
	case "motifs":
		return positions
	case "positions":
		return optional
	case "choices":
		return Choices(Table{Columns: optional}, nil).Columns
	case "labels":
		columns := Labels(Table{Columns: optional}, nil, nil, "").Columns
		columns = append(append(columns, RolloutColumns(0)...), MateColumns(0)...)
		return append(columns, EngineColumns(true, true)...)
	}
	return nil
}
