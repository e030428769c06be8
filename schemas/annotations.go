package schemas

import (
	"bytes"
	"encoding/json"
)

// Annotation is one annotation of a game: exactly one of Glyph, Comment, Variation and Marks is set.
// Annotations come in the order of the record.
type Annotation struct {
	Ply       int32  `json:"ply"`                 // moves of the main line before it
	Glyph     int    `json:"glyph,omitempty"`     // numeric annotation glyph of the PGN standard: 1 is !
	Comment   string `json:"comment,omitempty"`   // with its commands, [%cal Gd1d5]
	Variation string `json:"variation,omitempty"` // as the record's format writes it, without the outer brackets
	Marks     string `json:"marks,omitempty"`     // properties of SGF that draw on the board

	// Value and Clock: Comment repeats the value in the columns evals and clocks_ms.
	Value bool `json:"value,omitempty"`
	Clock bool `json:"clock,omitempty"`
}

// Kind names what a is, for counting: glyphs, comments, variations, marks; "" if it is nothing.
func (a Annotation) Kind() string {
	switch {
	case a.Glyph != 0:
		return "glyphs"
	case a.Comment != "":
		return "comments"
	case a.Variation != "":
		return "variations"
	case a.Marks != "":
		return "marks"
	}
	return ""
}

// MarshalAnnotations returns the value of the column annotations, a JSON array.
func MarshalAnnotations(list []Annotation) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(list); err != nil {
		panic("schemas: " + err.Error()) // strings and numbers alone
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// ReadAnnotations adds the annotations of a value of the column to list.
func ReadAnnotations(list []Annotation, value []byte) ([]Annotation, error) {
	var read []Annotation
	err := json.Unmarshal(value, &read)
	return append(list, read...), err
}
