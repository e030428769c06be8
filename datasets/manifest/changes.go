package manifest

import (
	"fmt"
	"slices"
	"strings"

	"kifu/internal/params"
)

// Changes reports how m differs from the dataset that is there.
func (old *Manifest) Changes(m *Manifest) string {
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
