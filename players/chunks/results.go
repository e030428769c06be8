package chunks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kifu/internal/clogit"
	"kifu/internal/lists"
	"kifu/players/decide"
)

// Predictors, by what they know.
const (
	byTree   = "tree"   // the most frequent of the player's moves in the position
	byModel  = "model"  // the best move by depth and weights
	byChunks = "chunks" // the modeler's rule
	byBoth   = "tree + model"
	byAll    = "tree + model + chunks"
)

// Columns of the conditional logits.
const (
	treeColumn   = iota // ln Q of the tree
	modelColumn         // ln P by the model
	rateColumn          // ln of the chunks' rate
	piecesColumn        // pieces of the largest known chunk
	logitColumns
)

// mixtures are the predictors that are fitted, with the number of their columns.
var mixtures = []struct {
	name  string
	names []string
}{{byBoth, []string{"ln tree", "ln model"}}, {byAll, []string{"ln tree", "ln model", "ln chunk rate", "pieces of the chunk"}}}

// Results mirror chunks.json.
type Results struct {
	Game    string    `json:"game"`
	Player  []string  `json:"player"`
	Learn   int       `json:"games_to_learn"`
	Held    int       `json:"games_to_mix"` // to which the logits are fitted
	Test    int       `json:"games_to_test"`
	Chunks  int       `json:"chunks"`
	Mixed   []Mixture `json:"mixtures"`
	Scores  []Score   `json:"scores"`
	Longest []Chunk   `json:"-"`

	predictions [][]string
}

// Mixture is a conditional logit of several kinds of evidence.
type Mixture struct {
	Predictor string    `json:"predictor"`
	Terms     []string  `json:"terms"`
	Weights   []float64 `json:"weights"`
	SE        []float64 `json:"se"` // by game
}

// Score counts the moves of some plies that a predictor predicts.
type Score struct {
	From      int      `json:"from_ply"`
	To        int      `json:"to_ply"` // excluded; 0: no bound
	Predictor string   `json:"predictor"`
	Decisions int      `json:"decisions"`
	Games     int      `json:"games"`
	Random    float64  `json:"random"`        // share that a random legal move gets right
	Says      float64  `json:"says"`          // share of the decisions with a prediction
	Right     float64  `json:"right"`         // share of all decisions in which its first choice is the move played
	RightSE   *float64 `json:"right_se"`      // by game
	Precise   float64  `json:"right_of_said"` // share of right ones among these
	LogLoss   *float64 `json:"log_loss"`      // of those that give chances, in nats
	// Ahead is Right less the share of tree and model together, on the same decisions.
	Ahead   float64  `json:"ahead"`
	AheadSE *float64 `json:"ahead_se"`
	// RightWithin and AheadWithin are half the lengths of their 95 % intervals (decide.Within95).
	RightWithin *float64 `json:"right_within"`
	RightEnd    *float64 `json:"right_end,omitempty"` // the other end where all or none are right (decide.End95)
	AheadWithin *float64 `json:"ahead_within"`
}

// Chunk is one known chunk.
type Chunk struct {
	Pieces            int
	Played, Available int
	Text              string
}

// bands are the stretches of plies of the table; the first is the opening, as the book defines it.
var bands = [][2]int{{0, 20}, {0, 10}, {10, 20}, {20, 30}, {30, 40}, {40, 60}, {60, 0}, {0, 0}}

// answer is a predictor's answer to one decision.
type answer struct {
	says  bool
	right float64 // 1, or the share of equal first choices
	log   float64 // ln P(the move played); NaN: it gives no chances
}

// results mixes the evidence on the games held out and tests all predictors.
func (m *modeler[P]) results() (*Results, error) {
	r := &Results{Game: m.game.Rules.Name(), Player: m.Names, Chunks: len(m.chunks)}
	for _, s := range m.seats {
		switch m.Split.Of(s.Game) {
		case decide.Train:
			r.Learn++
		case decide.Held:
			r.Held++
		default:
			r.Test++
		}
	}
	var test []*question[P]
	for i := range m.questions {
		if q := &m.questions[i]; q.part == decide.Test {
			test = append(test, q)
		}
	}
	answers := map[string][]answer{}
	for _, q := range test {
		answers[byTree] = append(answers[byTree], first(q.chosen, q.moves, func(i int) float64 { return float64(q.played[i]) }, q.visits > 0))
		answers[byModel] = append(answers[byModel], first(q.chosen, q.moves, func(i int) float64 { return q.model[i] }, true))
		answers[byModel][len(answers[byModel])-1].log = q.model[q.chosen]
		answers[byChunks] = append(answers[byChunks], first(q.chosen, q.moves, func(i int) float64 {
			return float64(q.largest[i])*(1<<32) + float64(q.games[i])
		}, slices.Max(q.largest) > 0))
	}
	for _, x := range mixtures {
		n := len(x.names)
		fit, err := m.data(decide.Held, n).Fit(1e-6, m.workers)
		if err != nil {
			return nil, fmt.Errorf("putting %s together: %w", x.name, err)
		}
		r.Mixed = append(r.Mixed, Mixture{x.name, x.names, fit.Beta, fit.SE})
		data := m.data(decide.Test, n)
		var p []float64
		for i, q := range test {
			var log float64
			log, p = data.Chances(i, fit.Beta, p)
			a := first(q.chosen, q.moves, func(i int) float64 { return p[i] }, true)
			a.log = log
			answers[x.name] = append(answers[x.name], a)
		}
	}
	ids, plies := lists.Of(test, func(q *question[P]) int64 { return q.game }), lists.Of(test, func(q *question[P]) int { return q.ply })
	moves := lists.Of(test, func(q *question[P]) int { return q.moves })
	for _, band := range bands {
		r.score(band, ids, plies, moves, answers)
	}
	r.list(m.chunks)
	m.table(r, test, answers)
	return r, nil
}

