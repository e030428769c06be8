// Package games defines the few types that every game and every stage share.
//
// A game implements Position with a small value type. The move generator and the search copy
// positions instead of taking moves back. Through a type parameter this runs as fast as
// hand-written code and allocates nothing per node. State that a single position lacks
// (repetition, the fifty-move count, superko) belongs to a Replay. What the stages need beyond
// play (texts, packed forms, cheap columns) is in Rules. Nothing in this package belongs to one
// game only.
//
// A rejected design: Do and Undo on a pointer receiver. It costs a tenth of the speed, and a *P
// that goes through a type parameter or an interface escapes to the heap at every node.
package games

// Move is a move of one game, opaque outside that game's package. Zero is no move.
type Move uint64

// Grain is the number of integer steps per unit of value (a centipawn, a disc, a point) in
// evaluators and searches: values are exact hundredths.
const Grain = 100

// Side is one of the two players.
type Side uint8

// First is the player who moves first from the usual start (White in chess, Black
// in draughts, Othello, Go and Shogi); it stays First whoever is to move.
const (
	First Side = iota
	Second
)

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Sign returns +1 for First and -1 for Second: it converts a value seen by the side to move
// into one seen by the first player, and back.
func (s Side) Sign() int32 { return 1 - 2*int32(s) }

// Outcome is how a position or a game has ended.
type Outcome uint8

// Undecided is the zero Outcome: play goes on.
const (
	Undecided Outcome = iota
	FirstWins
	SecondWins
	Drawn
)

// WinFor returns the outcome in which s has won.
func WinFor(s Side) Outcome { return FirstWins + Outcome(s) }

// String returns "first", "second", "draw", or "" while undecided: the words of the
// result columns.
func (o Outcome) String() string {
	switch o {
	case FirstWins:
		return "first"
	case SecondWins:
		return "second"
	case Drawn:
		return "draw"
	}
	return ""
}

// OutcomeNamed is the inverse of Outcome.String; a text that is none of its words is Undecided.
func OutcomeNamed[T string | []byte](text T) Outcome {
	for o := FirstWins; o <= Drawn; o++ {
		if o.String() == string(text) {
			return o
		}
	}
	return Undecided
}

// Position is implemented by each game's value type.
type Position[P any] interface {
	// AppendMoves appends every legal move, in ascending order. A position that has
	// ended has none.
	AppendMoves(dst []Move) []Move
	// AppendTactics appends the moves that a quiescence search follows, best first by the game's own cheap
	// order. forced means that standing pat is not allowed (a check, a compulsory capture). The moves are
	// then all legal ones, or the game's own choice of them, which has at least one if any is legal.
	AppendTactics(dst []Move) (moves []Move, forced bool)
	// Play returns the position after m, which must be legal.
	Play(m Move) P
	// ToMove returns the side whose turn it is.
	ToMove() Side
	// Outcome returns what the position alone decides (mate, stalemate, no move left),
	// never what needs the game's history.
	Outcome() Outcome
	// Hash is equal for equal positions (board, side to move, and every right that changes
	// the legal moves) and differs for different ones except by chance.
	Hash() uint64
}

// Notation reads and writes positions and moves as text.
type Notation[P any] interface {
	// ParseMove resolves a move as records write it (SAN in chess) in position p. The error
	// describes the fault of the move, not its place.
	ParseMove(p P, text []byte) (Move, error)
	// AppendMove appends m, legal in p, as the game's records write it.
	AppendMove(dst []byte, p P, m Move) []byte
	// AppendCoordinates appends m, legal in p, in the plain form that needs no
	// position to read (UCI in chess): the text of the positions' move column.
	AppendCoordinates(dst []byte, p P, m Move) []byte
	// ParsePosition reads a position's text (FEN in chess).
	ParsePosition(text string) (P, error)
	// AppendPosition appends the text of p, which ParsePosition reads back.
	AppendPosition(dst []byte, p P) []byte
}

