package pairs

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/bradley"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/report/page"
	"kifu/schemas"
)

func params(kind string) Params {
	return Params{Sources: []string{"games"}, MinGames: 3, Expectation: kind, FDR: 0.05}
}

// TestPlayersEqualsScript holds expectations and p-values by ratings against
// testdata/players.py.
func TestPlayersEqualsScript(t *testing.T) {
	games, _ := reporttest.Games(t)
	r, err := run(context.Background(), reporttest.OpenDB(t), params(ExpectRatings), []*datasets.Dir{games})
	if err != nil {
		t.Fatal(err)
	}
	want := reporttest.ReadCSV(t, "players_expected.csv")
	close := func(what, text string, got float64) {
		t.Helper()
		if w := reporttest.Number(t, text); math.Abs(got-w) > 1e-5*max(1, math.Abs(w)) {
			t.Errorf("%s is %v, want %v", what, got, w)
		}
	}
	model := r.Expected.Model
	close("games", want[0]["games"], float64(r.Used))
	close("slope", want[0]["half_points"], model.Parameters[0])
	close("advantage", want[0]["expected"], model.Advantage)
	close("draws", want[0]["p"], model.Draws)
	got := map[string]*pairing{}
	for _, p := range r.Pairs {
		if r.Names[p.A] > r.Names[p.B] {
			p.swap()
		}
		got[r.Names[p.A]+" "+r.Names[p.B]] = p
	}
	if len(got) != len(want)-1 {
		t.Errorf("%d pairs, want %d", len(got), len(want)-1)
	}
	for _, w := range want[1:] {
		name := w["player"] + " " + w["opponent"]
		p := got[name]
		if p == nil {
			t.Errorf("no pair %s", name)
			continue
		}
		close(name+": games", w["games"], float64(p.Games))
		close(name+": half points", w["half_points"], float64(p.Half))
		close(name+": expected", w["expected"], p.Expected)
		close(name+": p", w["p"], p.P)
	}
}

// league is a simulated one: everybody plays everybody.
type league struct {
	players, games int     // games of a pair
	spread         float64 // standard deviation of the strengths, in logits
	scale          float64 // rating points of a logit
	curve          bradley.Curve
	planted        map[[2]int]float64 // how much further ahead a is of b than his strength says
}

func (l league) play(seed uint64) []meeting {
	r := rand.New(rand.NewPCG(seed, 1))
	strength := make([]float64, l.players)
	for i := range strength {
		strength[i] = l.spread * r.NormFloat64()
	}
	var all []meeting
	for a := range l.players {
		for b := range l.players {
			if a == b {
				continue
			}
			m := meeting{First: a, Second: b, Rated: true, Difference: (strength[a] - strength[b]) * l.scale}
			o := l.curve.At(strength[a] - strength[b] + l.curve.Advantage + l.planted[[2]int{a, b}] - l.planted[[2]int{b, a}])
			for range l.games / 2 {
				switch u := r.Float64(); {
				case u < o.Win:
					m.Wins++
				case u < o.Win+o.Draw:
					m.Draws++
				default:
					m.Losses++
				}
			}
			all = append(all, m)
		}
	}
	return all
}

func (l league) judge(t *testing.T, seed uint64, kind string) *report {
	t.Helper()
	r := &report{Params: params(kind), Names: make([]string, l.players)}
	for i := range r.Names {
		r.Names[i] = string(rune('a' + i))
	}
	meetings := l.play(seed)
	var err error
	if r.Expected, err = expect(kind, meetings, l.players, 3); err != nil {
		t.Fatal(err)
	}
	r.Pairs = r.Expected.pairs(meetings, 3)
	spread := scaleOf(r.Pairs)
	for _, p := range r.Pairs {
		p.temper(spread)
	}
	r.Cycles = threeCycles(r.Pairs, 0.05)
	rank(r.Pairs, 0.05, r.Names)
	return r
}

// TestPlantedPair: an opponent that does not suit a player comes out first, with the
// sign that he was planted with.
func TestPlantedPair(t *testing.T) {
	for _, kind := range []string{ExpectRatings, ExpectModel} {
		for seed := range uint64(5) {
			l := league{players: 14, games: 40, spread: 0.5, scale: 150, curve: bradley.Curve{Advantage: 0.2, Draws: 0.6}, planted: map[[2]int]float64{{9, 4}: 3}}
			r := l.judge(t, seed, kind)
			p := r.Pairs[0]
			p.invert(scale{by: 1})
			if p.A != 9 || p.B != 4 || !p.StandsOut || !(p.Low > 0) {
				t.Errorf("%s, seed %d: first is %d against %d, p %v, q %v, interval %v to %v", kind, seed, p.A, p.B, p.P, p.Q, p.Low, p.High)
			}
		}
	}
}

