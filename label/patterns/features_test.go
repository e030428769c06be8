package patterns

import (
	"context"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/games"
	"kifu/games/chess"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/schemas"
)

// TestPlantedFeatures: players of Othello who take a move with a chance in proportion to e^2 if it lies
// beside the last one, and e^-1 if it takes three discs or more. The weights come back, as
// differences: of the distances each move has one, so that only their differences matter.
func TestPlantedFeatures(t *testing.T) {
	const beside, many = 2.0, -1.0
	var last int
	rules := othello.Rules{}
	records := simulate(240, func(r *rand.Rand, p othello.Position, moves []games.Move) games.Move {
		cells := rules.AppendCells(nil, p)
		best, most, to := moves[0], math.Inf(-1), -1
		for _, m := range moves {
			marks := rules.AppendMarks(nil, p, m)
			value := -math.Log(-math.Log(r.Float64()))
			if len(marks) > 0 {
				at, taken := marks[len(marks)-1], 0
				for i, piece := range rules.AppendCells(nil, p.Play(m)) {
					if cells[i] != 0 && cells[i] != piece {
						taken++
					}
				}
				dx, dy := math.Abs(float64(at%8-last%8)), math.Abs(float64(at/8-last/8))
				if last >= 0 && dx+dy+max(dx, dy) == 2 {
					value += beside
				}
				if taken >= 3 {
					value += many
				}
				if value > most {
					best, most, to = m, value, at
				}
			}
		}
		if last = to; to >= 0 && p.Play(best).Outcome() != games.Undecided {
			last = -1
		}
		return best
	})
	in := positions(t, records)
	d := build(t, schemas.Predictions(), func(b *datasets.Builder) error {
		return Run(context.Background(), rules, Params{MinPlayed: 3, MaxSize: 1, Holdout: 0.2, Seed: 1, Features: true, Weigh: 0.7, MaxWeigh: 1 << 20}, 2, in, b)
	})
	text, err := os.ReadFile(filepath.Join(d.Path, "features.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	weight, se := map[string]float64{}, map[string]float64{}
	for _, row := range rows[1:] {
		weight[row[0]], _ = strconv.ParseFloat(row[1], 64)
		se[row[0]], _ = strconv.ParseFloat(row[2], 64)
	}
	for _, x := range []struct {
		name string
		got  float64
		want float64
	}{
		{"beside the last", weight["distance 2 to the move before"] - weight["distance 6 to the move before"], beside},
		{"not beside it", weight["distance 4 to the move before"] - weight["distance 6 to the move before"], 0},
		{"takes three", weight["takes three pieces or more"] - weight["takes one piece"], many},
		{"takes two", weight["takes two pieces"] - weight["takes one piece"], 0},
	} {
		if math.Abs(x.got-x.want) > 0.25 {
			t.Errorf("%s: %.3f, want %v", x.name, x.got, x.want)
		}
	}
	if se["takes three pieces or more"] <= 0 || se["takes three pieces or more"] > 0.15 {
		t.Errorf("error %v", se["takes three pieces or more"])
	}
}

func TestDistance(t *testing.T) {
	for _, x := range []struct {
		b    int
		name string
	}{{0, "0"}, {1, "2"}, {9, "3"}, {2, "4"}, {10, "5"}, {18, "6"}, {11, "7"}, {19, "8 to 9"}, {63, "17 or more"}} {
		if got := distanceNames[distance(8, 0, x.b)]; got != x.name {
			t.Errorf("distance to cell %d: %s, want %s", x.b, got, x.name)
		}
	}
}

// keysOf returns the keys of a move, found by its text.
func keysOf[P games.Position[P]](t *testing.T, rules games.Rules[P], position, move string) (keys []uint64) {
	t.Helper()
	p, _, err := rules.Start("", position)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.AppendMoves(nil) {
		if string(rules.AppendCoordinates(nil, p, m)) == move {
			Of(rules).EachPattern(p, []games.Move{m}, func(_ int, key uint64) bool {
				keys = append(keys, key)
				return true
			})
			return keys
		}
	}
	t.Fatalf("%s is not legal", move)
	return nil
}

// TestDrawnPatterns: a position and the same with the sides exchanged have equal keys; what
// differs in one place only has equal keys up to the size that sees it.
func TestDrawnPatterns(t *testing.T) {
	white := keysOf(t, chess.Rules{}, "rnbqkbnr/pppp1ppp/8/4p3/2B5/8/PPPPPPPP/RNBQK1NR w KQkq - 0 1", "c4f7")
	black := keysOf(t, chess.Rules{}, "rnbqk1nr/pppppppp/8/2b5/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "c5f2")
	if len(white) != len(drawnNames) || !slices.Equal(white, black) {
		t.Errorf("the sides exchanged: %x and %x", white, black)
	}
	same := func(a, b []uint64) (n int) {
		for n < len(a) && a[n] == b[n] {
			n++
		}
		return n
	}
	const from = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
	own := keysOf(t, chess.Rules{}, from, "a1a4")
	for _, x := range []struct {
		position string
		want     int
	}{
		{"4k3/8/8/8/n7/8/8/R3K3 w - - 0 1", 1},  // it takes
		{"4k3/8/8/1n6/8/8/8/R3K3 w - - 0 1", 2}, // beside the target
		{"4k3/8/8/8/8/8/1n6/R3K3 w - - 0 1", 3}, // beside the source
		{"4k3/8/8/8/2n5/8/8/R3K3 w - - 0 1", 4}, // two from the target
		{"4k3/7n/8/8/8/8/8/R3K3 w - - 0 1", 5},  // far away
		{"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 0},   // another piece
	} {
		if got := same(own, keysOf(t, chess.Rules{}, x.position, "a1a4")); got != x.want {
			t.Errorf("%s: the first %d keys are equal, want %d", x.position, got, x.want)
		}
	}
	first := keysOf(t, draughts.Checkers, "B:W21,22,23:B1,2,11", "11-15")
	second := keysOf(t, draughts.Checkers, "W:B12,11,10:W32,31,22", "22-18")
	if !slices.Equal(first, second) {
		t.Errorf("checkers, the sides exchanged: %x and %x", first, second)
	}
}