// Rules is everything that the stages ask of a game. Its methods may be called from
// many goroutines at once.
type Rules[P any] interface {
	Notation[P]
	// Name returns the word for --game and for the game column.
	Name() string
	// Start returns the position a record starts from, given its Variant and its start position as
	// written, both "" when absent. canonical is the variant's one name here ("standard", "chess960");
	// an unknown variant is an error.
	Start(variant, position string) (start P, canonical string, err error)
	// NewReplay returns a replay, to be Reset before use.
	NewReplay() Replay[P]
	// PackMove returns the code of m in p: sixteen bits for every game, written
	// little-endian one after the other in the games' moves column.
	PackMove(p P, m Move) uint16
	// UnpackMove is the inverse of PackMove. It may trust that the code was written for
	// p; for any other code it returns a move or an error but never panics.
	UnpackMove(p P, code uint16) (Move, error)
	// AppendBoard appends p packed for the board column, always BoardSize bytes.
	AppendBoard(dst []byte, p P) []byte
	// UnpackBoard is the inverse of AppendBoard. What the packed form leaves out, such as
	// move counters, comes back as zero.
	UnpackBoard(b []byte) (P, error)
	// BoardSize returns the length of a packed board in bytes.
	BoardSize() int
	// Columns returns the cheap condition columns of the positions dataset for this game,
	// phase first.
	Columns() []Column
	// AppendColumns appends the values of Columns for p, in their order.
	AppendColumns(dst []int16, p P) []int16
}

// Column describes one condition column.
type Column struct {
	Name string // snake_case, with the unit unless it is obvious
	Doc  string // one line for the format page
}

// MoveCounter is implemented by Rules of games in which counting legal moves is faster than listing them.
type MoveCounter[P any] interface {
	CountMoves(p P) int
}

// Counter is implemented by Rules of games whose positions as text count plies.
type Counter[P any] interface {
	// Counters returns the plies since the last capture or other progress, and those since the
	// game began, as far as the text of p told them.
	Counters(p P) (clock, ply int)
}

// Booked is implemented by Rules of games that programs share opening books of: Polyglot's, in chess.
type Booked[P any] interface {
	// BookKey returns the key of a position, BookMove the code of a move, in these books.
	BookKey(p P) uint64
	BookMove(m Move) uint16
}

// Replay follows one game from its start. It holds the state that a Position lacks.
type Replay[P any] interface {
	// Reset starts a new game at p.
	Reset(p P)
	// Play plays m, which must be legal.
	Play(m Move)
	// Position returns the current position.
	Position() P
	// Outcome returns the outcome by the rules, history included, with the rule that
	// decides it ("checkmate", "threefold repetition", …); Undecided and "" otherwise.
	// Draws that a player would have to claim are reported too.
	Outcome() (o Outcome, rule string)
}

// Dialects is implemented by Rules of games whose moves are also written with other letters
// than ParseMove reads, as in other languages. One letter may mean different men in
// different dialects, so a single move does not identify the dialect; the whole game does.
type Dialects interface {
	// Dialects returns the names, in the order in which they are to be tried.
	Dialects() []string
	// Translate appends text, a move written in dialect i, in the form that ParseMove
	// reads; it appends nothing if text cannot be such a move. foreign reports that text
	// has a letter specific to the dialect: a game without any is no evidence for the
	// dialect.
	Translate(dst []byte, i int, text []byte) (translated []byte, foreign bool)
}

// MotifPlies is the greatest number of plies after a move that its motifs depend on.
const MotifPlies = 16

// Motifs recognizes the tactical motifs of moves in a game that was played.
type Motifs[P any] interface {
	// Motifs returns the motifs, at most 64, with their names as of columns and their definitions.
	Motifs() []Column
	// MotifsOf returns the motifs of move i of a game as bits, in the order of Motifs. positions[i] is the
	// position before moves[i]; there is one position more than there are moves.
	MotifsOf(positions []P, moves []Move, i int) uint64
}

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

// Reason is an error without particulars: short, and the same for every case of its kind,
// so that rejected games can be counted by it. Errors of ParseMove, UnpackMove and Start
// are Reasons or wrap one; errors.As finds it.
type Reason string

// Error returns the reason.
func (r Reason) Error() string { return string(r) }

// Errors in a written move that occur in every game.
const (
	UnreadableMove Reason = "unreadable move"
	IllegalMove    Reason = "illegal move"
	AmbiguousMove  Reason = "ambiguous move"
	NullMove       Reason = "null move"
)

// UnknownVariant returns the Reason for a variant that the game does not play, by its name.
func UnknownVariant(name string) Reason { return Reason("variant " + name + " is not played here") }

// Exchanger is implemented by Rules of games that can exchange the sides of a position: the other player has
// the same pieces, in the same place as seen from there, and the same rights.
type Exchanger[P any] interface {
	Exchange(p P) P
	// ExchangeMove returns a move of p as one of Exchange(p).
	ExchangeMove(p P, m Move) Move
}
