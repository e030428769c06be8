package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kifu/internal/step"
	"kifu/internal/table"
)

// Commands describes the commands to this package.
type Commands interface {
	// Flag reports what the command's flag is; the error names the command or the flag
	// that there is not.
	Flag(command, flag string) (step.Kind, error)
	// Builds reports whether the command builds a dataset in the directory --out.
	Builds(command string) (bool, error)
}

// Run is one run of a step of the study, with its references resolved.
type Run struct {
	Step  *Step
	Swept []Binding // the swept values that distinguish it from other runs of its step
	Base  string    // directory of the study, from which Dir, File and the paths of Work count
	Dir   string    // the dataset it builds; empty if the command builds none
	File  string    // gets what the command prints; may be empty
	Where Ground    // where the run may write files
	Work  step.Step
	Needs []*Run // whose output it reads, in their order
	// Printed are the tables that the command printed, as its Worker returned them.
	Printed []table.Table
}

// Binding is a swept key with its value.
type Binding struct{ Key, Value string }

// Name is the step's name with the swept values: "fit method=ls,zero=bishops".
func (r *Run) Name() string {
	if len(r.Swept) == 0 {
		return r.Step.Name
	}
	return r.Step.Name + " " + variant(r.Swept)
}

func variant(swept []Binding) string {
	var s strings.Builder
	for i, b := range swept {
		if i > 0 {
			s.WriteByte(',')
		}
		s.WriteString(b.Key + "=" + b.Value)
	}
	return s.String()
}

// expander makes the runs of a study.
type expander struct {
	study    *Study
	out      string
	commands Commands
	runs     map[string][]*Run // by step
	all      []*Run
	texts    int // bytes of the words of runs
}

// A study has so many runs, and their commands so many bytes, at most: a few lines can sweep
// through billions.
const (
	mostRuns  = 4096
	mostTexts = 16 << 20
)

// room returns an error if a step of n runs would be too many.
func (e *expander) room(n int) error {
	if n > mostRuns-len(e.all) {
		return fmt.Errorf("%d runs, but a study has at most %d: sweep over fewer values, or divide it", len(e.all)+n, mostRuns)
	}
	return nil
}

