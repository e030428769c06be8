package datasets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Plan reports what Build would do with the step, and why, without doing it: nothing
// (current), or all or the rest of the work. Inputs must be there.
func Plan(ctx context.Context, dir string, s Step) (current bool, why string, err error) {
	_, inputs, params, err := s.open(ctx)
	if err != nil {
		return false, "", err
	}
	m := newManifest(s, params, inputs, nil)
	p, err := placeAt(ctx, dir, false)
	if err != nil {
		return false, "", err
	}
	old, err := p.there()
	switch {
	case err != nil:
		return false, "", err
	case old == nil:
		why = "not made yet"
	case old.Key != m.Key:
		why = old.changes(m)
	case p.whole():
		return true, "up to date", nil
	default:
		why = "parts are missing"
	}
	done, err := p.parts(m.Key)
	if len(done) > 0 {
		why += fmt.Sprintf("; %d parts are done", len(done))
	}
	return false, why, err
}

// KeyOf returns the key of the dataset that the step makes. Its inputs must exist.
func KeyOf(ctx context.Context, s Step) (string, error) {
	_, inputs, params, err := s.open(ctx)
	if err != nil {
		return "", err
	}
	return newManifest(s, params, inputs, nil).Key, nil
}

// changes reports how m differs from the dataset that is there.
func (old *Manifest) changes(m *Manifest) string {
	var all []string
	if old.Stage != m.Stage {
		return fmt.Sprintf("made by kifu %s, not %s", old.Stage, m.Stage)
	}
	if old.Tool != m.Tool {
		all = append(all, fmt.Sprintf("made by %s, this is %s", old.Tool, m.Tool))
	}
	if changed := changedParams(old.Params, m.Params); len(changed) > 0 {
		all = append(all, "other "+strings.Join(changed, ", "))
	}
	if !slices.Equal(old.Inputs, m.Inputs) {
		all = append(all, changedInputs(old.Inputs, m.Inputs))
	}
	return strings.Join(all, "; ")
}

// changedInputs reports how inputs differ: by the names of files, or of the schemas of datasets.
func changedInputs(old, new []Input) string {
	names := func(list, other []Input) string {
		var names []string
		for _, in := range list {
			if !slices.Contains(other, in) {
				names = append(names, in.Name)
			}
		}
		return strings.Join(names, ", ")
	}
	from, to := names(old, new), names(new, old)
	switch {
	case from == to:
		return "other content of input " + short(to)
	case to == "":
		return "without input " + short(from)
	case from == "":
		return "with input " + short(to)
	}
	return fmt.Sprintf("other input (%s → %s)", short(from), short(to))
}

// changedParams lists the parameters with other values: "l2 (0 → 0.01)".
func changedParams(old, new json.RawMessage) []string {
	a, b := map[string]string{}, map[string]string{}
	flatten("parameters", old, a)
	flatten("parameters", new, b)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(union(a, b))) {
		from, to := orNone(a[name]), orNone(b[name])
		if from != to {
			changed = append(changed, fmt.Sprintf("%s (%s → %s)", name, short(from), short(to)))
		}
	}
	return changed
}

// flatten puts a value's innermost fields into all, by the name of the field as a flag has it.
func flatten(name string, v json.RawMessage, all map[string]string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(v, &fields) != nil {
		if len(v) > 0 {
			all[name] = compactJSON(v)
		}
		return
	}
	for field, v := range fields {
		flatten(kebab(field), v, all)
	}
}

// kebab is a name as flags have it: min-ply of MinPly and min_ply.
func kebab(name string) string {
	var s strings.Builder
	for i, r := range name {
		switch {
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(name[i-1])):
			s.WriteRune('-')
			fallthrough
		case r != '_':
			s.WriteRune(unicode.ToLower(r))
		default:
			s.WriteRune('-')
		}
	}
	return s.String()
}

func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func orNone(text string) string {
	if text == "" || text == "null" {
		return "none"
	}
	return text
}

// short cuts a value that is longer than a line of a message bears.
func short(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// compactJSON returns a value without its white space.
func compactJSON(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}
