package site

import (
	"context"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// TestRelate: labels are of the games that their positions are of, which may be missing among the datasets of a site. Games made of
// others have numbers of their own.
func TestRelate(t *testing.T) {
	folder := t.TempDir()
	made := func(name string, table schemas.Table, of ...*Set) *Set {
		t.Helper()
		dir := filepath.Join(folder, name)
		s := datasets.Step{Stage: name, Output: table.ID(), Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			return nil
		}}
		for _, in := range of {
			s.Inputs = append(s.Inputs, in.Dir.Path)
		}
		d := datasettest.Build(t, dir, s)
		return &Set{Name: name, Dir: d}
	}
	rows := schemas.Table{Name: "labels", Version: 1, Columns: schemas.Games.Columns[:1]}
	games := made("games", schemas.Games)
	positions := made("positions", rows, games)
	labels := made("labels", rows, positions)
	cleaned := made("cleaned", schemas.Games, games)
	others := made("others", rows, made("between", rows, cleaned))
	Relate([]*Set{games, labels, others})
	if labels.Games != games {
		t.Error("labels are of no games")
	}
	if others.Games != nil {
		t.Error("labels of cleaned games are of the games before")
	}
	Relate([]*Set{cleaned, others})
	if others.Games != cleaned {
		t.Error("labels are not of the cleaned games")
	}
}