// Expand returns the runs of the study, each after those it needs.
func (s *Study) Expand(c Commands) ([]*Run, error) {
	e := &expander{study: s, commands: c, runs: map[string][]*Run{}}
	var err error
	if e.out, err = s.Dir(); err != nil {
		return nil, err
	}
	for i := range s.Steps {
		why, err := e.without(&s.Steps[i])
		if why != "" {
			s.Left = append(s.Left, s.Steps[i].Name+": "+why)
			continue
		}
		if err == nil {
			err = e.step(&s.Steps[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: step %s: %w", s.Path, s.Steps[i].Name, err)
		}
	}
	return e.all, nil
}

// without returns why a step is left out: it refers to a value that is not in a list of Set, or to
// a step that was left out. It returns "" for other steps.
func (e *expander) without(s *Step) (string, error) {
	refs, err := s.everyReference()
	if err != nil {
		return "", err
	}
	for _, ref := range refs {
		for _, left := range e.study.Left {
			if name, _, _ := strings.Cut(left, ": "); name == ref.name {
				return name + " is left out", nil
			}
		}
		for _, b := range ref.only {
			f, ok := e.set(b.Key)
			if ok && f.List && !slices.ContainsFunc(f.Values, func(v Value) bool { return strings.Join(v, "+") == b.Value }) {
				return fmt.Sprintf("[set] %s has no %s", b.Key, b.Value), nil
			}
		}
	}
	return "", nil
}

// step adds the runs of one step: one for each way to bind the swept keys of the steps
// that it refers to, and its own.
func (e *expander) step(s *Step) error {
	ways := [][]Binding{nil}
	refs, err := s.references()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if _, is := e.runs[ref.name]; is {
			picked, err := e.pick(ref)
			if err != nil {
				return err
			}
			if ways, err = join(ways, picked, e.room); err != nil {
				return err
			}
		}
		if f, ok := e.set(ref.name); ok && f.List {
			if ways, err = e.multiply(ways, f); err != nil {
				return err
			}
		}
	}
	for _, f := range s.Flags {
		if ways, err = e.sweep(s, f, ways); err != nil {
			return err
		}
	}
	if len(ways) == 0 {
		return fmt.Errorf("no run: the steps it refers to have no swept values in common")
	}
	dirs := map[string]string{}
	for _, way := range ways {
		place, local := e.out, e.study.local(e.out)
		if strings.HasPrefix(s.Run, "report") {
			place = local
		}
		r := &Run{Step: s, Swept: way, Base: filepath.Dir(e.study.Path), Dir: below(place, s.Name), Where: e.study.ground(e.out)}
		if len(way) > 0 {
			r.Dir = below(r.Dir, fileName(variant(way)))
		}
		if s.Stdout != "" {
			if !filepath.IsLocal(r.stdout()) {
				return fmt.Errorf("stdout = %q: want a file below the study's out", r.Step.Stdout)
			}
			r.File = filepath.Join(local, r.stdout())
		}
		if other, taken := dirs[r.Dir]; taken {
			return fmt.Errorf("%s and %s would both write %s", other, r.Name(), r.Dir)
		}
		dirs[r.Dir] = r.Name()
		if err := e.work(r); err != nil {
			return err
		}
		e.runs[s.Name] = append(e.runs[s.Name], r)
		e.all = append(e.all, r)
	}
	return nil
}

// set returns what [set] has under a name.
func (e *expander) set(name string) (Flag, bool) {
	for _, f := range e.study.Set {
		if f.Key == name {
			return f, true
		}
	}
	return Flag{}, false
}

// multiply multiplies the ways by the values of f, but those in which it is bound.
func (e *expander) multiply(ways [][]Binding, f Flag) ([][]Binding, error) {
	var more [][]Binding
	for _, way := range ways {
		if slices.ContainsFunc(way, func(b Binding) bool { return b.Key == f.Key }) {
			more = append(more, way)
			continue
		}
		for _, v := range f.Values {
			more = append(more, append(slices.Clone(way), Binding{f.Key, strings.Join(v, "+")}))
		}
		if err := e.room(len(more)); err != nil {
			return nil, err
		}
	}
	return more, nil
}

// sweep multiplies the ways by the values of f, if it is a sweep.
func (e *expander) sweep(s *Step, f Flag, ways [][]Binding) ([][]Binding, error) {
	kind, err := e.commands.Flag(s.Run, f.Key)
	if err != nil {
		return nil, err
	}
	if !f.swept(kind) {
		return ways, nil
	}
	for _, way := range ways {
		if slices.ContainsFunc(way, func(b Binding) bool { return b.Key == f.Key }) {
			return nil, fmt.Errorf("%s is swept by a step it refers to already: write %s = \"{%s}\"", f.Key, f.Key, f.Key)
		}
	}
	return e.multiply(ways, f)
}

// swept reports whether f has a run for each of its values.
func (f Flag) swept(kind step.Kind) bool {
	if kind >= step.Repeated { // a plain list is no sweep
		return f.List && slices.ContainsFunc(f.Values, func(v Value) bool { return len(v) > 1 })
	}
	return f.List
}

// stdout is the step's file with the swept values before the extension.
func (r *Run) stdout() string {
	if len(r.Swept) == 0 {
		return r.Step.Stdout
	}
	ext := filepath.Ext(r.Step.Stdout)
	return strings.TrimSuffix(r.Step.Stdout, ext) + "-" + fileName(variant(r.Swept)) + ext
}

// join adds to the bindings of ways the other swept keys of each run; where both bind a key they must
// agree.
func join(ways [][]Binding, runs []picked, room func(n int) error) ([][]Binding, error) {
	var joined [][]Binding
	for _, way := range ways {
		for _, r := range runs {
			if both, ok := merge(way, r.rest); ok {
				joined = append(joined, both)
			}
		}
		if err := room(len(joined)); err != nil {
			return nil, err
		}
	}
	return joined, nil
}

func merge(a, b []Binding) ([]Binding, bool) {
	both := slices.Clone(a)
	for _, n := range b {
		i := slices.IndexFunc(both, func(o Binding) bool { return o.Key == n.Key })
		if i < 0 {
			both = append(both, n)
		} else if both[i].Value != n.Value {
			return nil, false
		}
	}
	return both, true
}

// work resolves what r does.
func (e *expander) work(r *Run) error {
	r.Work.Stage = r.Step.Run
	for _, f := range r.Step.Flags {
		kind, err := e.commands.Flag(r.Step.Run, f.Key)
		if err != nil {
			return err
		}
		values, err := e.flag(r, f, kind)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Key, err)
		}
		r.Work = r.Work.With(f.Key, values...)
	}
	if builds, err := e.commands.Builds(r.Step.Run); err != nil {
		return err
	} else if builds {
		r.Work = r.Work.With("out", r.Dir)
	} else {
		r.Dir = ""
	}
	for _, arg := range r.Step.Args {
		words, err := e.words(r, arg)
		if err != nil {
			return err
		}
		for _, word := range words {
			if len(word) > 1 && word[0] == '-' {
				return fmt.Errorf("args: %q: a flag is a key of the step", word)
			}
		}
		r.Work.Inputs = append(r.Work.Inputs, words...)
	}
	return nil
}

// flag returns the values of a flag, none for a switch that is on.
func (e *expander) flag(r *Run, f Flag, kind step.Kind) ([]string, error) {
	var given Value
	switch {
	case f.swept(kind):
		at := slices.IndexFunc(r.Swept, func(b Binding) bool { return b.Key == f.Key })
		given = f.Values[slices.IndexFunc(f.Values, func(v Value) bool { return strings.Join(v, "+") == r.Swept[at].Value })]
	default:
		for _, v := range f.Values {
			given = append(given, v...)
		}
	}
	if kind == step.Switch {
		switch given[0] {
		case "true":
			return nil, nil
		case "false":
			return given, nil
		}
		return nil, fmt.Errorf("want true or false, not %s", given[0])
	}
	var values []string
	for _, word := range given {
		words, err := e.words(r, word)
		if err != nil {
			return nil, err
		}
		for _, w := range words {
			if kind == step.Listed {
				values = append(values, strings.Split(w, ",")...)
			} else {
				values = append(values, w)
			}
		}
	}
	return values, nil
}

// fileName makes a directory's name of the swept values.
func fileName(text string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, text)
	if len(name) <= 100 && name == text {
		return name
	}
	sum := sha256.Sum256([]byte(text))
	return strings.ToValidUTF8(name[:min(len(name), 80)], "") + "-" + hex.EncodeToString(sum[:4])
}
