package views

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"kifu/eval"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/report/sheet"
	"kifu/schemas"
)

// gamePage is the data of game.html.
type gamePage struct {
	Set         *site.Set
	Row         gameRow
	By          *site.Set   // labels with whose weights positions are evaluated; nil: the default
	Bys         []*site.Set // to choose from
	Steps       []parts.Step
	At          int
	Value, Time *parts.Plot // nil: none
	Tags        []param
	Looks       parts.LookLinks
	Message     string
	Opening     string
	Unit        string
	Sides       [2]string
}

// judgeTime is how long the positions of a game are evaluated.
const judgeTime = 4 * time.Second

// gameView shows one game: on, id, ply, by, flip.
func gameView(c *call) (*page, error) {
	d := c.set
	id := int64(c.here.Number("id", 0))
	data := &gamePage{Set: d}
	sql := fmt.Sprintf("SELECT * FROM %s WHERE game_id = %d", d.View(), id)
	rows, err := c.gamesNamed(d, []int64{id})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, complain("no game %d in %s", id, d.Name)
	}
	data.Row = rows[0]
	r, err := c.query(sql, 1)
	if err != nil {
		return nil, err
	}
	all, err := r.All()
	if err != nil {
		return nil, err
	}
	f := sheet.Fields{Columns: r.Columns, Row: all[0]}
	if err := data.play(c, f); err != nil {
		return nil, err
	}
	if err := data.evaluate(c, f); err != nil {
		return nil, err
	}
	data.clocks(f)
	data.At = min(max(0, c.here.Number("ply", 0)), len(data.Steps)-1)
	data.tags(f)
	title := cmp.Or(names(data.Row.White, data.Row.Black), fmt.Sprintf("Game %d", id))
	return &page{Title: title, Data: data, SQL: sql, Chart: data.Value.Chart(title)}, nil
}

// play sets up the steps.
func (data *gamePage) play(c *call, f sheet.Fields) error {
	g, ok := c.site.games[f.Text("game")]
	if !ok {
		return complain("kifu has no game called %q", parts.Plain(f.Text("game")))
	}
	data.Looks = c.here.Looks(g.Boards)
	b, err := g.Boards.Start(f.Text("variant"), f.Text("start_position"))
	if err != nil {
		return err
	}
	data.Sides = b.Layout().Sides
	codes, _ := f.At("moves").([]byte)
	data.Steps, err = parts.StepsOf(f.Text("game"), b, len(codes)/2, c.here.Look(), func(b board.Board, i int) (board.Move, error) {
		return b.FindCode(binary.LittleEndian.Uint16(codes[2*i:]))
	})
	if err != nil {
		data.Message = "The moves stop here: " + err.Error()
	}
	data.Opening = data.Steps[len(data.Steps)-1].Name
	return nil
}

// evaluate compares the evaluator's values with the record's.
func (data *gamePage) evaluate(c *call, f sheet.Fields) error {
	for _, s := range c.site.ofKind("labels") {
		if s.Games == data.Set {
			data.Bys = append(data.Bys, s)
		}
	}
	with := data.Set
	if data.By = site.Named(data.Bys, c.here.Get("by")); data.By != nil && c.here.Get("by") != "" {
		with = data.By
	} else {
		data.By = nil
	}
	j, err := c.site.judgeOf(with)
	if err != nil {
		return err
	}
	data.Unit = j.Unit()
	per := float64(eval.UnitOf(data.Unit).Per)
	p := &parts.Plot{XLabel: "ply", YLabel: data.Unit, XMax: float64(max(1, len(data.Steps)-1)), YMax: mostDrawn(per), Follows: true}
	own := parts.Line{Label: "evaluator", Colour: 2, Smooth: true, Y: make([]*float64, len(data.Steps))}
	until := time.Now().Add(judgeTime)
	for i := range data.Steps {
		p.X = append(p.X, float64(i))
		if time.Now().After(until) {
			data.Message = "The evaluator is slow here, so the last positions have no evaluation."
			continue
		}
		v, err := j.Value(data.Steps[i].Packed)
		if err != nil {
			return err
		}
		own.Y[i] = inside(v.Value, p.YMax)
		data.Steps[i].Shown["value"] = valueText(v.Value, data.Unit, data.Sides)
	}
	p.Lines = append(p.Lines, own)
	if record := data.record(f, per, p.YMax); record != nil {
		p.Lines = append(p.Lines, *record)
	}
	narrow(p, per)
	data.Value = p
	return nil
}

