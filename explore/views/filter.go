package views

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets/tree"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/internal/lists"
	"kifu/internal/person"
	"kifu/query"
	"kifu/schemas"
)

// gameFilter holds the address's choice of games: player, side, opponent,
// result, elo and elo_to (mean of the two ratings), speed (of schemas.Speeds), from and to (dates), opening, where.
type gameFilter struct {
	Player, Side, Opponent, Result, Elo, EloTo, Speed, From, To, Opening, Where string
	Error                                                                       string // of Where
	Sides                                                                       [2]string
}

// Chosen lists what is set, for a form that is folded.
func (f gameFilter) Chosen() string {
	var all []string
	for _, one := range [][2]string{{"", f.Player}, {"side ", f.Side}, {"against ", f.Opponent}, {"won by ", f.Result}, {"rating from ", f.Elo}, {"rating to ", f.EloTo}, {"", f.Speed}, {"from ", f.From}, {"to ", f.To}, {"", f.Opening}, {"", f.Where}} {
		if one[1] != "" {
			all = append(all, one[0]+parts.Plain(one[1]))
		}
	}
	return strings.Join(all, ", ")
}

// Speeds are the values of Speed.
func (gameFilter) Speeds() []string { return schemas.Speeds }

// Bands are the ratings at which bands of a tree begin, of those that players have.
func (gameFilter) Bands() (all []int) {
	for rating := 600; rating <= 2800; rating += tree.Band {
		all = append(all, rating)
	}
	return all
}

// inTree returns the filter of a tree, and an error if f takes what a tree does not have. Result is not a part of it.
func (f *gameFilter) inTree() (tree.Filter, error) {
	if f.Player != "" || f.Opponent != "" || f.Opening != "" || f.Where != "" {
		return tree.Filter{}, complain("a tree has no players, openings or game columns: start kifu explore with its games as well")
	}
	var ratings [2]int
	for i, text := range []string{f.Elo, f.EloTo} {
		if text == "" {
			continue
		}
		var err error
		if ratings[i], err = strconv.Atoi(text); err != nil {
			return tree.Filter{}, complain("rating %q: want a number", parts.Plain(text))
		}
	}
	of, err := tree.FilterOf(ratings[0], ratings[1], f.From, f.To)
	if err != nil {
		return of, complain("%s", parts.Plain(err.Error()))
	}
	of.Speed = f.Speed
	return of, nil
}

// sides are the values of side and result.
var (
	sides   = []string{"first", "second"}
	results = []string{"first", "second", "draw"}
)

func filterOf(h parts.Here) gameFilter {
	one := func(name string, allowed []string) string {
		if v := h.Get(name); slices.Contains(allowed, v) {
			return v
		}
		return ""
	}
	return gameFilter{Player: h.Get("player"), Side: one("side", sides), Opponent: h.Get("opponent"), Result: one("result", results),
		Elo: h.Get("elo"), EloTo: h.Get("elo_to"), Speed: one("speed", schemas.Speeds), From: h.Get("from"), To: h.Get("to"), Opening: h.Get("opening"), Where: strings.TrimSpace(h.Get("where"))}
}

// clause is the filter as a WHERE of SQL over games, "" for all of them.
func (c *call) clause(d *site.Set, f *gameFilter) (string, error) {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	first, second, err := c.playersAre(d, f)
	if err != nil {
		return "", err
	}
	switch {
	case f.Player == "" && f.Opponent == "":
	case f.Side == "first":
		add("(%s)", first)
	case f.Side == "second":
		add("(%s)", second)
	default:
		add("(%s OR %s)", first, second)
	}
	if f.Result != "" {
		add("result = '%s'", f.Result)
	}
	const mean = "(first_elo + second_elo) / 2.0"
	for _, bound := range []struct{ text, sign string }{{f.Elo, ">="}, {f.EloTo, "<="}} {
		if bound.text == "" {
			continue
		}
		v, ok := parts.Here{Values: map[string][]string{"v": {bound.text}}}.Real("v")
		if !ok {
			return "", complain("rating %q: want a number", parts.Plain(bound.text))
		}
		add("%s %s %v", mean, bound.sign, v)
	}
	if i := slices.Index(schemas.Speeds, f.Speed); i >= 0 {
		add("base_ms::BIGINT + 40 * increment_ms >= %d", schemas.SpeedsFrom[i])
		if i+1 < len(schemas.Speeds) {
			add("base_ms::BIGINT + 40 * increment_ms < %d", schemas.SpeedsFrom[i+1])
		}
	}
	if f.From != "" {
		add("date >= %s", query.QuoteText(f.From))
	}
	if f.To != "" {
		// 1972 takes all of that year.
		add("left(date, %d) <= %s", len(f.To), query.QuoteText(f.To))
	}
	if f.Opening != "" {
		add("starts_with(lower(opening), lower(%s))", query.QuoteText(f.Opening))
	}
	where, err := c.where(d, f.Where)
	if err != nil {
		return "", err
	}
	if where != "" {
		add("%s", strings.TrimPrefix(where, " WHERE "))
	}
	if len(all) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(all, " AND "), nil
}

