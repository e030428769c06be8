package bradley

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"kifu/internal/panels"
)

func read(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines[1:]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// committed are the games of testdata/davidson.py, a cluster a pair of players.
func committed(t *testing.T) (cells []Cell, players int) {
	t.Helper()
	for _, line := range read(t, "davidson_games.csv") {
		var n [5]int
		for i, text := range line {
			n[i] = int(number(t, text))
		}
		players = max(players, n[0]+1, n[1]+1)
		cells = append(cells, Cell{Terms: []Term{{n[0], 1}, {n[1], -1}}, Wins: int64(n[2]), Draws: int64(n[3]), Losses: int64(n[4]), Cluster: min(n[0], n[1])*100 + max(n[0], n[1])})
	}
	return cells, players
}

// TestFitEqualsStatsmodels holds strengths, advantage, ν and their errors against a
// Poisson regression of statsmodels.
func TestFitEqualsStatsmodels(t *testing.T) {
	cells, players := committed(t)
	// The script's first player has strength 0.
	for i := range cells {
		var terms []Term
		for _, term := range cells[i].Terms {
			if term.Parameter > 0 {
				terms = append(terms, Term{term.Parameter - 1, term.Factor})
			}
		}
		cells[i].Terms = terms
	}
	m, err := Fit(cells, players-1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, line := range read(t, "davidson_expected.csv") {
		var value float64
		of := k
		switch line[0] {
		case "advantage":
			value, of = m.Advantage, Advantage
		case "log draws":
			value, of = math.Log(m.Draws), LogDraws
		default:
			value = m.Parameters[k]
		}
		if want := number(t, line[1]); math.Abs(value-want) > 2e-6 {
			t.Errorf("%s is %v, want %v", line[0], value, want)
		}
		if want := number(t, line[2]); math.Abs(m.Error(of)-want) > 2e-6 {
			t.Errorf("error of %s is %v, want %v", line[0], m.Error(of), want)
		}
	}
}

// TestErrorOfFewClusters: of independent games between equals without draws the error of
// the advantage is 2/√n.
func TestErrorOfFewClusters(t *testing.T) {
	m, err := Fit([]Cell{{Wins: 200, Losses: 200}}, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Error(Advantage); math.Abs(got-0.1) > 1e-6 {
		t.Errorf("error %v, want 0.1", got)
	}
}

// TestWithoutIsAFitWithout: with all others known for sure, a strength without a cluster
// is that of a fit that never saw the cluster.
func TestWithoutIsAFitWithout(t *testing.T) {
	cells, players := committed(t)
	precision := make([]float64, players)
	for k := range precision {
		precision[k] = 1
	}
	m, err := Fit(cells, players, precision, nil)
	if err != nil {
		t.Fatal(err)
	}
	const player, rival = 2, 5
	got, variance := m.Without(player, 205, m.CellsOf()[player])
	// A search of the same density by thirds.
	density := func(at float64) float64 {
		sum := -at * at / 2
		for _, c := range cells {
			for _, term := range c.Terms {
				if term.Parameter == player && c.Cluster != 205 {
					x := m.ahead(&c) + term.Factor*(at-m.Parameters[player])
					o := m.At(x)
					sum += float64(c.Wins)*math.Log(o.Win) + float64(c.Draws)*math.Log(o.Draw) + float64(c.Losses)*math.Log(o.Loss)
				}
			}
		}
		return sum
	}
	low, high := -9.0, 9.0
	for range 200 {
		a, b := low+(high-low)/3, high-(high-low)/3
		if density(a) < density(b) {
			low = a
		} else {
			high = b
		}
	}
	if math.Abs(got-low) > 1e-6 {
		t.Errorf("without player %d it is %v, want %v", rival, got, low)
	}
	const h = 1e-3
	if want := -h * h / (density(low+h) - 2*density(low) + density(low-h)); math.Abs(variance/want-1) > 1e-4 {
		t.Errorf("variance %v, want %v", variance, want)
	}
	if with := m.Parameters[player]; math.Abs(got-with) < 1e-3 {
		t.Errorf("the games against player %d changed nothing: %v and %v", rival, got, with)
	}
}

// TestFitExtremes: a fit stays finite when the games leave its unknowns open.
func TestFitExtremes(t *testing.T) {
	for name, cells := range map[string][]Cell{
		"one game":         {{Wins: 1}},
		"all drawn":        {{Terms: []Term{{0, 1}}, Draws: 9}},
		"the better wins":  {{Terms: []Term{{0, 1}}, Wins: 50}, {Terms: []Term{{0, -2}}, Losses: 50}},
		"no draws, evenly": {{Terms: []Term{{0, 1}}, Wins: 5, Losses: 5}},
	} {
		m, err := Fit(cells, 1, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, v := range append(m.Parameters, m.Advantage, m.Draws, m.LogLikelihood, m.Error(0)) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

// TestAt: the odds are those of the model, sum to 1 and do not overflow.
func TestAt(t *testing.T) {
	c := Curve{Draws: 0.7}
	if o := c.At(math.Log(4)); math.Abs(o.Win/o.Loss-4) > 1e-12 || math.Abs(o.Draw*o.Draw/(o.Win*o.Loss)-0.49) > 1e-12 {
		t.Errorf("odds %+v", o)
	}
	for _, x := range []float64{-2000, -3, 0, 700, 5000} {
		if o := c.At(x); !(math.Abs(o.Win+o.Draw+o.Loss-1) < 1e-12) {
			t.Errorf("at %v: %+v", x, o)
		}
	}
	const h = 1e-5
	if got := (c.At(h).Score() - c.At(-h).Score()) / (2 * h) * 4; math.Abs(got-c.Slope()) > 1e-8 {
		t.Errorf("slope %v, want %v", c.Slope(), got)
	}
}

// TestPoints: binomial without draws, and the sum over all outcomes with them.
func TestPoints(t *testing.T) {
	p := Points([]Alike{{Odds{0.3, 0, 0.7}, 10}})
	for wins := range 11 {
		lg := func(n int) float64 { v, _ := math.Lgamma(float64(n + 1)); return v }
		want := math.Exp(lg(10) - lg(wins) - lg(10-wins) + float64(wins)*math.Log(0.3) + float64(10-wins)*math.Log(0.7))
		if math.Abs(p[2*wins]-want) > 1e-12 {
			t.Errorf("%d wins: %v, want %v", wins, p[2*wins], want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var games []Alike
	for range 6 {
		a, b := r.Float64(), r.Float64()
		if a > b {
			a, b = b, a
		}
		games = append(games, Alike{Odds{a, b - a, 1 - b}, 1 + r.Int64N(2)})
	}
	want := make([]float64, 2*12+1)
	var walk func(k int, left int64, half int, p float64)
	walk = func(k int, left int64, half int, p float64) {
		switch {
		case k == len(games):
			want[half] += p
		case left == 0:
			next := int64(0)
			if k+1 < len(games) {
				next = games[k+1].Games
			}
			walk(k+1, next, half, p)
		default:
			walk(k, left-1, half, p*games[k].Loss)
			walk(k, left-1, half+1, p*games[k].Draw)
			walk(k, left-1, half+2, p*games[k].Win)
		}
	}
	walk(0, games[0].Games, 0, 1)
	got := Points(games)
	mean, variance := Moments(games)
	for k, p := range got {
		if math.Abs(p-want[k]) > 1e-12 {
			t.Errorf("%d half points: %v, want %v", k, p, want[k])
		}
		mean -= p * float64(k) / 2
	}
	for k, p := range got {
		m, _ := Moments(games)
		variance -= p * (float64(k)/2 - m) * (float64(k)/2 - m)
	}
	if math.Abs(mean) > 1e-12 || math.Abs(variance) > 1e-12 {
		t.Errorf("moments are off by %v, %v", mean, variance)
	}
	low, high, at := Tails(got, 7)
	if math.Abs(low+high-at-1) > 1e-12 {
		t.Errorf("tails %v, %v, %v", low, high, at)
	}
}

// TestRows: minus the Hessian times a row is its contrast, and rows that are made together are those made alone.
func TestRows(t *testing.T) {
	cells, players := committed(t)
	m, err := Fit(cells, players, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var contrasts [][]float64
	for k := range 4 {
		c := make([]float64, players)
		c[k], c[k+1+k] = 1, -1
		contrasts = append(contrasts, c)
	}
	for l, row := range m.Rows(contrasts) {
		if alone := m.Rows(contrasts[l : l+1])[0]; !slices.Equal(alone, row) {
			t.Errorf("contrast %d: %v alone, %v with others", l, alone[:3], row[:3])
		}
		back, of := make([]panels.Line, players+2), make([]panels.Line, players+2)
		for k, v := range row {
			of[k][5] = v
		}
		m.curvature().times(back, of)
		for k := range back {
			got, want := back[k][5], 0.0
			if k < players {
				want = contrasts[l][k]
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("contrast %d: %v of unknown %d, want %v", l, got, k, want)
			}
		}
	}
}

// TestOpen: where the games have no finite estimate of the advantage or of ν, Fit reports it, and the intervals of 95 % of the
// difference of two players hold it. Half of one's games with the first move more, with which this is hardest.
func TestOpen(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct {
		curve Curve
		lead  float64 // of player 0, in logits
		games int
	}{{Curve{3, 0}, -0.7, 10}, {Curve{3, 0}, -0.7, 40}, {Curve{3, 1}, -0.7, 40}, {Curve{3, 1}, 0.7, 40}, {Curve{0, 1}, 0.7, 10}, {Curve{0, 1}, 0, 5}} {
		held, all := 0, 0
		for tries := 0; all < 200 && tries < 100_000; tries++ {
			cells := []Cell{{Terms: []Term{{0, 1}, {1, -1}}, Cluster: 1}, {Terms: []Term{{0, -1}, {1, 1}}, Cluster: 2}}
			for range c.games {
				k := rng.IntN(4) / 3
				odds := c.curve.At(c.curve.Advantage + c.lead*float64(1-2*k))
				switch u := rng.Float64(); {
				case u < odds.Win:
					cells[k].Wins++
				case u < odds.Win+odds.Draw:
					cells[k].Draws++
				default:
					cells[k].Losses++
				}
			}
			a, b := &cells[0], &cells[1]
			oneSided := a.Wins+b.Wins == 0 || a.Losses+b.Losses == 0
			if !oneSided || a.Wins+a.Draws+b.Losses+b.Draws == 0 || a.Losses+a.Draws+b.Wins+b.Draws == 0 {
				continue // the advantage has an estimate, or one player scored nothing
			}
			m, err := Fit(cells, 2, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !m.OpenAdvantage || m.Note() == "" || !(math.Abs(m.Advantage) < 12) {
				t.Fatalf("%+v: advantage %v, open %v", cells, m.Advantage, m.OpenAdvantage)
			}
			all++
			games, _, _ := m.Variances(m.Rows([][]float64{{1, -1}})[0])
			if math.Abs(m.Parameters[0]-m.Parameters[1]-c.lead) <= 1.96*math.Sqrt(games) {
				held++
			}
		}
		if share := float64(held) / float64(all); all < 200 || share < 0.93 {
			t.Errorf("%+v: %d intervals, %.1f %% of them hold the difference", c, all, 100*share)
		}
	}
}

// TestOpenDraws: with draws, points of both players do not make strengths finite where nothing tells how often equals draw.
func TestOpenDraws(t *testing.T) {
	one := []Cell{{Terms: []Term{{0, 1}, {1, -1}}, Wins: 3, Draws: 2, Unsided: true}}
	m, err := Fit(one, 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	games, _, _ := m.Variances(m.Rows([][]float64{{1, -1}})[0])
	if lead := m.Parameters[0] - m.Parameters[1]; !m.OpenDraws || m.OpenAdvantage || !(lead > 1 && lead < 6) || !(games > 1) {
		t.Errorf("ahead by %v with variance %v, open %v", lead, games, m.OpenDraws)
	}
	if other, err := Fit(append(one, Cell{Terms: []Term{{2, 1}, {3, -1}}, Wins: 5, Losses: 6, Draws: 4, Unsided: true}), 4, nil, nil); err != nil || other.OpenDraws {
		t.Errorf("others tell how often equals draw: open %v, %v", other.OpenDraws, err)
	}
}
