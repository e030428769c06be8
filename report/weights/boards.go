package weights

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/report/examples"
	"kifu/report/page"
)

// shownTerms is how many terms have positions on the page.
const shownTerms = 12

// boards finds positions of labels in which the terms of the surest weights count most, writes them
// as a table to out and returns their boards for the page.
func (w *Report) boards(ctx context.Context, labels *datasets.Dir, workers int, out page.Files) (template.HTML, error) {
	if err := labels.Want("labels"); err != nil {
		return "", err
	}
	if game := labels.Manifest.Meta["game"]; game != w.Fits[0].Game {
		return "", fmt.Errorf("%s is of %s, %s of %s: labels and weights must be of one game", labels.Path, game, w.Fits[0].Name, w.Fits[0].Game)
	}
	surest := w.surest()
	asks, all, err := examples.OfTerms(ctx, labels, nil, workers, surest)
	if err != nil || len(all) == 0 {
		return "", err
	}
	for i, a := range asks {
		asks[i].Name = "where " + a.Name + " counts most: " + w.summary(a.Name)
	}
	table, err := examples.CSV(asks, all)
	if err != nil {
		return "", err
	}
	if err := out.AddFile("weights-examples.csv", table); err != nil {
		return "", err
	}
	return examples.HTML(board.Named(ctx, w.Fits[0].Game), asks, all, w.Unit), nil
}

// surest returns the terms of the largest |z| in the first fit, the largest first; where there are
// no errors, of the largest change.
func (w *Report) surest() []string {
	type sized struct {
		term string
		size float64
	}
	var all []sized
	for _, l := range w.Lines {
		e := l.Of[0]
		if e == nil || e.Status != "fitted" {
			continue
		}
		size := math.Abs(e.Z)
		if math.IsNaN(size) {
			size = math.Abs(e.Weight - e.Initial)
		}
		all = append(all, sized{l.Term, size})
	}
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(b.size, a.size) })
	var terms []string
	for _, s := range all {
		if len(terms) < shownTerms && !slices.Contains(terms, s.term) {
			terms = append(terms, s.term)
		}
	}
	return terms
}

// summary returns the first fit's account of a term's weight, by stage.
func (w *Report) summary(term string) (text string) {
	for _, l := range w.Lines {
		if l.Term != term || l.Of[0] == nil {
			continue
		}
		if text != "" {
			text += ", "
		}
		if l.Stage != "" {
			text += l.Stage + " "
		}
		text += human.Weight(l.Of[0].Weight)
	}
	return text + " " + w.Unit
}
