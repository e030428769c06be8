package match

import (
	"errors"
	"fmt"

	"kifu/datasets"
	"kifu/internal/elo"
	"kifu/internal/splitmix"
)

// League holds the results of a match: the meetings and their totals.
type League struct {
	Players   []string   `json:"players"`
	Games     int64      `json:"games"` // number of games played
	Standings []Standing `json:"standings"`
	Meetings  []Result   `json:"meetings"`
	// Orders is the number of random orders in which the games of a meeting, and all games,
	// were rated.
	Orders    int `json:"orders,omitempty"`
	AllOrders int `json:"orders_of_all,omitempty"`
}

// Standing is the total of a player over all its meetings.
type Standing struct {
	Player     string      `json:"player"`
	Wins       int64       `json:"wins"`
	Draws      int64       `json:"draws"`
	Losses     int64       `json:"losses"`
	Unfinished int64       `json:"unfinished"`
	MeanPoints *float64    `json:"mean_points,omitempty"`
	Rating     *elo.Rating `json:"rating,omitempty"` // by all games of the league
}

func newLeague(p Params, tallies []Tally) *League {
	l := &League{}
	for _, player := range p.Players {
		l.Players = append(l.Players, player.Text)
		l.Standings = append(l.Standings, Standing{Player: player.Text})
	}
	var all []elo.Game
	schedule := p.schedule()
	for m, players := range schedule.meetings {
		t := &tallies[m]
		r := newResult([2]string{l.Players[players[0]], l.Players[players[1]]}, *t, p.SPRT)
		r.seats = players
		for _, n := range t.Ends {
			l.Games += n
		}
		l.Standings[players[0]].add(t.all(), t.Unfinished)
		l.Standings[players[1]].add(turned(t.all()), t.Unfinished)
		own := t.rated([2]int{0, 1})
		if ratings, orders := elo.Rate(2, own, p.Orders, splitmix.Stream(p.Seed, forRatings, m+1)); orders > 0 {
			r.Ratings, l.Orders = &[2]elo.Rating{ratings[0], ratings[1]}, orders
		}
		all = append(all, t.rated(players)...)
		l.Meetings = append(l.Meetings, r)
	}
	if len(l.Meetings) > 1 {
		var ratings []elo.Rating
		ratings, l.AllOrders = elo.Rate(len(l.Players), all, p.Orders, splitmix.Stream(p.Seed, forRatings, 0))
		for i := range ratings {
			l.Standings[i].Rating = &ratings[i]
		}
	}
	return l
}

func (s *Standing) add(wdl [3]int64, unfinished int64) {
	s.Wins, s.Draws, s.Losses, s.Unfinished = s.Wins+wdl[0], s.Draws+wdl[1], s.Losses+wdl[2], s.Unfinished+unfinished
	s.MeanPoints = meanPoints([3]int64{s.Wins, s.Draws, s.Losses})
}

// rated returns the finished games of a meeting between those players.
func (t *Tally) rated(players [2]int) []elo.Game {
	var list []elo.Game
	for i, n := range t.all() {
		for range n {
			list = append(list, elo.Game{Players: players, Halves: 2 - i})
		}
	}
	return list
}

// write writes the result next to the parts.
func (l *League) write(out *datasets.Builder) error {
	d := l.document()
	return errors.Join(out.AddJSON("result.json", l), out.AddFile(ResultText, []byte(l.String())), out.AddCSV("league.csv", l.table()),
		out.AddFile("league.json", d.JSON()), out.AddFile("league.md", []byte(markdown(d))), out.AddFile("league.tex", []byte(latex(d))))
}

// String returns the readable result: for two players the one of their meeting, for several
// the tables of the league.
func (l *League) String() string {
	if len(l.Meetings) > 1 {
		return plain(l.document())
	}
	text := l.Meetings[0].String()
	if r := l.Meetings[0].Ratings; r != nil {
		text += fmt.Sprintf("ratings in %d random orders: %s, %s\n", l.Orders, r[0], r[1])
	}
	return text
}
