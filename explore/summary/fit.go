package summary

import (
	"encoding/json"
	"fmt"
	"strings"

	"kifu/datasets"
	"kifu/explore/parts"
	"kifu/internal/human"
	"kifu/internal/table"
	"kifu/schemas"
)

// fitSummary describes how well the weights of a fit predict, games held out first.
func fitSummary(_ *datasets.Dir, _ string, text []byte) (table.Document, map[string]string, error) {
	var f schemas.Fit
	if err := json.Unmarshal(text, &f); err != nil || f.Train == nil {
		return table.Document{}, nil, orNone(err)
	}
	doc := table.Document{Lead: fitLead(&f), Tables: []table.Table{fitQuality(&f), fitBands(&f), fitTests(&f)}}
	for _, n := range f.Notes {
		doc.Notes = append(doc.Notes, n.String())
	}
	if f.Errors != "" {
		doc.Notes = append(doc.Notes, "Errors: "+f.Errors)
	}
	return doc, nil, nil
}

// measure is a figure by which a fit is judged: named, and of which more is better or worse.
type measure struct {
	name string
	of   func(m schemas.FitMetrics) string
}

// measureOf is the one by which fits of a method are compared first.
func measureOf(f *schemas.Fit) measure {
	if f.Train.Fitted.RMSE > 0 {
		return measure{"root mean square error", func(m schemas.FitMetrics) string { return fmt.Sprintf("%.4g", m.RMSE) }}
	}
	return measure{"log-loss", func(m schemas.FitMetrics) string { return fmt.Sprintf("%.4f", m.LogLoss) }}
}

// fitLead describes what the fit did and whether it predicts better.
func fitLead(f *schemas.Fit) string {
	sample, where := f.Train, "on the training games (none were held out)"
	if f.Held != nil {
		sample, where = f.Held, "on held-out games"
	}
	by := measureOf(f)
	quality := fmt.Sprintf("%s the %s is %s", where, by.name, by.of(sample.Fitted))
	if sample.Original != nil {
		quality += fmt.Sprintf(", with the initial weights (%s) %s", f.Evaluator, by.of(*sample.Original))
	}
	if d := sample.Difference; d != nil {
		verdict, low, high := "better", d.CILow, d.CIHigh
		switch {
		case low > 0:
			verdict = "worse"
		case high >= 0:
			verdict = "not clearly better or worse"
		}
		quality += fmt.Sprintf(": %s, a difference of %s (95 %% interval %s to %s)", verdict, human.Signed(d.LogLoss, 4), human.Signed(low, 4), human.Signed(high, 4))
	}
	what := "only the scale is"
	if n := f.Solver.Parameters - 1; n > 0 {
		what = human.Plural(int64(n), "weight is", "weights are")
	}
	fitted := fmt.Sprintf("%s fitted to %s of %s by %s", what, sampleText(f.Train, f.Train.Positions), human.Plural(int64(f.Train.Games), "game", "games"), strings.ToUpper(f.Method))
	return sentence(fitted) + " " + sentence(quality)
}

// sampleText counts what a sample is made of.
func sampleText(s *schemas.FitSample, n int) string {
	if s.Alternatives > 0 {
		return human.Plural(int64(n), "decision", "decisions")
	}
	return human.Plural(int64(n), "position", "positions")
}

// fitQuality has a row for each sample of games.
func fitQuality(f *schemas.Fit) table.Table {
	by := measureOf(f)
	t := table.Table{Name: "quality", Caption: "Quality of the predictions", Head: []table.Cell{table.Text("games"), table.Number(by.name), table.Number("with initial weights"), table.Number("with the base rate"),
		table.Number("accuracy"), table.Number("initial accuracy"), table.Number("pairs in order"), table.Number("Brier score"), table.Number("positions"), table.Number("games")}}
	if f.Train.Alternatives > 0 {
		t.Head[3].Text, t.Head[6].Text, t.Head[8].Text = "random move", "moves scored below the played one", "decisions"
	}
	add := func(name string, s *schemas.FitSample) {
		row := []string{name, by.of(s.Fitted), "", by.of(s.Base), right(s.Fitted), "", share(s.Fitted.Order), "", human.Grouped(int64(s.Positions)), human.Grouped(int64(s.Games))}
		if s.Original != nil {
			row[2], row[5] = by.of(*s.Original), right(*s.Original)
		}
		if s.Fitted.Brier > 0 {
			row[7] = fmt.Sprintf("%.4f", s.Fitted.Brier)
		}
		t.Rows = append(t.Rows, row)
	}
	if f.Held != nil {
		add("held out", f.Held)
	}
	if c := f.Folds; c != nil {
		add(fmt.Sprintf("cross-validated in %d folds", c.Folds), &schemas.FitSample{Positions: f.Train.Positions, Games: f.Train.Games, Base: c.Base, Original: c.Original, Fitted: c.Fitted})
	}
	add("training", f.Train)
	return withoutEmpty(t)
}

func right(m schemas.FitMetrics) string {
	if m.Accuracy == 0 {
		return ""
	}
	return human.Percent(m.Accuracy, 1)
}

func share(x *float64) string {
	if x == nil {
		return ""
	}
	return human.Percent(*x, 1)
}

