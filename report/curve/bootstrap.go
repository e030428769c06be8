package curve

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
	"kifu/report/shape"
)

// resamples is how many times the games are drawn with replacement.
const resamples = 1000

// likeGames are the games that put the same numbers of positions into a bin.
type likeGames struct {
	wins, draws, losses float64
	games               int64
}

// like returns the kinds of games of a bin in their order.
func (b *binSums) like() (all []likeGames) {
	kinds := slices.SortedFunc(maps.Keys(b.kinds), func(x, y kind) int {
		return cmp.Or(cmp.Compare(x.wins, y.wins), cmp.Compare(x.draws, y.draws), cmp.Compare(x.losses, y.losses))
	})
	for _, k := range kinds {
		all = append(all, likeGames{float64(k.wins), float64(k.draws), float64(k.losses), b.kinds[k]})
	}
	return all
}

// bootstrap sets the ends of the bootstrap's intervals. A game is drawn with all its positions.
// A bin's share depends on how often each kind of game is drawn. This is multinomial over all
// games of the curve, so only the counts of kinds are needed, not the games.
func (c *Report) bootstrap() {
	var group errgroup.Group
	group.SetLimit(cmp.Or(c.Params.Workers, runtime.GOMAXPROCS(0)))
	for i := range c.rows {
		e := &c.rows[i]
		e.bootstrapLow, e.bootstrapHigh = math.NaN(), math.NaN()
		if !isBin(e.bin) || e.positions == 0 {
			continue
		}
		b := resampled{e, e.like(), c.Params.Draws != shape.DrawsExclude}
		group.Go(func() error {
			e.bootstrapLow, e.bootstrapHigh = b.interval(rand.New(rand.NewPCG(c.Params.Seed, uint64(i))))
			return nil
		})
	}
	_ = group.Wait() // no interval is an error
}

// resampled is a bin whose games are to be sampled again.
type resampled struct {
	*estimate
	all     []likeGames
	counted bool // draws count
}

// contribution returns one kind of game's contribution to numerator and denominator.
func (b *resampled) contribution(k likeGames) (won, n float64) {
	if b.counted {
		return k.wins + b.draw*k.draws, k.wins + k.draws + k.losses
	}
	return k.wins, k.wins + k.losses
}

// interval is the bias-corrected and accelerated percentile interval (Efron 1987), its distances to the
// share multiplied by the players' widening of the error. If all games agree, or there is only one,
// every sample is the same and the bootstrap has no error: the robust interval replaces it.
func (b *resampled) interval(r *rand.Rand) (low, high float64) {
	var won, n float64
	for _, k := range b.all {
		w, m := b.contribution(k)
		won, n = won+w*float64(k.games), n+m*float64(k.games)
	}
	p := won / n
	// The influence of a game on the ratio, up to a factor; its skewness accelerates.
	var squares, cubes float64
	for _, k := range b.all {
		w, m := b.contribution(k)
		d := w - p*m
		squares += float64(k.games) * d * d
		cubes += float64(k.games) * d * d * d
	}
	if squares < 1e-12*n {
		return b.low, b.high
	}
	wider := b.widening(squares, n)
	shares := b.sample(r)
	sort.Float64s(shares)
	below := float64(sort.SearchFloat64s(shares, p))
	upTo := float64(sort.Search(len(shares), func(i int) bool { return shares[i] > p }))
	size := float64(len(shares))
	z0 := distuv.UnitNormal.Quantile(math.Max(0.5, math.Min(size-0.5, (below+upTo)/2)) / size)
	acceleration := cubes / (6 * math.Pow(squares, 1.5))
	at := func(level float64) float64 {
		z := z0 + distuv.UnitNormal.Quantile(level)
		q := distuv.UnitNormal.CDF(z0 + z/(1-acceleration*z))
		return shares[max(0, min(len(shares)-1, int(q*size)))]
	}
	return math.Max(0, p-wider*(p-at(0.025))), math.Min(1, p+wider*(at(0.975)-p))
}

// widening is the ratio of the share's interval to the interval by game, at least 1. Sampling games
// ignores players, and sampling players misses the variance of games between two players. squares
// is the sum of the squares of the games' influences, n the number of positions.
func (b *resampled) widening(squares, n float64) float64 {
	var sizes dyads.Sizes
	for _, k := range b.all {
		_, m := b.contribution(k)
		sizes.AddTimes(m, float64(k.games))
	}
	byGame := dyads.Spread{Variance: squares / sizes.Shrinks() / (n * n), Degrees: sizes.Degrees()}
	if wider := b.estimate.t * b.se / byGame.Reach(); wider > 1+1e-2 && !math.IsInf(wider, 1) {
		return wider
	}
	return 1
}

// sample is the bin's share in each sample of as many games; samples without a position
// in the bin are left out.
func (b *resampled) sample(r *rand.Rand) []float64 {
	shares := make([]float64, 0, resamples)
	for range resamples {
		var won, n float64
		left, rest := b.curveGames, float64(b.curveGames)
		for _, k := range b.all {
			times := 0.0
			if share := float64(k.games) / rest; left > 0 && share < 1 {
				times = distuv.Binomial{N: float64(left), P: share, Src: r}.Rand()
			} else {
				times = float64(left)
			}
			left -= int64(times)
			rest -= float64(k.games)
			w, m := b.contribution(k)
			won, n = won+w*times, n+m*times
		}
		if n > 0 {
			shares = append(shares, won/n)
		}
	}
	return shares
}