// data are the decisions of a part with the first n columns.
func (m *modeler[P]) data(of decide.Part, n int) *clogit.Data[float32] {
	d := clogit.New[float32](n)
	for i := range m.questions {
		q := &m.questions[i]
		if q.part != of {
			continue
		}
		for move := range q.moves {
			x := [logitColumns]float64{treeColumn: q.treeLog(move), modelColumn: q.model[move], rateColumn: math.Log(q.rate[move]), piecesColumn: float64(q.largest[move])}
			for c, v := range x[:n] {
				d.Add(c, v)
			}
			d.EndRow()
		}
		d.End(q.game, q.chosen)
	}
	return d
}

// first is the answer of a predictor that takes the move with the greatest value.
func first(chosen, moves int, value func(i int) float64, says bool) answer {
	a := answer{says: says, log: math.NaN()}
	if !says {
		return a
	}
	best, ties := math.Inf(-1), 0.0
	for i := range moves {
		switch v := value(i); {
		case v > best:
			best, ties = v, 1
		case v == best:
			ties++
		}
	}
	if value(chosen) == best {
		a.right = 1 / ties
	}
	return a
}

// score adds the scores of all predictors in a stretch of plies.
func (r *Results) score(band [2]int, of []int64, plies, moves []int, answers map[string][]answer) {
	var in []int
	for i, ply := range plies {
		if ply >= band[0] && (band[1] == 0 || ply < band[1]) {
			in = append(in, i)
		}
	}
	if len(in) == 0 {
		return
	}
	game := func(i int) int64 { return of[in[i]] }
	base := answers[byBoth]
	for _, name := range []string{byTree, byModel, byChunks, byBoth, byAll} {
		s := Score{From: band[0], To: band[1], Predictor: name, Decisions: len(in)}
		var right, ahead []float64
		loss, says, precise := 0.0, 0, 0.0
		last := int64(-1)
		for _, i := range in {
			a := answers[name][i]
			right, ahead = append(right, a.right), append(ahead, a.right-base[i].right)
			loss -= a.log
			if a.says {
				says++
				precise += a.right
			}
			s.Random += 1 / float64(moves[i]) / float64(len(in))
			if of[i] != last {
				last = of[i]
				s.Games++
			}
		}
		s.Says = float64(says) / float64(len(in))
		s.Precise = precise / float64(max(1, says))
		s.Right, s.RightSE = decide.MeanByCluster(right, game)
		s.Ahead, s.AheadSE = decide.MeanByCluster(ahead, game)
		s.RightEnd = decide.End95(right, game)
		s.RightWithin, s.AheadWithin = decide.Within95(right, game), decide.Within95(ahead, game)
		if loss /= float64(len(in)); !math.IsNaN(loss) {
			s.LogLoss = &loss
		}
		r.Scores = append(r.Scores, s)
	}
}

// listed is how many chunks chunks.csv has.
const listed = 500

// list keeps the chunks that returned most, larger ones first among equals. Among chunks with the same text,
// found in windows of several sizes, it keeps the one that could recur most often.
func (r *Results) list(chunks map[uint64]*known) {
	for _, k := range chunks {
		r.Longest = append(r.Longest, Chunk{int(k.pieces), int(k.played), int(k.available), k.text})
	}
	slices.SortFunc(r.Longest, func(a, b Chunk) int {
		return cmp.Or(cmp.Compare(b.Played, a.Played), cmp.Compare(b.Pieces, a.Pieces), cmp.Compare(a.Text, b.Text), cmp.Compare(b.Available, a.Available))
	})
	r.Longest = slices.CompactFunc(r.Longest, func(a, b Chunk) bool { return a.Text == b.Text && a.Played == b.Played })
	r.Longest = r.Longest[:min(listed, len(r.Longest))]
}
