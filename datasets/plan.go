package datasets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Plan says what Build would do with the step, and why, without doing it: nothing
// (current), or all or the rest of the work. Inputs must be there.
func Plan(ctx context.Context, dir string, s Step) (current bool, why string, err error) {
	_, inputs, params, err := s.open(ctx)
	if err != nil {
		return false, "", err
	}
	m := newManifest(s, params, inputs, nil)
	if Remote(dir) {
		return planObjects(ctx, dir, m)
	}
	old, err := readManifest(filepath.Join(dir, manifestName))
	switch {
	case err != nil:
		why = "not made yet"
	case old.Key == m.Key:
		if d, err := Open(dir); err == nil && d.whole() {
			return true, "up to date", nil
		}
		why = "parts are missing"
	default:
		why = old.changes(m)
	}
	if done := doneParts(dir, m.Key); done > 0 {
		why += fmt.Sprintf("; %d parts are done", done)
	}
	return false, why, nil
}

// KeyOf returns the key of what the step makes. Inputs must be there.
func KeyOf(ctx context.Context, s Step) (string, error) {
	_, inputs, params, err := s.open(ctx)
	if err != nil {
		return "", err
	}
	return newManifest(s, params, inputs, nil).Key, nil
}

// changes says in what m differs from the dataset that is there.
func (old *Manifest) changes(m *Manifest) string {
	var all []string
	if old.Stage != m.Stage {
		return fmt.Sprintf("made by %s, not %s", old.Stage, m.Stage)
	}
	if old.Tool != m.Tool {
		all = append(all, fmt.Sprintf("made by %s, this is %s", old.Tool, m.Tool))
	}
	if changed := changedParams(old.Params, m.Params); len(changed) > 0 {
		all = append(all, "other "+strings.Join(changed, ", "))
	}
	if !slices.Equal(old.Inputs, m.Inputs) {
		all = append(all, "other input")
	}
	return strings.Join(all, "; ")
}

// changedParams lists the parameters with other values: "l2 (0 → 0.01)".
func changedParams(old, new json.RawMessage) []string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(old, &a) != nil || json.Unmarshal(new, &b) != nil {
		if bytes.Equal(old, new) {
			return nil
		}
		return []string{"parameters"}
	}
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	var changed []string
	for name := range names {
		from, to := compactJSON(a[name]), compactJSON(b[name])
		if from != to {
			changed = append(changed, fmt.Sprintf("%s (%s → %s)", strings.ToLower(name), from, to))
		}
	}
	slices.Sort(changed)
	return changed
}

// compactJSON returns a value without its white space; "none" if there is no value.
func compactJSON(v json.RawMessage) string {
	if v == nil {
		return "none"
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}

// doneParts is how many parts an interrupted run of the step with that key has left.
func doneParts(dir, key string) int {
	mark, err := readRegular(filepath.Join(dir, tmpName, "key"))
	if err != nil || string(mark) != key {
		return 0
	}
	done, err := filepath.Glob(filepath.Join(dir, tmpName, "part-*.parquet.json"))
	if err != nil {
		return 0
	}
	return len(done)
}
