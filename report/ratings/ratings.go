// Package ratings rates the players of recorded games or of a table of results. It maximises the
// likelihood of Bradley and Terry's model with draws and first-move advantage, and averages Elo's
// updates over random orders. Its command is kifu report ratings.
package ratings

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kifu/datasets"
	"kifu/internal/bradley"
	"kifu/internal/dyads"
	"kifu/internal/elo"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
)

// Params is everything that changes a report of ratings.
type Params struct {
	Sources  []string      `json:"sources,omitempty"` // names of the datasets of games
	Scores   []Score       `json:"scores,omitempty"`  // of tables, besides the games
	Average  float64       `json:"average"`           // rating of the mean player
	Anchor   string        `json:"anchor,omitempty"`  // player who has the rating Average instead
	MinGames int64         `json:"min_games"`         // of a player who is listed
	Orders   int           `json:"orders"`            // random orders for Elo's updates; 0: none
	Seed     uint64        `json:"seed"`
	Aliases  []dyads.Alias `json:"aliases,omitempty"` // names to replace
	Workers  int           `json:"-"`                 // 0: one a processor; the output does not depend on it
}

// Validate reports the first parameter that makes no sense whatever the games.
func (p Params) Validate() error {
	switch {
	case len(p.Sources) == 0 && len(p.Scores) == 0:
		return errors.New("nothing to rate: give games or a table of results")
	case !(math.Abs(p.Average) <= 1e6):
		return fmt.Errorf("average %v: want a rating", p.Average)
	case p.MinGames < 1:
		return fmt.Errorf("players with %d games: want at least 1", p.MinGames)
	case p.Orders < 0:
		return fmt.Errorf("%d random orders: want a positive number, or 0", p.Orders)
	}
	return nil
}

// meeting has the games of two players with one opening, by their results for the first.
type meeting struct {
	First, Second       int
	Wins, Draws, Losses int64
	Opening             string
	Unsided             bool
}

func (t *meeting) games() int64 { return t.Wins + t.Draws + t.Losses }

// player is a line of the table.
type player struct {
	Name                string
	Wins, Draws, Losses int64
	Opposition          float64 // mean rating of the opponents, by game; NaN where none is rated
	Rated               bool    // it has a finite rating
	Rating, Low, High   float64
	Above               float64 // probability of being stronger than the next one; NaN for the last
	Orders              elo.Rating
	number              int
}

func (p *player) games() int64   { return p.Wins + p.Draws + p.Losses }
func (p *player) score() float64 { return (float64(p.Wins) + float64(p.Draws)/2) / float64(p.games()) }

// report holds the contents of the page and of the pictures.
type report struct {
	Params     Params
	Game       string
	Sources    sheet.Sources
	Names      []string
	Players    []player  // rated ones, best first, then those without a rating
	Listed     []*player // those with enough games
	Games      int64
	Fitted     int64 // games of them between rated players
	Handicaps  int64 // games of them with a handicap
	Openings   int   // that games are known of; 0: errors are by game
	Sided      bool  // who moved first is known of some games
	Model      *bradley.Model
	Advantage  [3]float64 // Elo, with its interval
	Orders     int
	SQL        string
	perLogit   float64
	unlinked   int // players without a rating
	anchorless bool
}

//go:embed ratings.sql
var queryTemplate string

// Make rates the players: in has one dataset of games a name in p.Sources.
func Make(ctx context.Context, p Params, in []*datasets.Dir, out page.Output) error {
	if err := p.Validate(); err != nil {
		return err
	}
	r := &report{Params: p}
	meetings, err := r.read(ctx, in)
	if err == nil {
		err = r.rate(ctx, meetings)
	}
	if err != nil {
		return sheet.About(p.Sources, err)
	}
	return r.Sheet().Write(out)
}

