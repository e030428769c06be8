package identify

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/players/decide"
)

// Text is the name of the file with the readable tables.
const Text = "identify.txt"

// write writes the files.
func (r *Results) write(out *datasets.Builder) error {
	err := errors.Join(out.AddCSV("evidence.csv", r.evidenceTable()), out.AddCSV("candidates.csv", r.candidateTable()))
	if len(r.Trials) > 0 {
		err = errors.Join(err, out.AddCSV("trials.csv", r.trialTable()), out.AddCSV("calibration.csv", r.binTable()))
	}
	return errors.Join(err, out.AddJSON("identify.json", r), out.AddFile(Text, r.text()))
}

// trialTable returns the contents of trials.csv.
func (r *Results) trialTable() [][]string {
	rows := [][]string{{"games", "evidence", "tempered", "players", "sets", "accuracy", "accuracy_se", "ahead_of_tree", "ahead_se", "log_loss", "confidence", "over", "over_se", "accuracy_within", "ahead_within", "over_within"}}
	for _, t := range r.Trials {
		rows = append(rows, []string{strconv.Itoa(t.Games), t.Evidence, strconv.FormatBool(t.Tempered), strconv.Itoa(t.Players), strconv.Itoa(t.Sets),
			decide.Decimal(t.Accuracy), decide.OrEmpty(t.AccuracySE), decide.Decimal(t.Ahead), decide.OrEmpty(t.AheadSE), decide.Decimal(t.LogLoss), decide.Decimal(t.Confidence), decide.Decimal(t.Over), decide.OrEmpty(t.OverSE),
			decide.OrEmpty(t.AccuracyWithin), decide.OrEmpty(t.AheadWithin), decide.OrEmpty(t.OverWithin)})
	}
	return rows
}

// binTable returns the contents of calibration.csv.
func (r *Results) binTable() [][]string {
	rows := [][]string{{"evidence", "above", "to", "sets", "mean_probability", "right", "right_se", "right_within"}}
	for _, b := range r.Bins {
		rows = append(rows, []string{b.Evidence, decide.Decimal(b.From), decide.Decimal(b.To), strconv.Itoa(b.Sets), decide.Decimal(b.Mean), decide.Decimal(b.Right), decide.OrEmpty(b.RightSE), decide.OrEmpty(b.Within)})
	}
	return rows
}

