package draughts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/draughts"
	"kifu/kit/gametest"
)

// mailbox is a second, slow generator: a board of rows and columns, row 0 at Black's edge,
// and the rules as stated in words. It shares nothing with the bitboards but texts.
type mailbox struct {
	size                                int
	flying, backward, majority, passing bool
	letters, italian, frisian           bool
	runs                                [2]walk      // of kings of White and of Black, in Frisian draughts
	at                                  [10][10]byte // w W b B, capitals are kings; 0 empty
	white                               bool         // to move
	from                                [2]int
	lifted                              byte            // the man that moves
	found                               map[string]bool // "from to position" of the moves
	most                                []int           // the worth of the moves found, digit by digit
}

// walk is the number of moves in a row of a king.
type walk struct {
	row, column, moves int
}

func newMailbox(r draughts.Rules) *mailbox {
	switch r {
	case draughts.International:
		return &mailbox{size: 10, flying: true, backward: true, majority: true}
	case draughts.Frisian:
		return &mailbox{size: 10, flying: true, backward: true, frisian: true}
	case draughts.Brazilian:
		return &mailbox{size: 8, flying: true, backward: true, majority: true, letters: true}
	case draughts.Italian:
		return &mailbox{size: 8, italian: true}
	case draughts.Russian:
		return &mailbox{size: 8, flying: true, backward: true, passing: true, letters: true}
	}
	return &mailbox{size: 8}
}

func (b *mailbox) name(row, column int) string {
	if b.letters {
		return fmt.Sprintf("%c%d", 'a'+column, b.size-row)
	}
	return strconv.Itoa(row*b.size/2 + column/2 + 1)
}

func (b *mailbox) each(visit func(row, column int)) {
	for row := range b.size {
		for column := range b.size {
			if (row+column)%2 == 1 != b.italian {
				visit(row, column)
			}
		}
	}
}

// set reads a position as AppendPosition writes it.
func (b *mailbox) set(fen string) {
	b.at, b.runs = [10][10]byte{}, [2]walk{}
	fields := strings.Split(fen, ":")
	b.white = fields[0] == "W"
	for _, field := range fields[1:] {
		if field[0] == '+' {
			b.setRuns(field)
			continue
		}
		for _, item := range strings.Split(field[1:], ",") {
			man := field[0] | 0x20
			square, king := strings.CutPrefix(item, "K")
			if king {
				man -= 0x20
			}
			b.each(func(row, column int) {
				if b.name(row, column) == square {
					b.at[row][column] = man
				}
			})
		}
	}
}

// setRuns reads, as in +2(46)+0, how often a king of each side has moved in a row, and where it is if its
// side has several.
func (b *mailbox) setRuns(field string) {
	for i, number := range strings.Split(field[1:], "+") {
		moves, square, _ := strings.Cut(strings.TrimSuffix(number, ")"), "(")
		b.each(func(row, column int) {
			if b.at[row][column] == "WB"[i] && (square == "" || square == b.name(row, column)) && moves != "0" {
				b.runs[i] = walk{row, column, int(moves[0] - '0')}
			}
		})
	}
}

func (b *mailbox) count(man byte) (n int) {
	b.each(func(row, column int) {
		if b.at[row][column] == man {
			n++
		}
	})
	return n
}

// runsText is the inverse of setRuns; nothing if no king has moved.
func (b *mailbox) runsText() (text string) {
	for i, w := range b.runs {
		text += "+" + strconv.Itoa(w.moves)
		if w.moves > 0 && b.count("WB"[i]) > 1 {
			text += "(" + b.name(w.row, w.column) + ")"
		}
	}
	if text == "+0+0" {
		return ""
	}
	return ":" + text
}

// mover is the place of the side to move in runs.
func (b *mailbox) mover() int {
	if b.white {
		return 0
	}
	return 1
}

// walked counts a move to a square: of a king without a capture one more in a row, of any other none.
func (b *mailbox) walked(row, column int, quiet bool) {
	w := &b.runs[b.mover()]
	switch {
	case !quiet || !b.king(b.lifted):
		*w = walk{}
	case w.moves > 0 && b.from == [2]int{w.row, w.column}:
		*w = walk{row, column, w.moves + 1}
	default:
		*w = walk{row, column, 1}
	}
	for i := range b.runs {
		if w := b.runs[i]; b.count("wb"[i]) == 0 || w.moves > 0 && b.at[w.row][w.column] != "WB"[i] {
			b.runs[i] = walk{}
		}
	}
}

