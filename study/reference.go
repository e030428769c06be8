package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kifu/internal/pattern"
	"kifu/internal/step"
)

// reference is a text in braces: {name} and {key}; {name*} for all runs of name;
// {name KEY=VALUE,…} and {name* KEY=VALUE,…} for those with these swept values. {{name}} is
// no reference but the text {name}.
type reference struct {
	text string
	name string
	all  bool
	only []Binding
}

var (
	braces  = pattern.Of(step.Braces)
	literal = pattern.Of(`\{` + step.Braces + `\}|` + step.Braces) // a text that is none, or a reference
)

// plain returns the text for a match of literal, if it is no reference.
func plain(match string) (text string, is bool) {
	if is = strings.HasPrefix(match, "{{"); is {
		match = match[1 : len(match)-1]
	}
	return match, is
}

// parseReferences returns the references in a word.
func parseReferences(word string) ([]reference, error) {
	var refs []reference
	for _, text := range literal().FindAllString(word, -1) {
		if _, is := plain(text); is {
			continue
		}
		m := braces().FindStringSubmatch(text)
		ref := reference{text: m[0], name: m[1], all: m[2] != ""}
		for i, part := range strings.Split(m[3], ",") {
			key, value, found := strings.Cut(part, "=")
			switch {
			case found:
				ref.only = append(ref.only, Binding{strings.TrimSpace(key), value})
			case i > 0: // a comma within a value
				ref.only[len(ref.only)-1].Value += "," + part
			case m[3] != "":
				return nil, fmt.Errorf("%s: want {%s%s KEY=VALUE,…}", m[0], m[1], m[2])
			}
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// references returns the references that bind a run of the step to runs of others, in their
// order. In a word with {name*} everything is bound by the runs of name.
func (s *Step) references() (all []reference, err error) {
	for _, word := range s.words() {
		refs, err := parseReferences(word)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(refs, func(r reference) bool { return r.all }) {
			all = append(all, refs...)
		}
	}
	return all, nil
}

// everyReference returns the references of the step, those to all runs of a step too.
func (s *Step) everyReference() (all []reference, err error) {
	for _, word := range s.words() {
		refs, err := parseReferences(word)
		if err != nil {
			return nil, err
		}
		all = append(all, refs...)
	}
	return all, nil
}

// words are the arguments and the values of the flags.
func (s *Step) words() []string {
	words := slices.Clone(s.Args)
	for _, f := range s.Flags {
		for _, v := range f.Values {
			words = append(words, v...)
		}
	}
	return words
}

// picked is a run that a reference can mean, with the swept values that the reference does not name.
type picked struct {
	run  *Run
	rest []Binding
}

// pick returns the runs of a step with the values that the reference names.
func (e *expander) pick(ref reference) ([]picked, error) {
	var all []picked
	var there []string
	for _, r := range e.runs[ref.name] {
		p := picked{run: r}
		missing := len(ref.only)
		for _, b := range r.Swept {
			if slices.Contains(ref.only, b) {
				missing--
			} else {
				p.rest = append(p.rest, b)
			}
		}
		if missing == 0 {
			all = append(all, p)
		}
		there = append(there, variant(r.Swept))
	}
	if len(all) > 0 || len(ref.only) == 0 {
		return all, nil
	}
	if there[0] == "" {
		return nil, fmt.Errorf("%s: %s is not swept", ref.text, ref.name)
	}
	return nil, fmt.Errorf("%s: no such run of %s: it has %s", ref.text, ref.name, strings.Join(there, "; "))
}

// words replaces the references in a word; with {name*} it becomes one word for each
// run of name that agrees with r's swept values.
func (e *expander) words(r *Run, word string) ([]string, error) {
	refs, err := parseReferences(word)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(refs, func(ref reference) bool { return ref.all })
	if at < 0 {
		w, err := e.replace(r, word, r.Swept)
		return []string{w}, err
	}
	star := refs[at]
	if _, is := e.runs[star.name]; !is {
		return nil, e.unknown(star.name)
	}
	runs, err := e.pick(star)
	if err != nil {
		return nil, err
	}
	each := strings.Replace(star.text, star.name+"*", star.name, 1)
	var words []string
	for _, o := range runs {
		both, ok := merge(r.Swept, o.rest)
		if !ok {
			continue
		}
		one := literal().ReplaceAllStringFunc(word, func(text string) string { // {{name*}} stays
			if text == star.text {
				return each
			}
			return text
		})
		w, err := e.replace(r, one, both)
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, nil
}

// replace puts the values of bound instead of references, and notes whose output
// r needs.
func (e *expander) replace(r *Run, word string, bound []Binding) (string, error) {
	var first error
	replaced := literal().ReplaceAllStringFunc(word, func(text string) string {
		if text, is := plain(text); is {
			return text
		}
		refs, err := parseReferences(text)
		if err == nil {
			text, err = e.value(r, refs[0], bound)
		}
		if e.texts += len(text); e.texts > mostTexts && err == nil {
			text, err = "", fmt.Errorf("its runs have commands of more than %d MB together", mostTexts>>20)
		}
		if first == nil {
			first = err
		}
		return text
	})
	e.texts += len(word)
	return replaced, first
}

// value returns the text of a reference when the keys of bound have these values.
func (e *expander) value(r *Run, ref reference, bound []Binding) (string, error) {
	if ref.all {
		return "", fmt.Errorf("%s may expand to several words: use only one such reference in a word", ref.text)
	}
	for _, b := range bound {
		if b.Key == ref.name && len(ref.only) == 0 {
			return b.Value, nil
		}
	}
	runs, err := e.pick(ref)
	if err != nil {
		return "", err
	}
	for _, o := range runs {
		if both, ok := merge(bound, o.rest); !ok || len(both) != len(bound) {
			continue
		}
		made := cmp.Or(o.run.Dir, o.run.File)
		if made == "" {
			return "", fmt.Errorf("{%s}: %s builds no dataset, and has no stdout", ref.name, o.run.Step.Run)
		}
		if !slices.Contains(r.Needs, o.run) {
			r.Needs = append(r.Needs, o.run)
		}
		return made, nil
	}
	if f, ok := e.set(ref.name); ok && len(ref.only) == 0 {
		if len(f.Values) > 1 {
			return "", fmt.Errorf("{%s}: it has several values here", ref.name)
		}
		return f.Values[0][0], nil
	}
	if ref.name == "out" && e.out != "" {
		return e.out, nil
	}
	return "", e.unknown(ref.name)
}

func (e *expander) unknown(name string) error {
	for _, s := range e.study.Steps {
		if s.Name == name {
			return fmt.Errorf("{%s}: a step may refer only to earlier steps", name)
		}
	}
	return fmt.Errorf("{%s}: no step, swept key or [set] value has that name", name)
}