// candidateTable returns the contents of candidates.csv.
func (r *Results) candidateTable() [][]string {
	head := []string{"player", "depth", "games_in_tree", "games_to_fit", "games_to_test"}
	sizes := r.sizes()
	if r.Asked != nil {
		head = append(head, "posterior", "posterior_tree", "posterior_models", "log_tree", "log_models")
	}
	head = append(head, lists.Of(sizes, func(n int) string { return fmt.Sprintf("right_of_%d", n) })...)
	rows := [][]string{head}
	for _, c := range r.Candidates {
		row := []string{c.Player, strconv.Itoa(c.Depth), strconv.Itoa(c.Tree), strconv.Itoa(c.Fit), strconv.Itoa(c.Test)}
		if r.Asked != nil {
			row = append(row, decide.Decimal(c.Posterior[byBoth]), decide.Decimal(c.Posterior[byTree]), decide.Decimal(c.Posterior[byModels]), decide.Decimal(c.LogTree), decide.Decimal(c.LogModels))
		}
		for _, n := range sizes {
			cell := ""
			if x, ok := c.Right[n]; ok {
				cell = decide.Decimal(x)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// evidenceTable returns the contents of evidence.csv: a row for each game, side and candidate.
func (r *Results) evidenceTable() [][]string {
	rows := [][]string{{"game_id", "side", "use", "player", "decisions", "candidate", "log_tree", "log_models"}}
	for _, s := range r.seats {
		player := ""
		if s.player >= 0 {
			player = r.library[s.player].title()
		}
		for k := range r.library {
			rows = append(rows, []string{strconv.FormatInt(s.game, 10), [...]string{"first", "second"}[s.side], [...]string{"tree", "fit", "test", "asked"}[s.use],
				player, strconv.Itoa(s.decisions), r.library[k].title(), decide.Decimal(s.tree[k]), decide.Decimal(s.models[k])})
		}
	}
	return rows
}

func (r *Results) sizes() (sizes []int) {
	for _, t := range r.Trials {
		if !slices.Contains(sizes, t.Games) {
			sizes = append(sizes, t.Games)
		}
	}
	return sizes
}

// text returns the contents of identify.txt.
func (r *Results) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %d models; posteriors fitted to %d games of known players\n", r.Game, len(r.library), r.Fitted)
	if r.Asked != nil {
		r.posterior(&b)
	} else {
		r.trials(&b)
	}
	for _, name := range evidence {
		t := r.Temper[name]
		var parts []string
		for _, kind := range usedBy[name] {
			parts = append(parts, fmt.Sprintf("%s τ %.3g, ρ %.3g", [...]string{byTree, byModels}[kind], t.Tau[kind], t.Rho[kind]))
		}
		fmt.Fprintf(&b, "posterior by %s: log-likelihoods of n games × τ/(1 + ρ(n−1)); %s\n", name, strings.Join(parts, "; "))
	}
	return b.Bytes()
}

// posterior writes the answer for the player asked for.
func (r *Results) posterior(b *bytes.Buffer) {
	n, decisions := 0, 0
	for _, s := range r.seats {
		if s.use == toGuess {
			n, decisions = n+1, decisions+s.decisions
		}
	}
	fmt.Fprintf(b, "%d games of %s, %d decisions searched: the probability that each model's player made the moves, if one of them did\n", n, strings.Join(r.Asked, ", "), decisions)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PLAYER\tPOSTERIOR\tBY TREE\tBY MODELS\tGAMES IN TREE")
	for _, c := range r.Candidates {
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.4f\t%d\n", c.Player, c.Posterior[byBoth], c.Posterior[byTree], c.Posterior[byModels], c.Tree)
	}
	w.Flush()
}

// trials writes how well the players of the library are identified.
func (r *Results) trials(b *bytes.Buffer) {
	fmt.Fprintf(b, "which of %d players made the moves of n games? %d test games; a random guess is right in %.1f %% (log-loss %.3f); ±: 95 %%, by player\n",
		len(r.library), r.Tested, 100/float64(len(r.library)), math.Log(float64(len(r.library))))
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "GAMES\tPLAYERS\tEVIDENCE\tRIGHT\tABOVE TREE\tLOG-LOSS\tMEAN POSTERIOR\tOVERCLAIM\tUNTEMPERED OVERCLAIM\tUNTEMPERED LOG-LOSS")
	for i, t := range r.Trials {
		if !t.Tempered {
			continue
		}
		raw := r.Trials[i+1]
		fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%s\t%.3f\t%.1f %%\t%s\t%s\t%.3f\n", t.Games, t.Players, t.Evidence, decide.Percent(t.Accuracy, t.AccuracyWithin, t.AccuracyEnd), decide.Percent(t.Ahead, t.AheadWithin, nil),
			t.LogLoss, 100*t.Confidence, t.over(), raw.over(), raw.LogLoss)
	}
	w.Flush()
	fmt.Fprintln(b, "overclaim: mean posterior of the likeliest player minus the share that is right")
	fmt.Fprintln(b, "\nsets by the posterior of their likeliest player, and the share where this player is right (evidence: both)")
	w = tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POSTERIOR\tSETS\tMEAN\tRIGHT")
	for _, x := range r.Bins {
		if x.Evidence == byBoth {
			fmt.Fprintf(w, "%.2f to %.2f\t%d\t%.1f %%\t%s\n", x.From, x.To, x.Sets, 100*x.Mean, decide.Percent(x.Right, x.Within, x.End))
		}
	}
	w.Flush()
	fmt.Fprintln(b)
}

// over formats what is claimed too much: where all guesses are right, up to what it may be.
func (x *Trial) over() string {
	if x.AccuracyEnd != nil && x.Accuracy == 1 {
		return fmt.Sprintf("%.1f (to %.1f) %%", 100*x.Over, 100*(x.Confidence-*x.AccuracyEnd))
	}
	return decide.Percent(x.Over, x.OverWithin, nil)
}