func (b *mailbox) text() string {
	var side [2][]string
	b.each(func(row, column int) {
		if man := b.at[row][column]; man != 0 {
			text := b.name(row, column)
			if man < 'a' {
				text = "K" + text
			}
			i := 0
			if man|0x20 == 'b' {
				i = 1
			}
			side[i] = append(side[i], text)
		}
	})
	mover := "W"
	if !b.white {
		mover = "B"
	}
	return mover + ":W" + strings.Join(side[0], ",") + ":B" + strings.Join(side[1], ",") + b.runsText()
}

func (b *mailbox) own(man byte) bool  { return man != 0 && (man|0x20 == 'w') == b.white }
func (b *mailbox) foe(man byte) bool  { return man != 0 && (man|0x20 == 'w') != b.white }
func (b *mailbox) king(man byte) bool { return man < 'a' }

func (b *mailbox) on(row, column int) bool {
	return row >= 0 && row < b.size && column >= 0 && column < b.size
}

func (b *mailbox) empty(row, column int) bool { return b.on(row, column) && b.at[row][column] == 0 }

func (b *mailbox) forward(dr int) bool { return (dr < 0) == b.white }

func (b *mailbox) lastRow(row int) bool {
	return b.white && row == 0 || !b.white && row == b.size-1
}

// directions are the diagonals, then those in which Frisian men capture too.
var directions = [8][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}}

// ways returns the directions of captures.
func (b *mailbox) ways() [][2]int {
	if b.frisian {
		return directions[:]
	}
	return directions[:4]
}

func (b *mailbox) moves() map[string]bool {
	b.found, b.most = map[string]bool{}, nil
	for _, step := range []func(int, int){b.captures, b.steps} {
		b.each(func(row, column int) {
			if b.own(b.at[row][column]) {
				step(row, column)
			}
		})
		if len(b.found) > 0 {
			break
		}
	}
	return b.found
}

// end notes the move that leaves man on the square, with the captured men removed.
func (b *mailbox) end(man byte, row, column int, taken [][2]int) {
	if b.lastRow(row) && !b.king(man) {
		man -= 0x20
	}
	switch worth := b.worth(taken); slices.Compare(worth, b.most) {
	case -1:
		return
	case 1:
		b.found, b.most = map[string]bool{}, worth
	}
	before := *b
	b.at[row][column] = man
	for _, t := range taken {
		b.at[t[0]][t[1]] = 0
	}
	if b.frisian {
		b.walked(row, column, len(taken) == 0)
	}
	b.white = !b.white
	text := fmt.Sprintf("%s %s %s", b.name(before.from[0], before.from[1]), b.name(row, column), b.text())
	found := b.found
	*b = before
	found[text] = true
}

// worth returns what decides between captures: their number, whether a king captures, the number of
// the kings, and for each of the captured whether it is one.
func (b *mailbox) worth(taken [][2]int) (worth []int) {
	if !b.majority && !b.italian && !b.frisian || len(taken) == 0 {
		return nil
	}
	if b.frisian { // a man counts 100, a king 199, and a king goes before a man
		worth = []int{0, 0}
		for _, t := range taken {
			worth[0] += 100
			if b.king(b.at[t[0]][t[1]]) {
				worth[0] += 99
			}
		}
		if b.king(b.lifted) {
			worth[1] = 1
		}
		return worth
	}
	if worth = []int{len(taken)}; b.majority {
		return worth
	}
	worth = append(worth, 0, 0)
	if b.king(b.lifted) {
		worth[1] = 1
	}
	for _, t := range taken {
		king := 0
		if b.king(b.at[t[0]][t[1]]) {
			king = 1
		}
		worth[2] += king
		worth = append(worth, king)
	}
	return worth
}

func (b *mailbox) lift(row, column int, f func(man byte)) {
	man := b.at[row][column]
	b.at[row][column], b.from, b.lifted = 0, [2]int{row, column}, man
	f(man)
	b.at[row][column] = man
}

func (b *mailbox) steps(row, column int) {
	if w := b.runs[b.mover()]; w.moves == 3 && w.row == row && w.column == column {
		return
	}
	b.lift(row, column, func(man byte) {
		for _, d := range directions[:4] {
			if !b.king(man) && !b.forward(d[0]) {
				continue
			}
			for n := 1; b.empty(row+n*d[0], column+n*d[1]); n++ {
				b.end(man, row+n*d[0], column+n*d[1], nil)
				if !b.king(man) || !b.flying {
					break
				}
			}
		}
	})
}