// TestFalseDiscoveries: where nothing is planted something is found in at most 5 of 100
// leagues, and where pairs are, at most 5 of 100 findings are others.
func TestFalseDiscoveries(t *testing.T) {
	const seeds = 120
	for _, kind := range []string{ExpectRatings, ExpectModel} {
		for _, planted := range []map[[2]int]float64{nil, {{9, 4}: 3, {1, 2}: 3, {3, 7}: 3}} {
			var share, z, n float64
			for seed := range uint64(seeds) {
				r := league{players: 12, games: 16, spread: 1, scale: 150, curve: bradley.Curve{Advantage: 0.2, Draws: 0.6}, planted: planted}.judge(t, 1000+seed, kind)
				found, wrong := 0, 0
				for _, p := range r.Pairs {
					if p.StandsOut {
						found++
						if planted[[2]int{p.A, p.B}] == 0 {
							wrong++
						}
					}
					if planted == nil {
						z, n = z+p.Z*p.Z, n+1
					}
				}
				share += float64(wrong) / float64(max(1, found)) / seeds
			}
			if limit := 0.05 + 3*math.Sqrt(0.05*0.95/seeds); share > limit {
				t.Errorf("%s, %d planted: false discovery rate %.3f, more than %.3f", kind, len(planted), share, limit)
			}
			if planted == nil && (z/n < 0.8 || z/n > 1.1) {
				t.Errorf("%s: variance of z %.3f, want about 1", kind, z/n)
			}
		}
	}
}

// TestFalseDiscoveriesOfChangingPlayers: players whose strength is another for each opponent, by a
// normal number, spread all pairs; no pair is singled out for that in more than one league of
// twenty, where the raw p single one out in most.
func TestFalseDiscoveriesOfChangingPlayers(t *testing.T) {
	const seeds, players = 100, 12
	tempered, raw := 0, 0
	for seed := range uint64(seeds) {
		rng, change := rand.New(rand.NewPCG(seed, 77)), map[[2]int]float64{}
		for a := range players {
			for b := range a {
				change[[2]int{a, b}] = 0.5 * rng.NormFloat64()
			}
		}
		l := league{players: players, games: 40, spread: 1, scale: 150, curve: bradley.Curve{Advantage: 0.2, Draws: 0.6}, planted: change}
		r := l.judge(t, 5000+seed, ExpectRatings)
		if r.standingOut() > 0 {
			tempered++
		}
		for _, p := range r.Pairs {
			p.P = 2 * distuv.UnitNormal.CDF(-math.Abs(p.Raw))
		}
		rank(r.Pairs, 0.05, r.Names)
		if r.standingOut() > 0 {
			raw++
		}
	}
	t.Logf("of %d leagues a pair stands out in %d, before z is divided in %d", seeds, tempered, raw)
	if limit := int(math.Ceil(seeds*0.05 + 3*math.Sqrt(seeds*0.05*0.95))); tempered > limit || raw < seeds/2 {
		t.Errorf("a pair stands out in %d of %d leagues, at most %d; before z is divided in %d", tempered, seeds, limit, raw)
	}
}

// TestScaleRecovered: games whose results are exactly as Elo's formula has them give 400,
// also with an advantage of the first move; draws flatten the curve by 2/(2+ν).
func TestScaleRecovered(t *testing.T) {
	for _, c := range []struct{ scale, advantage, draws, want float64 }{
		{400, 0, 0, 400}, {400, 0.25, 0, 400}, {520, -0.1, 0, 520}, {400, 0.1, 0.5, 500},
	} {
		curve := bradley.Curve{Advantage: c.advantage, Draws: c.draws}
		var meetings []meeting
		for d := -500.0; d <= 500; d += 50 {
			o := curve.At(d*math.Ln10/c.scale + c.advantage)
			const n = 1e9
			meetings = append(meetings, meeting{First: int(d) + 1000, Second: 0, Rated: true, Difference: d, Wins: int64(math.Round(n * o.Win)), Draws: int64(math.Round(n * o.Draw)), Losses: int64(math.Round(n * o.Loss))})
		}
		e, err := expect(ExpectRatings, meetings, 2000, 3)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(e.Scale-c.want) > 1e-3 {
			t.Errorf("scale %v with advantage %v and draws %v: %v, want %v", c.scale, c.advantage, c.draws, e.Scale, c.want)
		}
		if want := c.advantage * c.scale / math.Ln10; math.Abs(e.Advantage-want) > 1e-3 {
			t.Errorf("advantage %v points, want %v", e.Advantage, want)
		}
	}
}

