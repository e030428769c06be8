// Package models evaluates positions and predicts moves of any game for the explorer.
//
// In: a game's evaluator, with the weights of labels or its own, and models of human moves. Out: the value of a packed board with
// the scores of its groups, and the moves that people of a rating choose. It does not read rows.
package models

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games"
	"kifu/players/choose"
	"kifu/search"
)

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
	text, err := labels.ReadFile(WeightsFile)
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

// People predicts which moves people of a rating choose. It may be used by several goroutines.
type People interface {
	// Ratings returns the ratings that the model has knots at.
	Ratings() []float64
	// Expect returns the moves after the first plies of a game, the likeliest first.
	Expect(variant, start string, codes []byte, plies int, rating float64) ([]Expected, error)
}

// Expected is a move with its chance, and what adds to its log-odds, compared with the mean move.
type Expected struct {
	Move   string // in coordinates
	Chance float64
	Terms  []choose.Term
}

// BindPeople gives models of human moves in a game to the site.
func BindPeople[P games.Position[P]](g eval.Game[P]) func(*choose.Model) (People, error) {
	return func(m *choose.Model) (People, error) {
		p, err := choose.NewPredictor(g, m)
		return &people[P]{rules: g.Rules, ratings: m.Ratings, predictor: p}, err
	}
}

type people[P games.Position[P]] struct {
	rules   games.Rules[P]
	ratings []float64

	mu        sync.Mutex
	predictor *choose.Predictor[P]
}

func (e *people[P]) Ratings() []float64 { return e.ratings }

func (e *people[P]) Expect(variant, start string, codes []byte, plies int, rating float64) ([]Expected, error) {
	if 2*plies > len(codes) {
		return nil, nil
	}
	u := games.NewUnroller(e.rules)
	p, err := u.Start([]byte(variant), []byte(start))
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	before := choose.Nothing
	if p, err = u.Play(p, codes[:2*plies], func(p P, m games.Move) { before = e.predictor.After(before, p, m) }); err != nil {
		return nil, err
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, nil
	}
	var all []Expected
	for i, chance := range e.predictor.Chances(p, moves, before, choose.Situation{Rating: rating, Clock: -1, Phase: e.rules.AppendColumns(nil, p)[0]}) {
		all = append(all, Expected{string(e.rules.AppendCoordinates(nil, p, moves[i])), chance, e.predictor.Terms(i)})
	}
	slices.SortStableFunc(all, func(a, b Expected) int { return cmp.Compare(b.Chance, a.Chance) })
	return all, nil
}

const WeightsFile = "weights.toml"
