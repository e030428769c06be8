package solve

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/schemas"
)

// TestUndetermined: every profile that cannot be fitted is named.
func TestUndetermined(t *testing.T) {
	model := func(weights ...float64) *eval.Model {
		m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
		for i, w := range weights {
			m.Terms = append(m.Terms, eval.Term{Name: string(rune('a' + i)), Group: "g", Weights: []float64{w}})
		}
		return m
	}
	type position struct {
		game   int
		y      float64
		counts []int16
	}
	// mixed are positions of many games in which no term tells the winner for sure.
	mixed := func(change func(i int, p *position)) []position {
		var out []position
		for i := range 600 {
			p := position{i / 6, float64((i / 6) % 2), []int16{int16(i*7%5 - 2), int16(i*3%7 - 3), int16(i*11%3 - 1)}}
			if p.y == 1 && i%3 == 0 {
				p.counts[0]++
			}
			change(i, &p)
			out = append(out, p)
		}
		return out
	}
	same := func(int, *position) {}
	free := []int{1, 2}
	for _, c := range []struct {
		kind, names string // of the error; or of a note when noted
		noted       bool
		model       *eval.Model
		free        []int
		settings    Settings
		Store       []position
	}{
		{"", "", false, model(10, 5, 0), free, Settings{}, mixed(same)},
		{"no position", "", false, model(10, 5, 0), free, Settings{}, nil},
		{"no decided game", "", false, model(10, 5, 0), free, Settings{}, mixed(func(_ int, p *position) { p.y = 0.5 })},
		{"one game", "", false, model(10, 5, 0), free, Settings{}, mixed(func(_ int, p *position) { p.game, p.y = 1, 1 })},
		{"one winner", "", false, model(10, 5, 0), free, Settings{}, mixed(func(_ int, p *position) { p.y = 1 })},
		{"no value", "", false, model(0, 0, 0), free, Settings{}, mixed(same)},
		{"scale held", "w_0", true, model(10, 5, 0), []int{0, 1, 2}, Settings{}, mixed(same)},
		{"", "", false, model(10, 5, 0), []int{0, 1, 2}, Settings{Scale: 0.01}, mixed(same)},
		{"", "", false, model(10, 5, 0), []int{0, 1, 2}, Settings{L2: 1e-4}, mixed(same)},
		{"collinear", "b c", false, model(10, 5, 0), free, Settings{}, mixed(func(_ int, p *position) { p.counts[2] = 2 * p.counts[1] })},
		{"", "", false, model(10, 5, 0), free, Settings{L2: 1e-6}, mixed(func(_ int, p *position) { p.counts[2] = 2 * p.counts[1] })},
		{"never fires", "c", true, model(10, 5, 3), free, Settings{}, mixed(func(_ int, p *position) { p.counts[2] = 0 })},
		{"constant", "c", true, model(10, 5, 3), free, Settings{}, mixed(func(_ int, p *position) { p.counts[2] = 1 })},
		{"thin", "c", true, model(10, 5, 3), free, Settings{MinGames: 10}, mixed(func(i int, p *position) {
			if i > 30 {
				p.counts[2] = 0
			}
		})},
		{"separable", "c", true, model(10, 5, 3), free, Settings{}, mixed(func(i int, p *position) { p.counts[2] = int16(2*p.y-1) * int16(i%2) })},
		// b and c err, each for itself; their sum does not.
		{"separable", "b c", false, model(10, 5, 3), free, Settings{}, mixed(func(i int, p *position) {
			p.counts[2] = int16(2*p.y-1)*int16(i%2) - p.counts[1]
		})},
		{"", "", false, model(10, 5, 3), free, Settings{L2: 1e-4}, mixed(func(i int, p *position) {
			p.counts[2] = int16(2*p.y-1)*int16(i%2) - p.counts[1]
		})},
		{"weak", "b c", true, model(10, 5, 3), free, Settings{}, mixed(func(i int, p *position) {
			p.counts[1] *= 100
			p.counts[2] = p.counts[1] + int16(i%64/63)
		})},
		{"separable", "w_0", false, model(10, 5, 3), free, Settings{}, mixed(func(i int, p *position) { p.counts = []int16{int16(2*p.y - 1), 0, 0} })},
		{"no draw", "draw width", false, model(10, 5, 0), free, Settings{Method: losses.Ordered}, mixed(same)},
		{"one value", "", false, model(10, 5, 0), free, Settings{Method: losses.Value}, mixed(func(_ int, p *position) { p.y = 3 })},
		{"no scale", "w_0", false, model(-10, 0, 0), []int{1}, Settings{}, mixed(same)},
	} {
		methods := []string{losses.MLM, losses.LS}
		if c.settings.Method != "" {
			methods = []string{c.settings.Method}
		}
		for _, method := range methods {
			name := strings.TrimSpace(method + " " + c.kind + " " + c.names)
			d := rows.NewDesign(c.model, c.free, nil, nil)
			d.Drawn = method == losses.Ordered
			b := rows.NewBuilder(d)
			for _, p := range c.Store {
				x := &rows.Row{Game: int64(p.game), Y: p.y, Weight: 1}
				for term, n := range p.counts {
					x.Value += c.model.Terms[term].Weights[0] * float64(n)
					for slot, f := range c.free {
						if f == term && n != 0 {
							x.Features = append(x.Features, rows.Count{Slot: uint32(slot), N: n})
						}
					}
				}
				b.Add(x)
			}
			c.settings.Method, c.settings.Workers = method, 2
			e, err := Fit(context.Background(), b.Finish(), c.settings)
			if c.kind != "" && !c.noted {
				if u, ok := errors.AsType[*Unidentified](err); !ok {
					t.Errorf("%s: %v", name, err)
				} else if got := strings.Join(u.Terms, " "); u.Kind != c.kind || got != c.names && !sameWords(got, c.names) {
					t.Errorf("%s: %s %q: %v", name, u.Kind, got, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			found := c.kind == ""
			for _, n := range e.Notes {
				found = found || n.Kind == c.kind && strings.Join(n.Terms, " ") == c.names
			}
			if !found {
				t.Errorf("%s: notes %+v", name, e.Notes)
			}
			for j, s := range e.Status {
				if s == schemas.StatusFitted && (math.IsNaN(e.se.model[j]) || math.IsNaN(e.se.robust[j])) {
					t.Errorf("%s: %s has no error", name, e.Design.Name(j))
				}
				if s != schemas.StatusFitted && j < e.Design.Scale() && e.Weights[j] != e.Design.Params[j].Initial {
					t.Errorf("%s: %s is %v, but is not fitted", name, e.Design.Name(j), e.Weights[j])
				}
			}
		}
	}
}
