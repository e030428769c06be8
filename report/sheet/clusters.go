package sheet

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/query"
	"kifu/schemas"
)

// Clusters says which games the errors of a report let depend on each other.
type Clusters struct {
	Way     string        `json:"cluster,omitempty"` // one of dyads.Ways; empty: the wider error of those by game and by player
	Aliases []dyads.Alias `json:"aliases,omitempty"` // names to replace
	// Names has for each source the number of the input with its games, in which players are
	// looked up; -1: none. Inputs of games come after those of the sources.
	Names []int `json:"names,omitempty"`
}

// Players is the data of the template "clusters", which makes the tables clusters(contest,
// game_id, cluster, sign) and enough_players(contest, players, effective) of a query.
type Players struct {
	Sources []PlayersOf
	Aliases []dyads.Alias // as SQL
	way     string
	noGames bool // the positions of a source are of no known games
	ofGames bool // what is told is of games, not of positions
}

// PlayersOf has the games of one contest: the number by which the query knows it, and views.
type PlayersOf struct {
	Index       int
	Games, View string
}

// Frequent and Least are the limits of package dyads.
func (Players) Frequent() float64 { return dyads.Frequent }

func (Players) Least() int { return dyads.Least }

// On reports whether any game's players are known.
func (p Players) On() bool { return len(p.Sources) > 0 }

// Widest returns the variance to be taken of that by game and that by player, as SQL.
func (p Players) Widest(games, players string) string {
	switch {
	case !p.On():
		return games
	case p.way == dyads.ByPlayer:
		return fmt.Sprintf("CASE WHEN %s > 0 THEN %s ELSE %s END", players, players, games)
	}
	return fmt.Sprintf("greatest(%s, %s)", games, players)
}

// ByPlayer returns the variance by player of a ratio as an aggregate over the table by_cluster c
// joined with the sums s of all, as SQL: total and size are columns of c, ratio and positions
// the ratio and the size of all. A player's sum is divided by one less his share of the
// positions: what the ratio would move by without him (the jackknife).
func (Players) ByPlayer(total, size, ratio, positions string) string {
	return fmt.Sprintf("sum((c.sign * pow((c.%s - %s * c.%s) / (1 - least(0.99, c.%s / %s::DOUBLE)) / %s, 2))::DECIMAL(38, 24))::DOUBLE", total, ratio, size, size, positions, positions)
}

//go:embed clusters.sql
var clustersTemplate string

// ParseClusters adds the template "clusters", and those of Heads, to those of a query.
func ParseClusters(t *template.Template) error {
	if _, err := t.New("clusters.sql").Parse(clustersTemplate); err != nil {
		return err
	}
	return parseHeads(t)
}

// Attach makes views of the games and says in which of them the players of each contender
// are. sources are the names of the datasets before them in the list of inputs, among which
// no view of games may be.
func (c Clusters) Attach(ctx context.Context, db *query.DB, in []*datasets.Dir, sources []string, all []Contender) (p Players, err error) {
	p.way = dyads.Way(c.Way)
	p.noGames = slices.ContainsFunc(in, func(d *datasets.Dir) bool { return d.Manifest.Meta[schemas.NoGames] != "" })
	if p.way == dyads.ByGame || len(c.Names) == 0 {
		return p, nil
	}
	names, views := slices.Clone(sources), map[int]string{}
	for i := len(sources); i < len(in); i++ {
		names = append(names, "games")
	}
	names = UniqueNames(names)
	for i := len(sources); i < len(in); i++ {
		if err := db.Attach(ctx, names[i], in[i]); err != nil {
			return p, err
		}
		views[i] = query.View(names[i])
	}
	unique := UniqueNames(sources)
	for _, k := range all {
		at := slices.Index(unique, k.Source)
		if at < 0 || at >= len(c.Names) || views[c.Names[at]] == "" {
			continue
		}
		p.Sources = append(p.Sources, PlayersOf{k.Index, views[c.Names[at]], k.View})
	}
	p.Aliases, err = quoted(c.Aliases)
	return p, err
}

// OfGames returns the players of datasets of games, by the names of their views and numbered as
// they are, who are looked up in these datasets themselves.
func (c Clusters) OfGames(views []string) (p Players, err error) {
	p.ofGames = true
	if p.way = dyads.Way(c.Way); p.way == dyads.ByGame {
		return p, nil
	}
	for i, view := range views {
		p.Sources = append(p.Sources, PlayersOf{i, view, view})
	}
	p.Aliases, err = quoted(c.Aliases)
	return p, err
}

// quoted returns aliases of which none is of another alias, as SQL.
func quoted(aliases []dyads.Alias) ([]dyads.Alias, error) {
	all, err := dyads.Resolve(aliases)
	for i, a := range all {
		all[i] = dyads.Alias{Name: QuoteText(a.Name), SameAs: QuoteText(a.SameAs)}
	}
	return all, err
}

// Enough is the players of a contest that has enough of them to be clusters.
type Enough struct {
	Players   int64
	Effective float64 // see dyads.Clusters
}

// Note says how the errors of a report were taken, for its readers.
func (p Players) Note(ctx context.Context, db *query.DB) (string, error) {
	if !p.On() {
		return p.NoteOf(nil), nil
	}
	sql, rows, _, err := Run(ctx, db, "players.sql", `WITH {{template "players" .}} SELECT contest, players, effective FROM enough_players ORDER BY contest`, p)
	if err != nil {
		return "", fmt.Errorf("%w in %s", err, sql)
	}
	var all []Enough
	for _, r := range rows {
		all = append(all, Enough{r.Whole("players"), r.Number("effective")})
	}
	return p.NoteOf(all), nil
}

// NoteOf is Note where the contests with enough players are known, in their order.
func (p Players) NoteOf(all []Enough) string {
	within, both := "Positions of one game are not independent, so errors and intervals are clustered by game", "Positions of one game are not independent, and neither are games of one player"
	as := ", as if games of one player were independent"
	if p.ofGames {
		as, within, both = "", "Errors and intervals take games for independent", "Games of one player are not independent"
	}
	switch {
	case p.noGames && !p.On():
		return "Errors and intervals are by position: " + schemas.ByPositions + "."
	case p.way == dyads.ByGame:
		return within + " (--cluster games)."
	case !p.On():
		return within + as + ": who played is not known (--games)."
	case len(all) == 0:
		return within + as + ": there are too few players to be clusters."
	}
	var sizes []string
	for _, e := range all {
		size := fmt.Sprintf("%s, as many as %.0f who play alike", human.Plural(e.Players, "player", "players"), e.Effective)
		if !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	how := both + ": of the errors by game and by player the wider is taken"
	if p.way == dyads.ByPlayer {
		how = both + ": errors are by player"
	}
	return how + " (" + strings.Join(sizes, "; ") + ")."
}

// Comparable returns the numbers of the contenders of the same positions as the first: those of
// its dataset and of others made from what it was made from.
func Comparable(all []Contender) (numbers []int) {
	for i, k := range all {
		if i > 0 && (k.View == all[0].View || k.From != "" && k.From == all[0].From) {
			numbers = append(numbers, k.Index)
		}
	}
	return numbers
}

// By names the clusters in few words.
func (p Players) By() string {
	switch {
	case !p.On():
		return "game"
	case p.way == dyads.ByPlayer:
		return "player"
	}
	return "game or player, the wider"
}
