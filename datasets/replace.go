package datasets

import (
	"fmt"
	"slices"
	"strings"

	"kifu/datasets/manifest"
	"kifu/internal/human"
	"kifu/internal/params"
)

// mayBecome returns an error unless m, made of the inputs in, may replace old, which is nil if
// there is no dataset in dir. A dataset of another stage is replaced only by force. One of the
// same stage may be replaced if it is a report (quickly made again), if Options.Replace names
// it, or if it differs only by inputs that have grown (kifu ingest --append).
func mayBecome(old *manifest.Manifest, dir string, m *manifest.Manifest, in []*Dir, o Options) error {
	if old == nil || old.Key == m.Key || o.Force {
		return nil
	}
	if old.Stage == m.Stage && (o.Replace || strings.HasPrefix(m.Stage, "report") || outgrown(old, m, in)) {
		return nil
	}
	return fmt.Errorf("%s holds another dataset, of %s rows: %s. Name another place with --out, or replace it with --force",
		dir, human.Grouped(old.Counts.Written), old.Changes(m))
}

// outgrown reports whether m is made as old was, of the same inputs or of what these have grown to.
func outgrown(old, m *manifest.Manifest, in []*Dir) bool {
	if old.Tool != m.Tool || old.Schema != m.Schema || len(old.Inputs) != len(m.Inputs) || len(params.Changed(old.Params, m.Params)) > 0 {
		return false
	}
	first := len(m.Inputs) - len(in) // those before are files
	for i, was := range old.Inputs {
		if was != m.Inputs[i] && (i < first || !slices.Contains(in[i-first].earlier(false), was.Key)) {
			return false
		}
	}
	return true
}

// reuse keeps the parts of old of which the step would make the same again: the first input has grown
// since, and its first parts are unchanged. If it has grown otherwise, that is reported.
func (b *Builder) reuse(in []*Dir, s Step, o Options) error {
	old := b.old
	if old.Key == b.m.Key || !outgrown(old, b.m, in) {
		return nil
	}
	first := len(b.m.Inputs) - len(in)
	if !s.Apart || !old.Apart || !slices.Equal(old.Inputs[first+1:], b.m.Inputs[first+1:]) ||
		!slices.Contains(in[0].earlier(true), old.Inputs[first].Key) {
		if o.Warn != nil && s.ofGames() {
			o.Warn("its input has grown, so all parts are made again: each may depend on all of the input")
		}
		return nil
	}
	return old.Entries(b.dir).Each(func(i int, p manifest.Part) error {
		have, done := b.parts[i] // of a run that was interrupted
		switch {
		case done && have.SHA256 != p.SHA256 || !done && p.Check(b.dir) != nil:
			return nil
		case !done:
			if err := b.keep(i, p); err != nil {
				return err
			}
		}
		b.m.Reused++
		return nil
	})
}
