package datasets

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/internal/lists"
)

// Shard is a share of the parts of a dataset: the shard numbered Index of Count, from
// 1. The zero Shard is all of them.
type Shard struct{ Index, Count int }

// ParseShard reads "3/100".
func ParseShard(text string) (Shard, error) {
	index, count, found := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, fault := strconv.Atoi(count)
	if !found || err != nil || fault != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("shard %q: want I/N with I from 1 to N, as 3/100", text)
	}
	return Shard{i, n}, nil
}

// String returns the shard as a flag names it: 2/5.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// has reports whether part i, from 0, is one of the shard's: 3/100 has 2, 102, 202, …
func (s Shard) has(i int) bool { return s.Count == 0 || i%s.Count == s.Index-1 }

// Missing is returned by a Build that was to finish a dataset which is not whole.
type Missing struct {
	Dir   string
	Key   string // of the dataset
	Parts []int  // from 0, ascending
	Done  int    // parts that are there
}

// Error names the parts that are missing.
func (m *Missing) Error() string {
	return fmt.Sprintf("%s: %d parts are done, %d are missing (%s): run their shards again, then --finish", m.Dir, m.Done, len(m.Parts), human.Ranges(lists.Of(m.Parts, func(part int) int { return part + 1 })))
}

// errWhole is returned to a step that makes more than parts while it makes a shard.
var errWhole = errors.New("this cannot be made in shards, because its parts depend on each other")

var errShardAlone = errors.New("--shard cannot be combined with --append, --force, --finish or pipes as inputs")

// Lease assigns parts to one of several processes that make a dataset together.
type Lease interface {
	// Next is called with the parts in ascending order, and reports whether this one is to
	// be made. It may wait.
	Next(part int) bool
	// Made receives each part that Next handed out and that is there, whatever made it.
	Made(part int)
}
