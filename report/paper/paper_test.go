package paper

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/table"
	"kifu/kit/datasettest"
	"kifu/report/page"
)

// made builds a dataset with a table, a report if it has inputs.
func made(t *testing.T, dir, stage string, params any, won string, inputs ...string) *datasets.Dir {
	t.Helper()
	output := "report/v1"
	if len(inputs) == 0 {
		output = "games/v1"
	}
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: stage, Output: output, Params: params, Inputs: inputs,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			if len(inputs) == 0 {
				return nil
			}
			d := table.Document{Tables: []table.Table{{Name: "curves", Head: []table.Cell{table.Text("curve"), table.Number("won")}, Rows: [][]string{{"total", won}}}}}
			return page.WriteNumbers(page.Alone(b), "curve", d)
		}}, datasets.Options{Force: true, Replace: true})
	if err != nil {
		t.Fatal(err)
	}
	d := datasettest.Open(t, dir)
	return d
}

// TestCheck: numbers of a report are named once its dataset is another one, and when it is made again those typed
// from the old one.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	games, report, text := filepath.Join(dir, "games"), filepath.Join(dir, "curve"), filepath.Join(dir, "paper.tex")
	made(t, games, "ingest", 1, "")
	made(t, report, "report curve", 1, "53.6\u00a0%", games)
	lines := []string{`\documentclass{article} 12.34`, `\input{curve/curve-numbers}`, `\input{rest}`, `\begin{document}`,
		`\kifu{curve/curves/total/won} of 999.5 % 1.25`, `Of them 54\,\%, 53.6~\% in 2007 \cite[1.5]{x} \vspace{2.5mm} 3.5cm`,
		`\kifu{curve/none}`, `0.05 % not of kifu`, `\begin{thebibliography}{99.9}`, `7.77`}
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("paper.tex", strings.Join(lines, "\n"))
	write("rest.tex", "1,234 and 12 games")
	check := func(what string, given []*datasets.Dir, want ...string) {
		t.Helper()
		r, err := Check(text, given)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%s:%d %s", filepath.Base(f.File), f.Line, f.What))
		}
		if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
			t.Errorf("%s: found\n%s\nwant\n%s", what, a, b)
		}
	}
	always := []string{"rest.tex:1 1,234", "paper.tex:5 999.5", `paper.tex:7 \kifu{curve/none}`}
	check("as made", nil, always...)
	made(t, games, "ingest", 2, "")
	check("another dataset", nil, always[0], `paper.tex:5 \kifu{curve/curves/total/won}`, always[1], "paper.tex:6 54 %", "paper.tex:6 53.6 %", always[2])
	made(t, report, "report curve", 1, "57.0\u00a0%", games)
	check("made again", nil, append([]string{always[0], always[1]}, "paper.tex:6 54 %", "paper.tex:6 53.6 %", always[2])...)

	numbers, err := os.ReadFile(filepath.Join(report, "curve-numbers.tex"))
	if err != nil {
		t.Fatal(err)
	}
	write("curve-numbers.tex", string(numbers))
	lines[1] = `\input{curve-numbers}`
	write("paper.tex", strings.Join(lines, "\n"))
	check("a copy alone", nil, always[0], `paper.tex:5 \kifu{curve/curves/total/won}`, always[1], "paper.tex:6 54 %", "paper.tex:6 53.6 %", always[2])
	copied := []*datasets.Dir{made(t, report, "report curve", 1, "57.0\u00a0%", games)}
	check("a copy", copied, always[0], always[1], "paper.tex:6 54 %", "paper.tex:6 53.6 %", always[2])
	copied = []*datasets.Dir{made(t, report, "report curve", 2, "53.6\u00a0%", games)}
	check("an old copy", copied, always[0], `paper.tex:5 \kifu{curve/curves/total/won}`, always[1], "paper.tex:6 54 %", "paper.tex:6 53.6 %", always[2])
	lines[1] = `\input{elsewhere/curve-numbers}`
	write("paper.tex", strings.Join(lines, "\n"))
	check("a file that is not there", nil, `paper.tex:0 \input{elsewhere/curve-numbers}`, always[0], `paper.tex:5 \kifu{curve/curves/total/won}`, always[1], "paper.tex:6 54 %", "paper.tex:6 53.6 %", always[2])
}

// TestNearest: a typed number that a report prints twice within rounding is named by the nearer one.
func TestNearest(t *testing.T) {
	old := &source{stale: "old"}
	c := &checker{all: []printed{{53.64, "a/neighbour", old}, {53.6, "curve/total", old}, {53.6, "curve/total-2", old}, {7.2, "only", old}}}
	c.typed(line{text: `53.6\,\% and 7.2`})
	want := []string{`it may be \kifu{curve/total}: old`, `it is \kifu{only}: old`}
	for i, f := range c.Findings {
		if i >= len(want) || f.Why != want[i] {
			t.Errorf("%s: %s", f.What, f.Why)
		}
	}
	if len(c.Findings) != len(want) {
		t.Errorf("%d findings", len(c.Findings))
	}
}
