// Package board shows and reads positions of any game, its position type bound away: packed
// boards and texts go in; texts, hashes, moves, drawings as SVG and as text for a terminal
// come out.
//
// Of makes the Game of a game's rules. A Diagram is one drawn position, with the
// cells to be marked; SVG and Text draw it. Where the pieces are, and how each looks, is
// the game's own (games.Drawer).
//
// The package plays no games through and reads no datasets.
package board

import (
	"cmp"
	"fmt"

	"kifu/games"
)

// Game is a game whose positions are packed boards, as in the board column. Its methods may
// be called from many goroutines at once; errors name what is wrong with board or text.
type Game interface {
	// Name returns the word of --game.
	Name() string
	// BoardSize returns the length of a packed board in bytes.
	BoardSize() int
	// Start returns the start of a variant, "" for the usual one, or the position of a text.
	Start(variant, position string) (Board, error)
	// Unpack returns the position of a packed board.
	Unpack(packed []byte) (Board, error)
	// View returns a View of this game; Functions returns the functions of its boards.
	View() View
	Functions() []Function
	// Pieces returns the kinds of pieces, the empty cell first.
	Pieces() []games.Piece
	// Layout returns the board of the usual start.
	Layout() *games.Layout
	// Place returns the positions on the board of like that show these pieces, with side to
	// move; see games.Placer.
	Place(like Board, cells []uint8, hands [2][]uint8, toMove games.Side) ([]Board, error)
	// Holdable returns the pieces of s that may be in its hand; none where there are no hands.
	Holdable(s games.Side) []uint8
}

// Board is one position.
type Board interface {
	// Pack appends the packed form.
	Pack(dst []byte) []byte
	// AppendText appends the position's text: FEN, SFEN, …
	AppendText(dst []byte) []byte
	// Hash returns the value of the hash column.
	Hash() uint64
	// ToMove returns the side whose turn it is.
	ToMove() games.Side
	// Outcome returns what the position alone decides.
	Outcome() games.Outcome
	// Opening returns the name of the opening that the position shows, "" without one. before is the name
	// before the last move, which lasts where a game's names are a list of positions.
	Opening(before string) string
	// Layout returns the board's own.
	Layout() *games.Layout
	// AppendCells appends the index of the piece on each cell.
	AppendCells(dst []uint8) []uint8
	// AppendHand appends the pieces in hand; none where the game has no hands.
	AppendHand(dst []uint8, s games.Side) []uint8
	// Moves returns the legal moves.
	Moves() []Move
	// Find resolves a move as records or coordinates write it.
	Find(text string) (Move, error)
	// FindCode resolves the code of a move in the moves column of games.
	FindCode(code uint16) (Move, error)
}

// Move is a legal move of a Board.
type Move interface {
	// AppendText appends the move as records write it (SAN).
	AppendText(dst []byte) []byte
	// AppendShown appends the move as players write it (Q16); western asks for Latin letters.
	AppendShown(dst []byte, western bool) []byte
	// AppendCoordinates appends the move as the column move has it (UCI).
	AppendCoordinates(dst []byte) []byte
	// Marks returns the cells that it touches.
	Marks() []int
	// Play returns the position after it.
	Play() Board
	// Drops reports whether it puts down a piece from the hand, Promotes whether the piece that moves becomes another.
	Drops() bool
	Promotes() bool
	// Book returns the keys of its position and of the move in shared opening books; see games.Booked.
	Book() (key uint64, code uint16, known bool)
}

// Of returns the Game of rules, which must be a games.Drawer and a games.Placer.
func Of[P games.Position[P]](rules games.Rules[P]) Game {
	drawer, draws := rules.(games.Drawer[P])
	placer, places := rules.(games.Placer[P])
	if !draws || !places {
		panic(fmt.Sprintf("the rules of %s draw or place no pieces", rules.Name()))
	}
	hands, _ := rules.(games.Hands[P])
	g := &bound[P]{rules: rules, drawer: drawer, placer: placer, hands: hands}
	if related, ok := rules.(games.Relations[P]); ok {
		g.relations = related.Relations()
	}
	return g
}

// bound is the Game of rules of P.
type bound[P games.Position[P]] struct {
	rules     games.Rules[P]
	drawer    games.Drawer[P]
	placer    games.Placer[P]
	hands     games.Hands[P] // nil: none
	relations []games.Relation[P]
}

func (g *bound[P]) Name() string          { return g.rules.Name() }
func (g *bound[P]) BoardSize() int        { return g.rules.BoardSize() }
func (g *bound[P]) Pieces() []games.Piece { return g.drawer.Pieces() }

func (g *bound[P]) Layout() *games.Layout {
	p, _, err := g.rules.Start("", "")
	if err != nil {
		panic(err) // every game has a usual start
	}
	return g.drawer.Layout(p)
}

func (g *bound[P]) Start(variant, position string) (Board, error) {
	p, _, err := g.rules.Start(variant, position)
	if err != nil {
		return nil, err
	}
	return &placed[P]{g, p}, nil
}