// withoutEmpty leaves out empty columns.
func withoutEmpty(t table.Table) table.Table {
	for i := len(t.Head) - 1; i >= 0; i-- {
		empty := true
		for _, row := range t.Rows {
			empty = empty && row[i] == ""
		}
		if !empty {
			continue
		}
		t.Head = append(t.Head[:i:i], t.Head[i+1:]...)
		for k, row := range t.Rows {
			t.Rows[k] = append(row[:i:i], row[i+1:]...)
		}
	}
	return t
}

// fitBands has the quality on games held out, by ply and phase.
func fitBands(f *schemas.Fit) table.Table {
	by := measureOf(f)
	t := table.Table{Name: "bands", Caption: "Held-out games, by ply and phase", Head: []table.Cell{table.Text("band"), table.Number(by.name), table.Number("accuracy"), table.Number("pairs in order"), table.Number("positions")}}
	if f.Held == nil {
		return t
	}
	for _, b := range f.Held.Bands {
		t.Rows = append(t.Rows, []string{b.By + " " + b.Band, by.of(b.FitMetrics), right(b.FitMetrics), share(b.Order), human.Grouped(int64(b.Positions))})
	}
	return withoutEmpty(t)
}

// fitTests lists which groups of weights moved.
func fitTests(f *schemas.Fit) table.Table {
	t := table.Table{Name: "tests", Caption: "Did the weights of a group change? Tests by group", Head: []table.Cell{table.Text("group"), table.Number("weights"), table.Number("p, score test"), table.Number("p, Wald test")}}
	for _, g := range f.Tests {
		row := []string{g.Group, fmt.Sprint(g.Weights), "", ""}
		for i, p := range []*float64{g.ScoreP, g.WaldP} {
			if p != nil {
				row[2+i] = human.Chance(*p)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return withoutEmpty(t)
}

// league has the fields of a match's result.json that the page shows.
type league struct {
	Games     int64
	Standings []struct {
		Player              string
		Wins, Draws, Losses int64
		MeanPoints          *float64 `json:"mean_points"`
	}
	Meetings []struct {
		Players [2]string
		Elo     *estimate
		SPRT    *struct {
			Elo0      float64 `json:"elo_0"`
			Elo1      float64 `json:"elo_1"`
			Accepted  string
			Estimates *struct{ Elo estimate }
		}
	}
}

type estimate struct{ Value, Low, High float64 }

// matchSummary names the winner, with the tables of the league; players and meetings lead to their
// games.
func matchSummary(d *datasets.Dir, name string, text []byte) (table.Document, map[string]string, error) {
	var l league
	if err := json.Unmarshal(text, &l); err != nil || len(l.Standings) < 2 {
		return table.Document{}, nil, orNone(err)
	}
	tables, err := d.ReadFile("league.json")
	if err != nil {
		return table.Document{}, nil, err
	}
	doc, err := table.ParseDocument(tables)
	if err != nil {
		return table.Document{}, nil, err
	}
	links := map[string]string{}
	for _, s := range l.Standings {
		links[s.Player] = parts.To("games", "on", name, "player", s.Player)
	}
	for _, m := range l.Meetings {
		links[m.Players[0]+" : "+m.Players[1]] = parts.To("games", "on", name, "player", m.Players[0], "opponent", m.Players[1])
	}
	doc.Lead = matchLead(&l)
	// The meetings have the differences in Elo: after the standings, before who beat whom.
	for i, t := range doc.Tables {
		if i > 1 && strings.HasPrefix(t.Caption, "Meetings") {
			copy(doc.Tables[2:i+1], doc.Tables[1:i])
			doc.Tables[1] = t
		}
	}
	return doc, links, nil
}

func matchLead(l *league) string {
	best := l.Standings[0]
	for _, s := range l.Standings[1:] {
		if s.MeanPoints != nil && (best.MeanPoints == nil || *s.MeanPoints > *best.MeanPoints) {
			best = s
		}
	}
	games := human.Plural(l.Games, "game", "games")
	if len(l.Meetings) != 1 {
		if best.MeanPoints == nil {
			return sentence(games + " of " + fmt.Sprint(len(l.Standings)) + " players, none finished")
		}
		return sentence(fmt.Sprintf("%s of %d players", games, len(l.Standings)), fmt.Sprintf("most points per game: %s, %.3f of 2 (won %d, drawn %d, lost %d)", best.Player, *best.MeanPoints, best.Wins, best.Draws, best.Losses))
	}
	m, first := l.Meetings[0], l.Standings[0]
	lead := sentence(fmt.Sprintf("%s against %s", m.Players[0], m.Players[1]), fmt.Sprintf("%s: won %d, drawn %d, lost %d", games, first.Wins, first.Draws, first.Losses))
	elo := m.Elo
	if t := m.SPRT; t != nil {
		said := "the SPRT has not decided"
		switch t.Accepted {
		case "elo_0":
			said = fmt.Sprintf("the SPRT accepts an advantage of %s Elo, not %s", human.Number(t.Elo0), human.Number(t.Elo1))
		case "elo_1":
			said = fmt.Sprintf("the SPRT accepts an advantage of %s Elo, not %s", human.Number(t.Elo1), human.Number(t.Elo0))
		}
		lead += " " + sentence(said)
		if t.Estimates != nil {
			elo = &t.Estimates.Elo
		}
	}
	if elo != nil {
		lead += " " + sentence(fmt.Sprintf("Elo difference %s, 95 %% interval %s to %s", human.Signed(elo.Value, 1), human.Signed(elo.Low, 1), human.Signed(elo.High, 1)))
	}
	return lead
}
