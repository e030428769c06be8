package eval

import "strings"

// Unit is a unit of values, as Model.Unit and the manifests of labels name it.
type Unit struct {
	Name string
	// Per is the number of units in what players count by: a pawn, a man, a disc, a point; of
	// outcomes in percent, in a game won.
	Per int32
	// Bin is the default width of the bins of an evaluation curve, in units.
	Bin float64
}

var units = []Unit{
	{"centipawns", 100, 25},
	{"centimen", 100, 10},
	{"discs", 1, 2},
	{"points", 1, 2},
	{"lines", 1, 1},
	{"percent", 100, 5},
}

// UnitOf returns the unit of that name. A unit that no game has is counted in hundredths
// if its name begins with "centi", and has no bin width (0).
func UnitOf(name string) Unit {
	for _, u := range units {
		if u.Name == name {
			return u
		}
	}
	u := Unit{Name: name, Per: 1}
	if strings.HasPrefix(name, "centi") {
		u.Per = 100
	}
	return u
}
