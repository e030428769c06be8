package population_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	evalothello "kifu/eval/othello"
	"kifu/games/othello"
	"kifu/kit/sample"
	"kifu/players/choose"
	"kifu/players/population"
	"kifu/schemas"
)

var game = eval.Game[othello.Position]{Rules: othello.Rules{}, NewEvaluator: evalothello.New, Default: evalothello.Default}

// planted is a model with a weight for every third feature, always and by rating.
func planted(t *testing.T) *choose.Model {
	t.Helper()
	r, err := choose.NewRower(game, game.Default(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &choose.Model{Game: "othello", Depth: 1, Ratings: []float64{1100, 1500, 1900}, Features: r.Names, Eval: game.Default()}
	rng := rand.New(rand.NewPCG(1, 7))
	for f := range r.Names {
		for c := range m.Contexts() {
			w := 0.0
			if f%3 == 0 && c < 3 {
				w = rng.NormFloat64() / float64(1+c)
			}
			m.Weights = append(m.Weights, w)
		}
	}
	return m
}

// played makes so many games between players who recur and choose by the model.
func played(t *testing.T, m *choose.Model, n int) *datasets.Dir {
	t.Helper()
	return sample.Build(filepath.Join(t.TempDir(), "games"), datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Params: n,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			b := columns.NewBatch(out.Table())
			predictor, err := choose.NewPredictor(game, m)
			if err != nil {
				return err
			}
			rng := rand.New(rand.NewPCG(5, 6))
			for id := range n {
				play(b, id, predictor, rng)
			}
			part, err := out.Part(0)
			if err != nil {
				return err
			}
			group, err := part.Encode(b)
			if err == nil {
				err = part.Append(group)
			}
			return errors.Join(err, part.Close(datasets.Counts{Read: int64(n), Written: int64(n)}, nil))
		}})
}

// play adds a game of two of 150 players, each with a rating of its own.
func play(b *columns.Batch, id int, by *choose.Predictor[othello.Position], rng *rand.Rand) {
	who := [2]int{rng.IntN(150), rng.IntN(150)}
	rating := [2]int32{1000 + 1000*int32(who[0])/150, 1000 + 1000*int32(who[1])/150}
	p, variant, _ := game.Rules.Start("", "")
	before, plies := choose.Nothing, int32(0)
	var codes []byte
	for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(moves[:0]) {
		at := choose.Situation{Rating: float64(rating[p.ToMove()]), Clock: -1, Phase: game.Rules.AppendColumns(nil, p)[0]}
		u, m := rng.Float64(), 0
		for chances := by.Chances(p, moves, before, at); m < len(moves)-1 && u >= chances[m]; m++ {
			u -= chances[m]
		}
		codes = binary.LittleEndian.AppendUint16(codes, game.Rules.PackMove(p, moves[m]))
		before, plies = by.After(before, p, moves[m]), plies+1
		p = p.Play(moves[m])
	}
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(int64(id))
		case "game":
			v.AppendString("othello")
		case "source_file":
			v.AppendString("test")
		case "source_offset":
			v.AppendInt64(0)
		case "first_player":
			v.AppendString(fmt.Sprintf("player %d", who[0]))
		case "second_player":
			v.AppendString(fmt.Sprintf("player %d", who[1]))
		case "first_elo":
			v.AppendInt32(rating[0])
		case "second_elo":
			v.AppendInt32(rating[1])
		case "date":
			v.AppendString(fmt.Sprintf("20%02d-05-01", 10+id%10))
		case "variant":
			v.AppendString(variant)
		case "ply_count":
			v.AppendInt32(plies)
		case "moves":
			v.AppendBytes(codes)
		case "tags":
			v.EndMap()
		default:
			v.AppendNull()
		}
	}
	b.Rows++
}

var params = population.Params{Holdout: 0.25, MinPlayed: 3, Depth: 1, Decisions: 50_000, Tested: 50_000, Pull: 1e-4, Seed: 2}

func learned(t *testing.T, p population.Params, workers int, games *datasets.Dir) *datasets.Dir {
	t.Helper()
	return sample.Build(filepath.Join(t.TempDir(), "human"), datasets.Step{Stage: "human", Output: schemas.Predictions().ID(), Params: p, Inputs: []string{games.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return population.Run(ctx, game, p, workers, in[0], out)
		}})
}

// cells returns the rows of a table.
func cells(t *testing.T, d *datasets.Dir, file string) (all [][]string) {
	t.Helper()
	text, err := d.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		all = append(all, strings.Split(line, ","))
	}
	return all
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestPlanted: moves drawn by a model are predicted as well as by the model itself, and its weights are found again, within
// their errors, from other players' games.
func TestPlanted(t *testing.T) {
	m := planted(t)
	d := learned(t, params, 2, played(t, m, 600))
	inside, all, squares, weights := 0, 0, 0.0, map[string]float64{}
	for f, name := range m.Features {
		for c, when := range m.Contexts() {
			weights[name+when] = m.Weights[f*len(m.Contexts())+c]
		}
	}
	for _, row := range cells(t, d, "features.csv") {
		if se := number(t, row[3]); se > 0 && se < 0.3 {
			z := (number(t, row[2]) - weights[row[0]+row[1]]) / se
			all, squares = all+1, squares+z*z
			if math.Abs(z) < 1.96 {
				inside++
			}
		}
	}
	t.Logf("%d of %d intervals hold the weight planted, mean square of z %.2f", inside, all, squares/float64(all))
	if all < 15 || float64(inside) < 0.85*float64(all) {
		t.Errorf("%d of %d weights are within 1.96 errors", inside, all)
	}
	n, off := 0.0, 0.0
	for _, row := range cells(t, d, "calibration.csv") {
		k, p, got := number(t, row[2]), number(t, row[3]), number(t, row[4])
		n, off = n+1, off+(got-p)*(got-p)*k/(p*(1-p))
	}
	if off > 2*n+6 {
		t.Errorf("of moves with a chance others were played: χ² %.1f in %.0f classes", off, n)
	}
	scores := cells(t, d, "scores.csv")
	if first, chance := number(t, scores[0][4]), number(t, scores[1][4]); scores[1][0] != "any legal move" || first > chance-0.1 {
		t.Errorf("%v nats, by chance %v", first, chance)
	}
}

// TestWorkers: all files are the same, whatever the number of workers.
func TestWorkers(t *testing.T) {
	games, p := played(t, planted(t), 60), params
	p.Shapes, p.Decisions, p.Pull = 0.3, 1000, 1
	one, three := learned(t, p, 1, games), learned(t, p, 3, games)
	for _, name := range []string{"part-00000.parquet", choose.File, choose.Shapes, choose.Weights, population.Text, "scores.csv", "features.csv", "calibration.csv"} {
		a, err := os.ReadFile(filepath.Join(one.Path, name))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(three.Path, name)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs (%v)", name, err)
		}
	}
	m, err := choose.Read(filepath.Join(one.Path, choose.File))
	if err != nil {
		t.Fatal(err)
	}
	text, err := one.ReadFile(choose.File)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Files(); err != nil || !bytes.Equal(again[choose.File], text) {
		t.Errorf("a model that was read is written otherwise (%v)", err)
	}
}
