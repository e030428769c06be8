package export

import (
	"fmt"
	"slices"

	"kifu/datasets/manifest"
	"kifu/schemas"
)

// Annotator is implemented by a Record that writes annotations. Annotates reports whether it has
// a place for a.
type Annotator interface {
	Annotates(a schemas.Annotation) bool
}

// annotate gives the game the annotations of the moves after from, as far as the format has a place for
// them; the others are counted.
func (r *replayer[P]) annotate(text []byte, from int32, counts *manifest.Counts) error {
	if text == nil || r.bare {
		return nil
	}
	g := &r.game
	var err error
	if g.Annotations, err = schemas.ReadAnnotations(g.Annotations, text); err != nil {
		return fmt.Errorf("unreadable annotations: %w", err)
	}
	for i := range g.Annotations {
		g.Annotations[i].Ply -= from
	}
	g.Annotations = slices.DeleteFunc(g.Annotations, func(a schemas.Annotation) bool {
		if a.Ply < 0 || from > 0 && a.Ply == 0 {
			return true
		}
		if r.annotator == nil || !r.annotator.Annotates(a) {
			counts.Note(a.Kind(), 1)
			return true
		}
		return false
	})
	return nil
}

// After returns the annotations after ply moves.
func (g *Game) After(ply int) []schemas.Annotation {
	at := func(ply int) int {
		i, _ := slices.BinarySearchFunc(g.Annotations, int32(ply), func(a schemas.Annotation, ply int32) int { return int(a.Ply - ply) })
		return i
	}
	return g.Annotations[at(ply):at(ply+1)]
}
