package patterns

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/othello"
	"kifu/games/tictactoe"
	"kifu/internal/splitmix"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// record is a decision of a simulated game.
type record struct {
	game, ply int
	p         othello.Position
	chosen    games.Move
}

// simulate plays games of Othello in which policy chooses the moves.
func simulate(n int, policy func(r *rand.Rand, p othello.Position, moves []games.Move) games.Move) (all []record) {
	r := rand.New(rand.NewPCG(4, 2))
	for game := range n {
		p := othello.Start()
		for ply := 0; p.Outcome() == games.Undecided; ply++ {
			m := policy(r, p, p.AppendMoves(nil))
			all = append(all, record{game, ply, p, m})
			p = p.Play(m)
		}
	}
	return all
}

// positions writes records as a dataset of row groups of 500 positions.
func positions(t *testing.T, records []record) *datasets.Dir {
	t.Helper()
	rules := othello.Rules{}
	var own []schemas.GameColumn
	for _, c := range rules.Columns() {
		own = append(own, schemas.GameColumn{Name: c.Name, Doc: c.Doc})
	}
	table := schemas.Positions(rules.BoardSize(), own, false)
	return build(t, table, func(b *datasets.Builder) error {
		b.SetMeta("game", rules.Name())
		var groups []*columns.Batch
		for group := range slices.Chunk(records, 500) {
			batch := columns.NewBatch(table)
			for _, r := range group {
				appendRecord(batch, r)
			}
			groups = append(groups, batch)
		}
		return datasettest.Part(b, 0, groups...)
	})
}

func appendRecord(b *columns.Batch, r record) {
	rules := othello.Rules{}
	values := rules.AppendColumns(nil, r.p)
	b.Rows++
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(int64(r.game))
		case "ply":
			v.AppendInt32(int32(r.ply))
		case "first_to_move":
			v.AppendBool(r.p.ToMove() == games.First)
		case "move":
			v.AppendBytes(rules.AppendCoordinates(nil, r.p, r.chosen))
		case "hash":
			v.AppendUint64(r.p.Hash())
		case "board":
			v.AppendBytes(rules.AppendBoard(nil, r.p))
		default:
			if v.Column.Nullable {
				v.AppendNull()
			} else {
				v.AppendInt32(int32(values[i-len(b.Cols)+len(values)]))
			}
		}
	}
}

func build(t *testing.T, table schemas.Table, run func(b *datasets.Builder) error) *datasets.Dir {
	t.Helper()
	dir := t.TempDir()
	return datasettest.Build(t, dir, datasets.Step{Stage: "test", Output: table.ID(), Params: dir,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			return run(b)
		}})
}

// predicted runs the stage and reads its rows.
func predicted(t *testing.T, p Params, workers int, in *datasets.Dir) (*datasets.Dir, *columns.Batch) {
	t.Helper()
	d := build(t, schemas.Predictions(), func(b *datasets.Builder) error {
		return Run(context.Background(), othello.Rules{}, p, workers, in, b)
	})
	return d, datasettest.Rows(t, d)
}

// lowest plays the pattern with the lowest key of a size, which the stage has to find out.
func lowest(size int) func(*rand.Rand, othello.Position, []games.Move) games.Move {
	return func(r *rand.Rand, p othello.Position, moves []games.Move) games.Move {
		best, least := games.Move(0), uint64(math.MaxUint64)
		n := make([]int, len(moves))
		othello.Rules{}.EachPattern(p, moves, func(move int, key uint64) bool {
			if n[move]++; n[move] <= size {
				return true
			}
			// Only one bit of the key: many moves are alike, and chance decides.
			if key = key>>5&1<<32 + uint64(r.Uint32())>>1; key < least {
				best, least = moves[move], key
			}
			return false
		})
		return best
	}
}

var defaults = Params{MinPlayed: 3, Holdout: 0.3, Seed: 1}

// share returns the share of decisions predicted correctly.
func share(b *columns.Batch) (first, chance float64) {
	for i := range b.Rows {
		if b.Col("better").Int32[i] == 0 {
			first += 1 / float64(b.Col("equal").Int32[i])
		}
		chance += 1 / float64(b.Col("legal_moves").Int32[i])
	}
	return first / float64(b.Rows), chance / float64(b.Rows)
}

// TestPlantedPolicy: the moves of a player who looks at 3×3 alone can mostly be predicted,
// those of a random player not at all.
func TestPlantedPolicy(t *testing.T) {
	_, b := predicted(t, defaults, 2, positions(t, simulate(150, lowest(1))))
	random := func(r *rand.Rand, _ othello.Position, moves []games.Move) games.Move {
		return moves[r.IntN(len(moves))]
	}
	_, c := predicted(t, defaults, 2, positions(t, simulate(150, random)))
	planted, chance := share(b)
	if planted < chance+0.1 {
		t.Errorf("a player of patterns: %.3f predicted, %.3f by chance", planted, chance)
	}
	none, chance := share(c)
	if math.Abs(none-chance) > 0.04 {
		t.Errorf("a player of chance: %.3f predicted, %.3f by chance", none, chance)
	}
}

