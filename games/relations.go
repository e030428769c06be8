package games

// Relations is implemented by Rules of games whose pieces attack, bind or support one another.
type Relations[P any] interface {
	// Relations returns the relations; it must not be changed.
	Relations() []Relation[P]
}

// Relation counts pieces or cells of a position that are related in some way.
type Relation[P any] struct {
	Name   string   // of the function in SQL
	Params []string // what its arguments select: "men", "target", "by"
	Doc    string   // what it counts, in a line
	Count  func(p P, args []Selection) int
}

// Selection chooses pieces, or empty cells, on some cells of a board.
type Selection struct {
	Pieces uint32    // bit i: piece i of Drawer.Pieces
	Cells  [6]uint64 // bit i, the lowest of the first word first: cell i of the Layout
}

// Has reports whether the selection has a piece on a cell.
func (s *Selection) Has(cell int, piece uint8) bool {
	return s.Pieces>>piece&1 != 0 && s.Cells[cell>>6]>>(cell&63)&1 != 0
}
