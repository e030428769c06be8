package chess

import "kifu/games"

// MaxPhase is the phase of the opening.
const MaxPhase = 24

// Phase returns the amount of material left besides pawns: MaxPhase with all pieces, 0 with
// none. A minor piece counts 1, a rook 2, a queen 4; promoted queens do not go beyond
// MaxPhase.
func (p *Position) Phase() int {
	minor := (p.Knights() | p.Bishops()).Count()
	return min(minor+2*p.Rooks().Count()+4*p.Queens().Count(), MaxPhase)
}

var columns = []games.Column{
	{Name: "phase", Doc: "pieces left: knights and bishops count 1, rooks 2, queens 4; 24 at the start, 0 with pawns only"},
	{Name: "white_pawns", Doc: "white pawns"},
	{Name: "white_knights", Doc: "white knights"},
	{Name: "white_bishops", Doc: "white bishops"},
	{Name: "white_rooks", Doc: "white rooks"},
	{Name: "white_queens", Doc: "white queens"},
	{Name: "black_pawns", Doc: "black pawns"},
	{Name: "black_knights", Doc: "black knights"},
	{Name: "black_bishops", Doc: "black bishops"},
	{Name: "black_rooks", Doc: "black rooks"},
	{Name: "black_queens", Doc: "black queens"},
	{Name: "material_difference", Doc: "White's material minus Black's, in pawns (1, 3, 3, 5, 9)"},
	{Name: "white_castling", Doc: "number of sides to which White may still castle, 0 to 2"},
	{Name: "black_castling", Doc: "number of sides to which Black may still castle, 0 to 2"},
	{Name: "opposite_bishops", Doc: "1 when each side has one bishop, on squares of different colours"},
	{Name: "in_check", Doc: "1 when the side to move is in check"},
}

// Columns returns the condition columns of chess.
func (Rules) Columns() []games.Column { return columns }

// AppendColumns appends their values.
func (Rules) AppendColumns(dst []int16, p Position) []int16 {
	sets := [5]Bitboard{p.Pawns(), p.Knights(), p.Bishops(), p.Rooks(), p.Queens()}
	var white, black [5]int16
	difference := int16(0)
	for i, set := range sets {
		white[i], black[i] = int16((set &^ p.second).Count()), int16((set & p.second).Count())
		difference += (white[i] - black[i]) * pawnsWorth[i]
	}
	both := func(k Kind) int16 { return white[k-Pawn] + black[k-Pawn] }
	phase := min(both(Knight)+both(Bishop)+2*both(Rook)+4*both(Queen), MaxPhase)
	bishops := sets[Bishop-Pawn]
	opposite := white[Bishop-Pawn] == 1 && black[Bishop-Pawn] == 1 && (bishops&DarkSquares).Count() == 1
	return append(dst, phase,
		white[0], white[1], white[2], white[3], white[4], black[0], black[1], black[2], black[3], black[4], difference,
		int16((p.castle & Rank1).Count()), int16((p.castle & Rank8).Count()), flag16(opposite), flag16(p.InCheck()))
}

// pawnsWorth is the worth of the men in pawns, as exchanges have it, from pawns to queens.
var pawnsWorth = func() (of [5]int16) {
	for i := range of {
		of[i] = int16(ExchangeValues[Pawn+Kind(i)] / 100)
	}
	return of
}()

func flag16(b bool) int16 {
	if b {
		return 1
	}
	return 0
}
