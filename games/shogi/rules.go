package shogi

import "kifu/games"

// Rules is games.Rules for Shogi.
type Rules struct{}

var (
	_ games.Rules[Position]    = Rules{}
	_ games.Styles[Position]   = Rules{}
	_ games.BlackFirst         = Rules{}
	_ games.Repeater           = Rules{}
	_ games.Declarer[Position] = Rules{}
)

// Start returns the usual start.
func Start() Position { return start }

var start Position

// The tables come first: reading a position needs them.
func init() {
	fillAttacks()
	fillLines()
	fillAreas()
	fillZones()
	fillKeys()
	var err error
	if start, err = ParseSFEN(StartSFEN); err != nil {
		panic(err)
	}
}

// Name is "shogi".
func (Rules) Name() string { return "shogi" }

// BlackMovesFirst is true.
func (Rules) BlackMovesFirst() bool { return true }

// NewReplay returns a replay at the usual start.
func (Rules) NewReplay() games.Replay[Position] {
	r := &replay{}
	r.Reset(start)
	return r
}

// ParsePosition is ParseSFEN.
func (Rules) ParsePosition(text string) (Position, error) { return ParseSFEN(text) }

// AppendPosition appends the SFEN.
func (Rules) AppendPosition(dst []byte, p Position) []byte { return p.AppendSFEN(dst) }

// AppendShown implements games.Shower: ▲７六歩 or, western, P-7f.
func (r Rules) AppendShown(dst []byte, p Position, m games.Move, western bool) []byte {
	if western {
		return r.AppendMove(dst, p, m)
	}
	return AppendKI2(dst, p, m)
}

// AppendStyle appends a move as CSA, KIF and KI2 write it, and in USI for the formats that are made of it.
func (r Rules) AppendStyle(dst []byte, format string, p Position, m games.Move) (text []byte, ok bool) {
	switch format {
	case "csa":
		return AppendCSA(dst, p, m), true
	case "kif":
		return AppendKIF(dst, p, m), true
	case "ki2":
		return AppendKI2(dst, p, m), true
	case "usi", "jkf", "hcpe", "psv":
		return r.AppendCoordinates(dst, p, m), true
	}
	return dst, false
}