// TestPlayersIntervalCovers: the interval of the score above the expected one has the
// true one in at least 95 of 100 cases.
func TestPlayersIntervalCovers(t *testing.T) {
	l := league{players: 10, games: 20, spread: 1, scale: 150, curve: bradley.Curve{Advantage: 0.2, Draws: 0.6}, planted: map[[2]int]float64{{9, 4}: 1}}
	covered, cases := 0, 0
	for seed := range uint64(60) {
		r := l.judge(t, seed, ExpectRatings)
		for _, p := range r.Pairs {
			if max(p.A, p.B) != 9 {
				continue
			}
			p.invert(scale{by: 1})
			c, lead := &p.contest, 0.0
			if p.A+p.B == 13 {
				lead = -1 // of 4 over 9
			}
			_, _, _, truth := c.tails(float64(p.Half), lead, mostExact)
			_, _, _, mean := c.tails(float64(p.Half), 0, mostExact)
			difference := (truth - mean) / float64(p.Games)
			if c.a != p.A {
				difference = -difference
			}
			cases++
			if p.Low <= difference && difference <= p.High {
				covered++
			}
		}
	}
	if share := float64(covered) / float64(cases); share < 0.93 {
		t.Errorf("%d of %d intervals cover", covered, cases)
	}
}

// TestThreeCycle: scissors, paper and stone among equals are found, and only they.
func TestThreeCycle(t *testing.T) {
	l := league{players: 9, games: 60, scale: 150, curve: bradley.Curve{Draws: 0.2}}
	meetings := l.play(3)
	for i := range meetings {
		m := &meetings[i]
		if m.First > 2 || m.Second > 2 {
			continue
		}
		m.Wins, m.Draws, m.Losses = 5, 2, 23
		if (m.First+1)%3 == m.Second {
			m.Wins, m.Losses = 23, 5
		}
	}
	e, err := expect(ExpectModel, meetings, l.players, 3)
	if err != nil {
		t.Fatal(err)
	}
	pairs := e.pairs(meetings, 3)
	c := threeCycles(pairs, 0.05)
	if c.Triples != 84 { // 9 choose 3
		t.Errorf("%d triples, want 84", c.Triples)
	}
	if c.Sure != 1 || c.Beyond != 1 || c.Found[0].Players != [3]int{0, 1, 2} {
		t.Fatalf("%d sure, %d beyond expectation, first %+v", c.Sure, c.Beyond, c.Found[0])
	}
	// 23 wins, 2 draws and 5 losses as first and as second, against equals: the largest of
	// three equal p-values.
	odds := []bradley.Alike{{Odds: e.Model.At(e.Model.Advantage), Games: 30}, {Odds: e.Model.At(-e.Model.Advantage), Games: 30}}
	_, want, _ := bradley.Tails(bradley.Points(odds), 96)
	if got := c.Found[0].P; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("p %v, want %v", got, want)
	}
	for _, weak := range []int{0, 1} { // one pair that proves nothing spoils the cycle
		for i := range meetings {
			if m := &meetings[i]; m.First == weak && m.Second == weak+1 || m.Second == weak && m.First == weak+1 {
				m.Wins, m.Draws, m.Losses = 14, 2, 14
			}
		}
	}
	if c := threeCycles(e.pairs(meetings, 3), 0.05); c.Sure != 0 {
		t.Error("a cycle with an even pair is sure")
	}
}

