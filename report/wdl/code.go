package wdl

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"
)

// languages are the ends of the names of the model's files.
var languages = []string{"h", "rs", "go.txt", "toml"}

//go:embed *.tmpl
var templates embed.FS

// code is the model in a language.
type code struct{ name, text string }

// codeData is the data of the templates.
type codeData struct {
	Params
	Comment, A, B string
	Pawn, Spread  float64 // a and b at the target
}

// codes are the model in C, Rust, Go and TOML.
func (r *report) codes() (all []code) {
	p := r.Params
	data := codeData{Params: p, A: list(r.Fit.A), B: list(r.Fit.B),
		Comment: fmt.Sprintf("%s of %d games, %d to %d; values in %s, from the side whose chances are wanted", p.By, len(r.games), p.Least, p.Most, r.Unit)}
	data.Pawn, data.Spread = r.Fit.At(p.Target)
	for _, language := range languages {
		var text bytes.Buffer
		name := "wdl." + language
		if err := template.Must(template.ParseFS(templates, name+".tmpl")).Execute(&text, data); err != nil {
			panic(err) // the templates are ours
		}
		all = append(all, code{name, text.String()})
	}
	return all
}

// list writes coefficients with the digits that WDL_model has.
func list(of [Degree + 1]float64) string {
	var all []string
	for _, v := range of {
		all = append(all, fmt.Sprintf("%.8f", v))
	}
	return strings.Join(all, ", ")
}
