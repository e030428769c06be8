package shogi

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/games"
)

// drawn are castles as books draw them: the last four ranks on the left or right wing of a board of 9 files, file 9 on the left.
var drawn = map[string][]string{
	"yagura":       {".........", "..SG.....", ".KG......", "........."},
	"mino":         {".........", ".........", "......SK.", ".....G..."},
	"high_mino":    {".........", ".....G...", "......SK.", ".....G..."},
	"silver_crown": {".........", ".......S.", "......GK.", "........."},
	"anaguma":      {".........", ".........", ".......SL", "........K"},
	"boat":         {".........", ".........", "..K.G....", "..SG....."},
	"crab":         {".........", ".........", "..GSG....", "...K....."},
}

// oneWing are the castles that are not built on the other wing.
var oneWing = map[string]bool{"yagura": true, "boat": true, "crab": true}

// TestCastles compares the castles with their drawings: on either side of the board, mirrored, complete and with a piece
// missing or moved.
func TestCastles(t *testing.T) {
	r, seen := rand.New(rand.NewPCG(13, 14)), map[string]int{}
	for range 4000 {
		names := [2]string{}
		var board [9][9]byte
		for side := range 2 {
			names[side] = castles[r.IntN(len(castles))].name
			rows, mirror := drawn[names[side]], r.IntN(3) == 0
			missing := r.IntN(6)
			for row, text := range rows {
				for x := range 9 {
					piece := text[x]
					if piece == '.' {
						continue
					}
					if missing--; missing == -1 && piece != 'K' {
						continue
					}
					at := [2]int{5 + row, x}
					if mirror {
						at[1] = 8 - x
					}
					if side == 1 {
						at, piece = [2]int{8 - at[0], 8 - at[1]}, piece+'a'-'A'
					}
					board[at[0]][at[1]] = piece
				}
			}
		}
		p, _, err := Rules{}.Start("", sfenOf(board))
		if err != nil {
			continue // both sides cannot be in check, and so on
		}
		for _, relation := range (Rules{}).Relations() {
			rows, known := drawn[relation.Name]
			if !known {
				continue
			}
			want := 0
			for side := range 2 {
				if shows(board, rows, side, false) || !oneWing[relation.Name] && shows(board, rows, side, true) {
					want++
				}
			}
			kings := games.Selection{Pieces: ^uint32(0), Cells: [6]uint64{^uint64(0), ^uint64(0)}}
			if got := relation.Count(p, []games.Selection{kings}); got != want {
				t.Fatalf("%s in %s: %d, want %d", relation.Name, sfenOf(board), got, want)
			}
			seen[relation.Name] += want
		}
	}
	for name := range drawn {
		if seen[name] < 100 {
			t.Errorf("%s was seen %d times", name, seen[name])
		}
	}
}

// shows reports whether a side's half of the board has what is drawn.
func shows(board [9][9]byte, rows []string, side int, mirror bool) bool {
	for row, text := range rows {
		for x := range 9 {
			y, file, piece := 5+row, x, text[x]
			if piece == '.' {
				continue
			}
			if mirror {
				file = 8 - file
			}
			if side == 1 {
				y, file, piece = 8-y, 8-file, piece+'a'-'A'
			}
			if board[y][file] != piece {
				return false
			}
		}
	}
	return true
}

// sfenOf writes a board with Black to move.
func sfenOf(board [9][9]byte) string {
	var ranks []string
	for _, row := range board {
		rank, empty := "", 0
		for x, piece := range row {
			if piece == 0 {
				empty++
			}
			if empty > 0 && (piece != 0 || x == 8) {
				rank, empty = rank+string(byte('0'+empty)), 0
			}
			if piece != 0 {
				rank += string(piece)
			}
		}
		ranks = append(ranks, rank)
	}
	return strings.Join(ranks, "/") + " b - 1"
}