func (g *bound[P]) Unpack(packed []byte) (Board, error) {
	p, err := g.rules.UnpackBoard(packed)
	if err != nil {
		return nil, err
	}
	return &placed[P]{g, p}, nil
}

func (g *bound[P]) Place(like Board, cells []uint8, hands [2][]uint8, toMove games.Side) ([]Board, error) {
	of, ok := like.(*placed[P])
	if !ok {
		return nil, fmt.Errorf("a board of another game than %s", g.Name())
	}
	positions, err := g.placer.Place(of.p, cells, hands, toMove)
	if err != nil {
		return nil, err
	}
	all := make([]Board, len(positions))
	for i, p := range positions {
		all[i] = &placed[P]{g, p}
	}
	return all, nil
}

func (g *bound[P]) Holdable(s games.Side) []uint8 {
	if g.hands == nil {
		return nil
	}
	return g.hands.Holdable(s)
}

// placed is a Board.
type placed[P games.Position[P]] struct {
	game *bound[P]
	p    P
}

func (b *placed[P]) Pack(dst []byte) []byte       { return b.game.rules.AppendBoard(dst, b.p) }
func (b *placed[P]) AppendText(dst []byte) []byte { return b.game.rules.AppendPosition(dst, b.p) }
func (b *placed[P]) Hash() uint64                 { return b.p.Hash() }
func (b *placed[P]) ToMove() games.Side           { return b.p.ToMove() }
func (b *placed[P]) Outcome() games.Outcome       { return b.p.Outcome() }
func (b *placed[P]) Layout() *games.Layout        { return b.game.drawer.Layout(b.p) }

func (b *placed[P]) Opening(before string) string {
	names, named := b.game.rules.(games.OpeningNames[P])
	if !named {
		return ""
	}
	name := names.OpeningName(b.p)
	if _, listed := names.(games.ListedOpenings[P]); listed {
		return cmp.Or(name, before)
	}
	return name
}

func (b *placed[P]) AppendCells(dst []uint8) []uint8 { return b.game.drawer.AppendCells(dst, b.p) }

func (b *placed[P]) AppendHand(dst []uint8, s games.Side) []uint8 {
	if b.game.hands == nil {
		return dst
	}
	return b.game.hands.AppendHand(dst, b.p, s)
}

func (b *placed[P]) Moves() []Move {
	legal := b.p.AppendMoves(nil)
	moves := make([]Move, len(legal))
	for i, m := range legal {
		moves[i] = &step[P]{b, m}
	}
	return moves
}

func (b *placed[P]) Find(text string) (Move, error) {
	m, err := b.game.rules.ParseMove(b.p, []byte(text))
	if err == nil {
		return &step[P]{b, m}, nil
	}
	// Coordinates may differ from what records write: Go's pd is Q16 in the column.
	for _, m := range b.p.AppendMoves(nil) {
		if string(b.game.rules.AppendCoordinates(nil, b.p, m)) == text {
			return &step[P]{b, m}, nil
		}
	}
	return nil, err
}

func (b *placed[P]) FindCode(code uint16) (Move, error) {
	m, err := b.game.rules.UnpackMove(b.p, code)
	if err != nil {
		return nil, err
	}
	return &step[P]{b, m}, nil
}

// step is a Move.
type step[P games.Position[P]] struct {
	from *placed[P]
	m    games.Move
}

func (s *step[P]) AppendText(dst []byte) []byte {
	return s.from.game.rules.AppendMove(dst, s.from.p, s.m)
}

func (s *step[P]) AppendShown(dst []byte, western bool) []byte {
	return games.AppendShown(dst, s.from.game.rules, s.from.p, s.m, western)
}

func (s *step[P]) AppendCoordinates(dst []byte) []byte {
	return s.from.game.rules.AppendCoordinates(dst, s.from.p, s.m)
}

func (s *step[P]) Marks() []int { return s.from.game.drawer.AppendMarks(nil, s.from.p, s.m) }

func (s *step[P]) Book() (key uint64, code uint16, known bool) {
	of, known := s.from.game.rules.(games.Booked[P])
	if !known {
		return 0, 0, false
	}
	return of.BookKey(s.from.p), of.BookMove(s.m), true
}

func (s *step[P]) Play() Board { return &placed[P]{s.from.game, s.from.p.Play(s.m)} }

func (s *step[P]) Drops() bool {
	hands := s.from.game.hands
	return hands != nil && len(hands.AppendHand(nil, s.from.p.Play(s.m), s.from.ToMove())) < len(hands.AppendHand(nil, s.from.p, s.from.ToMove()))
}

func (s *step[P]) Promotes() bool {
	marks := s.Marks()
	if len(marks) < 2 {
		return false
	}
	before, after := s.from.AppendCells(nil), s.Play().AppendCells(nil)
	return before[marks[0]] != after[marks[len(marks)-1]]
}
