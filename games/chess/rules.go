package chess

import (
	"strings"

	"kifu/games"
)

// Rules is games.Rules for chess.
type Rules struct{}

var (
	_ games.Rules[Position]          = Rules{}
	_ games.PositionReader[Position] = Rules{}
	_ games.Booked[Position]         = Rules{}
)

// Start returns the usual start.
func Start() Position { return start }

var start Position

// The tables come first: reading a position needs them.
func init() {
	fillAttacks()
	fillKeys()
	var err error
	if start, err = ParseFEN(StartFEN); err != nil {
		panic(err)
	}
}

// Name returns "chess".
func (Rules) Name() string { return "chess" }

// Start plays standard chess and Chess960, each under the many names that records give
// it; lichess's "From Position" is standard chess. A record that names no variant
// plays Chess960 when standard chess cannot have its castling rights.
func (Rules) Start(variant, position string) (Position, string, error) {
	p := start
	if position != "" {
		var err error
		if p, err = ParseFEN(position); err != nil {
			return Position{}, "", err
		}
	}
	switch key := variantKey(variant); {
	case key == "chess960":
		return p, "chess960", nil
	case key != "standard":
		return Position{}, "", games.UnknownVariant(strings.TrimSpace(variant))
	case !p.classicalCastling():
		return p, "chess960", nil
	}
	return p, "standard", nil
}

// variantKey returns "standard", "chess960", or something else.
func variantKey(variant string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r | 0x20
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, variant)
	switch {
	case name == "", name == "standard", name == "chess", name == "normal", name == "fromposition", name == "standardchess", name == "regular", name == "classical":
		return "standard"
	case strings.Contains(name, "960"), strings.Contains(name, "fischer"), strings.HasPrefix(name, "freestyle"), name == "frc", name == "dfrc", name == "wildfr":
		return "chess960"
	}
	return name
}

// classicalCastling reports whether all castling rights belong to a king on the
// e-file with a rook in the corner.
func (p *Position) classicalCastling() bool {
	for rooks := p.castle; rooks != 0; rooks = rooks.Rest() {
		if s := rooks.First(); !p.classicalRook(s) {
			return false
		}
	}
	return true
}

func (p *Position) classicalRook(s Square) bool {
	return s.Bit()&(FileA|FileH) != 0 && p.King(p.SideAt(s)).File() == 4
}

// Counters returns the counters of the FEN.
func (Rules) Counters(p Position) (clock, ply int) { return int(p.clock), int(p.plies) }

// NewReplay returns a replay at the usual start.
func (Rules) NewReplay() games.Replay[Position] {
	r := &replay{}
	r.Reset(start)
	return r
}

// PackMove returns from | to<<6 | promotion<<12, squares as Square and the promotion as
// Kind; castling goes to the own rook's square.
func (Rules) PackMove(_ Position, m games.Move) uint16 {
	return uint16(From(m)) | uint16(To(m))<<6 | uint16(Promotion(m))<<12
}

// UnpackMove is the inverse of PackMove. It checks that from has a man of the side to move, not that
// the move is legal.
func (Rules) UnpackMove(p Position, code uint16) (games.Move, error) {
	from, to, promo := Square(code&63), Square(code>>6&63), Kind(code>>12)
	kind := p.KindAt(from)
	if kind == NoKind || p.SideAt(from) != p.side || promo > Queen {
		return 0, games.IllegalMove
	}
	flag := flagPlain
	switch kind {
	case Pawn:
		switch d := to ^ from; {
		case d == 16:
			flag = flagDouble
		case d&7 == 0:
		case p.ep != 0 && to == p.ep:
			flag = flagPassing
		case to&7 < from&7:
			flag = flagTakeWest
		default:
			flag = flagTakeEast
		}
	case King:
		if p.castle.Has(to) && p.SideAt(to) == p.side {
			flag = flagCastle
		}
	}
	return newMove(kind, flag, from, to, promo), nil
}

// AppendBoard: see Position.AppendBoard.
func (Rules) AppendBoard(dst []byte, p Position) []byte { return p.AppendBoard(dst) }

// UnpackBoard: see UnpackBoard.
func (Rules) UnpackBoard(b []byte) (Position, error) { return UnpackBoard(b) }

// BoardSize returns 32.
func (Rules) BoardSize() int { return BoardSize }

// ParsePosition calls ParseFEN.
func (Rules) ParsePosition(text string) (Position, error) { return ParseFEN(text) }

// ReadPosition calls readFEN.
func (Rules) ReadPosition(text []byte) (Position, error) { return readFEN(text) }

// AppendPosition appends the X-FEN.
func (Rules) AppendPosition(dst []byte, p Position) []byte { return p.AppendFEN(dst) }
