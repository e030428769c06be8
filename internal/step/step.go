// Package step has the run of a command as data, in the form in which studies, dry runs, shards
// and workers hand it on.
//
// In: the words of a stage with its parameters and inputs. Out: the same as JSON, or as the
// words of a command line for people and schedulers. Which stages and parameters there are, it
// does not know: cli.Stages has them, cli.Of reads a step off a command, and cli.Run runs it.
package step

import (
	"strings"

	"kifu/internal/lists"
)

// Step is a command with its inputs and its output.
type Step struct {
	Stage      string      `json:"stage"` // the command: "report curve"
	Parameters []Parameter `json:"parameters,omitempty"`
	Inputs     []string    `json:"inputs,omitempty"`
}

// Parameter is a flag with its values. Without a value it is a switch that is on.
type Parameter struct {
	Name   string   `json:"name"`
	Values []string `json:"values,omitempty"`
}

// Kind is how the values of a parameter are given.
type Kind int

const (
	Single   Kind = iota // one value
	Switch               // on or off
	Repeated             // several values
	Listed               // several values, and several in one text with commas between
)

// Has reports whether the step has the parameter, as a switch that is not off.
func (s Step) Has(name string) bool {
	for _, p := range s.Parameters {
		if p.Name == name {
			return len(p.Values) != 1 || p.Values[0] != "false"
		}
	}
	return false
}

// With returns the step with one more parameter.
func (s Step) With(name string, values ...string) Step {
	s.Parameters = append(s.Parameters[:len(s.Parameters):len(s.Parameters)], Parameter{name, values})
	return s
}

// Words returns the step as the words of a command line, without the program's name. More flags
// are before the inputs.
func (s Step) Words(more ...string) []string {
	words := strings.Fields(s.Stage)
	for _, p := range s.Parameters {
		if len(p.Values) == 0 {
			words = append(words, "--"+p.Name)
		}
		words = append(words, lists.Of(p.Values, func(v string) string { return "--" + p.Name + "=" + v })...)
	}
	words = append(words, more...)
	for _, in := range s.Inputs {
		if strings.HasPrefix(in, "-") {
			words = append(words, "--")
			break
		}
	}
	return append(words, s.Inputs...)
}
