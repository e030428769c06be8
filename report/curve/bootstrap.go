package curve

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sort"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// resamples is how many times the games are drawn with replacement.
const resamples = 1000

// likeGames are the games that put the same numbers of positions into a bin.
type likeGames struct {
	wins, draws, losses float64
	games               int64
}

// binKey names a bin of a curve among the rows of a query.
type binKey struct {
	source, curve string
	bin           float64
}

// bootstrap adds the columns bootstrap_low and bootstrap_high to the rows. A game is
// drawn with all its positions. A bin's share depends on how often each kind of game is
// drawn, and that is multinomial over all games of the curve, so that only the counts of
// kinds are needed, not the games.
func (c *Report) bootstrap(ctx context.Context, db *query.DB) error {
	sql, err := c.query.resample()
	if err != nil {
		return err
	}
	r, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	kinds, err := r.All()
	if err != nil {
		return err
	}
	like := map[binKey][]likeGames{}
	for _, row := range kinds {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		key := binKey{f.Text("source"), f.Text("curve"), f.Number("bin")}
		like[key] = append(like[key], likeGames{f.Number("wins"), f.Number("draws"), f.Number("losses"), f.Whole("games")})
	}
	rows, err := c.Rows.All()
	if err != nil {
		return err
	}
	columns := append(append([]query.Column{}, c.Rows.Columns...), query.Column{Name: "bootstrap_low", Type: "DOUBLE"}, query.Column{Name: "bootstrap_high", Type: "DOUBLE"})
	var group errgroup.Group
	group.SetLimit(cmp.Or(c.Params.Workers, runtime.GOMAXPROCS(0)))
	for i, row := range rows {
		f := sheet.Fields{Columns: c.Rows.Columns, Row: row}
		rows[i] = append(row[:len(row):len(row)], nil, nil)
		if f.Text("kind") != "bin" || f.Whole("positions") == 0 {
			continue
		}
		score, drawsCount := 0.5, c.Params.Draws != shape.DrawsExclude
		if c.Params.Draws == shape.DrawsBands {
			score = map[string]float64{"score": 0.5, "won": 0, "not lost": 1}[f.Text("line")]
		}
		b := resampled{like: like[binKey{f.Text("source"), f.Text("curve"), f.Number("bin")}], games: f.Whole("curve_games"), score: score, counted: drawsCount}
		b.low, b.high, b.reach = f.Number("low"), f.Number("high"), f.Number("t")*f.OrNaN("se")
		group.Go(func() error {
			low, high := b.interval(rand.New(rand.NewPCG(c.Params.Seed, uint64(i))))
			rows[i][len(row)], rows[i][len(row)+1] = low, high
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	c.Rows = query.NewResult(columns, rows)
	return nil
}

// resampled is a bin whose games are to be sampled again.
type resampled struct {
	like      []likeGames
	games     int64   // of the curve, with those that have no position in the bin
	score     float64 // of a draw
	counted   bool    // draws count
	low, high float64 // the robust interval, for bins that a bootstrap says nothing of
	reach     float64 // half its width about the share, by game or by player, whichever is wider: Student's t errors
}

// of returns one kind of game's contribution to numerator and denominator.
func (b *resampled) of(k likeGames) (won, n float64) {
	if b.counted {
		return k.wins + b.score*k.draws, k.wins + k.draws + k.losses
	}
	return k.wins, k.wins + k.losses
}

// interval is the bias-corrected and accelerated percentile interval (Efron 1987), its distances to
// the share multiplied by what players widen the error. Where
// all games agree, or there is only one, every sample is the same and the bootstrap knows
// no error: there the robust interval stands in.
func (b *resampled) interval(r *rand.Rand) (low, high float64) {
	var won, n float64
	for _, k := range b.like {
		w, m := b.of(k)
		won, n = won+w*float64(k.games), n+m*float64(k.games)
	}
	p := won / n
	// The influence of a game on the ratio, up to a factor; its skewness accelerates.
	var squares, cubes float64
	for _, k := range b.like {
		w, m := b.of(k)
		d := w - p*m
		squares += float64(k.games) * d * d
		cubes += float64(k.games) * d * d * d
	}
	if squares < 1e-12*n {
		return b.low, b.high
	}
	wider := b.widening(squares, n)
	shares := b.draw(r)
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

// widening is how much wider than by game the interval of the share is, at least 1: no sampling of games
// knows of players, and none of players has the variance of games between two of them. squares is the
// sum of the squares of the games' influences, n the number of positions.
func (b *resampled) widening(squares, n float64) float64 {
	var sizes dyads.Sizes
	for _, k := range b.like {
		_, m := b.of(k)
		sizes.AddTimes(m, float64(k.games))
	}
	byGame := dyads.Spread{Variance: squares / sizes.Shrinks() / (n * n), Degrees: sizes.Degrees()}
	if wider := b.reach / byGame.Reach(); wider > 1+1e-2 && !math.IsInf(wider, 1) {
		return wider
	}
	return 1
}

// draw is the bin's share in each sample of as many games; samples without a position
// in the bin are left out.
func (b *resampled) draw(r *rand.Rand) []float64 {
	shares := make([]float64, 0, resamples)
	for range resamples {
		var won, n float64
		left, rest := b.games, float64(b.games)
		for _, k := range b.like {
			times := 0.0
			if share := float64(k.games) / rest; left > 0 && share < 1 {
				times = distuv.Binomial{N: float64(left), P: share, Src: r}.Rand()
			} else {
				times = float64(left)
			}
			left -= int64(times)
			rest -= float64(k.games)
			w, m := b.of(k)
			won, n = won+w*times, n+m*times
		}
		if n > 0 {
			shares = append(shares, won/n)
		}
	}
	return shares
}
