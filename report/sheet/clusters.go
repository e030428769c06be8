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
	"kifu/internal/lists"
	"kifu/query"
	"kifu/schemas"
)

// Clusters reports which games the errors of a report let depend on each other.
type Clusters struct {
	Way     string        `json:"cluster,omitempty"` // one of dyads.Ways; empty: the wider error of those by game and by player
	Aliases []dyads.Alias `json:"aliases,omitempty"` // names to replace
	// Names has for each source the number of the input with its games, for the names of players; -1:
	// none. Inputs of games come after the sources.
	Names []int `json:"names,omitempty"`
}

// Players is the data of the template "clusters", which makes the tables clusters(contest,
// game_id, cluster, factor) and enough_players of a query.
type Players struct {
	Sources []PlayersOf
	Aliases []dyads.Alias // as SQL
	way     string
	noGames bool // the positions of a source are of no known games
	ofGames bool // the report is about games, not positions
}

// PlayersOf has the games of one contest: the number by which the query knows it, and views.
type PlayersOf struct {
	Index       int
	Games, View string
}

// Hub, Many, Least and MostNamed are the limits of package dyads.
func (Players) Hub() float64 { return dyads.Hub }

func (Players) Many() int { return dyads.Many }

func (Players) Least() int { return dyads.Least }

func (Players) MostNamed() int { return dyads.MostNamed }

// On reports whether any game's players are known.
func (p Players) On() bool { return len(p.Sources) > 0 }

// Widest returns, as SQL, the columns variance and t of the wider interval, by game or by player. games and
// players are the variances, df the degrees of freedom by game, sizes the column of Sizes.
func (p Players) Widest(games, players, sizes, df, variance, t string) string {
	if !p.On() {
		return fmt.Sprintf("%s AS %s, student_t(%s) AS %s", games, variance, df, t)
	}
	byPlayer := fmt.Sprintf("student_t(player_degrees(%s / nullif(%s, 0), %[3]s[1], %[3]s[2], %[3]s[3], %[3]s[4]))", players, games, sizes)
	wider := fmt.Sprintf("%s * pow(%s, 2) > %s * pow(student_t(%s), 2)", players, byPlayer, games, df)
	if p.way == dyads.ByPlayer {
		wider = players + " > 0"
	}
	return fmt.Sprintf("coalesce(%s, false) AS %s_by_player, CASE WHEN %s_by_player THEN %s ELSE %s END AS %s, CASE WHEN %s_by_player THEN %s ELSE student_t(%s) END AS %s",
		wider, t, t, players, games, variance, t, byPlayer, df, t)
}

// ByPlayer returns, as SQL, the variance of a ratio by player: an aggregate over the table
// by_cluster c joined with the sums s over all positions. total and size are columns of c; ratio
// and positions are the overall ratio and size. A player's sum is divided by one less the player's
// share of the positions: the change of the ratio without this player (the jackknife).
func (Players) ByPlayer(total, size, ratio, positions string) string {
	return fmt.Sprintf("sum((c.factor * pow((c.%s - %s * c.%s) / (1 - least(%v, c.%s / %s::DOUBLE)) / %s, 2))::DECIMAL(38, 24))::DOUBLE", total, ratio, size, dyads.MostShare, size, positions, positions)
}

// Sizes returns, as SQL, the sums of the powers 1 to 4 of the players' shares of all positions, an aggregate
// over the same table. The macro player_degrees computes degrees of freedom from them.
func (Players) Sizes(size, all string) string {
	var sums []string
	for power := 1; power <= 4; power++ {
		sums = append(sums, fmt.Sprintf("sum(pow(c.%s / %s::DOUBLE, %d)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE", size, all, power))
	}
	return "[" + strings.Join(sums, ", ") + "]"
}

//go:embed clusters.sql
var clustersTemplate string

// ParseClusters adds the template "clusters", and Heads' templates, to a query's.
func ParseClusters(t *template.Template) error {
	if _, err := t.New("clusters.sql").Parse(clustersTemplate); err != nil {
		return err
	}
	return parseHeads(t)
}

