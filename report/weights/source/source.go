// Package source writes the weights of a model as an engine's source: arrays in C or Rust, JSON, UCI options,
// or by the author's template. It also puts them into an existing source.
//
// In: an eval.Model. Out: a text. It reads no dataset.
package source

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"kifu/eval"
)

// Formats are the languages that weights are written in, besides an author's template.
var Formats = []string{"c", "rust", "toml", "json", "uci"}

//go:embed *.tmpl
var templates embed.FS

// sheet is the data of a template: all weights in the model's unit, times Params.Times.
type sheet struct {
	Game, Name, Unit string
	Stages           []string
	Corrections      bool // the weights are to be added to present ones
	Groups           []Group
	Reals            []eval.Real
}

// Group is a group of terms, in the order of the model.
type Group struct {
	Name   string
	Arrays []Array
}

// Array holds the weights of one term, or of terms whose names differ in their index alone:
// mobility_0, mobility_1, …, or pawn_a2 to pawn_h7, which has 64 squares from a1, b1 on.
type Array struct {
	Name    string
	Indexed bool // of several terms
	Entries []Entry
}

// Entry is the weights of a term, one a stage. Name is empty in a gap of an array, which has
// weights of 0.
type Entry struct {
	Name    string
	Weights []float64
}

// Params set how numbers are written.
type Params struct {
	Times    float64 // every weight is multiplied by it
	Decimals int     // after the point
}

// Write writes m in one of Formats.
func Write(w io.Writer, format string, m *eval.Model, p Params) error {
	if !slices.Contains(Formats, format) {
		return fmt.Errorf("%q: want one of %s, or a template", format, strings.Join(Formats, ", "))
	}
	if format == "toml" {
		scaled, err := p.scale(m)
		if err != nil {
			return err
		}
		return scaled.WriteTOML(w)
	}
	text, err := templates.ReadFile(format + ".tmpl")
	if err != nil {
		return err
	}
	return Template(w, string(text), m, p)
}

// Template writes m by a text/template, whose data is a sheet. Its functions are num (a number),
// values (an entry's numbers, with commas), wrap (an array's entries, eight a line), ident and
// upper (names for C and Rust), quote, comma (", " but for the first) and whole (whether numbers
// are whole).
func Template(w io.Writer, text string, m *eval.Model, p Params) error {
	scaled, err := p.scale(m)
	if err != nil {
		return err
	}
	t, err := template.New("weights").Funcs(p.functions()).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, sheetOf(scaled))
}

// scale returns a copy of m with its weights times p.Times.
func (p Params) scale(m *eval.Model) (*eval.Model, error) {
	if m.Network != nil || m.Tables != nil {
		return nil, errors.New("the weights of a network or of patterns have no names: copy their file")
	}
	m = m.Clone()
	for i := range m.Terms {
		for k := range m.Terms[i].Weights {
			m.Terms[i].Weights[k] *= p.Times
		}
	}
	for i := range m.Reals {
		m.Reals[i].Weight *= p.Times
	}
	return m, nil
}

func sheetOf(m *eval.Model) sheet {
	s := sheet{Game: m.Game, Name: m.Name, Unit: m.Unit, Stages: m.Stages, Corrections: m.Corrections, Reals: m.Reals}
	for _, a := range arrays(m) {
		if n := len(s.Groups); n == 0 || s.Groups[n-1].Name != a.group {
			s.Groups = append(s.Groups, Group{Name: a.group})
		}
		g := &s.Groups[len(s.Groups)-1]
		g.Arrays = append(g.Arrays, a.Array)
	}
	return s
}
