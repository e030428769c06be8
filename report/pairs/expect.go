package pairs

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/bradley"
	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/internal/lists"
)

// perLogit is how many points of Elo's scale a logit is: 400/ln 10.
const perLogit = 400 / math.Ln10

// expectation is how strong players are held to be.
type expectation struct {
	Kind  string // ExpectRatings or ExpectModel
	Model *bradley.Model
	// Scale is the rating difference at which the odds are ten to one by the curve's slope
	// at equality: Elo's 400. NaN by the model, whose strengths have no other scale.
	Scale, ScaleLow, ScaleHigh float64
	Advantage, AdvantageError  float64 // of the first move, as a rating difference
	Spread                     float64 // standard deviation of the players' strengths in Elo; NaN by ratings
	cells                      [][]int // of each player, by the model
	reach                      float64 // half an interval in standard errors: Student's t by the number of pairs
}

// expect fits what is to be expected. By ratings x is a slope times their difference;
// by the model it is the difference of two strengths, which come from a normal
// distribution that is fitted too.
func expect(kind string, meetings []meeting, players int, enough int64) (e expectation, err error) {
	e = expectation{Kind: kind, Scale: math.NaN(), ScaleLow: math.NaN(), ScaleHigh: math.NaN(), Spread: math.NaN()}
	e.reach = dyads.Quantile95(math.Max(1, float64(countPairs(meetings)-1)))
	points := perLogit
	if kind == ExpectRatings {
		cells := cellsOf(meetings, func(t *meeting) []bradley.Term {
			return []bradley.Term{{Parameter: 0, Factor: t.Difference / perLogit}}
		})
		if e.Model, err = bradley.Fit(cells, 1, nil, nil); err != nil {
			return e, err
		}
		slope, reach := e.Model.Parameters[0]*e.Model.Slope(), e.reach*e.Model.Error(0)*e.Model.Slope()
		e.Scale, e.ScaleLow, e.ScaleHigh = 400/math.Max(0, slope), 400/math.Max(0, slope+reach), 400/math.Max(0, slope-reach)
		points /= math.Max(0, e.Model.Parameters[0])
	} else {
		if err = e.fitStrengths(meetings, players, enough); err != nil {
			return e, err
		}
		points *= e.Model.Slope()
	}
	e.Advantage, e.AdvantageError = e.Model.Advantage*points, e.Model.Error(bradley.Advantage)*points
	return e, nil
}

// mostScale is a scale at which ratings predict nothing, and leastScale one at which they decide every
// game: no rating has them.
const leastScale, mostScale = 1, 1e6

// scale is the scale as text.
func (e *expectation) scale() string {
	if !(e.Scale >= leastScale && e.Scale <= mostScale) {
		return "–" // stronger players do not win more, or win all
	}
	return strconv.FormatFloat(e.Scale, 'f', 0, 64)
}

// scales is its interval.
func (e *expectation) scales() string {
	low, high := strconv.FormatFloat(e.ScaleLow, 'f', 0, 64), strconv.FormatFloat(e.ScaleHigh, 'f', 0, 64)
	known, bounded := e.ScaleLow >= leastScale && e.ScaleLow <= mostScale, e.ScaleHigh <= mostScale
	switch {
	case known && bounded:
		return low + "–" + high
	case known:
		return "at least " + low
	case bounded && e.ScaleHigh >= leastScale:
		return "at most " + high
	}
	return "–"
}

// advantage returns the first move's advantage as text, in rating points; the slope of ratings may
// leave it unknown.
func (e *expectation) advantage() string {
	if math.IsInf(e.Advantage, 0) || math.IsNaN(e.Advantage) {
		return "–"
	}
	return human.Signed(e.Advantage, 0)
}

// advantages is its interval.
func (e *expectation) advantages() string {
	half := e.reach * e.AdvantageError
	if !(half < mostScale) {
		return "–"
	}
	return human.Span(e.Advantage-half, e.Advantage+half, 0)
}

// fitStrengths fits the strengths and the variance of the distribution that they come
// from, by the EM algorithm over the players of enough games (all, when none has that
// many): variance = mean of strength² + its own variance.
func (e *expectation) fitStrengths(meetings []meeting, players int, enough int64) error {
	cells := cellsOf(meetings, func(t *meeting) []bradley.Term {
		return []bradley.Term{{Parameter: t.First, Factor: 1}, {Parameter: t.Second, Factor: -1}}
	})
	games := make([]int64, players)
	for i := range meetings {
		games[meetings[i].First] += meetings[i].games()
		games[meetings[i].Second] += meetings[i].games()
	}
	enough = min(enough, slices.Max(games))
	variance, precision := 1.0, make([]float64, players)
	var start []float64
	for range 100 {
		for k := range precision {
			precision[k] = 1 / variance
		}
		m, err := bradley.Fit(cells, players, precision, start)
		if err != nil {
			return err
		}
		e.Model, start = m, m.Parameters
		var sum, n float64
		for k, information := range m.Information() {
			if games[k] >= enough {
				sum, n = sum+start[k]*start[k]+1/information, n+1
			}
		}
		before := variance
		if variance = max(1e-4, sum/n); math.Abs(variance-before) <= 1e-3*before {
			break
		}
	}
	e.Spread, e.cells = math.Sqrt(variance)*perLogit*e.Model.Slope(), e.Model.CellsOf()
	return nil
}

