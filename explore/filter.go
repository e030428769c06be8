package explore

import (
	"fmt"
	"slices"
	"strings"

	"kifu/report/sheet"
)

// gameFilter is what the address says of the games to take: player, side, opponent,
// result, elo and elo_to (mean of the two ratings), from and to (dates), opening, where.
type gameFilter struct {
	Player, Side, Opponent, Result, Elo, EloTo, From, To, Opening, Where string
	Error                                                                string // of Where
}

// sides are the values of side and result.
var (
	sides   = []string{"first", "second"}
	results = []string{"first", "second", "draw"}
)

func filterOf(h here) gameFilter {
	one := func(name string, allowed []string) string {
		if v := h.Get(name); slices.Contains(allowed, v) {
			return v
		}
		return ""
	}
	return gameFilter{Player: h.Get("player"), Side: one("side", sides), Opponent: h.Get("opponent"), Result: one("result", results),
		Elo: h.Get("elo"), EloTo: h.Get("elo_to"), From: h.Get("from"), To: h.Get("to"), Opening: h.Get("opening"), Where: strings.TrimSpace(h.Get("where"))}
}

// clause is the filter as a WHERE of SQL over games, "" for all of them.
func (c *call) clause(d *Set, f *gameFilter) (string, error) {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	first, second := nameIs("first_player", f.Player), nameIs("second_player", f.Player)
	if f.Opponent != "" {
		first += " AND " + nameIs("second_player", f.Opponent)
		second += " AND " + nameIs("first_player", f.Opponent)
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
		v, ok := here{Values: map[string][]string{"v": {bound.text}}}.real("v")
		if !ok {
			return "", complain("rating %q: want a number", plainText(bound.text))
		}
		add("%s %s %v", mean, bound.sign, v)
	}
	if f.From != "" {
		add("date >= %s", sheet.QuoteText(f.From))
	}
	if f.To != "" {
		// 1972 takes all of that year.
		add("left(date, %d) <= %s", len(f.To), sheet.QuoteText(f.To))
	}
	if f.Opening != "" {
		add("starts_with(lower(opening), lower(%s))", sheet.QuoteText(f.Opening))
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

// nameIs compares a name without regard to case; * stands for anything. Without a name it
// holds for all.
func nameIs(column, name string) string {
	if name == "" {
		return "true"
	}
	if !strings.Contains(name, "*") {
		return fmt.Sprintf("lower(%s) = lower(%s)", column, sheet.QuoteText(name))
	}
	pattern := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`, "*", "%").Replace(name)
	return fmt.Sprintf(`%s ILIKE %s ESCAPE '\'`, column, sheet.QuoteText(pattern))
}
