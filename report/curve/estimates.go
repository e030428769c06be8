package curve

import (
	"math"

	"kifu/internal/dyads"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// estimate is a row of the query: a share of the positions of a bin of a curve. Numbers that are null there are NaN.
type estimate struct {
	source, curve int
	scoring
	bin int32
	*binSums
	curveGames                                         int64
	share, effective, se, t, low, high                 float64
	wilsonLow, wilsonHigh, bootstrapLow, bootstrapHigh float64
}

// kindOf is the column kind.
func kindOf(bin int32) string {
	switch bin {
	case forcedFirst:
		return "forced first"
	case forcedSecond:
		return "forced second"
	case noBin:
		return "no value"
	}
	return "bin"
}

// estimates finishes the sums of the curves of all sources.
func (c *Report) estimates(all [][]*sums) (rows []estimate) {
	counts := c.counting()
	for source, curves := range all {
		for curve, of := range curves {
			for _, bin := range of.ordered() {
				b := of.bins[bin]
				for i, line := range counts.lines {
					var players byPlayer
					if of.players != nil && bin != noBin {
						players = of.players[i][bin]
					}
					e := estimate{source: source, curve: curve, scoring: line, bin: bin, binSums: b, curveGames: of.games}
					draw := line.draw
					if !counts.draws {
						draw = 0
					}
					e.finish(draw, players, dyads.Way(c.Params.Way))
					rows = append(rows, e)
				}
			}
		}
	}
	return rows
}

// finish computes the share and its intervals as curve.sql does, operation by operation.
func (e *estimate) finish(draw float64, players byPlayer, way string) {
	b, n := e.binSums, float64(e.positions)
	w := float64(b.wins) + draw*float64(b.draws)
	ww, wn := b.ww+2*draw*b.wd+draw*draw*b.dd, b.wn+draw*b.dn
	p := w / n
	kept := 1 - 2*float64(b.nnn)/n/b.nn + b.nn/n/n
	df, byGame := math.NaN(), math.NaN()
	if b.nnnn > 0 {
		df = math.Max(1, b.nn/float64(b.nnnn)*b.nn*kept)
	}
	if n > 0 && kept != 0 {
		byGame = math.Max(0, ww-2*p*wn+p*p*b.nn) / (n * n) / kept
	}
	variance, t := byGame, studentT(df)
	if players.any {
		effect := 0.0
		if byGame > 0 {
			effect = players.variance / byGame
		}
		if byPlayer := studentT(players.sizes.OfPlayers(effect)); players.variance*(byPlayer*byPlayer) > byGame*(t*t) || way == dyads.ByPlayer && players.variance > 0 {
			variance, t = players.variance, byPlayer
		}
	}
	independent, z := df+1, dyads.Normal95
	if p*(1-p) > 0 && variance > 0 {
		independent, z = p*(1-p)/variance, t
	}
	e.share, e.effective, e.t = p, df+1, z
	if e.se = math.Sqrt(variance); variance == 0 {
		e.se = math.NaN()
	}
	e.low, e.high = shape.WilsonOf(p*independent, independent, z)
	e.wilsonLow, e.wilsonHigh = shape.WilsonOf(w, n, dyads.Normal95)
}

// studentT is the macro student_t: Cornish and Fisher's expansion. Powers are rounded once, as in the database.
func studentT(df float64) float64 {
	square := df * df
	rest := math.FMA(df, df, -square)
	cube, fourth := square*df, square*square
	cube += math.FMA(square, df, -cube) + rest*df
	fourth += math.FMA(square, square, -fourth) + 2*square*rest
	return dyads.Normal95 + 2.372271230298562/df + 2.8224986157396112/square + 2.555849679507722/cube + 1.5895340533938225/fourth
}

// minimum is the number of positions of a bin that is drawn: the one asked for, or 1,000 as in the paper, or 100 where that would
// hide more than a fifth of a curve.
func (c *Report) minimum(all [][]*sums) int64 {
	if c.Params.MinCount > 0 {
		return c.Params.MinCount
	}
	for _, curves := range all {
		for _, of := range curves {
			var shown, total float64
			for bin, b := range of.bins {
				if !isBin(bin) {
					continue
				}
				total += float64(b.positions)
				if b.positions >= 1000 {
					shown += float64(b.positions)
				}
			}
			if total > 0 && shown/total < 0.8 {
				return 100
			}
		}
	}
	return 1000
}

// shown reports whether the bin has enough positions.
func (c *Report) shown(e *estimate) bool { return isBin(e.bin) && e.positions >= c.MinCount }

// Rows are the rows of the query, with the ends of a bootstrap after them.
func (c *Report) Rows() *query.Result {
	bands, bootstrap := c.Params.Draws == shape.DrawsBands, c.Params.Interval == IntervalBootstrap
	columns := []string{"VARCHAR source curve", "VARCHAR", "VARCHAR kind", "DOUBLE bin", "BOOLEAN shown", "INTEGER min_count", "BIGINT curve_games positions games wins draws losses unfinished",
		"DOUBLE effective_games win_probability se t low high wilson_low wilson_high"}
	if bands {
		columns[1] += " line"
	}
	if bootstrap {
		columns = append(columns, "DOUBLE bootstrap_low bootstrap_high")
	}
	rows := make([][]any, len(c.rows))
	for i := range c.rows {
		e := &c.rows[i]
		row := []any{c.Sources[e.source].Name, c.query.Curves[e.curve].Name}
		if bands {
			row = append(row, e.line)
		}
		bin := math.NaN()
		if isBin(e.bin) {
			bin = float64(e.bin) * c.Bin
		}
		row = append(row, kindOf(e.bin), bin, c.shown(e), c.MinCount, e.curveGames, e.positions, e.games, e.wins, e.draws, e.losses, e.unfinished,
			e.effective, e.share, e.se, e.t, e.low, e.high, e.wilsonLow, e.wilsonHigh)
		if bootstrap {
			row = append(row, e.bootstrapLow, e.bootstrapHigh)
		}
		rows[i] = row
	}
	return sheet.Result(rows, columns...)
}
