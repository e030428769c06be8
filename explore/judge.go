package explore

import (
	"bytes"
	"context"
	"sync"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games"
	"kifu/games/board"
	"kifu/players/choose"
	"kifu/query/find"
	"kifu/search"
)

// Game holds the parts of a game that the site needs: its boards and its evaluator.
type Game struct {
	Boards board.Game
	Judge  func(labels *datasets.Dir) (Judge, error) // with the weights of labels; nil: as the game is played
	// People binds a model of human moves; nil: the game has none.
	People func(*choose.Model) (People, error)
	// Find is find.Run for the game.
	Find func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (datasets.Counts, error)
}

// Judge evaluates positions of a game by one set of weights. It may be used by several
// goroutines.
type Judge interface {
	// Value returns the value of a packed board by quiescence search.
	Value(packed []byte) (Verdict, error)
	// Unit is the values' unit.
	Unit() string
	// Weights names them: "the default weights", "the bundled tables".
	Weights() string
}

// Verdict is the value of a position, first player's side, and how it comes about.
type Verdict struct {
	Value  float64 // in the unit; a forced win as in the labels
	Groups []Score // of the leaf, in the order of the evaluator; their sum is the value of its terms
	Line   []string
}

// Score is the contribution of a group of terms to a value.
type Score struct {
	Name  string
	Value float64
}

// Bind gives a game's evaluator to the site. tables reads the tables of labels from the files next to
// them.
func Bind[P games.Position[P]](g eval.Game[P], tables func(read func(name string) ([]byte, error)) (eval.Tables, error)) func(*datasets.Dir) (Judge, error) {
	return func(labels *datasets.Dir) (Judge, error) {
		weights := "the weights of the labels"
		m, err := g.Playing()
		if labels != nil {
			m, err = modelOf(labels, tables)
		} else if weights = "the default weights"; err == nil && m.Tables != nil {
			weights = "the bundled tables"
		}
		if err != nil {
			return nil, err
		}
		e, err := g.NewEvaluator(m)
		if err != nil {
			return nil, err
		}
		return &judge[P]{rules: g.Rules, evaluator: e, searcher: search.New[P](e), weights: weights}, nil
	}
}

// modelOf returns the model that labels were made with, including its tables.
func modelOf(labels *datasets.Dir, tables func(read func(name string) ([]byte, error)) (eval.Tables, error)) (*eval.Model, error) {
	text, err := labels.ReadFile(weightsFile)
	if err != nil {
		return nil, err
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil || m.Tables == nil {
		return m, err
	}
	m.Tables, err = tables(labels.ReadFile)
	return m, err
}

type judge[P games.Position[P]] struct {
	rules   games.Rules[P]
	weights string

	mu        sync.Mutex
	evaluator eval.Evaluator[P]
	searcher  *search.Searcher[P]
}

func (j *judge[P]) Unit() string { return j.evaluator.Model().Unit }

func (j *judge[P]) Weights() string { return j.weights }

func (j *judge[P]) Value(packed []byte) (v Verdict, err error) {
	p, err := j.rules.UnpackBoard(packed)
	if err != nil {
		return v, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	r := j.searcher.Quiescence(p)
	v.Value = float64(r.Value) / search.Grain
	for _, m := range r.PV {
		v.Line = append(v.Line, string(j.rules.AppendCoordinates(nil, p, m)))
		p = p.Play(m)
	}
	if r.Decided {
		return v, nil
	}
	features, phase := j.evaluator.Trace(r.Leaf, nil)
	m := j.evaluator.Model()
	mix := m.Mix(phase, nil)
	sums := map[string]float64{}
	for _, f := range features {
		t := &m.Terms[f.Term]
		sums[t.Group] += float64(f.Count) * t.At(mix)
	}
	for _, name := range m.Groups() {
		v.Groups = append(v.Groups, Score{name, sums[name]})
	}
	return v, nil
}
