package datasets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/internal/params"
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
	if changed := params.Changed(old.Params, m.Params); len(changed) > 0 {
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
		return "other content of input " + params.Short(to)
	case to == "":
		return "without input " + params.Short(from)
	case from == "":
		return "with input " + params.Short(to)
	}
	return fmt.Sprintf("other input (%s → %s)", params.Short(from), params.Short(to))
}
