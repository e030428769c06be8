package ratings

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/internal/bradley"
)

var replications = flag.Int("replications", 60, "simulated leagues")

// of rates the players of a table.
func of(t *testing.T, p Params) *report {
	t.Helper()
	p.MinGames, p.Workers = max(1, p.MinGames), 2
	r := &report{Params: p}
	meetings, err := r.read(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.rate(context.Background(), meetings); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTwoPlayers: of two the difference is the logarithm of wins over losses, with the error of a multinomial.
func TestTwoPlayers(t *testing.T) {
	r := of(t, Params{Scores: []Score{{Player: "A", Opponent: "B", Wins: 60, Draws: 25, Losses: 40}}, Anchor: "B", Average: 1000})
	nu := 25 / math.Sqrt(60*40)
	perLogit := 400 / math.Ln10 * 2 / (2 + nu)
	a, b := r.Players[0], r.Players[1]
	if want := 1000 + perLogit*math.Log(60.0/40); math.Abs(a.Rating-want) > 1e-3 || a.Name != "A" {
		t.Errorf("%s has %v, want %v", a.Name, a.Rating, want)
	}
	if want := 1.96 * perLogit * math.Sqrt(1.0/60+1.0/40); math.Abs((a.High-a.Low)/2-want) > 1e-3 {
		t.Errorf("±%v, want %v", (a.High-a.Low)/2, want)
	}
	if b.Rating != 1000 || b.High != b.Low {
		t.Errorf("the anchor: %+v", b)
	}
	if want := math.Erfc(-math.Log(60.0/40)/math.Sqrt(1.0/60+1.0/40)/math.Sqrt2) / 2; math.Abs(a.Above-want) > 1e-4 {
		t.Errorf("above with %v, want %v", a.Above, want)
	}
}

// TestOneSided: where the first mover won all games, its advantage has no line, and intervals are wider than if who moved first is unknown.
func TestOneSided(t *testing.T) {
	rated := func(unsided bool) *report {
		r := &report{Names: []string{"A", "B"}, Sided: !unsided}
		if err := r.rate(t.Context(), []meeting{{First: 0, Second: 1, Wins: 1, Unsided: unsided}, {First: 1, Second: 0, Wins: 1, Unsided: unsided}}); err != nil {
			t.Fatal(err)
		}
		r.Listed = []*player{&r.Players[0]}
		return r
	}
	got, want := rated(false), rated(true)
	if !(got.Players[0].High > want.Players[0].High && want.Players[0].High > 200) {
		t.Errorf("A up to %v, without sides up to %v", got.Players[0].High, want.Players[0].High)
	}
	if text := got.modelTable().Rows; len(text) != 3 {
		t.Error(text)
	}
	if notes := strings.Join(got.notes(), " "); !strings.Contains(notes, "no finite estimate") || strings.Contains(strings.Join(want.notes(), " "), "left out") {
		t.Error(notes)
	}
}

// TestFord: who lost all, won all, or met nobody of the others has no rating, and does not disturb the rest.
func TestFord(t *testing.T) {
	league := []Score{{Player: "A", Opponent: "B", Wins: 7, Losses: 5}, {Player: "B", Opponent: "C", Wins: 4, Draws: 3, Losses: 6}}
	more := append([]Score{{Player: "A", Opponent: "Loser", Wins: 9}, {Player: "Winner", Opponent: "C", Wins: 3}, {Player: "Far", Opponent: "Away", Wins: 1, Losses: 1}}, league...)
	want, got := of(t, Params{Scores: league}), of(t, Params{Scores: more})
	for i, p := range got.Players {
		switch {
		case i < 3 && (p.Name != want.Players[i].Name || math.Abs(p.Rating-want.Players[i].Rating) > 1e-6 || !p.Rated):
			t.Errorf("%s has %v, without the others %v", p.Name, p.Rating, want.Players[i].Rating)
		case i >= 3 && p.Rated:
			t.Errorf("%s has the rating %v", p.Name, p.Rating)
		}
	}
	if got.unlinked != 4 || !strings.Contains(strings.Join(got.notes(), " "), "4 players are without a rating") {
		t.Errorf("%d players: %q", got.unlinked, got.notes())
	}
	if lead := got.lead(); !strings.Contains(lead, "3 of them have a rating, from their 25 games with each other.") || strings.Contains(want.lead(), "of them") {
		t.Error(lead)
	}
	loss := func(r *report) string { rows := r.modelTable().Rows; return rows[len(rows)-1][1] }
	if loss(got) != loss(want) {
		t.Errorf("log-loss %s, without the others %s", loss(got), loss(want))
	}
	if rows := got.ratingTable().Rows; rows[2][0] != "3" || rows[3][0] != "–" {
		t.Errorf("ranks %v, %v", rows[2], rows[3])
	}
	r := &report{Params: Params{Scores: []Score{{Player: "A", Opponent: "B", Wins: 3}}, MinGames: 1}}
	meetings, err := r.read(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.rate(context.Background(), meetings); err == nil || !strings.Contains(err.Error(), "infinite") {
		t.Errorf("a shut-out alone: %v", err)
	}
}

// TestCoverage: intervals hold the strengths that the games were drawn from, where openings favour a side, and come again.
// The table of docs/validation.md is of -replications 400.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		name   string
		effect float64 // of an opening, in logits, by pairs of players
	}{{"independent games", 0}, {"openings that suit a player", 0.5}} {
		rng := rand.New(rand.NewPCG(7, uint64(c.effect*10)))
		const players, openings = 8, 40
		held, all, byGame := 0, 0, 0
		for range *replications {
			truth, mean := make([]float64, players), 0.0
			for k := range truth {
				truth[k] = rng.NormFloat64()
				mean += truth[k] / players
			}
			var scores []Score
			curve := bradley.Curve{Draws: 0.8}
			for o := range openings {
				suits := make([]float64, players)
				for k := range suits {
					suits[k] = c.effect * rng.NormFloat64()
				}
				for a := range players {
					for b := range a {
						s := Score{Player: string(rune('A' + a)), Opponent: string(rune('A' + b)), Opening: string(rune('a' + o))}
						odds := curve.At(truth[a] - truth[b] + suits[a] - suits[b])
						for range 2 {
							switch u := rng.Float64(); {
							case u < odds.Win:
								s.Wins++
							case u < odds.Win+odds.Draw:
								s.Draws++
							default:
								s.Losses++
							}
						}
						scores = append(scores, s)
					}
				}
			}
			r := of(t, Params{Scores: scores})
			for _, p := range r.Players {
				// What is estimated: effects of openings make a curve over games flatter.
				shrunk := 1.0
				if c.effect > 0 {
					shrunk = 1 / math.Sqrt(1+2*c.effect*c.effect/(1.7*1.7))
				}
				at := r.perLogit * shrunk * (truth[p.number] - mean)
				all++
				if p.Low <= at && at <= p.High {
					held++
				}
				contrast := make([]float64, players)
				for k := range contrast {
					contrast[k] = -1.0 / players
				}
				contrast[p.number]++
				games, _, _ := r.Model.Variances(r.Model.Rows([][]float64{contrast})[0])
				if math.Abs(p.Rating-at) <= 1.96*r.perLogit*math.Sqrt(games) {
					byGame++
				}
			}
		}
		rate := float64(held) / float64(all)
		t.Logf("%s: %.1f %% of %d held (by game %.1f %%)", c.name, 100*rate, all, 100*float64(byGame)/float64(all))
		if rate < 0.92 || rate > 0.99 {
			t.Errorf("%s: %.3f of the intervals hold the truth", c.name, rate)
		}
	}
}

// TestReadScores: a table says what is wrong with it, and where.
func TestReadScores(t *testing.T) {
	got, err := ReadScores([]byte("\ufeffPlayer, Opponent,wins,draws,losses,opening\nA,B,1,2,3,C51\n"))
	if err != nil || len(got) != 1 || got[0] != (Score{"A", "B", 1, 2, 3, "C51"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                       "no header line",
		"player,opponent,wins\n": `no column "draws"`,
		"player,opponent,wins,draws,losses\nA,B,1,x,3\n": `line 2: draws is "x"`,
		"player,opponent,wins,draws,losses\nA,A,1,2,3\n": "line 2: want the names of two players",
		"player,opponent,wins,draws,losses\nA,B,1,2\n":   "line 2",
	} {
		if _, err := ReadScores([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
