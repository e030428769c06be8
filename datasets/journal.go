package datasets

import (
	"fmt"
	"path/filepath"
	"strings"

	"kifu/datasets/journal"
	"kifu/datasets/remote"
	"kifu/internal/human"
)

// Journal opens a journal of what the step has done of an incomplete part, with the records of an interrupted run. It is named
// UNIT-PART after its records and the part that they are of. A shard, a lease and
// a dataset in object storage keep none: their directory is not this run's alone.
func (b *Builder) Journal(name string) (*journal.File, error) {
	if b.shard.Count > 0 || remote.Is(b.dir) {
		return &journal.File{}, nil
	}
	return journal.Open(filepath.Join(b.tmp, journal.Prefix+name))
}

// Interrupted is the error of an interrupted step, with the work that is kept.
type Interrupted struct {
	Dir     string
	Parts   int    // that are whole
	Records int    // of journals
	Unit    string // of records: "games"
	cause   error
}

// interrupted returns the error of a step that ended with cause.
func (b *Builder) interrupted(cause error) error {
	e := &Interrupted{Dir: b.dir, Parts: len(b.parts), cause: cause}
	if b.taken != nil {
		e.Parts -= b.taken.old.NumParts()
	}
	e.Records, e.Unit = journal.Kept(b.tmp)
	return e
}

// Error names the point from which the next run continues.
func (e *Interrupted) Error() string {
	var kept []string
	if e.Parts > 0 {
		kept = append(kept, human.Plural(int64(e.Parts), "part", "parts"))
	}
	if e.Records > 0 {
		kept = append(kept, human.Plural(int64(e.Records), strings.TrimSuffix(e.Unit, "s"), e.Unit)+" of the next part")
	}
	if kept == nil {
		return e.Dir + ": nothing is kept, because no part was complete; the same command starts again"
	}
	return fmt.Sprintf("%s: %s kept; the same command continues from there", e.Dir, strings.Join(kept, " and "))
}

// Unwrap returns the error of the step.
func (e *Interrupted) Unwrap() error { return e.cause }
