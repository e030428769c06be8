package othello

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"kifu/eval"
	"kifu/games"
	"kifu/games/othello"
	"kifu/ingest/record"
	"kifu/ingest/wthor"
	"kifu/kit/golden"
)

// TestDefaultWeights computes the default weights from the .wtb files of the directory
// named by WTHOR, of 1977 to 1998, and compares them with weights.toml; -update writes it.
// Every tenth game is held out for evaluation.
func TestDefaultWeights(t *testing.T) {
	dir := os.Getenv("WTHOR")
	if dir == "" {
		t.Skip("WTHOR names no directory")
	}
	files, err := filepath.Glob(filepath.Join(dir, "WTH_*.wtb"))
	if err != nil || len(files) != 22 {
		t.Fatalf("%s has %d files of games, want 22, %v", dir, len(files), err)
	}
	n := newNormal(t)
	read := 0
	for _, path := range files {
		eachGame(t, path, func(g *record.Game) {
			read++
			if read%10 != 0 {
				n.game(g)
			}
		})
	}
	model, err := n.solve().TOML()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d games, %d positions", read, n.positions)
	golden.Equal(t, "weights.toml", model)
}

func eachGame(t *testing.T, path string, visit func(*record.Game)) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := record.NewStream(wthor.Format(), bytes.NewReader(data), record.Options{})
	var g record.Game
	for {
		if err := r.Read(&g); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		visit(&g)
	}
}

// normal holds the normal equations of least squares on final differences of discs. An
// unknown is a weight: a term's at a knot, or a flat term's.
type normal struct {
	e         eval.Evaluator[othello.Position]
	first     []int // unknown of a term at the first knot
	a         [][]float64
	b         []float64
	positions int
}

// ridge is added to the diagonal: thousands of positions outweigh it.
const ridge = 1000

func newNormal(t *testing.T) *normal {
	n := &normal{e: newEvaluator(t, Default())}
	unknowns := 0
	for _, term := range n.e.Model().Terms {
		n.first = append(n.first, unknowns)
		unknowns += len(term.Weights)
	}
	n.b = make([]float64, unknowns)
	for i := range unknowns {
		n.a = append(n.a, make([]float64, unknowns))
		n.a[i][i] = ridge
	}
	return n
}

// game adds the positions of g, if it was played to its end.
func (n *normal) game(g *record.Game) {
	p := othello.Start()
	var line []othello.Position
	for i := 0; i < len(g.Moves); {
		m, forced := othello.Rules{}.ForcedPass(p)
		if !forced {
			var err error
			if m, err = (othello.Rules{}).ParseMove(p, g.Moves[i].Text); err != nil {
				return
			}
			i++
		}
		p = p.Play(m)
		line = append(line, p)
	}
	if p.Outcome() == games.Undecided {
		return
	}
	result := float64(othello.Solve(p))
	for _, p := range line {
		if p.Outcome() == games.Undecided {
			n.position(p, result)
		}
	}
}

func (n *normal) position(p othello.Position, result float64) {
	model := n.e.Model()
	features, phase := n.e.Trace(p, nil)
	var unknown []int
	var value []float64
	mix := model.Mix(phase, nil)
	for _, f := range features {
		if len(model.Terms[f.Term].Weights) == 1 {
			unknown, value = append(unknown, n.first[f.Term]), append(value, float64(f.Count))
			continue
		}
		for k, share := range mix {
			if share != 0 {
				unknown, value = append(unknown, n.first[f.Term]+k), append(value, share*float64(f.Count))
			}
		}
	}
	for i, u := range unknown {
		n.b[u] += value[i] * result
		for j, v := range unknown {
			n.a[u][v] += value[i] * value[j]
		}
	}
	n.positions++
}

// solve returns the model with the solution, by elimination without pivots: the matrix
// is positive definite.
func (n *normal) solve() *eval.Model {
	a, b := n.a, n.b
	for i := range b {
		for j := i + 1; j < len(b); j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < len(b); k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	m := Default()
	for i, term := range m.Terms {
		for k := range term.Weights {
			term.Weights[k] = math.Round(b[n.first[i]+k]*eval.Grain) / eval.Grain
		}
	}
	return m
}