func (b *mailbox) captures(row, column int) {
	b.lift(row, column, func(man byte) { b.jumps(man, row, column, nil, true) })
}

// jumps continues a capture from a square, recording complete ones if note is set, and
// reports whether there was one more man to take.
func (b *mailbox) jumps(man byte, row, column int, taken [][2]int, note bool) bool {
	any := false
	for _, d := range b.ways() {
		if !b.king(man) && !b.backward && !b.forward(d[0]) {
			continue
		}
		r, c := row+d[0], column+d[1]
		for b.king(man) && b.flying && b.empty(r, c) {
			r, c = r+d[0], c+d[1]
		}
		if !b.on(r, c) || !b.foe(b.at[r][c]) || slices.Contains(taken, [2]int{r, c}) {
			continue
		}
		if b.italian && !b.king(man) && b.king(b.at[r][c]) {
			continue
		}
		more := append(slices.Clone(taken), [2]int{r, c})
		var landings [][2]int
		for r, c = r+d[0], c+d[1]; b.empty(r, c); r, c = r+d[0], c+d[1] {
			landings = append(landings, [2]int{r, c})
			if !b.king(man) || !b.flying {
				break
			}
		}
		if len(landings) == 0 {
			continue
		}
		any = true
		if !note {
			return true
		}
		b.land(man, landings, more)
	}
	return any
}

// land continues from each square behind a captured man: from those that allow it, or the
// move ends on any of them.
func (b *mailbox) land(man byte, landings, taken [][2]int) {
	ended := true
	for _, l := range landings {
		now := man
		if b.passing && b.lastRow(l[0]) && !b.king(man) {
			now -= 0x20
		}
		if b.jumps(now, l[0], l[1], taken, false) {
			ended = false
			b.jumps(now, l[0], l[1], taken, true)
		}
	}
	for _, l := range landings {
		if ended {
			b.end(man, l[0], l[1], taken)
		}
	}
}

// agree compares the moves of p, and where they lead, with those of the mailbox.
func agree(t *testing.T, r draughts.Rules, b *mailbox, p draughts.Position) {
	t.Helper()
	fen := string(r.AppendPosition(nil, p))
	b.set(fen)
	if b.text() != fen {
		t.Fatalf("%s reads %s as %s", r.Name(), fen, b.text())
	}
	want := b.moves()
	got := map[string]bool{}
	for _, m := range p.AppendMoves(nil) {
		squares := strings.FieldsFunc(string(r.AppendCoordinates(nil, p, m)), func(c rune) bool { return c == '-' || c == 'x' })
		got[fmt.Sprintf("%s %s %s", squares[0], squares[len(squares)-1], r.AppendPosition(nil, p.Play(m)))] = true
	}
	for text := range want {
		if !got[text] {
			t.Errorf("%s %s: %s is missing", r.Name(), fen, text)
		}
	}
	for text := range got {
		if !want[text] {
			t.Errorf("%s %s: %s is illegal", r.Name(), fen, text)
		}
	}
}

// scatter returns a position of random men and kings.
func scatter(t *testing.T, r draughts.Rules, b *mailbox, rng *rand.Rand) draughts.Position {
	b.at, b.runs, b.white = [10][10]byte{}, [2]walk{}, rng.IntN(2) == 0
	share := 2 + rng.IntN(8)
	b.each(func(row, column int) {
		if rng.IntN(share) > 0 {
			return
		}
		man := "wbWB"[rng.IntN(2+2*rng.IntN(2))]
		if man == 'w' && row == 0 || man == 'b' && row == b.size-1 {
			man -= 0x20
		}
		b.at[row][column] = man
	})
	p, err := r.ParsePosition(b.text())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMovesAreThoseOfTheMailbox(t *testing.T) {
	for _, r := range []draughts.Rules{draughts.Checkers, draughts.International, draughts.Russian, draughts.Brazilian, draughts.Italian, draughts.Frisian} {
		b := newMailbox(r)
		start, _, err := r.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(15) {
			gametest.Random(start, 150, seed, func(p draughts.Position, _ []games.Move) { agree(t, r, b, p) })
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 3000 {
			agree(t, r, b, scatter(t, r, b, rng))
		}
	}
}