// countPairs counts the pairs of players.
func countPairs(meetings []meeting) int {
	pairs := map[[2]int]bool{}
	for _, t := range meetings {
		pairs[[2]int{min(t.First, t.Second), max(t.First, t.Second)}] = true
	}
	return len(pairs)
}

// lead is how far one player is ahead of another, in logits, with its probability.
type lead struct{ ahead, weight float64 }

// hermite are the nodes of a normal distribution by Gauss and Hermite's rule of seven.
var hermite = []lead{
	{-3.750439717725742, 5.482688559722179e-4}, {-2.366759410734541, 0.030757123967585}, {-1.154405394739968, 0.240123178605013}, {0, 0.457142857142857},
	{1.154405394739968, 0.240123178605013}, {2.366759410734541, 0.030757123967585}, {3.750439717725742, 5.482688559722179e-4},
}

// leads returns how far a's strength may be above b's, apart from ratings. The model fits both
// strengths to all games but their own with each other, with their uncertainty.
func (e *expectation) leads(a, b, cluster int) []lead {
	if e.Kind == ExpectRatings {
		return []lead{{0, 1}}
	}
	first, v := e.Model.Without(a, cluster, e.cells[a])
	second, w := e.Model.Without(b, cluster, e.cells[b])
	return lists.Of(hermite, func(h lead) lead { return lead{first - second + math.Sqrt(v+w)*h.ahead, h.weight} })
}

// pairing are two players and their games with each other; everything is from the side
// of A, who scored at least what was expected.
type pairing struct {
	A, B              int
	AsFirst, AsSecond [3]int64 // wins, draws and losses when A, when B moved first
	Games             int64
	Half              int64   // half points made
	Expected          float64 // points
	Low, High         float64 // 95 % interval of the score above the expected one, a game
	P, Q              float64 // two-sided, and as the Benjamini-Hochberg procedure adjusts it
	Z                 float64 // normal score of P, with half the probability of the outcome itself
	Raw               float64 // Z before it is divided by the spread of all pairs
	StandsOut         bool
	// One-sided p of A and of B: scores more than expected; is the stronger of the two.
	Beyond, Stronger [2]float64
	contest          contest
}

func (p *pairing) Score() float64 { return float64(p.Half) / 2 / float64(p.Games) }

func (p *pairing) Difference() float64 { return p.Score() - p.Expected/float64(p.Games) }

// pairs tests the pairs of enough games.
func (e *expectation) pairs(meetings []meeting, enough int64) []*pairing {
	type rows struct {
		games int64
		own   []meeting
	}
	var order [][2]int // by cluster
	of := map[[2]int]*rows{}
	for _, t := range meetings {
		key := [2]int{min(t.First, t.Second), max(t.First, t.Second)}
		if of[key] == nil {
			of[key] = &rows{}
			order = append(order, key)
		}
		of[key].games += t.games()
		of[key].own = append(of[key].own, t)
	}
	var all []*pairing
	for cluster, key := range order {
		if r := of[key]; r.games >= enough {
			all = append(all, e.test(key[0], key[1], cluster, r.own))
		}
	}
	return all
}

// contest are the games of a pair from the side of a.
type contest struct {
	curve bradley.Curve
	slope float64 // of a rating difference in logits; 0: strengths alone
	a     int
	games []meeting
	leads []lead
}

// alike are the games when a is ahead by lead besides the ratings and the first move.
func (c *contest) alike(lead float64) []bradley.Alike {
	var all []bradley.Alike
	for i := range c.games {
		t := &c.games[i]
		x := c.curve.Advantage
		if c.slope != 0 {
			x += c.slope * t.Difference / perLogit
		}
		if t.First == c.a {
			all = append(all, bradley.Alike{Odds: c.curve.At(x + lead), Games: t.games()})
		} else {
			all = append(all, bradley.Alike{Odds: c.curve.At(x - lead).Swap(), Games: t.games()})
		}
	}
	return all
}

// Sums of so many games are taken as normal: the exact distribution takes their square.
const (
	mostExact    = 2000
	mostInverted = 200 // in the search for an interval's ends
)

