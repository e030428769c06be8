package rows

import (
	"strings"

	"kifu/ingest/record"
	"kifu/schemas"
)

// appendAnnotations appends the annotations of g, as valid text; null without any.
func (t *Table) appendAnnotations(g *record.Game) {
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
		lines[i] = string(c.Repair([]byte(line)))
	}
	return strings.Join(lines, "\n")
}
