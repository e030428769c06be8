package population_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	evalothello "kifu/eval/othello"
	"kifu/games"
	"kifu/games/othello"
	"kifu/kit/sample"
	"kifu/kit/slow"
	"kifu/players/choose"
	"kifu/players/population"
	"kifu/schemas"
	"kifu/search/engine"
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

// pick is who plays a game, and by which model.
type pick struct {
	who [2]int
	by  [2]*choose.Predictor[othello.Position]
}

// played makes so many games between 150 players who recur and choose by the model.
func played(t *testing.T, m *choose.Model, n int) *datasets.Dir {
	t.Helper()
	all := predictor(t, m)
	return among(t, n, func(_ int, rng *rand.Rand) pick {
		return pick{[2]int{rng.IntN(150), rng.IntN(150)}, [2]*choose.Predictor[othello.Position]{all, all}}
	})
}

func predictor(t *testing.T, m *choose.Model) *choose.Predictor[othello.Position] {
	t.Helper()
	p, err := choose.NewPredictor(game, m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// among makes so many games of the players that of picks.
func among(t *testing.T, n int, of func(id int, rng *rand.Rand) pick) *datasets.Dir {
	t.Helper()
	return sample.Build(filepath.Join(t.TempDir(), "games"), datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Params: n,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			b := columns.NewBatch(out.Table())
			rng := rand.New(rand.NewPCG(5, 6))
			for id := range n {
				play(b, id, of(id, rng), rng)
			}
			part, err := out.Part(0)
			if err != nil {
				return err
			}
			group, err := part.Encode(b)
			if err == nil {
				err = part.Append(group)
			}
			return errors.Join(err, part.Close(manifest.Counts{Read: int64(n), Written: int64(n)}, nil))
		}})
}

