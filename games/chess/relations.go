package chess

import "kifu/games"

var _ games.Relations[Position] = Rules{}

// Relations returns the relations between men, and those of pawns and files.
func (Rules) Relations() []games.Relation[Position] { return relations }

var relations = []games.Relation[Position]{
	{Name: "attackers", Params: []string{"target", "by"}, Doc: "men of `by` that attack a square of `target`",
		Count: func(p Position, a []games.Selection) int {
			return p.attackersOf(p.selected(&a[0]), p.selected(&a[1])).Count()
		}},
	{Name: "attacked", Params: []string{"target", "by"}, Doc: "squares of `target` that a man of `by` attacks",
		Count: func(p Position, a []games.Selection) int {
			return (p.selected(&a[0]) & p.attacksOf(p.selected(&a[1]), p.Occupied())).Count()
		}},
	{Name: "xray", Params: []string{"target", "by"}, Doc: "bishops, rooks and queens of `by` that attack a square of `target` through one man",
		Count: func(p Position, a []games.Selection) int { return p.behind(p.selected(&a[0]), p.selected(&a[1])) }},
	{Name: "pinned", Params: []string{"men"}, Doc: "men that may only move on the line to their king",
		Count: func(p Position, a []games.Selection) int {
			return (p.selected(&a[0]) & (p.Pinned(White) | p.Pinned(Black))).Count()
		}},
	{Name: "exchange", Params: []string{"target"}, Doc: "the most that the side to move wins by captures on a square of `target`, in hundredths of a pawn (1, 3, 3, 5, 9)",
		Count: func(p Position, a []games.Selection) int { return p.bestExchange(p.selected(&a[0])) }},
	{Name: "checkers", Doc: "men that give check",
		Count: func(p Position, _ []games.Selection) int { return p.Checkers().Count() }},
	{Name: "passed", Params: []string{"men"}, Doc: "pawns without an enemy pawn in front of them on their file or an adjacent one",
		Count: func(p Position, a []games.Selection) int { return p.pawnsThat(&a[0], passedPawns) }},
	{Name: "doubled", Params: []string{"men"}, Doc: "pawns with an own pawn in front of them",
		Count: func(p Position, a []games.Selection) int { return p.pawnsThat(&a[0], doubledPawns) }},
	{Name: "isolated", Params: []string{"men"}, Doc: "pawns without an own pawn on adjacent files",
		Count: func(p Position, a []games.Selection) int { return p.pawnsThat(&a[0], isolatedPawns) }},
	{Name: "backward", Params: []string{"men"}, Doc: "pawns, not isolated, behind all own pawns on adjacent files, whose next square an enemy pawn blocks or attacks",
		Count: func(p Position, a []games.Selection) int { return p.pawnsThat(&a[0], backwardPawns) }},
	{Name: "chained", Params: []string{"men"}, Doc: "pawns that defend a pawn or are defended by one",
		Count: func(p Position, a []games.Selection) int { return p.pawnsThat(&a[0], chainedPawns) }},
	{Name: "on_open_file", Params: []string{"men"}, Doc: "squares of `men` on files without pawns",
		Count: func(p Position, a []games.Selection) int { return (p.selected(&a[0]) &^ p.Pawns().FileFill()).Count() }},
	{Name: "on_half_open_file", Params: []string{"men"}, Doc: "men on files with enemy pawns but no own pawn",
		Count: func(p Position, a []games.Selection) int {
			men, open := p.selected(&a[0]), Bitboard(0)
			for side := White; side <= Black; side++ {
				own := p.Pawns() & p.Side(side)
				open |= p.Side(side) & (p.Pawns() &^ own).FileFill() &^ own.FileFill()
			}
			return (men & open).Count()
		}},
	{Name: "fianchettoed", Params: []string{"men"}, Doc: "bishops on b2 or g2 (b7, g7) behind an own pawn on b3 or g3 (b6, g6)",
		Count: func(p Position, a []games.Selection) int {
			white, black := p.Pawns()&p.Side(White)&(flanks<<16), p.Pawns()&p.Side(Black)&(flanks<<40)
			homes := white.South()&p.Side(White) | black.North()&p.Side(Black)
			return (p.selected(&a[0]) & p.Bishops() & homes).Count()
		}},
}