// TestCopies: a game and its copy are both learned from, or both predicted.
func TestCopies(t *testing.T) {
	records := simulate(40, lowest(1))
	for _, r := range records {
		r.game += 40
		records = append(records, r)
	}
	_, b := predicted(t, defaults, 2, positions(t, records))
	held := map[int64]bool{}
	for _, game := range b.Col("game_id").Int64 {
		held[game] = true
	}
	if len(held) < 10 || len(held) > 60 {
		t.Errorf("%d of 80 games are predicted", len(held))
	}
	for game := range held {
		if !held[(game+40)%80] {
			t.Errorf("game %d is predicted, and its copy is not", game)
		}
	}
}

// TestRates recomputes rates, ranks and probabilities from the records, by maps.
func TestRates(t *testing.T) {
	records := simulate(60, lowest(1))
	d, b := predicted(t, defaults, 2, positions(t, records))
	played, available := map[uint64]int{}, map[uint64]int{}
	var decisions, legal int
	each := func(held bool, f func(r record, moves []games.Move, keys map[games.Move][]uint64)) {
		for _, r := range records {
			moves := r.p.AppendMoves(nil)
			if (splitmix.Share(1, int64(r.game)) < 0.3) != held || len(moves) < 2 {
				continue
			}
			keys := map[games.Move][]uint64{}
			othello.Rules{}.EachPattern(r.p, moves, func(m int, key uint64) bool {
				keys[moves[m]] = append(keys[moves[m]], key)
				return true
			})
			f(r, moves, keys)
		}
	}
	each(false, func(r record, moves []games.Move, keys map[games.Move][]uint64) {
		decisions, legal = decisions+1, legal+len(moves)
		for m, own := range keys {
			for _, key := range own {
				available[key]++
				if m == r.chosen {
					played[key]++
				}
			}
		}
	})
	i := 0
	each(true, func(r record, moves []games.Move, keys map[games.Move][]uint64) {
		rates, sum := map[games.Move]float64{}, 0.0
		for m, own := range keys {
			rate := float64(decisions) / float64(legal)
			for _, key := range own {
				if played[key] < 3 {
					break
				}
				rate = (float64(played[key]) + rate) / (float64(available[key]) + 1)
			}
			rates[m] = rate
		}
		var better, equal int32
		for _, m := range moves {
			sum += rates[m]
			if rates[m] > rates[r.chosen] {
				better++
			}
			if rates[m] == rates[r.chosen] {
				equal++
			}
		}
		if b.Col("game_id").Int64[i] != int64(r.game) || b.Col("better").Int32[i] != better || b.Col("equal").Int32[i] != equal ||
			math.Abs(float64(b.Col("rate").Float32[i])-rates[r.chosen]) > 1e-6 || math.Abs(float64(b.Col("probability").Float32[i])-rates[r.chosen]/sum) > 1e-6 {
			t.Fatalf("decision %d of game %d: better %d, equal %d, rate %v; want %d, %d, %v", i, r.game,
				b.Col("better").Int32[i], b.Col("equal").Int32[i], b.Col("rate").Float32[i], better, equal, rates[r.chosen])
		}
		i++
	})
	if i != b.Rows {
		t.Errorf("%d decisions, want %d", b.Rows, i)
	}
	text, err := d.ReadFile("sizes.csv")
	if err != nil || !strings.Contains(string(text), "\n1,square,") || !strings.Contains(string(text), fmt.Sprintf(",%d\n", decisions)) {
		t.Errorf("sizes.csv: %v\n%s", err, text)
	}
}

// TestWorkers: the files do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	in := positions(t, simulate(80, lowest(2)))
	one, _ := predicted(t, defaults, 1, in)
	three, _ := predicted(t, defaults, 3, in)
	for _, name := range []string{"part-00000.parquet", "sizes.csv"} {
		a, err := os.ReadFile(filepath.Join(one.Path, name))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(three.Path, name)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs (%v)", name, err)
		}
	}
}

func TestErrors(t *testing.T) {
	in := positions(t, simulate(1, lowest(0)))
	run := func(p Params) error {
		_, _, err := datasets.Build(context.Background(), t.TempDir(), datasets.Step{Stage: "test", Output: "predictions/v1", Params: p,
			Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
				return Run(ctx, othello.Rules{}, p, 1, in, b)
			}}, datasets.Options{})
		return err
	}
	for want, p := range map[string]Params{
		"want at least 1":       {Holdout: 0.3},
		"between 0 and 1":       {MinPlayed: 1, Holdout: 1},
		"no move to learn from": {MinPlayed: 1, Holdout: 0.999999},
		"a non-negative number": {MinPlayed: 1, Holdout: 0.3, MaxSize: -1},
		"no player rated 2000":  {MinPlayed: 1, Holdout: 0.3, MinElo: 2000},
	} {
		if err := run(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
	err := Run(context.Background(), games.Rules[tictactoe.Position](blind{tictactoe.Rules{}}), defaults, 1, in, nil)
	if err == nil || !strings.Contains(err.Error(), "tictactoe has no patterns") {
		t.Errorf("tictactoe: %v", err)
	}
}

// blind are rules of a game without a board that can be drawn.
type blind struct {
	games.Rules[tictactoe.Position]
}