// play adds a game of two players, each with a rating of its own.
func play(b *columns.Batch, id int, of pick, rng *rand.Rand) {
	who := of.who
	rating := [2]int32{1000 + 1000*int32(who[0])/150, 1000 + 1000*int32(who[1])/150}
	p, variant, _ := game.Rules.Start("", "")
	before, plies := choose.Nothing, int32(0)
	var codes []byte
	for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(moves[:0]) {
		at := choose.Situation{Rating: float64(rating[p.ToMove()]), Clock: -1, Phase: game.Rules.AppendColumns(nil, p)[0]}
		u, m, by := rng.Float64(), 0, of.by[p.ToMove()]
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

// program plays the likeliest move by a model for the rating 1500, and has its chances as policy if it speaks.
type program struct {
	engine.Engine
	by     *choose.Predictor[othello.Position]
	speaks bool
}

func (*program) NewGame(context.Context) error { return nil }
func (*program) Close() error                  { return nil }

func (e *program) Move(_ context.Context, start string, moves []string) (a engine.Answer, err error) {
	p, _, err := game.Rules.Start("", start)
	before := choose.Nothing
	for _, text := range moves {
		legal := p.AppendMoves(nil)
		i := slices.IndexFunc(legal, func(m games.Move) bool { return string(game.Rules.AppendCoordinates(nil, p, m)) == text })
		if i < 0 {
			return a, fmt.Errorf("%s is not legal", text)
		}
		before = e.by.After(before, p, legal[i])
		p = p.Play(legal[i])
	}
	legal := p.AppendMoves(nil)
	chances := e.by.Chances(p, legal, before, choose.Situation{Rating: 1500, Clock: -1, Phase: game.Rules.AppendColumns(nil, p)[0]})
	policy := map[string]float64{}
	for i, m := range legal {
		text := string(game.Rules.AppendCoordinates(nil, p, m))
		if policy[text] = chances[i]; chances[i] == slices.Max(chances) {
			a.Best = text
		}
	}
	if e.speaks {
		a.Policy = policy
	}
	return a, err
}

// TestEngines: a program that gets the moves of the game and prints its policy is scored by it, another one by its move alone.
func TestEngines(t *testing.T) {
	slow.Test(t, "fits a model")
	m, p := planted(t), params
	for _, speaks := range []bool{true, false} {
		p.Engines = append(p.Engines, population.Engine{Name: fmt.Sprintf("speaks, %v", speaks), Start: func(context.Context) (engine.Engine, error) {
			return &program{by: predictor(t, m), speaks: speaks}, nil
		}})
	}
	d := learned(t, p, 2, played(t, m, 150))
	text, err := d.ReadFile("scores.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]string{}
	for _, row := range rows {
		if row[1] == "all" {
			of[row[0]] = row
		}
	}
	model, speaks, quiet := of["model"], of["speaks, true"], of["speaks, false"]
	t.Logf("model %v\nspeaks %v\nquiet %v", model, speaks, quiet)
	for c := 4; c <= 8; c += 2 { // nats, first, first3
		if a, b := number(t, model[c]), number(t, speaks[c]); math.Abs(a-b) > 0.05 {
			t.Errorf("%s: model %v, the planted model for the rating 1500 %v", rows[0][c], a, b)
		}
	}
	for c, want := range map[int]string{4: "", 6: speaks[6], 8: "", 10: speaks[10], 12: ""} {
		if quiet[c] != want {
			t.Errorf("without a policy, %s: %q, want %q", rows[0][c], quiet[c], want)
		}
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

// TestNear: one player's weights, learned near those of others, are nearer to the player's own than the others' are, and predict
// games not seen better; those of a player who is like the others stay theirs.
func TestNear(t *testing.T) {
	m := planted(t)
	m.Round()
	taste := *m
	taste.Weights = slices.Clone(m.Weights)
	rng := rand.New(rand.NewPCG(3, 9))
	for f := range m.Features {
		taste.Weights[f*len(m.Contexts())] += 0.2 * rng.NormFloat64()
	}
	usual, other := predictor(t, m), predictor(t, &taste)
	games := among(t, 80, func(id int, rng *rand.Rand) pick {
		if id%2 == 0 {
			return pick{[2]int{7, rng.IntN(150)}, [2]*choose.Predictor[othello.Position]{other, usual}}
		}
		return pick{[2]int{8, rng.IntN(150)}, [2]*choose.Predictor[othello.Position]{usual, usual}}
	})
	p := params
	p.Prior, p.Depth = m, 0
	for _, c := range []struct {
		player string
		better bool
	}{{"player 7", true}, {"player 8", false}} {
		p.Player, p.PriorKey = []string{c.player}, c.player
		d := learned(t, p, 2, games)
		scores := cells(t, d, "scores.csv")
		if scores[1][0] != "model of others" {
			t.Fatalf("second is %q", scores[1][0])
		}
		below, half := number(t, scores[1][12]), number(t, scores[1][13])
		t.Logf("%s: %.3f ± %.3f nats below the model of others", c.player, below, half)
		if c.better && below < half || !c.better && below < -0.01 {
			t.Errorf("%s: %.3f ± %.3f nats below the model of others", c.player, below, half)
		}
		own, err := choose.Read(filepath.Join(d.Path, choose.File))
		if err != nil {
			t.Fatal(err)
		}
		before, after := apart(m, &taste, usual), apart(own, &taste, usual)
		if c.better && after > 0.8*before {
			t.Errorf("chances are %.3f from the player's, others' %.3f", after, before)
		}
		if apart := apart(own, m, usual); !c.better && apart > 0.01 {
			t.Errorf("chances of a player like others are %.3f from theirs", apart)
		}
	}
}

// apart returns the mean of Kullback and Leibler's divergence of a's chances from b's, in the positions of a game.
func apart(a, b *choose.Model, by *choose.Predictor[othello.Position]) (sum float64) {
	p, _, _ := game.Rules.Start("", "")
	rng := rand.New(rand.NewPCG(8, 8))
	before, n := choose.Nothing, 0.0
	for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(moves[:0]) {
		by.Chances(p, moves, before, choose.Situation{Rating: 1050, Clock: -1, Phase: game.Rules.AppendColumns(nil, p)[0]})
		of := by.By(a)
		for i, x := range by.By(b) {
			sum += x * math.Log(x/of[i])
		}
		m := moves[rng.IntN(len(moves))]
		before, n = by.After(before, p, m), n+1
		p = p.Play(m)
	}
	return sum / n
}
