package identify

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/splitmix"
	"kifu/players/decide"
)

// Evidence that posteriors are made of.
const (
	byTree   = "tree"
	byModels = "models"
	byBoth   = "both"
)

// evidence are the kinds, in the order of tables.
var evidence = []string{byTree, byModels, byBoth}

var usedBy = map[string][]int{byTree: {Tree}, byModels: {Models}, byBoth: {Tree, Models}}

// Purposes of random numbers.
const (
	fitting = iota + 1
	testing
)

// Evidence holds the likelihoods of one game's moves under each candidate.
type Evidence struct {
	Player int              // index of the candidate that is right, if it is known
	Log    [kinds][]float64 // ln of the chance of the moves for each candidate, by kind
}

// batches samples trials sets of n games of each player who has n games. A set is drawn without replacement,
// in a new order of the player's games. So sets of one player share games if the player has less than
// trials·n.
func batches(games []Evidence, players, n, trials int, seed uint64, purpose int) (all []Batch) {
	for k := range players {
		own := lists.Where(games, func(g Evidence) bool { return g.Player == k })
		if len(own) < n {
			continue
		}
		rng := splitmix.Stream(seed, purpose*1000+n, k)
		at := len(own)
		for range trials {
			if at+n > len(own) {
				rng.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
				at = 0
			}
			all = append(all, batchOf(own[at:at+n]))
			at += n
		}
	}
	return all
}

// batchOf sums the evidence of games.
func batchOf(of []Evidence) Batch {
	b := Batch{Player: of[0].Player, N: len(of)}
	for kind := range kinds {
		b.Sum[kind] = make([]float64, len(of[0].Log[kind]))
		for _, g := range of {
			for k, l := range g.Log[kind] {
				b.Sum[kind][k] += l
			}
		}
	}
	return b
}

// Assessed are posteriors by kind of evidence and how well they do.
type Assessed struct {
	Temper map[string]Temper `json:"temper"`
	Trials []Trial           `json:"trials,omitempty"`
	Bins   []Bin             `json:"calibration,omitempty"`

	without map[string][]Temper // fitted without each group of players
}

// groupsOfPlayers is the greatest number of groups of players that are left out one by one.
const groupsOfPlayers = 10

// others returns the sets of players outside one of so many groups.
func others(sets []Batch, group, groups int) []Batch {
	return lists.Where(sets, func(b Batch) bool { return b.Player%groups != group })
}

// Assess fits posteriors over a number of players to games of known players, and tests them on other games,
// in sets of the sizes. Without test games it only fits.
func Assess(ctx context.Context, fit, test []Evidence, players int, sizes []int, trials int, seed uint64, workers int) *Assessed {
	a := &Assessed{Temper: map[string]Temper{}, without: map[string][]Temper{}}
	var sets []Batch
	for _, n := range fitSizes(fit, players, sizes) {
		sets = append(sets, batches(fit, players, n, trials, seed, fitting)...)
	}
	groups := min(groupsOfPlayers, players)
	if len(test) == 0 || groups < 2 {
		groups = 0
	}
	bar := progress.Start(ctx, "identify: posteriors", int64(len(evidence)*(1+groups)), "fits")
	defer bar.Done()
	whole, without := make([]Temper, len(evidence)), make([]Temper, len(evidence)*groups)
	ordered.Merge(workers, len(whole), func(_, i int) { whole[i] = FitTemper(sets, usedBy[evidence[i]]...) }, func(_, _ int) { bar.Add(1) })
	ordered.Merge(workers, len(without), func(_, i int) {
		k, g := i/groups, i%groups
		without[i] = fitFrom(whole[k:k+1], others(sets, g, groups), usedBy[evidence[k]], 60)
	}, func(_, _ int) { bar.Add(1) })
	for i, name := range evidence {
		a.Temper[name], a.without[name] = whole[i], without[i*groups:(i+1)*groups]
	}
	a.test(test, players, sizes, trials, seed)
	return a
}

// fitSizes returns the sizes of the sets that the posterior is fitted to: those asked of and 1,
// as far as games reach. To learn how it changes with the number of games it needs two sizes.
func fitSizes(fit []Evidence, players int, asked []int) (sizes []int) {
	most := 0
	for k := range players {
		most = max(most, count(fit, k))
	}
	for _, n := range append([]int{1}, asked...) {
		if n <= most && !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) == 1 && most > 1 {
		sizes = append(sizes, most/2+1)
	}
	slices.Sort(sizes)
	return sizes
}

func count(games []Evidence, player int) (n int) {
	for _, g := range games {
		if g.Player == player {
			n++
		}
	}
	return n
}

// test names the players of sets of games that had no part in anything before.
func (a *Assessed) test(games []Evidence, players int, sizes []int, trials int, seed uint64) {
	all := map[string][]Trial{}
	for _, size := range sizes {
		sets := batches(games, players, size, trials, seed, testing)
		if len(sets) == 0 {
			continue
		}
		var base *Trial
		for _, name := range evidence {
			for _, tempered := range []bool{true, false} {
				t := a.Temper[name]
				if !tempered {
					t = untempered(usedBy[name])
				}
				x := try(t, sets)
				x.Games, x.Evidence, x.Tempered = size, name, tempered
				if tempered {
					x.OverSE, x.OverWithin = overError(a.without[name], sets)
				}
				base = cmp.Or(base, &x)
				x.against(base)
				a.Trials = append(a.Trials, x)
				if tempered {
					all[name] = append(all[name], x)
				}
			}
		}
	}
	for _, name := range evidence {
		a.Bins = append(a.Bins, reliability(name, all[name])...)
	}
}