// takes resolves a typed name to names of the games.
func (c *call) takes(d *site.Set, name string) (person.Choice, error) {
	all, err := c.players(d)
	if err != nil {
		return person.Choice{}, err
	}
	return person.Resolve(name, all)
}

// players returns the names of all players of the games, who has more games first. They are read once.
func (c *call) players(d *site.Set) (all []person.Named, err error) {
	c.site.mu.Lock()
	all = c.site.names[d.Name]
	c.site.mu.Unlock()
	if all != nil {
		return all, nil
	}
	r, err := c.db.Query(c.ctx, fmt.Sprintf("SELECT player, count(*) AS games FROM (SELECT first_player AS player FROM %s UNION ALL SELECT second_player FROM %s) WHERE player IS NOT NULL GROUP BY player ORDER BY games DESC, player", d.View(), d.View()))
	if err != nil {
		return nil, err
	}
	all = []person.Named{}
	if err := r.Each(func(row []any) error {
		name, _ := row[0].(string)
		games, _ := row[1].(int64)
		all = append(all, person.Named{Name: name, Games: games})
		return nil
	}); err != nil {
		return nil, err
	}
	c.site.mu.Lock()
	c.site.names[d.Name] = all
	c.site.mu.Unlock()
	return all, nil
}

// mostCompleted is how many names are offered for a part of one.
const mostCompleted = 12

// completed returns the names that have a part in them, whatever their case, for a script: those of the games that the rows of the
// dataset on are of.
func (c *call) completed(part string) (*page, error) {
	names := []string{}
	d := site.Named(c.site.sets, c.here.Get("on"))
	if d == nil || d.GamesOf() == nil {
		return &page{JSON: names}, nil
	}
	all, err := c.players(d.GamesOf())
	for _, one := range all {
		if name := parts.Plain(one.Name); len(names) < mostCompleted && strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			names = append(names, name)
		}
	}
	return &page{JSON: names}, err
}

// nameIs is the condition that a column has a typed name. Without a name it is always true.
func (c *call) nameIs(d *site.Set, column, name string) (string, error) {
	if name == "" {
		return "true", nil
	}
	choice, err := c.takes(d, name)
	if err != nil {
		if c.ctx.Err() == nil {
			err = complain("%s", parts.Plain(err.Error()))
		}
		return "", err
	}
	if choice.Typed && strings.Contains(name, "*") {
		pattern := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`, "*", "%").Replace(strings.TrimSpace(name))
		return fmt.Sprintf(`%s ILIKE %s ESCAPE '\'`, column, query.QuoteText(pattern)), nil
	}
	list := lists.Of(choice.Spellings(), query.QuoteText)
	return fmt.Sprintf("%s IN (%s)", column, strings.Join(list, ", ")), nil
}

// playersAre is the condition that both sides are the filter's, if they are given.
func (c *call) playersAre(d *site.Set, f *gameFilter) (first, second string, err error) {
	conditions := make([]string, 0, 4)
	for _, one := range [][2]string{{"first_player", f.Player}, {"second_player", f.Opponent}, {"second_player", f.Player}, {"first_player", f.Opponent}} {
		is, err := c.nameIs(d, one[0], one[1])
		if err != nil {
			return "", "", err
		}
		conditions = append(conditions, is)
	}
	return conditions[0] + " AND " + conditions[1], conditions[2] + " AND " + conditions[3], nil
}

// where is the condition as a clause, checked.
func (c *call) where(d *site.Set, condition string) (string, error) {
	if condition = strings.TrimSpace(condition); condition == "" {
		return "", nil
	}
	if err := c.db.Condition(c.ctx, d.Dir, query.Named{SQL: condition}); err != nil {
		return "", complaint{400, err}
	}
	return " WHERE (" + condition + "\n)", nil
}
