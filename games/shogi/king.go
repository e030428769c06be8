package shogi

import "kifu/games"

// kingArea has the squares around a king: five files and three ranks with the king in the
// middle. The middle is shifted to files 3–7 and ranks 2–8, so that all 15 squares are on the
// board. nearness is the weight of an attack on a square, by the king's file: 16 less the files
// between them.
var (
	kingArea [128]Bitboard
	nearness [16][128]uint8
)

// KingArea returns the squares around a king on s whose attackers count; none for
// NoSquare.
func KingArea(s Square) Bitboard { return kingArea[s&127] }

func fillAreas() {
	for s := Square(0); s < NoSquare; s++ {
		file, rank := min(max(s.File(), 2), 6), min(max(s.Rank(), 1), 7)
		for f := file - 2; f <= file+2; f++ {
			for r := rank - 1; r <= rank+1; r++ {
				kingArea[s] = kingArea[s].Or(At(f, r).Bit())
			}
		}
		for king := range 9 {
			nearness[king][s] = uint8(16 - max(king-s.File(), s.File()-king))
		}
	}
}

// handThreat is the addition of a piece in hand to the attack on the enemy king, by Kind.
var handThreat = [8]int{Pawn: 1, Lance: 4, Knight: 8, Silver: 8, Gold: 8, Bishop: 12, Rook: 12}

// Pressure holds the attacks on the kings' areas, counted as OpenShogiLib does
// (Effect5x3, the King's Unsafety of Takeuchi et al. 2007). For a side without a king all
// is 0.
type Pressure struct {
	Attack  [2]int // on each side's king: half the weighted attacks of the other side, and its hand
	Defence [2]int // of each side's king: half the weighted attacks of its own pieces
}

// sixteenth is the top of the scales of unsafety, defence and progress.
const sixteenth = 15

// Unsafety returns the unsafety of side's king by attack, 0 to 15 sixteenths.
func (x *Pressure) Unsafety(side games.Side) int { return min(x.Attack[side&1]/8, sixteenth) }

// Cover returns the defence of side's king, 0 to 15 sixteenths.
func (x *Pressure) Cover(side games.Side) int {
	return min(max(x.Defence[side&1]/8-8, 0), sixteenth)
}

// Progress returns how far the game has gone, 0 to 15 sixteenths: the attack on both
// kings, not the material, shows.
func (x *Pressure) Progress() int { return min((x.Attack[Black]+x.Attack[White])/8, sixteenth) }

// Pressure counts what bears on both kings.
func (p *Position) Pressure() Pressure {
	var x Pressure
	kings := [2]Square{p.King(Black), p.King(White)}
	occ := p.Occupied()
	for b := occ; !b.Empty(); b = b.Rest() {
		s := b.First()
		side := p.SideAt(s)
		x.Add(side, Attacks(p.KindAt(s), side, s, occ), kings)
	}
	x.Finish(p)
	return x
}

// Add adds the squares that a piece of side attacks; kings are the kings' squares.
func (x *Pressure) Add(side games.Side, reach Bitboard, kings [2]Square) {
	own, other := kings[side&1], kings[side&1^1]
	x.Defence[side&1] += Weigh(reach.And(kingArea[own&127]), own)
	x.Attack[side&1^1] += Weigh(reach.And(kingArea[other&127]), other)
}

// Finish halves the sums and adds the hands, when all pieces of p have been added.
func (x *Pressure) Finish(p *Position) {
	for side := Black; side <= White; side++ {
		x.Defence[side] /= 2
		x.Attack[side] /= 2
		if p.Kings().And(p.colour(side)).Empty() {
			continue
		}
		for k := Pawn; k <= Gold; k++ {
			x.Attack[side] += handThreat[k] * p.hands[side^1].Count(k)
		}
	}
}

// Weigh adds up the weights of attacks on squares near the king.
func Weigh(squares Bitboard, king Square) int {
	n := 0
	for row := &nearness[king.File()&15]; !squares.Empty(); squares = squares.Rest() {
		n += int(row[squares.First()&127])
	}
	return n
}
