package motifs

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/chess"
)

// line plays a line of moves in UCI from a FEN.
func line(t testing.TB, fen, moves string) (positions []chess.Position, played []games.Move) {
	t.Helper()
	p, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatal(fen, err)
	}
	positions = append(positions, p)
	for _, word := range strings.Fields(moves) {
		m, err := chess.Rules{}.ParseMove(p, []byte(word))
		if err != nil {
			t.Fatal(fen, word, err)
		}
		p = p.Play(m)
		played, positions = append(played, m), append(positions, p)
	}
	return positions, played
}

// number returns the index of a motif in all, -1 for none.
func number(name string) int {
	for i, m := range all {
		if m.name == name {
			return i
		}
	}
	return -1
}

// cases returns the rows of a table without its head.
func cases(text []byte) (rows [][]string) {
	for _, row := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		rows = append(rows, strings.Split(row, "\t"))
	}
	return rows
}

// TestMoves compares the motifs of the moves of short lines with those that testdata/moves.tsv expects: for
// each motif a line with such a move, and one that nearly has it.
func TestMoves(t *testing.T) {
	text, err := os.ReadFile("testdata/moves.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range cases(text) {
		n := number(f[0])
		if n < 0 {
			t.Fatalf("no motif %s", f[0])
		}
		positions, moves := line(t, f[1], f[2])
		has := false
		for i := range moves {
			has = has || Chess{}.MotifsOf(positions, moves, i)>>n&1 != 0
		}
		if has != (f[3] == "yes") {
			t.Errorf("%s, %s %s: %v", f[0], f[1], f[2], has)
		}
		seen[f[0]+f[3]] = true
	}
	for _, m := range all {
		if !seen[m.name+"yes"] || !seen[m.name+"no"] {
			t.Errorf("%s has no move with it, or none without it", m.name)
		}
	}
}

// otherwise are the cases of lichess that are told otherwise here, or not at all, each with the reason that
// docs/motifs.md gives.
var otherwise = map[string]string{
	"defensive_move 5Winv":      "no motif here",
	"piece_endgame Zjk3J":       "no motif here",
	"piece_endgame p5BrZ":       "no motif here",
	"piece_endgame qgryh":       "no motif here",
	"pin_prevents_attack spQRx": "a pin to a rook",
	"sacrifice uHVch":           "the answer after the next gives the material back",
	"trapped_piece pqkqG":       "the answer takes a knight",
}

// TestMotifsOfLichess compares with the cases of a program that tags puzzles: FEN before the opponent's
// move, the line with that move first, and whether it has the motif. $KIFU_ORACLE has them as
// motifs_dev.tsv. A puzzle has a motif if one of the solver's moves has it.
func TestMotifsOfLichess(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("KIFU_ORACLE"), "motifs_dev.tsv"))
	if err != nil {
		t.Skip("KIFU_ORACLE names no directory with motifs_dev.tsv")
	}
	names := map[string]string{"under_promotion": "underpromotion", "collinear": "collinear_move"}
	right, seen := 0, 0
	for _, f := range cases(text) {
		n := number(cmp.Or(names[f[0]], f[0]))
		positions, moves := line(t, f[2], f[3])
		has := false
		for i := 1; i < len(moves); i += 2 {
			has = has || n >= 0 && Chess{}.MotifsOf(positions, moves, i)>>n&1 != 0
		}
		agrees := n >= 0 && has == (f[4] == "yes")
		seen++
		if agrees {
			right++
		}
		if name := f[0] + " " + f[1]; agrees != (otherwise[name] == "") {
			t.Errorf("%s: %v, expected %s", name, has, f[4])
		}
	}
	if t.Logf("%d of %d", right, seen); 10*right < 9*seen {
		t.Errorf("only %d of %d are as expected", right, seen)
	}
}
