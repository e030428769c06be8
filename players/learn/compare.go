package learn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"text/tabwriter"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/players"
	"kifu/players/decide"
	"kifu/schemas"
)

// Rival is a strategy whose predictions are compared with the model's, its weights in the
// terms of the game's evaluator.
type Rival struct{ *players.Player }

// MarshalJSON returns the JSON that is hashed into the dataset's key, the weights by their
// checksum.
func (r Rival) MarshalJSON() ([]byte, error) {
	sum, err := r.Eval.Checksum()
	if err != nil {
		return nil, err
	}
	key := []any{r.Name, r.Depth, r.Temperature, r.Lapse, sum}
	if r.Quiescence {
		key = append(key, "quiescence")
	}
	return json.Marshal(key)
}

// compare scores the rivals, after the model if it was learned from the same games.
func compare[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P], l *Learned) error {
	var tests []decision[P]
	for i := range decisions {
		if decisions[i].part == test {
			tests = append(tests, decisions[i])
		}
	}
	if len(p.Compare) == 0 || len(tests) == 0 {
		return nil
	}
	var hits, losses [][]float64
	add := func(player string, m *schemas.LearnModel, values func(i int) []int32) {
		ds, c := rank(tests, test, values), choiceOf(m)
		hits, losses = append(hits, hitsOf(ds)), append(losses, lossesOf(ds, c))
		to := schemas.LearnCompared{Player: player, Depth: m.Depth, Quiescence: m.Quiescence, LearnScore: scoreOf(ds, c)}
		last := len(hits) - 1
		to.Behind, to.BehindSE = meanByGame(ds, minusEach(hits[0], hits[last]))
		to.LossBehind, to.LossBehindSE = meanByGame(ds, minusEach(losses[last], losses[0]))
		l.Compared = append(l.Compared, to)
	}
	if p.fits() && l.Held != nil {
		add(p.name(), l.Model, func(i int) []int32 { return tests[i].model })
	}
	for _, r := range p.Compare {
		m := &schemas.LearnModel{Depth: r.Depth, Quiescence: r.Quiescence, Temperature: max(r.Temperature, temperature(0)), Lapse: max(r.Lapse, lapses()[0])}
		values, err := modelValues(ctx, g, p, r.Eval, r.Depth, r.Quiescence, workers, tests, nil)
		if err != nil {
			return err
		}
		add(r.Name, m, values)
	}
	return nil
}

// lossesOf returns -ln of the chance of each move played.
func lossesOf(decisions []ranked, c choice) []float64 {
	return lists.Of(decisions, func(d ranked) float64 { return -c.log(d.values, d.chosen) })
}

func minusEach(a, b []float64) []float64 {
	return lists.N(len(a), func(i int) float64 { return a[i] - b[i] })
}

// comparedTable returns the contents of compared.csv.
func (l *Learned) comparedTable() [][]string {
	rows := [][]string{{"player", "depth", "accuracy", "se", "in_best", "log_loss", "behind", "behind_se", "log_loss_behind", "log_loss_behind_se", "quiescence"}}
	for i := range l.Compared {
		c := &l.Compared[i]
		row := append([]string{c.Player, strconv.Itoa(c.Depth)}, cells(&c.LearnScore)...)
		rows = append(rows, append(row, decide.Decimal(c.Behind), decide.OrEmpty(c.BehindSE), decide.Decimal(c.LossBehind), decide.OrEmpty(c.LossBehindSE), strconv.FormatBool(c.Quiescence)))
	}
	return rows
}

// compared writes a table of the strategies.
func (r *report) compared(b *bytes.Buffer) {
	fmt.Fprintf(b, "\nthe games to test, predicted by models of\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PLAYER\tDEPTH\tACCURACY\tBEHIND THE FIRST\tLOG-LOSS\tBEHIND THE FIRST")
	for i := range r.Compared {
		c, quiet := &r.Compared[i], ""
		if c.Quiescence {
			quiet = "q"
		}
		fmt.Fprintf(w, "%s\t%d%s\t%s\t%s\t%.3f\t%s\n", c.Player, c.Depth, quiet, &c.LearnScore,
			withError(100*c.Behind, c.BehindSE, 100, 1)+" %", c.LogLoss, withError(c.LossBehind, c.LossBehindSE, 1, 3))
	}
	w.Flush()
}

// withError formats x with its standard error, if there is one, multiplied by a factor.
func withError(x float64, se *float64, times float64, digits int) string {
	text := strconv.FormatFloat(x, 'f', digits, 64)
	if se != nil {
		text += " ± " + strconv.FormatFloat(times**se, 'f', digits, 64)
	}
	return text
}
