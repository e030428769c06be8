package weiqi

import "kifu/games"

// MaxPhase is the phase of a full board.
const MaxPhase = 100

// Phase returns the share of the board's points with a stone, in percent, rounded down: 0
// at the usual start whatever the size.
func (p *Position) Phase() int {
	size := int(p.size)
	if size == 0 {
		return 0
	}
	return MaxPhase * (p.stones[0].Count() + p.stones[1].Count()) / (size * size)
}

var columnList = []games.Column{
	{Name: "phase", Doc: "percentage of the board's points with a stone, 0 to 100"},
	{Name: "size", Doc: "size of the board: 19 for 19×19"},
	{Name: "black_stones", Doc: "black stones on the board"},
	{Name: "white_stones", Doc: "white stones on the board"},
	{Name: "stone_difference", Doc: "black stones minus white stones"},
	{Name: "black_prisoners", Doc: "stones that Black has captured"},
	{Name: "white_prisoners", Doc: "stones that White has captured"},
	{Name: "black_atari_stones", Doc: "black stones in chains with one liberty"},
	{Name: "white_atari_stones", Doc: "white stones in chains with one liberty"},
	{Name: "ko", Doc: "1 when retaking a ko is forbidden on this move"},
	{Name: "passes", Doc: "passes in a row before this position, at most 2"},
	{Name: "komi_hundredths", Doc: "komi: points added for White, in hundredths"},
}

// Columns returns the condition columns of Go.
func (Rules) Columns() []games.Column { return columnList }

// AppendColumns appends their values.
func (Rules) AppendColumns(dst []int16, p Position) []int16 {
	black, white := p.stones[Black].Count(), p.stones[White].Count()
	ko := int16(0)
	if p.ko != noPoint {
		ko = 1
	}
	return append(dst, int16(p.Phase()), int16(p.size),
		int16(black), int16(white), int16(black-white),
		int16(min(p.taken[Black], 1<<15-1)), int16(min(p.taken[White], 1<<15-1)),
		int16(p.atari(Black)), int16(p.atari(White)),
		ko, int16(p.passes), p.komi)
}

// atari returns the number of stones of side in chains with one liberty.
func (p *Position) atari(side games.Side) (stones int) {
	p.eachTight(side, 1, func(chain, liberties Bitboard) {
		if liberties.Count() == 1 {
			stones += chain.Count()
		}
	})
	return stones
}