// flanks are b1 and g1.
const flanks Bitboard = 1<<1 | 1<<6

// selected returns the squares of a selection.
func (p *Position) selected(s *games.Selection) (all Bitboard) {
	on := Bitboard(s.Cells[0]).Flip() // the upper rank comes first
	if s.Pieces&1 != 0 {
		all = on &^ p.Occupied()
	}
	for side := White; side <= Black; side++ {
		kinds := s.Pieces >> (1 + int(side)*blackMen) & (1<<blackMen - 1)
		own := on & p.Side(side)
		for k := Pawn; kinds != 0; k, kinds = k+1, kinds>>1 {
			if kinds&1 != 0 {
				all |= own & p.Kind(k)
			}
		}
	}
	return all
}

// attackersOf returns the men of a set that attack a square of target.
func (p *Position) attackersOf(target, men Bitboard) (attackers Bitboard) {
	men &= p.Occupied()
	for ; target != 0; target = target.Rest() {
		attackers |= p.Attackers(target.First(), p.Occupied()) & men
	}
	return attackers
}

// attacksOf returns the squares that men of a set attack when occ is occupied.
func (p *Position) attacksOf(men, occ Bitboard) (attacked Bitboard) {
	for ; men != 0; men = men.Rest() {
		attacked |= p.AttacksFrom(men.First(), occ)
	}
	return attacked
}

// behind counts the men of a set that attack a square of target through exactly one man.
func (p *Position) behind(target, men Bitboard) (n int) {
	occ := p.Occupied()
	for men &= p.Diagonal() | p.Straight(); men != 0; men = men.Rest() {
		s := men.First()
		for reach := p.AttacksFrom(s, 0) & target; reach != 0; reach = reach.Rest() {
			if b := Between(s, reach.First()) & occ; b != 0 && b.Rest() == 0 {
				n++
				break
			}
		}
	}
	return n
}

// bestExchange returns the greatest static exchange value of a capture on a square of target, 0 without a gain.
func (p *Position) bestExchange(target Bitboard) int {
	var buffer [256]games.Move
	best := int32(0)
	for _, m := range p.AppendMoves(buffer[:0]) {
		if p.IsCapture(m) && target.Has(To(m)) {
			for p.ExchangeAtLeast(m, best+100) {
				best += 100
			}
		}
	}
	return int(best)
}

// pawnsThat counts the selected pawns that are of a kind; kind gets own and enemy pawns as White sees them.
func (p *Position) pawnsThat(s *games.Selection, kind func(own, their Bitboard) Bitboard) int {
	white, black := p.Pawns()&p.Side(White), p.Pawns()&p.Side(Black)
	return (p.selected(s) & (kind(white, black) | kind(black.Flip(), white.Flip()).Flip())).Count()
}

func passedPawns(own, their Bitboard) Bitboard {
	front := their.South().SouthFill()
	return own &^ (front | front.East() | front.West())
}

func doubledPawns(own, _ Bitboard) Bitboard { return own & own.South().SouthFill() }

func isolatedPawns(own, _ Bitboard) Bitboard {
	files := own.FileFill()
	return own &^ (files.East() | files.West())
}

func backwardPawns(own, their Bitboard) Bitboard {
	held := (their | PawnsAttack(Black, their)).South()
	supported := own.East() | own.West()
	return own & held &^ supported.NorthFill() &^ isolatedPawns(own, their)
}

func chainedPawns(own, _ Bitboard) Bitboard {
	return own & (PawnsAttack(White, own) | PawnsAttack(Black, own))
}