func TestPlayersFiles(t *testing.T) {
	games, _ := reporttest.Games(t)
	p := params(ExpectAuto)
	p.Aliases = []dyads.Alias{{Name: "p1", SameAs: "p2"}, {Name: "p2", SameAs: "it's p3"}}
	files := reporttest.Build(t, func(out page.Output) error {
		return Make(context.Background(), p, []*datasets.Dir{games}, out)
	})
	reporttest.CheckGolden(t, "players.md", files["players.md"])
	reporttest.CheckGolden(t, "players.sql", files["players.sql"])
	reporttest.CheckPicture(t, files, "players")
	reporttest.CheckPicture(t, files, "players-spread")
	reporttest.CheckPage(t, files["index.html"], "Pairs that depart most", "Do pairs differ more than chance?", "data-series=\"1\"")
	for _, name := range []string{"players.csv", "players.tex", "players.txt"} {
		if text := string(files[name]); !strings.Contains(text, "it's p3") || strings.Contains(text, "p1,") {
			t.Errorf("%s does not know that p1 is p3", name)
		}
	}
}

// TestFewPairs: the spread of a few pairs, which would tell nothing, is not shown.
func TestFewPairs(t *testing.T) {
	games, _ := reporttest.Games(t)
	few := params(ExpectAuto)
	many := few
	many.MinGames = 2
	for p, shown := range map[*Params]bool{&many: true, &few: false} {
		r, err := run(context.Background(), reporttest.OpenDB(t), *p, []*datasets.Dir{games})
		if err != nil || len(r.Pairs) >= leastSpread != shown {
			t.Fatal(len(r.Pairs), err)
		}
		files := reporttest.Build(t, func(out page.Output) error {
			return Make(context.Background(), *p, []*datasets.Dir{games}, out)
		})
		_, picture := files["players-spread.png"]
		if title, row := strings.Contains(string(files["index.html"]), "Do pairs differ"), strings.Contains(string(files["players.md"]), "spread of z (by"); picture != shown || title != shown || row != shown {
			t.Errorf("the spread of %d pairs has a picture %v, a section %v, a row %v", len(r.Pairs), picture, title, row)
		}
	}
}

func TestPlayersErrors(t *testing.T) {
	games, positions := reporttest.Games(t)
	unrated := reporttest.WriteTable(t, schemas.Games, []map[string]string{{"first_player": "a", "second_player": "b", "result": "draw"}}, manifest.Counts{})
	empty := reporttest.WriteTable(t, schemas.Games, []map[string]string{{"first_player": "a", "second_player": "a", "result": "draw"}}, manifest.Counts{})
	many, loop := params(ExpectAuto), params(ExpectAuto)
	many.MinGames = 100
	loop.Aliases = []dyads.Alias{{Name: "a", SameAs: "b"}, {Name: "b", SameAs: "a"}}
	for _, c := range []struct {
		want string
		p    Params
		in   *datasets.Dir
	}{
		{"--min-games", many, games},
		{"leads back to itself", loop, games},
		{"--expectation model", params(ExpectRatings), unrated},
		{"no game with a result", params(ExpectAuto), empty},
		{"holds positions", params(ExpectAuto), positions},
		{"want ratings, model or auto", params("elo"), games},
	} {
		if _, err := run(context.Background(), reporttest.OpenDB(t), c.p, []*datasets.Dir{c.in}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

var example = &reporttest.Example{
	Name: "players",
	Page: reporttest.Numbers{Column: "games", Where: "", Is: "", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		games, _ := reporttest.Games(t)
		p := params(ExpectAuto)
		p.Workers = workers
		return Make(context.Background(), p, []*datasets.Dir{games}, out)
	},
}

func TestPlayersExample(t *testing.T) {
	example.Check(t)
}

// TestOneSided: where the first mover won all games, the page has no advantage of the first move, and says why.
func TestOneSided(t *testing.T) {
	r := &report{Params: params(ExpectModel), Names: []string{"A", "B", "C"}, Played: 12}
	var meetings []meeting
	for _, pair := range [][2]int{{0, 1}, {1, 0}, {1, 2}, {2, 1}} {
		meetings = append(meetings, meeting{First: pair[0], Second: pair[1], Wins: 3})
	}
	if err := r.judge(meetings); err != nil {
		t.Fatal(err)
	}
	if rows := r.expectationTable().Rows; len(rows) != 4 || r.Expected.Model.Advantage > 5 {
		t.Errorf("advantage %v: %v", r.Expected.Model.Advantage, rows)
	}
	if notes := strings.Join(r.notes(), " "); !strings.Contains(notes, "no finite estimate") {
		t.Error(notes)
	}
}