// Attach makes views of the games and finds which view has the players of each contender. sources are the
// names of the inputs before the games; none may be the name of a view of games.
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

// PlayersIn returns the players of one contest, which are looked up in games. Both are datasets of a database by these names.
func PlayersIn(games, contest string) Players {
	return Players{way: dyads.Way(""), Sources: []PlayersOf{{0, query.View(games), query.View(contest)}}}
}

// OfGames returns the players of datasets of games, which are looked up in these datasets. views are the
// names of their views, in the order of their numbers.
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
		all[i] = dyads.Alias{Name: query.QuoteText(a.Name), SameAs: query.QuoteText(a.SameAs)}
	}
	return all, err
}

// Known is the players of a contest.
type Known struct {
	dyads.Plan
	Hubs []string // in too many games to be clusters
	All  []string // the first few, by name, where they are too few to be clusters
}

// KnownOf returns the players of clusters by name.
func KnownOf(c *dyads.Clusters, names *dyads.Names) Known {
	return Known{c.Plan, names.Of(c.Hubs), names.Of(c.All)}
}

// Note reports how the errors of a report were taken, for its readers.
func (p Players) Note(ctx context.Context, db *query.DB) (string, error) {
	if !p.On() {
		return p.NoteOf(nil), nil
	}
	all, err := p.known(ctx, db)
	return p.NoteOf(all), err
}

// known asks who the players of the contests are.
func (p Players) known(ctx context.Context, db *query.DB) (all []Known, err error) {
	sql, rows, _, err := Run(ctx, db, "players.sql", `WITH {{template "players" .}}, {{template "known" .}} SELECT * FROM known_players ORDER BY contest`, p)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, sql)
	}
	all = lists.Of(rows, knownIn)
	return all, nil
}

// knownIn returns a row of the table known_players.
func knownIn(f Fields) Known {
	k := Known{Plan: dyads.Plan{Players: int(f.Whole("players")), Effective: f.Number("effective")}}
	if hubs := f.Text("hubs"); hubs != "" {
		k.Hubs = strings.Split(hubs, "\n")
	}
	if !k.Usable() {
		k.All = strings.Split(f.Text("everybody"), "\n")
	}
	return k
}

// NoteOf is Note where the players of the contests are known, in their order.
func (p Players) NoteOf(all []Known) string {
	within, where := OneGame, "--games"
	if p.ofGames {
		within, where = "chance in independent games", "the positions"
	}
	switch {
	case p.noGames && !p.On():
		return Pointwise("chance in independent positions", OneGame) + " " + human.Capital(schemas.ByPositions) + "."
	case p.way == dyads.ByGame:
		return Pointwise(within, OnePlayer+" (--dependence games)")
	case !p.On():
		return Pointwise(within, OnePlayer+" (the players are unknown: name their games with "+where+")")
	case len(all) == 0:
		return Pointwise(within, OnePlayer+" (no game names both players)")
	}
	var sizes, bounds []string
	for _, k := range all {
		add := func(list *[]string, text string) {
			if !slices.Contains(*list, text) {
				*list = append(*list, text)
			}
		}
		if k.Usable() {
			add(&sizes, k.Size())
		}
		if bound := k.Bound(); bound != "" {
			add(&bounds, bound)
		}
	}
	if len(sizes) == 0 {
		return strings.Join(append([]string{Pointwise(within, OnePlayer)}, bounds...), " ")
	}
	how := "The larger of the errors by game and by player is used"
	if p.way == dyads.ByPlayer {
		how = "Errors are by player"
	}
	return strings.Join(append([]string{Pointwise(within+" and "+OnePlayer, Others), how + " (" + strings.Join(sizes, "; ") + ")."}, bounds...), " ")
}

// Bound names the players whose games alone the errors hold for; empty: they hold for any such players.
func (k Known) Bound() string { return dyads.Bound(k.Hubs, k.All) }

// Comparable returns the numbers of the contenders with the same positions as the first: in its dataset
// and in others made from the same input.
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
	return "game or player, whichever is larger"
}
