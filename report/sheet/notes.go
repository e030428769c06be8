package sheet

import (
	"reflect"
	"slices"
	"strings"
	"text/template"

	"kifu/internal/human"
)

// noteWords are the functions of the templates of notes; counts may be of any type of integer.
var noteWords = template.FuncMap{
	"number": human.Number, "short": human.Short, "fixed": human.Fixed, "percent": human.Percent, "pointwise": Pointwise, "line": OneLine,
	"grouped": func(n any) string { return human.Grouped(reflect.ValueOf(n).Int()) },
	"plural":  func(n any, one, many string) string { return human.Plural(reflect.ValueOf(n).Int(), one, many) },
	"join":    func(names string) string { return strings.ReplaceAll(names, ",", ", ") },
}

// Notes returns the notes of a page, the lines of a template filled in with data; lines without text are none. It
// panics if the template is not one of such data: it is a part of the program.
func Notes(text string, data any) []string {
	var out strings.Builder
	if err := template.Must(template.New("notes").Funcs(noteWords).Parse(text)).Execute(&out, data); err != nil {
		panic(err)
	}
	return slices.DeleteFunc(strings.Split(out.String(), "\n"), func(line string) bool { return line == "" })
}