// Trial is how well posteriors name the players of sets of games.
type Trial struct {
	Games    int     `json:"games"` // in a set
	Evidence string  `json:"evidence"`
	Tempered bool    `json:"tempered"`
	Players  int     `json:"players"` // with so many games
	Sets     int     `json:"sets"`
	Accuracy float64 `json:"accuracy"` // share in which the most probable player is right
	LogLoss  float64 `json:"log_loss"` // mean of -ln P(the right one), in nats
	// Confidence is the mean of the greatest probability; Over is how much it is above the
	// accuracy.
	Confidence float64 `json:"confidence"`
	Over       float64 `json:"over"`
	// AccuracySE and OverSE are standard errors by player; null for less than two. Those of a tempered posterior
	// allow for its own fit.
	AccuracySE *float64 `json:"accuracy_se"`
	OverSE     *float64 `json:"over_se"`
	// Ahead is the accuracy less that by the tree alone, on the same sets.
	Ahead   float64  `json:"ahead"`
	AheadSE *float64 `json:"ahead_se"`
	// AccuracyWithin, OverWithin and AheadWithin are half the lengths of their 95 % intervals
	// (decide.Within95).
	AccuracyWithin *float64 `json:"accuracy_within"`
	OverWithin     *float64 `json:"over_within"`
	// AccuracyEnd is the other end of its interval where all or none are right (decide.End95).
	AccuracyEnd *float64 `json:"accuracy_end,omitempty"`
	AheadWithin *float64 `json:"ahead_within"`

	guesses []guess
}

// guess is one set's most probable player.
type guess struct {
	player      int
	probability float64
	right       float64 // 1, or the share of ties
}

// try has the posterior name the players of sets.
func try(t Temper, sets []Batch) (x Trial) {
	x.Sets = len(sets)
	var hits, over []float64
	seen := map[int]bool{}
	for i := range sets {
		p := t.Posterior(&sets[i])
		g := guess{player: sets[i].Player, probability: slices.Max(p)}
		ties := 0
		for _, q := range p {
			if q == g.probability {
				ties++
			}
		}
		if p[g.player] == g.probability {
			g.right = 1 / float64(ties)
		}
		x.guesses = append(x.guesses, g)
		hits, over = append(hits, g.right), append(over, g.probability-g.right)
		x.Confidence += g.probability / float64(len(sets))
		x.LogLoss -= math.Log(max(p[g.player], 1e-300)) / float64(len(sets))
		seen[g.player] = true
	}
	x.Players = len(seen)
	player := func(i int) int64 { return int64(sets[i].Player) }
	x.Accuracy, x.AccuracySE = decide.MeanByCluster(hits, player)
	x.Over, x.OverSE = decide.MeanByCluster(over, player)
	x.AccuracyWithin, x.OverWithin, x.AccuracyEnd = decide.Within95(hits, player), decide.Within95(over, player), decide.End95(hits, player)
	return x
}

// overError returns the standard error of what posteriors claim too much, and half the length of its 95 % interval, from
// leaving out groups of players in turn, in the fit and in the test (the delete-a-group jackknife, Kott 2001). nil: too few players.
func overError(without []Temper, sets []Batch) (se, within *float64) {
	var over []float64
	for g, t := range without {
		if rest := others(sets, g, len(without)); len(rest) > 0 && len(rest) < len(sets) {
			over = append(over, try(t, rest).Over)
		}
	}
	n := float64(len(over))
	if n < 2 {
		return nil, nil
	}
	e := (n - 1) / math.Sqrt(n) * stat.StdDev(over, nil)
	half := e * dyads.Quantile95(n-1)
	return &e, &half
}

// against sets x and a trial on the same sets.
func (x *Trial) against(base *Trial) {
	d := make([]float64, len(x.guesses))
	for i, g := range x.guesses {
		d[i] = g.right - base.guesses[i].right
	}
	player := func(i int) int64 { return int64(x.guesses[i].player) }
	x.Ahead, x.AheadSE = decide.MeanByCluster(d, player)
	x.AheadWithin = decide.Within95(d, player)
}

// Bin is the sets whose greatest probability is between two bounds.
type Bin struct {
	Evidence string   `json:"evidence"`
	From     float64  `json:"from"`
	To       float64  `json:"to"`
	Sets     int      `json:"sets"`
	Mean     float64  `json:"mean_probability"`
	Right    float64  `json:"right"` // share
	RightSE  *float64 `json:"right_se"`
	Within   *float64 `json:"right_within"`        // half the length of its 95 % interval
	End      *float64 `json:"right_end,omitempty"` // the other end of it where all or none are right (decide.End95)
}

// reliability groups the guesses of trials by what they claim.
func reliability(evidence string, trials []Trial) (bins []Bin) {
	edges := []float64{0, 0.2, 0.4, 0.6, 0.8, 0.95, 1}
	for i := range edges[1:] {
		b := Bin{Evidence: evidence, From: edges[i], To: edges[i+1]}
		var of []guess
		for _, t := range trials {
			for _, g := range t.guesses {
				if g.probability > b.From && g.probability <= b.To {
					of = append(of, g)
				}
			}
		}
		if b.Sets = len(of); b.Sets == 0 {
			continue
		}
		slices.SortStableFunc(of, func(a, b guess) int { return a.player - b.player })
		var right []float64
		for _, g := range of {
			right = append(right, g.right)
			b.Mean += g.probability / float64(len(of))
		}
		player := func(i int) int64 { return int64(of[i].player) }
		b.Right, b.RightSE = decide.MeanByCluster(right, player)
		b.Within, b.End = decide.Within95(right, player), decide.End95(right, player)
		bins = append(bins, b)
	}
	return bins
}