// read gathers the meetings of games and tables, with the players numbered in the order of their names.
func (r *report) read(ctx context.Context, in []*datasets.Dir) ([]meeting, error) {
	type row struct {
		first, second string
		meeting
	}
	var rows []row
	aliases, err := dyads.Resolve(r.Params.Aliases)
	if err != nil {
		return nil, err
	}
	if len(in) > 0 {
		fields, err := r.query(ctx, in)
		if err != nil {
			return nil, err
		}
		for _, f := range fields {
			t := meeting{Wins: f.Whole("wins"), Draws: f.Whole("draws"), Losses: f.Whole("losses")}
			if f.Text("first_player") != f.Text("second_player") {
				r.Handicaps += f.Whole("handicaps")
			}
			if f.At("opening") != nil {
				t.Opening = f.Text("opening")
			}
			rows = append(rows, row{f.Text("first_player"), f.Text("second_player"), t})
		}
	}
	same := map[string]string{}
	for _, a := range aliases {
		same[a.Name] = a.SameAs
	}
	named := func(name string) string {
		if other, known := same[name]; known {
			return other
		}
		return name
	}
	for _, s := range r.Params.Scores {
		rows = append(rows, row{named(s.Player), named(s.Opponent), meeting{Wins: s.Wins, Draws: s.Draws, Losses: s.Losses, Opening: s.Opening, Unsided: true}})
	}
	for _, x := range rows {
		r.Names = append(r.Names, x.first, x.second)
	}
	var number map[string]int
	r.Names, number = sheet.Numbered(r.Names)
	var meetings []meeting
	for _, x := range rows {
		x.First, x.Second = number[x.first], number[x.second]
		if x.First != x.Second && x.games() > 0 {
			meetings = append(meetings, x.meeting)
			r.Games += x.games()
			r.Sided = r.Sided || !x.Unsided
		}
	}
	if r.Games == 0 {
		return nil, sheet.Errorf("no game with a result and the names of both players")
	}
	return meetings, nil
}

