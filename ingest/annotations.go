package ingest

import (
	"slices"
	"strings"

	"kifu/ingest/record"
	"kifu/schemas"
)

// appendAnnotations appends the annotations of g, as valid text; null without any.
func (t *table) appendAnnotations(g *record.Game) {
	if len(g.Annotations) == 0 {
		t.annotations.AppendNull()
		return
	}
	t.remarks = g.Annotations
	for i := range g.Annotations {
		a := &g.Annotations[i]
		for _, text := range []*string{&a.Comment, &a.Variation, &a.Marks} {
			*text = t.valid(*text)
		}
	}
	t.annotations.AppendBytes(schemas.MarshalAnnotations(g.Annotations))
}

// valid is repair of a text in which lines may end.
func (c *cleaner) valid(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = string(c.repair([]byte(line)))
	}
	return strings.Join(lines, "\n")
}

// cutAnnotations leaves those out of the worker's game that are not wanted, or belong to moves that
// are not there, and counts them.
func (w *worker) cutAnnotations(note func(what string, n int64)) {
	g, plies := &w.game, int32(len(w.game.Moves))
	g.Annotations = slices.DeleteFunc(g.Annotations, func(a schemas.Annotation) bool {
		if !w.params.DropAnnotations && (a.Ply <= plies || w.row.cut.reason == "") {
			return false
		}
		note(schemas.Dropped+a.Kind(), 1)
		return true
	})
}
