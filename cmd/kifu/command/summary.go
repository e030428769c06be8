package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/human"
)

// Watch measures how long a command takes.
type Watch struct{ Begun time.Time }

// StartWatch begins to measure.
func StartWatch() Watch { return Watch{time.Now()} }

// Rate is how long n things took, and how many came in a second.
func (w Watch) Rate(n int64) string {
	elapsed := time.Since(w.Begun)
	return fmt.Sprintf("%s, %s/s", elapsed.Round(10*time.Millisecond), rate(float64(n)/elapsed.Seconds()))
}

// rate writes a speed: iterations of games may take seconds.
func rate(x float64) string {
	if x < 10 {
		return human.Fixed(x, 1)
	}
	return human.Grouped(int64(x))
}

// Summary is the line that ends a stage: what was read, written and rejected, by
// reason, and the rate.
func Summary(m *manifest.Manifest, fresh bool, unit string, w Watch) string {
	if !fresh {
		return fmt.Sprintf("already there with equal inputs and parameters (%s); nothing done", written(m, unit))
	}
	var s strings.Builder
	if n := m.Counts.Read; n > 0 && m.NumParts() == 0 { // what is written has another unit
		fmt.Fprintf(&s, "read %s, ", Units(n, "rows"))
	} else if n > 0 {
		fmt.Fprintf(&s, "read %s, ", human.Grouped(n))
	}
	fmt.Fprintf(&s, "wrote %s", written(m, unit))
	if m.Reused > 0 {
		fmt.Fprintf(&s, "; %d of %d parts reused", m.Reused, m.NumParts())
	}
	if r := Reasons(m.Counts.Rejected); r != "" {
		fmt.Fprintf(&s, "; rejected %s", r)
	}
	if r := Reasons(m.Counts.Noted); r != "" {
		fmt.Fprintf(&s, "; noted %s", r)
	}
	if n := max(m.Counts.Read, m.Counts.Written); n > 0 && m.NumParts() > 0 && m.Reused == 0 { // reused rows have no rate
		fmt.Fprintf(&s, "; %s", w.Rate(n))
	} else {
		fmt.Fprintf(&s, "; %s", time.Since(w.Begun).Round(10*time.Millisecond))
	}
	return s.String()
}

func written(m *manifest.Manifest, unit string) string {
	bytes := m.Bytes()
	if m.NumParts() == 0 {
		for _, f := range m.Files {
			bytes += f.Bytes
		}
		return fmt.Sprintf("%s (%s)", Units(int64(len(m.Files)), "files"), Size(bytes))
	}
	return fmt.Sprintf("%s (%s)", Units(m.Counts.Written, unit), Size(bytes))
}

// Reasons lists counts by reason, most frequent first: "12 (illegal move 9, bad tag 3)".
func Reasons(counts map[string]int64) string {
	var names []string
	var total int64
	for name, n := range counts {
		names = append(names, name)
		total += n
	}
	if total == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return int(counts[b] - counts[a])
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = name + " " + human.Grouped(counts[name])
	}
	return fmt.Sprintf("%s (%s)", human.Grouped(total), strings.Join(names, ", "))
}

// Units is n of what a stage makes, "1 game of chess" or "2,000 games of chess": units are
// regular plurals.
func Units(n int64, unit string) string {
	what, rest, _ := strings.Cut(unit, " ")
	if rest != "" {
		rest = " " + rest
	}
	return human.Plural(n, strings.TrimSuffix(what, "s")+rest, unit)
}

func Size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	case bytes >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%d B", bytes)
}

// SayNothing returns err, but of a step that left out all that it read why no dataset is made.
func SayNothing(err error, out, unit string) error {
	var nothing *datasets.Nothing
	if !errors.As(err, &nothing) {
		return err
	}
	c := nothing.Counts
	text := fmt.Sprintf("%s: no dataset is made, as no %s are left: read %s", out, unit, human.Grouped(c.Read))
	if r := Reasons(c.Rejected); r != "" {
		text += "; left out " + r
	}
	if r := Reasons(c.Noted); r != "" {
		text += "; noted " + r
	}
	if len(c.Rejected) == 0 {
		text += "; check the flags that select"
	}
	return errors.New(text)
}
