package chunks

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"kifu/datasets"
	"kifu/players/decide"
)

// Text is the name of the file with the readable tables.
const Text = "chunks.txt"

// write writes the files.
func (r *Results) write(out *datasets.Builder) error {
	return errors.Join(out.AddCSV("plies.csv", r.scoreTable()), out.AddCSV("chunks.csv", r.chunkTable()), out.AddCSV("predictions.csv", r.predictions),
		out.AddJSON("chunks.json", r), out.AddFile(Text, r.text()))
}

// table makes predictions.csv, with a row for each decision tested. A predictor's cell is the share of its
// first choices that is the move played, empty if it predicts nothing.
func (m *modeler[P]) table(r *Results, test []*question[P], answers map[string][]answer) {
	names := []string{byTree, byModel, byChunks, byBoth, byAll}
	r.predictions = [][]string{{"game_id", "ply", "legal_moves", "position", "move", "tree", "model", "chunks", "tree_model", "all", "chunk_pieces"}}
	for i, q := range test {
		p := q.position
		row := []string{strconv.FormatInt(q.game, 10), strconv.Itoa(q.ply), strconv.Itoa(q.moves), string(m.game.Rules.AppendPosition(nil, p)),
			string(m.game.Rules.AppendCoordinates(nil, p, p.AppendMoves(nil)[q.chosen]))}
		for _, name := range names {
			cell := ""
			if a := answers[name][i]; a.says {
				cell = decide.Decimal(a.right)
			}
			row = append(row, cell)
		}
		r.predictions = append(r.predictions, append(row, strconv.Itoa(int(q.largest[q.chosen]))))
	}
}

// scoreTable returns the contents of plies.csv.
func (r *Results) scoreTable() [][]string {
	rows := [][]string{{"from_ply", "to_ply", "predictor", "decisions", "games", "random", "says", "right", "right_se", "right_of_said", "log_loss", "ahead_of_tree_model", "ahead_se", "right_within", "ahead_within"}}
	for _, s := range r.Scores {
		to := ""
		if s.To > 0 {
			to = strconv.Itoa(s.To)
		}
		rows = append(rows, []string{strconv.Itoa(s.From), to, s.Predictor, strconv.Itoa(s.Decisions), strconv.Itoa(s.Games), decide.Decimal(s.Random), decide.Decimal(s.Says),
			decide.Decimal(s.Right), decide.OrEmpty(s.RightSE), decide.Decimal(s.Precise), decide.OrEmpty(s.LogLoss), decide.Decimal(s.Ahead), decide.OrEmpty(s.AheadSE),
			decide.OrEmpty(s.RightWithin), decide.OrEmpty(s.AheadWithin)})
	}
	return rows
}

// chunkTable returns the contents of chunks.csv.
func (r *Results) chunkTable() [][]string {
	rows := [][]string{{"pieces", "played", "available", "chunk"}}
	for _, c := range r.Longest {
		rows = append(rows, []string{strconv.Itoa(c.Pieces), strconv.Itoa(c.Played), strconv.Itoa(c.Available), c.Text})
	}
	return rows
}

// plies names a stretch of plies, from 1.
func (s *Score) plies() string {
	switch {
	case s.From == 0 && s.To == 0:
		return "all"
	case s.To == 0:
		return fmt.Sprintf("from %d", s.From+1)
	}
	return fmt.Sprintf("%d to %d", s.From+1, s.To)
}

// text returns the contents of chunks.txt.
func (r *Results) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %s: %d chunks of %d games; %d games to weigh the evidence, %d to test; ± of shares: 95 %%, by game\n", r.Game, strings.Join(r.Player, ", "), r.Chunks, r.Learn, r.Held, r.Test)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PLIES\tMOVES\tRANDOM\tPREDICTOR\tPREDICTED\tRIGHT\tRIGHT OF PREDICTED\tABOVE TREE + MODEL\tLOG-LOSS")
	for _, s := range r.Scores {
		loss := ""
		if s.LogLoss != nil {
			loss = fmt.Sprintf("%.3f", *s.LogLoss)
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f %%\t%s\t%.1f %%\t%s\t%.1f %%\t%s\t%s\n", s.plies(), s.Decisions, 100*s.Random, s.Predictor, 100*s.Says,
			decide.Percent(s.Right, s.RightWithin, s.RightEnd), 100*s.Precise, decide.Percent(s.Ahead, s.AheadWithin, nil), loss)
	}
	w.Flush()
	for _, x := range r.Mixed {
		var terms []string
		for i, name := range x.Terms {
			term := fmt.Sprintf("%.3f", x.Weights[i])
			if x.SE != nil {
				term += fmt.Sprintf(" ± %.3f", x.SE[i])
			}
			terms = append(terms, term+" × "+name)
		}
		fmt.Fprintf(&b, "%s: P(move) ∝ exp(%s)\n", x.Predictor, strings.Join(terms, " + "))
	}
	fmt.Fprintln(&b, "\nmost frequent chunks (chunks.csv has more)")
	for _, c := range r.Longest[:min(10, len(r.Longest))] {
		fmt.Fprintf(&b, "  in %d games: %s\n", c.Played, c.Text)
	}
	return b.Bytes()
}
