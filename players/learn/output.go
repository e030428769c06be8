package learn

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"kifu/datasets"
	"kifu/games"
	"kifu/players"
	"kifu/players/decide"
	"kifu/schemas"
)

// Text is the name of the file with the readable table.
const Text = "learn.txt"

// report has the contents of learn.txt.
type report struct {
	schemas.Learn
	fits bool
}

// write writes the files into out.
func write[P games.Position[P]](rules games.Rules[P], p Params, f *found[P], l *Learned, out *datasets.Builder) error {
	results := schemas.Learn{
		Game: rules.Name(), Player: p.Player, Aliases: p.Aliases, Evaluator: p.Eval.Name, Unit: p.Eval.Unit,
		Games: f.games, Moves: f.moves, Choices: f.choices, Decisions: len(f.decisions),
		Excluded: f.counts.Noted, Holdout: p.Holdout, TestPart: p.Test, Seed: p.Seed, LearnResults: l.LearnResults,
	}
	given, err := p.Eval.TOML()
	if err != nil {
		return err
	}
	model := l.Player()
	model.Name = p.name()
	player, err := model.TOML()
	if err != nil {
		return err
	}
	weights, err := model.Eval.TOML()
	if err != nil {
		return err
	}
	err = errors.Join(out.AddJSON("learn.json", results), out.AddCSV("depths.csv", depthTable(l.Depths)), out.AddCSV("decisions.csv", decisionTable(rules, p.MaxDepth, f.decisions)),
		out.AddFile("given.toml", given), out.AddFile(players.File, player), out.AddFile(players.Weights, weights), out.AddFile(Text, (&report{results, p.fits()}).text()))
	if len(l.Quiescent) > 0 {
		err = errors.Join(err, out.AddCSV("quiescent.csv", depthTable(l.Quiescent)))
	}
	if len(l.Strategies) > 0 {
		err = errors.Join(err, out.AddCSV("strategies.csv", l.strategyTable()), out.AddCSV("weights.csv", l.weightTable()))
	}
	if len(l.Compared) > 0 {
		err = errors.Join(err, out.AddCSV("compared.csv", l.comparedTable()))
	}
	return errors.Join(err, p.Eval.AddTables(out.AddFile))
}

// depthTable returns the contents of depths.csv.
func depthTable(depths []schemas.LearnDepth) [][]string {
	rows := [][]string{{"depth", "counter", "posterior", "temperature", "lapse", "log_likelihood",
		"train_accuracy", "train_se", "train_in_best", "train_log_loss", "held_accuracy", "held_se", "held_in_best", "held_log_loss",
		"behind", "behind_se", "log_loss_behind", "log_loss_behind_se"}}
	for _, d := range depths {
		row := []string{strconv.Itoa(d.Depth), strconv.FormatInt(d.Counter, 10), decide.Decimal(d.Posterior),
			decide.Decimal(d.Temperature), decide.Decimal(d.Lapse), decide.Decimal(d.LogLikelihood)}
		rows = append(rows, slices.Concat(row, cells(&d.Train), cells(d.Held), againstCells(d.Against)))
	}
	return rows
}

// cells returns the cells of a score; they are empty without one.
func cells(s *schemas.LearnScore) []string {
	if s == nil {
		return make([]string, 4)
	}
	se := ""
	if s.SE != nil {
		se = decide.Decimal(*s.SE)
	}
	return []string{decide.Decimal(s.Accuracy), se, decide.Decimal(s.InBest), decide.Decimal(s.LogLoss)}
}

// againstCells returns the cells of a comparison; they are empty without one.
func againstCells(a *schemas.LearnAgainst) []string {
	if a == nil {
		return make([]string, 4)
	}
	return []string{decide.Decimal(a.Behind), decide.OrEmpty(a.BehindSE), decide.Decimal(a.LossBehind), decide.OrEmpty(a.LossBehindSE)}
}

// decisionTable returns the contents of decisions.csv. Each decision has the rank of its move at each depth
// by the given weights: one more than the number of better moves. Then come the numbers of better and equal
// moves (with the move itself) by the model, and the ranks with quiescence, if there are such candidates.
func decisionTable[P games.Position[P]](rules games.Rules[P], deepest int, decisions []decision[P]) [][]string {
	head := []string{"game_id", "ply", "part", "phase", "legal_moves", "position", "move"}
	for d := 1; d <= deepest; d++ {
		head = append(head, fmt.Sprintf("rank_%d", d))
	}
	head = append(head, "model_better", "model_equal")
	quiescent := len(decisions) > 0 && decisions[0].quiet != nil
	for d := 1; quiescent && d <= deepest; d++ {
		head = append(head, fmt.Sprintf("rank_%dq", d))
	}
	rows := [][]string{head}
	for i := range decisions {
		d := &decisions[i]
		p := d.position
		row := []string{strconv.FormatInt(d.game, 10), strconv.Itoa(d.ply), d.part.String(), strconv.Itoa(int(rules.AppendColumns(nil, p)[0])), strconv.Itoa(d.moves),
			string(rules.AppendPosition(nil, p)), string(rules.AppendCoordinates(nil, p, p.AppendMoves(nil)[d.chosen]))}
		for _, values := range d.values {
			better, _ := standing(values, d.chosen)
			row = append(row, strconv.Itoa(better+1))
		}
		better, equal := standing(d.model, d.chosen)
		row = append(row, strconv.Itoa(better), strconv.Itoa(equal))
		for _, values := range d.quiet {
			better, _ := standing(values, d.chosen)
			row = append(row, strconv.Itoa(better+1))
		}
		rows = append(rows, row)
	}
	return rows
}