// mostDrawn is the largest value that a graph of a game distinguishes: ten pawns or men, sixty discs or
// points.
func mostDrawn(per float64) float64 { return max(10*per, 60) }

// narrow fits the vertical axis to the values, at least two pawns to either side.
func narrow(p *parts.Plot, per float64) {
	most := 2 * per
	for _, l := range p.Lines {
		for _, y := range l.Y {
			if y != nil {
				most = max(most, math.Abs(*y))
			}
		}
	}
	p.YMin, p.YMax = -most*1.05, most*1.05
}

// record is the line of the record's own values, in the evaluator's unit.
func (data *gamePage) record(f sheet.Fields, per, most float64) *parts.Line {
	evals, _ := f.At("evals").([]any)
	if len(evals) == 0 {
		return nil
	}
	l := &parts.Line{Label: "record", Colour: 1, Smooth: true, Y: make([]*float64, len(data.Steps))}
	for i, v := range evals {
		n, ok := v.(int64)
		if !ok || i+1 >= len(l.Y) {
			continue
		}
		value := float64(n)
		if !schemas.Forced(value) {
			value *= per / 100
		}
		l.Y[i+1] = inside(value, most)
		data.Steps[i+1].Shown["record"] = valueText(value, data.Unit, data.Sides)
	}
	return l
}

// inside is a value within the axis; forced wins are at its ends.
func inside(v, most float64) *float64 {
	v = math.Max(-most, math.Min(most, v))
	return &v
}

// valueText is a value with its unit, or a forced win in words.
func valueText(v float64, unit string, sides [2]string) string {
	return cmp.Or(forcedText(v, sides), human.Signed(v, 1)+" "+unit)
}

// clocks draws the time that both sides have left.
func (data *gamePage) clocks(f sheet.Fields) {
	clocks, _ := f.At("clocks_ms").([]any)
	if len(clocks) == 0 {
		return
	}
	p := &parts.Plot{XLabel: "ply", YLabel: "minutes left", XMax: float64(max(1, len(data.Steps)-1)), Follows: true}
	lines := []parts.Line{{Label: data.Sides[0], Colour: 2}, {Label: data.Sides[1], Colour: 1}}
	for i := range lines {
		lines[i].Smooth, lines[i].Y = true, make([]*float64, len(data.Steps))
	}
	least, most := math.Inf(1), 0.0
	for i := range data.Steps {
		p.X = append(p.X, float64(i))
		if i == 0 || i > len(clocks) {
			continue
		}
		ms, ok := clocks[i-1].(int64)
		if !ok {
			continue
		}
		minutes := float64(ms) / 60000
		side := 1
		if data.Steps[i].First {
			side = 0
		}
		lines[side].Y[i] = &minutes
		least, most = min(least, minutes), max(most, minutes)
		data.Steps[i].Shown["clock"] = (time.Duration(ms) * time.Millisecond).Round(100 * time.Millisecond).String()
	}
	margin := max(0.05*(most-least), 0.01)
	p.YMin, p.YMax = max(0, least-margin), most+margin
	p.Lines = lines
	data.Time = p
}

// tags adds the record's tags to players and result.
func (data *gamePage) tags(f sheet.Fields) {
	for i, k := range f.Columns {
		if slices.Contains([]string{"site", "round", "time_control", "variant", "start_position", "termination", "cut", "source_file"}, k.Name) && f.Row[i] != nil {
			data.Tags = append(data.Tags, param{k.Name, parts.Plain(parts.Short(f.Row[i]))})
		}
	}
	if tags, ok := f.At("tags").(map[string]any); ok {
		for name, v := range tags {
			data.Tags = append(data.Tags, param{parts.Plain(name), parts.Plain(parts.Cut(300, parts.Short(v)))})
		}
	}
	slices.SortStableFunc(data.Tags, func(a, b param) int { return strings.Compare(a.Name, b.Name) })
}

// Start is the step that is shown first.
func (data *gamePage) Start() parts.Step { return data.Steps[data.At] }

// Labelled is the address of the current position in the labels by which it is evaluated,
// "" without such.
func (data *gamePage) Labelled() *site.Set {
	if data.By != nil {
		return data.By
	}
	if len(data.Bys) > 0 {
		return data.Bys[0]
	}
	return nil
}
