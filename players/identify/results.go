package identify

import (
	"cmp"
	"context"
	"slices"
)

// Results mirror identify.json.
type Results struct {
	Game       string   `json:"game"`
	Asked      []string `json:"asked,omitempty"` // names of the player asked for
	Alpha      float64  `json:"tree_prior"`      // games by which a player's frequencies are drawn to all players'
	Fitted     int      `json:"games_to_fit"`    // of known players, counted for each side
	Tested     int      `json:"games_to_test"`
	Candidates []Found  `json:"candidates"`
	*Assessed

	seats   []*seat
	library []Candidate
}

// Found is one candidate: how often it is named right, or its posterior for the games asked of.
type Found struct {
	Player string `json:"player"`
	Depth  int    `json:"depth"`
	Tree   int    `json:"games_in_tree"`
	Fit    int    `json:"games_to_fit"`
	Test   int    `json:"games_to_test"`
	// Right is the share of sets named right by both kinds of evidence, by size.
	Right map[int]float64 `json:"right,omitempty"`
	// Posterior is by kind of evidence, of all the games asked of together.
	Posterior map[string]float64 `json:"posterior,omitempty"`
	// LogTree and LogModels are the sums of the evidence, in nats.
	LogTree   float64 `json:"log_tree,omitempty"`
	LogModels float64 `json:"log_models,omitempty"`
}

// results fits the posterior and tests it, or asks it.
func (f *finder[P]) results(ctx context.Context) *Results {
	r := &Results{Game: f.game.Rules.Name(), Asked: f.Player, seats: f.seats, library: f.Library}
	r.Alpha = chooseAlpha(f.seats)
	of := map[use][]Evidence{}
	for _, s := range f.seats {
		of[s.use] = append(of[s.use], Evidence{Player: s.player, Log: [kinds][]float64{Tree: s.tree, Models: s.models}})
	}
	r.Fitted, r.Tested = len(of[toFit]), len(of[toTest])
	for k, c := range f.Library {
		r.Candidates = append(r.Candidates, Found{Player: c.title(), Depth: c.Depth, Fit: count(of[toFit], k), Test: count(of[toTest], k)})
	}
	for _, seats := range f.known {
		for _, s := range seats {
			if s.use == toTree {
				r.Candidates[s.player].Tree++
			}
		}
	}
	r.Assessed = Assess(ctx, of[toFit], of[toTest], len(f.Library), f.Sizes, f.Trials, f.Seed, f.workers)
	for i := range r.Trials {
		if x := &r.Trials[i]; x.Tempered && x.Evidence == byBoth {
			r.byPlayer(x)
		}
	}
	if guess := of[toGuess]; guess != nil {
		r.guess(guess)
	}
	return r
}

// byPlayer keeps the share of sets of each player that are named right.
func (r *Results) byPlayer(x *Trial) {
	sets := make([]int, len(r.Candidates))
	for _, g := range x.guesses {
		sets[g.player]++
	}
	for k := range r.Candidates {
		if sets[k] == 0 {
			continue
		}
		c := &r.Candidates[k]
		if c.Right == nil {
			c.Right = map[int]float64{}
		}
		sum := 0.0
		for _, g := range x.guesses {
			if g.player == k {
				sum += g.right
			}
		}
		c.Right[x.Games] = sum / float64(sets[k])
	}
}

// guess asks for the player of all games together.
func (r *Results) guess(of []Evidence) {
	b := batchOf(of)
	for k := range r.Candidates {
		r.Candidates[k].Posterior = map[string]float64{}
		r.Candidates[k].LogTree, r.Candidates[k].LogModels = b.Sum[Tree][k], b.Sum[Models][k]
	}
	for name, t := range r.Temper {
		for k, p := range t.Posterior(&b) {
			r.Candidates[k].Posterior[name] = p
		}
	}
	slices.SortStableFunc(r.Candidates, func(a, b Found) int { return cmp.Compare(b.Posterior[byBoth], a.Posterior[byBoth]) })
}