// standing counts the values above chosen's and the values equal to it, itself included.
func standing(values []int32, chosen int) (better, equal int) {
	for _, v := range values {
		switch {
		case v > values[chosen]:
			better++
		case v == values[chosen]:
			equal++
		}
	}
	return better, equal
}

// text returns the contents of learn.txt.
func (r *report) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %s: %d games, %d moves, %d decisions\n", r.Game, quoted(r.Player), r.Games, r.Moves, r.Decisions)
	fmt.Fprintf(&b, "fitted to %s\n", &r.Train)
	if r.Held != nil {
		fmt.Fprintf(&b, "held out  %s\n", r.Held)
	}
	if r.Test != nil {
		fmt.Fprintf(&b, "to test   %s\n", r.Test)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "DEPTH\tCOUNTER\tPOSTERIOR\tTEMPERATURE\tLAPSE\tACCURACY\tHELD OUT\tBEHIND THE MODEL\tLOG-LOSS\t\n")
	for i, d := range allDepths(&r.LearnResults) {
		held, loss, behind := "", "", ""
		if d.Held != nil {
			held, loss = d.Held.String(), fmt.Sprintf("%.3f", d.Held.LogLoss)
		}
		if d.Against != nil {
			behind = withError(100*d.Against.Behind, d.Against.BehindSE, 100, 1) + " %"
		}
		posterior := fmt.Sprintf("%.4f", d.Posterior)
		if r.Likeliest != nil && r.Likeliest.AtLeast {
			posterior = "-"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%.2f\t%.3f\t%s\t%s\t%s\t%s\t\n", r.candidate(i), d.Counter, posterior, d.Temperature, d.Lapse, &d.Train, held, behind, loss)
	}
	w.Flush()
	fmt.Fprintln(&b, "±: standard errors by game. They allow for chance in this player's games, not for choosing the best of many candidates")
	fmt.Fprintf(&b, "depth by counter %v, by posterior %s", r.best(func(d *schemas.LearnDepth) float64 { return float64(d.Counter) }),
		r.best(func(d *schemas.LearnDepth) float64 { return d.Posterior })[0])
	if r.Held != nil {
		fmt.Fprintf(&b, ", by held-out games %s", r.best(func(d *schemas.LearnDepth) float64 { return d.Held.Accuracy })[0])
	}
	fmt.Fprintf(&b, "; temperature in %s\n", r.Unit)
	if r.Likeliest != nil {
		fmt.Fprintln(&b, r.Likeliest)
	}
	if len(r.Strategies) > 0 {
		r.strategies(&b)
	}
	if r.fits && r.Held == nil {
		fmt.Fprintln(&b, "too few games to hold some out, so no weights are learned")
	}
	m := r.Model
	quiet := ""
	if m.Quiescence {
		quiet = " with quiescence"
	}
	fmt.Fprintf(&b, "model: depth %d"+quiet+", weights %s, temperature %.4g, lapse %.3f", m.Depth, m.Solver, m.Temperature, m.Lapse)
	for _, s := range []struct {
		name  string
		score *schemas.LearnScore
	}{{"held out", m.Held}, {"test", m.Test}} {
		if s.score != nil {
			fmt.Fprintf(&b, "; %s %s", s.name, s.score)
		}
	}
	b.WriteByte('\n')
	r.use(&b)
	if len(r.Compared) > 0 {
		r.compared(&b)
	}
	return b.Bytes()
}

// candidate names the one at index i of allDepths: 2q is two plies and quiescence.
func (r *report) candidate(i int) string {
	if i < len(r.Depths) {
		return strconv.Itoa(r.Depths[i].Depth)
	}
	return strconv.Itoa(r.Quiescent[i-len(r.Depths)].Depth) + "q"
}

// best returns the candidates with the greatest score.
func (r *report) best(score func(*schemas.LearnDepth) float64) (names []string) {
	most := math.Inf(-1)
	for i, d := range allDepths(&r.LearnResults) {
		x := score(d)
		if x > most {
			most, names = x, nil
		}
		if x == most {
			names = append(names, r.candidate(i))
		}
	}
	return names
}

// use describes the use of the model. It is chosen to predict moves. A player that errs as often as the moves
// learned from, but independently each time, is weaker than their player.
func (r *report) use(b *bytes.Buffer) {
	score, sample, of := r.Model.Test, r.Test, "test"
	if score == nil {
		score, sample, of = r.Model.Held, r.Held, "held-out"
	}
	if score == nil || sample == nil {
		fmt.Fprintln(b, "use: nothing was held out or tested, so the quality of the predictions is unknown")
		return
	}
	verdict := fmt.Sprintf("predicts %.1f %% of the %s moves (a random legal move: %.1f %%)", 100*score.Accuracy, of, 100*sample.Chance)
	if score.SE != nil && score.Accuracy-2**score.SE < sample.Chance {
		verdict = fmt.Sprintf("does not predict the %s moves better than a random legal move (%.1f %%)", of, 100*sample.Chance)
	}
	fmt.Fprintf(b, "use: the model %s. It predicts moves, and may be weaker than the player: kifu match measures its strength\n", verdict)
}
