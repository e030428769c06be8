package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/explore/models"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/report/sheet"
)

// positionPage is the data of position.html.
type positionPage struct {
	Set            *site.Set
	Game, Ply      int64
	Names, When    string
	Result         string // in words
	Move           string // that was played, with its number
	Sides          [2]string
	Value          string // a number, or a forced win in words
	ValueName      string
	Unit           string // "" after words
	Judged         string // whose groups they are
	Bars           []bar
	Steps          []parts.Step
	At             int
	Columns        []param // all others of the row
	Before, Behind string  // addresses of neighbours in the game
	Looks          parts.LookLinks
	Same           parts.Tally // the position in all games
	Sliders        []slider
	Expected       *expectedTable // moves that people choose; nil: no model of them
	Message        string
}

// bar is a group of terms: what it adds to the value, drawn from the middle.
type bar struct {
	Name   string
	Value  float64
	Zeroed bool // taken out of the value by label --zero
	X, W   float64
}

// positionView shows one position of a dataset: on, game, ply, flip, rating.
func positionView(c *call) (*page, error) {
	d := c.set
	g, ok := c.site.games[d.Game()]
	if !ok {
		return nil, complain("the manifest of %s does not name its game: make it again", d.Name)
	}
	data := &positionPage{Set: d, Game: int64(c.here.Number("game", -1)), Ply: int64(c.here.Number("ply", -1))}
	sql := fmt.Sprintf("SELECT * FROM %s WHERE game_id = %d AND ply = %d", d.View(), data.Game, data.Ply)
	r, err := c.query(sql, 1)
	if err != nil {
		return nil, err
	}
	rows, err := r.All()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, complain("no position of game %d at ply %d in %s", data.Game, data.Ply, d.Name)
	}
	f := sheet.Fields{Columns: r.Columns, Row: rows[0]}
	packed, _ := f.At("board").([]byte)
	b, err := g.Boards.Unpack(packed)
	if err != nil {
		return nil, err
	}
	data.Looks, data.Sides = c.here.Looks(g.Boards), b.Layout().Sides
	if err := data.judge(c, d, f, b, packed); err != nil {
		return nil, err
	}
	if move := f.Text("move"); move != "" {
		data.Move = parts.MoveText(b, int(data.Ply), move, c.here.Look().Western)
	}
	if err := data.expect(c, d, b, f.Text("move")); err != nil {
		return nil, err
	}
	if err := data.around(c, d, f); err != nil {
		return nil, err
	}
	data.Sliders = c.sliders(d)
	return &page{Title: "Position", Data: data, SQL: strings.Replace(sql, "*", shownColumns(d), 1)}, nil
}

// judge fills in the value, its groups and the variation: the row's, or a search's with the weights of
// the dataset.
func (data *positionPage) judge(c *call, d *site.Set, f sheet.Fields, b board.Board, packed []byte) error {
	j, err := c.site.judgeOf(d)
	if err != nil {
		return err
	}
	v, err := j.Value(packed)
	if err != nil {
		return err
	}
	value := any(v.Value)
	data.ValueName, data.Judged = "quiescence value", "by "+j.Weights()
	line, groups := v.Line, v.Groups
	if name := d.Value(); name != "" {
		value, data.ValueName, data.Judged = f.At(name), sheet.PlainName(name), "from "+d.Name
		groups = nil
		groups = append(groups, lists.Of(d.List("groups"), func(name string) models.Score { return models.Score{Name: name, Value: f.Number(name)} })...)
		if pv := strings.TrimSuffix(name, "_value") + "_pv"; d.Has(pv) {
			line = strings.Fields(f.Text(pv))
		}
	}
	if data.Value = shortValue(value, data.Sides); data.Value == parts.Short(value) {
		data.Unit = j.Unit()
	}
	data.Bars = barsOf(groups, d.List("zeroed"))
	data.Steps, err = parts.StepsOf(d.Game(), b, len(line), c.here.Look(), func(b board.Board, i int) (board.Move, error) { return b.Find(line[i]) })
	if err != nil {
		data.Message = "The stored variation is illegal: " + err.Error()
	}
	return nil
}

// barsOf sorts the groups by what they add and scales them to 100 on either side.
func barsOf(groups []models.Score, zeroed []string) (all []bar) {
	widest := 1e-9
	for _, g := range groups {
		widest = max(widest, math.Abs(g.Value))
	}
	for _, g := range groups {
		w := 100 * math.Abs(g.Value) / widest
		one := bar{Name: g.Name, Value: g.Value, X: 100, W: w, Zeroed: slices.Contains(zeroed, g.Name)}
		if g.Value < 0 {
			one.X = 100 - w
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b bar) int {
		return int(math.Copysign(1, math.Abs(b.Value)-math.Abs(a.Value)))
	})
	return all
}

// around fills in the game, the neighbours, where else the position is, and the other
// columns.
func (data *positionPage) around(c *call, d *site.Set, f sheet.Fields) error {
	l := &listing{Set: d, Items: []item{{Game: data.Game}}}
	if err := c.nameGames(l); err != nil {
		return err
	}
	data.Names, data.When, data.Result = l.Items[0].Names, l.Items[0].When, parts.ResultText(f.Text("result"), data.Sides)
	r, err := c.query(fmt.Sprintf("SELECT max(ply) FILTER (ply < %d) AS before, min(ply) FILTER (ply > %d) AS next FROM %s WHERE game_id = %d", data.Ply, data.Ply, d.View(), data.Game), 1)
	if err != nil {
		return err
	}
	err = r.Each(func(row []any) error {
		if row[0] != nil {
			data.Before = c.here.With("ply", row[0])
		}
		if row[1] != nil {
			data.Behind = c.here.With("ply", row[1])
		}
		return nil
	})
	if err != nil {
		return err
	}
	same := fmt.Sprintf("SELECT count(DISTINCT game_id) AS games, count(DISTINCT game_id) FILTER (result = 'first') AS first, count(DISTINCT game_id) FILTER (result = 'draw') AS draw, count(DISTINCT game_id) FILTER (result = 'second') AS second FROM %s WHERE hash = %v", d.View(), f.At("hash"))
	if d.Has("occurrences") {
		same = fmt.Sprintf("SELECT occurrences AS games, first_wins AS first, draws AS draw, second_wins AS second FROM %s WHERE hash = %v", d.View(), f.At("hash"))
	}
	if r, err = c.query(same, 1); err != nil {
		return err
	}
	if err := r.Each(func(row []any) error {
		n := sheet.Fields{Columns: r.Columns, Row: row}
		data.Same = parts.Tally{All: n.Whole("games"), First: n.Whole("first"), Draws: n.Whole("draw"), Second: n.Whole("second"), Sides: data.Sides}
		return nil
	}); err != nil {
		return err
	}
	skip := append([]string{"game_id", "ply", "board", "features", "result", d.Value()}, d.List("groups")...)
	for i, k := range f.Columns {
		if !slices.Contains(skip, k.Name) && !strings.HasSuffix(k.Name, "_leaf") && f.Row[i] != nil {
			data.Columns = append(data.Columns, param{k.Name, parts.Plain(parts.Short(f.Row[i]))})
		}
	}
	return nil
}

// Hash is where else the position is, as a condition.
func (data *positionPage) Hash() string {
	for _, p := range data.Columns {
		if p.Name == "hash" {
			return "hash = " + p.Value
		}
	}
	return ""
}

// Start is the first of the steps.
func (data *positionPage) Start() parts.Step { return data.Steps[data.At] }