// query runs the query over the datasets.
func (r *report) query(ctx context.Context, in []*datasets.Dir) ([]sheet.Fields, error) {
	db, err := query.Open(ctx, query.Options{Threads: r.Params.Workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	q, sources, err := sheet.AttachGames(ctx, db, in, r.Params.Sources, r.Params.Aliases)
	if err != nil {
		return nil, err
	}
	r.Game, r.Sources = sources[0].Game, sources
	sql, rows, _, err := sheet.Run(ctx, db, "ratings.sql", queryTemplate, q)
	r.SQL = sql
	return rows, err
}

// eloOfLogit is the Elo difference of one logit.
const eloOfLogit = 400 / math.Ln10

// rate fits the model and fills the players.
func (r *report) rate(ctx context.Context, meetings []meeting) error {
	rated := largest(len(r.Names), meetings)
	if len(rated) < 2 {
		return sheet.Errorf("no two players have each scored against the other, directly or through others: ratings would be infinite")
	}
	place := make([]int, len(r.Names)) // among the rated ones, from 1
	for i, k := range rated {
		place[k] = i + 1
	}
	cells, openings, known := []bradley.Cell(nil), map[string]int{}, int64(0)
	for i := range meetings {
		t := &meetings[i]
		if place[t.First] == 0 || place[t.Second] == 0 {
			continue
		}
		c := bradley.Cell{Terms: []bradley.Term{{Parameter: place[t.First] - 1, Factor: 1}, {Parameter: place[t.Second] - 1, Factor: -1}},
			Wins: t.Wins, Draws: t.Draws, Losses: t.Losses, Unsided: t.Unsided, Cluster: -1 - i}
		if r.Fitted += t.games(); t.Opening != "" {
			known += t.games()
			if _, there := openings[t.Opening]; !there {
				openings[t.Opening] = len(openings)
			}
			c.Cluster = openings[t.Opening]
		}
		cells = append(cells, c)
	}
	if 2*known >= r.Fitted && len(openings) >= fewOpenings {
		r.Openings = len(openings)
	}
	var err error
	if r.Model, err = bradley.Fit(cells, len(rated), nil, nil); err != nil {
		return err
	}
	r.perLogit = eloOfLogit * r.Model.Slope()
	base := r.fill(meetings, rated, place)
	r.order(meetings)
	if err := r.list(); err != nil {
		return err
	}
	r.errors(ctx, base, place)
	return nil
}

// advantage reports whether the advantage of the first move has an estimate.
func (r *report) advantage() bool { return r.Sided && !r.Model.OpenAdvantage }

// fewOpenings are too few for errors by opening.
const fewOpenings = 10

// reach is half of the 95 % interval of a contrast of the strengths, in Elo, given its row: by games or by openings, the wider.
func (r *report) reach(row []float64) (half, se float64) {
	games, openings, fourths := r.Model.Variances(row)
	half, se = 1.96*math.Sqrt(games), math.Sqrt(games)
	if r.Openings > 0 {
		few := float64(r.Openings) / float64(r.Openings-1)
		if wide := dyads.Quantile95(dyads.DegreesOf(openings, fourths)) * math.Sqrt(few*openings); wide > half {
			half, se = wide, math.Sqrt(few*openings)
		}
	}
	return half * r.perLogit, se * r.perLogit
}

// fill makes the players' lines, without errors. Ratings count from the mean of the rated players, or from the anchor: base has the
// shares of the players.
func (r *report) fill(meetings []meeting, rated, place []int) (base []float64) {
	n := len(rated)
	base = make([]float64, n)
	for i := range base {
		base[i] = 1 / float64(n)
	}
	if r.Params.Anchor != "" {
		r.anchorless = true
		if k, known := slices.BinarySearch(r.Names, r.Params.Anchor); known && place[k] > 0 {
			clear(base)
			base[place[k]-1], r.anchorless = 1, false
		}
	}
	zero := 0.0
	for i, w := range base {
		zero += w * r.Model.Parameters[i]
	}
	r.Players = make([]player, len(r.Names))
	for k := range r.Players {
		r.Players[k] = player{Name: r.Names[k], number: k, Low: math.NaN(), High: math.NaN(), Above: math.NaN(), Opposition: math.NaN()}
	}
	strength := func(k int) float64 { return r.Params.Average + r.perLogit*(r.Model.Parameters[place[k]-1]-zero) }
	faced, faces := make([]float64, len(r.Names)), make([]float64, len(r.Names))
	for i := range meetings {
		t := &meetings[i]
		a, b := &r.Players[t.First], &r.Players[t.Second]
		a.Wins, a.Draws, a.Losses = a.Wins+t.Wins, a.Draws+t.Draws, a.Losses+t.Losses
		b.Wins, b.Draws, b.Losses = b.Wins+t.Losses, b.Draws+t.Draws, b.Losses+t.Wins
		for _, x := range [][2]int{{t.First, t.Second}, {t.Second, t.First}} {
			if place[x[1]] > 0 {
				faced[x[0]] += float64(t.games()) * strength(x[1])
				faces[x[0]] += float64(t.games())
			}
		}
	}
	for k := range r.Players {
		if faces[k] > 0 {
			r.Players[k].Opposition = faced[k] / faces[k]
		}
	}
	for _, k := range rated {
		p := &r.Players[k]
		p.Rated, p.Rating = true, strength(k)
	}
	if r.advantage() {
		half := 1.96 * r.Model.Error(bradley.Advantage) * r.perLogit
		at := r.Model.Advantage * r.perLogit
		r.Advantage = [3]float64{at, at - half, at + half}
	}
	return base
}

// order rates by Elo's updates over random orders of the games.
func (r *report) order(meetings []meeting) {
	var games []elo.Game
	for _, t := range meetings {
		for halves, n := range []int64{t.Losses, t.Draws, t.Wins} {
			for range n {
				games = append(games, elo.Game{Players: [2]int{t.First, t.Second}, Halves: halves})
			}
		}
	}
	var by []elo.Rating
	by, r.Orders = elo.Rate(len(r.Names), games, r.Params.Orders, rand.New(rand.NewPCG(r.Params.Seed, 0x7a7e)))
	for k := range by {
		r.Players[k].Orders = by[k]
	}
}

// list ranks the players and chooses those that are shown.
func (r *report) list() error {
	slices.SortStableFunc(r.Players, func(a, b player) int {
		switch {
		case a.Rated != b.Rated:
			if a.Rated {
				return -1
			}
			return 1
		case a.Rating > b.Rating:
			return -1
		case a.Rating < b.Rating:
			return 1
		}
		return 0
	})
	for i := range r.Players {
		if p := &r.Players[i]; !p.Rated {
			r.unlinked++
		}
		if r.Players[i].games() >= r.Params.MinGames {
			r.Listed = append(r.Listed, &r.Players[i])
		}
	}
	if len(r.Listed) == 0 {
		return sheet.Errorf("no player has %d games: list players of fewer with --min-games", r.Params.MinGames)
	}
	return nil
}

const together = bradley.Together

// errors fills the intervals of the listed players, and the probabilities that each is stronger than the next one.
func (r *report) errors(ctx context.Context, base []float64, place []int) {
	n, listed := len(base), r.Listed
	for i, p := range listed {
		if !p.Rated { // the rated ones come first
			listed = listed[:i]
			break
		}
	}
	bar := progress.Start(ctx, "ratings: errors", int64(len(listed)), "players")
	defer bar.Done()
	// Rows are of differences from the mean of all: what the whole scale is moved by is not known.
	beyond := func(of func(k int) float64) []float64 {
		return lists.N(n, func(k int) float64 { return of(k) - 1/float64(n) })
	}
	zero := r.Model.Rows([][]float64{beyond(func(k int) float64 { return base[k] })})[0]
	less := func(a, b []float64) []float64 { return lists.N(len(a), func(k int) float64 { return a[k] - b[k] }) }
	above := func(a, b *player, rows [2][]float64) {
		if _, se := r.reach(less(rows[0], rows[1])); se > 0 {
			a.Above = math.Erfc(-(a.Rating-b.Rating)/se/math.Sqrt2) / 2
		}
	}
	made := make([][][]float64, max(1, r.Params.Workers))
	var last []float64 // row of the players before
	ordered.Merge(len(made), (len(listed)+together-1)/together, func(w, i int) {
		some := listed[i*together : min(len(listed), (i+1)*together)]
		rows := r.Model.Rows(lists.Of(some, func(p *player) []float64 {
			return beyond(func(k int) float64 {
				if k == place[p.number]-1 {
					return 1
				}
				return 0
			})
		}))
		for j, p := range some {
			half, _ := r.reach(less(rows[j], zero))
			p.Low, p.High = p.Rating-half, p.Rating+half
			if j > 0 {
				above(some[j-1], p, [2][]float64{rows[j-1], rows[j]})
			}
		}
		made[w] = rows
	}, func(w, i int) {
		rows := made[w]
		if i > 0 {
			above(listed[i*together-1], listed[i*together], [2][]float64{last, rows[0]})
		}
		last = rows[len(rows)-1]
		bar.Add(int64(len(rows)))
	})
}

// largest returns the players, ascending, among whom ratings are finite: the largest set of whom every one has scored
// against every other, directly or through others (Ford 1957), the strongly connected component of the graph of points.
func largest(players int, meetings []meeting) []int {
	to, from := make([][]int, players), make([][]int, players)
	link := func(a, b int) { to[a], from[b] = append(to[a], b), append(from[b], a) }
	for i := range meetings {
		t := &meetings[i]
		if t.Wins+t.Draws > 0 {
			link(t.First, t.Second)
		}
		if t.Losses+t.Draws > 0 {
			link(t.Second, t.First)
		}
	}
	// Kosaraju: the order in which a walk leaves the players, then walks against the arrows.
	seen, left := make([]bool, players), make([]int, 0, players)
	type step struct{ at, next int }
	for start := range players {
		if seen[start] {
			continue
		}
		seen[start] = true
		for stack := []step{{start, 0}}; len(stack) > 0; {
			s := &stack[len(stack)-1]
			if s.next == len(to[s.at]) {
				left = append(left, s.at)
				stack = stack[:len(stack)-1]
				continue
			}
			k := to[s.at][s.next]
			s.next++
			if !seen[k] {
				seen[k] = true
				stack = append(stack, step{k, 0})
			}
		}
	}
	clear(seen)
	var most []int
	for _, start := range slices.Backward(left) {
		if seen[start] {
			continue
		}
		seen[start] = true
		group := []int{start}
		for i := 0; i < len(group); i++ {
			for _, k := range from[group[i]] {
				if !seen[k] {
					seen[k] = true
					group = append(group, k)
				}
			}
		}
		if len(group) > len(most) {
			most = group
		}
	}
	slices.Sort(most)
	return most
}
