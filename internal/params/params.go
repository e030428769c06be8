// Package params compares the parameters of two runs.
//
// In: parameters as JSON. Out: those with other values, by the names of their flags, short enough for a message. It does not know
// which parameters there are.
package params

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Changed lists the parameters with other values: "l2 (0 → 0.01)".
func Changed(old, new json.RawMessage) []string {
	a, b := map[string]string{}, map[string]string{}
	flatten("parameters", old, a)
	flatten("parameters", new, b)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(Union(a, b))) {
		from, to := orNone(a[name]), orNone(b[name])
		if from != to {
			changed = append(changed, fmt.Sprintf("%s (%s → %s)", name, Short(from), Short(to)))
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

// Union returns the values of both, those of b where both have a name.
func Union(a, b map[string]string) map[string]string {
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

// Short cuts a value that is longer than a line of a message bears.
func Short(text string) string {
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
