package shogi

import "kifu/games"

// rookFiles are the names of the openings by the file of the rook, counted from the own
// right as players name them: a rook that has moved to the left ranges. The home file has
// no name.
var rookFiles = [10]string{3: "袖飛車", 4: "右四間飛車", 5: "中飛車", 6: "四間飛車", 7: "三間飛車", 8: "向かい飛車"}

// OpeningName names the opening by where the pieces are: a ranging rook by its file,
// 相振り飛車 when both range; with neither 角換わり, 雁木, 矢倉, 横歩取り or 相掛かり. The rules, in
// docs/evaluators/shogi.md, are kifu's own. A rook that has left the last three ranks of its
// side shows nothing but the taking of the side pawn.
func (Rules) OpeningName(p Position) string {
	black, white := camp{&p, Black}, camp{&p, White}
	if black.tookSidePawn(white) || white.tookSidePawn(black) {
		return "横歩取り"
	}
	mine, theirs := black.rook(), white.rook()
	if mine == 0 || theirs == 0 {
		return ""
	}
	switch first, second := mine >= 5, theirs >= 5; {
	case first && second:
		return "相振り飛車"
	case first:
		return rookFiles[mine]
	case second:
		return rookFiles[theirs]
	}
	if name := static(&p, black, white); name != "" {
		return name
	}
	for _, file := range []int{mine, theirs} {
		if name := rookFiles[file]; name != "" {
			return name
		}
	}
	return ""
}

// static names an opening in which no rook ranges.
func static(p *Position, black, white camp) string {
	switch gone := black.pawn(2) == 0 && white.pawn(2) == 0; {
	case p.hands[Black].Count(Bishop) == 1 && p.hands[White].Count(Bishop) == 1:
		return "角換わり"
	case black.wildGoose() || white.wildGoose():
		return "雁木"
	case black.fortress() || white.fortress():
		return "矢倉"
	case gone && (black.pawn(7) == 0 || white.pawn(7) == 0):
		return "横歩取り"
	case black.pawn(2) <= 5 && white.pawn(2) <= 5:
		return "相掛かり"
	}
	return ""
}

// camp is a position as side sees it: its own home rank is 9, its own right file 1.
type camp struct {
	p    *Position
	side games.Side
}

// at reports whether an own piece of kind k is on a square in the side's own counting.
func (c camp) at(k Kind, file, rank int) bool {
	s := At(file-1, rank-1)
	if c.side == White {
		s = At(9-file, 9-rank)
	}
	return c.p.KindAt(s) == k && c.p.SideAt(s) == c.side
}

// rook returns the file of the own rook in the last three ranks; 0 for none or two.
func (c camp) rook() (found int) {
	for file := 1; file <= 9; file++ {
		for rank := 7; rank <= 9; rank++ {
			if c.at(Rook, file, rank) {
				if found > 0 {
					return 0
				}
				found = file
			}
		}
	}
	return found
}

// pawn returns the rank of the own pawn on a file, 0 without one.
func (c camp) pawn(file int) int {
	for rank := 2; rank <= 9; rank++ {
		if c.at(Pawn, file, rank) {
			return rank
		}
	}
	return 0
}

// tookSidePawn reports a rook on file 3 that has just taken the side pawn, or is back on the
// sixth rank. The rook pawns are gone, and so is the pawn of other next to its rook pawn.
func (c camp) tookSidePawn(other camp) bool {
	return (c.at(Rook, 3, 4) || c.at(Rook, 3, 6)) && c.pawn(2) == 0 && other.pawn(7) == 0 && c.pawn(7) <= 6
}

// fortress reports the silver on 7g under a pawn on 7f: 矢倉.
func (c camp) fortress() bool { return c.at(Silver, 7, 7) && c.at(Pawn, 7, 6) }

// wildGoose reports silver 6g and gold 7h behind pawns on 7f and 6f: 雁木.
func (c camp) wildGoose() bool {
	return c.at(Silver, 6, 7) && c.at(Gold, 7, 8) && c.at(Pawn, 7, 6) && c.at(Pawn, 6, 6)
}
