package datasets

import (
	"context"
	"fmt"
)

// Plan reports what Build would do with the step, and why, without doing it: nothing
// (current), or all or the rest of the work. Inputs must be there.
func Plan(ctx context.Context, dir string, s Step) (current bool, why string, err error) {
	_, m, err := s.open(ctx)
	if err != nil {
		return false, "", err
	}
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
		why = old.Changes(m)
	case p.whole():
		return true, "up to date", nil
	default:
		why = "parts are missing"
	}
	done, err := p.Parts(m.Key)
	if len(done) > 0 {
		why += fmt.Sprintf("; %d parts are done", len(done))
	}
	return false, why, err
}

// KeyOf returns the key of the dataset that the step makes. Its inputs must exist.
func KeyOf(ctx context.Context, s Step) (string, error) {
	_, m, err := s.open(ctx)
	if err != nil {
		return "", err
	}
	return m.Key, nil
}

// Made returns the numbers of the parts that are there of the run with that key in dir;
// whole: the dataset is.
func Made(ctx context.Context, dir, key string) (parts map[int]bool, whole bool, err error) {
	p, err := placeAt(ctx, dir, false)
	if err != nil {
		return nil, false, err
	}
	if m, err := p.there(); err == nil && m != nil && m.Key == key && p.whole() {
		return nil, true, nil
	}
	parts, err = p.Parts(key)
	return parts, false, err
}