// tails are the probabilities of at most, at least and exactly so many half points when
// a is ahead by shift more than expected, and the points expected.
func (c *contest) tails(half, shift float64, most int64) (low, high, at, mean float64) {
	for _, n := range c.leads {
		games := c.alike(n.ahead + shift)
		m, v := bradley.Moments(games)
		var l, h, x float64
		if count(games) <= most {
			l, h, x = bradley.Tails(bradley.Points(games), int64(half))
		} else {
			step := 0.25 // half of what is between two outcomes
			if c.curve.Draws == 0 {
				step = 0.5
			}
			l = distuv.UnitNormal.CDF((half/2 + step - m) / math.Sqrt(v))
			h = distuv.UnitNormal.CDF((m - half/2 + step) / math.Sqrt(v))
			x = max(0, l+h-1)
		}
		low, high, at, mean = low+n.weight*l, high+n.weight*h, at+n.weight*x, mean+n.weight*m
	}
	return low, high, at, mean
}

func count(games []bradley.Alike) (n int64) {
	for _, g := range games {
		n += g.Games
	}
	return n
}

// test makes the pairing of a and b.
func (e *expectation) test(a, b, cluster int, games []meeting) *pairing {
	c := contest{curve: e.Model.Curve, a: a, games: games, leads: e.leads(a, b, cluster)}
	if e.Kind == ExpectRatings {
		c.slope = e.Model.Parameters[0]
	}
	p := &pairing{A: a, B: b}
	for i := range games {
		p.add(&games[i])
	}
	half := float64(p.Half)
	low, high, at, mean := c.tails(half, 0, mostExact)
	p.Expected, p.P, p.Beyond = mean, min(1, 2*min(low, high)), [2]float64{high, low}
	p.Z, p.contest = normalScore(low-at/2, high-at/2), c
	p.Raw = p.Z
	even := contest{curve: e.Model.Curve, a: a, games: games, leads: []lead{{0, 1}}}
	weaker, stronger, _, _ := even.tails(half, 0, mostExact)
	p.Stronger = [2]float64{stronger, weaker}
	if p.Difference() < 0 {
		p.swap()
	}
	return p
}

// add counts meetings.
func (p *pairing) add(t *meeting) {
	p.Games += t.games()
	if t.First == p.A {
		p.AsFirst[0], p.AsFirst[1], p.AsFirst[2] = p.AsFirst[0]+t.Wins, p.AsFirst[1]+t.Draws, p.AsFirst[2]+t.Losses
		p.Half += 2*t.Wins + t.Draws
		return
	}
	p.AsSecond[0], p.AsSecond[1], p.AsSecond[2] = p.AsSecond[0]+t.Losses, p.AsSecond[1]+t.Draws, p.AsSecond[2]+t.Wins
	p.Half += 2*t.Losses + t.Draws
}

// swap looks at p from the other side.
func (p *pairing) swap() {
	p.A, p.B = p.B, p.A
	p.AsFirst, p.AsSecond = [3]int64{p.AsSecond[2], p.AsSecond[1], p.AsSecond[0]}, [3]int64{p.AsFirst[2], p.AsFirst[1], p.AsFirst[0]}
	p.Half, p.Expected = 2*p.Games-p.Half, float64(p.Games)-p.Expected
	p.Z, p.Raw = -p.Z, -p.Raw
	p.Beyond[0], p.Beyond[1] = p.Beyond[1], p.Beyond[0]
	p.Stronger[0], p.Stronger[1] = p.Stronger[1], p.Stronger[0]
}

// normalScore returns the quantile of the normal distribution for the share below, computed from the
// smaller of the two tails.
func normalScore(below, above float64) float64 {
	if below < above {
		return distuv.UnitNormal.Quantile(max(below, math.SmallestNonzeroFloat64))
	}
	return -distuv.UnitNormal.Quantile(max(above, math.SmallestNonzeroFloat64))
}

// invert fills in the interval. Its ends are the expected scores of the smallest and the
// largest lead that the test, with z divided by the spread, would not reject at 5 %, per game
// and above the pair's expected score.
func (p *pairing) invert(s scale) {
	tail := s.raw()
	c, half, mean := &p.contest, float64(p.Half), p.Expected
	if c.a != p.A {
		half, mean = float64(2*p.Games)-half, float64(p.Games)-mean
	}
	end := func(beyond func(low, high float64) bool, from, to float64) float64 {
		for range 40 {
			middle := (from + to) / 2
			l, h, _, _ := c.tails(half, middle, mostInverted)
			if beyond(l, h) {
				from = middle
			} else {
				to = middle
			}
		}
		_, _, _, m := c.tails(half, (from+to)/2, mostInverted)
		return (m - mean) / float64(p.Games)
	}
	const far = 20
	p.Low = end(func(_, h float64) bool { return h < tail }, -far, far)
	p.High = end(func(l, _ float64) bool { return l < tail }, far, -far)
	if c.a != p.A {
		p.Low, p.High = -p.High, -p.Low
	}
}
