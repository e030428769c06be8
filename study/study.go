// Package study runs batches of commands that a file describes: what depends on what,
// which parameters are swept, what is out of date.
//
// In: a TOML file of steps. A step is one command of kifu with its arguments and flags as keys. A
// list as a flag's value is a sweep: one run for each value. A step names the output of another as
// {name}, and then runs once for each run of it. {key} is the value of a swept key in this run. An
// argument with {name*} expands to all runs of name, and {name key=value} to the runs with this
// value. Out: a directory a run, named after the step and its swept values.
//
// Read returns the study, Expand its runs in the order of the file. Do makes what is out of date,
// with independent runs in parallel. A failed run stops those that need it and nothing else.
// WritePage makes one page of all that the runs have to show.
//
// The package depends on no command. The caller's functions (Commands) define flags, do the work, and report
// whether an output is up to date.
package study

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kifu/internal/bounded"
	"kifu/internal/lists"
	"kifu/internal/pattern"
	"kifu/internal/tomldoc"
)

// Study is a file of steps.
type Study struct {
	Path  string // of the file
	Out   string // directory of the outputs; names of Set in braces
	Title string // of its page
	About string // the first text of the page
	Set   []Flag // names for texts; one with a list is a sweep for the steps that use it
	Steps []Step
	// Root is a directory below which no symbolic link leads to the outputs. Empty means the study's folder,
	// or for outputs elsewhere their own directory.
	Root  string
	Force bool            // it may replace files that it has not written
	given map[string]bool // out and names of Set that whoever runs the study has given (SetValue)
	// Left are the steps that Expand left out, with the reason: they refer to values that a
	// list of Set does not have.
	Left []string
}

// Step is one command of the file.
type Step struct {
	Name   string
	Title  string   // its heading in the page; may be empty
	About  string   // what is under the heading
	Run    string   // the command: "report curve"
	Args   []string // positional arguments
	Flags  []Flag   // in the order of the file
	Stdout string   // file below Out that gets what the command prints; may be empty
}

// Flag is a key of a step with its values: one, or a sweep's.
type Flag struct {
	Key    string
	Values []Value
	List   bool // written as a list
}

// Value is the value of a flag: one text, or several for a flag that is repeated.
type Value []string

var plainName = pattern.Of(`^[a-zA-Z][a-zA-Z0-9_-]*$`)

// Read reads the file. Errors name it, and the line or the step.
func Read(path string) (*Study, error) {
	text, err := bounded.ReadFile(path, bounded.Study)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Parse reads the text of a study whose file is at path, or will be.
func Parse(path string, text []byte) (*Study, error) {
	s, err := parse(path, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func parse(path string, text []byte) (*Study, error) {
	var file struct {
		Out   string           `toml:"out"`
		Title string           `toml:"title"`
		About string           `toml:"about"`
		Set   map[string]any   `toml:"set"`
		Step  []map[string]any `toml:"step"`
	}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		var strict *toml.StrictMissingError
		var syntax *toml.DecodeError
		switch {
		case errors.As(err, &strict):
			row, _ := strict.Errors[0].Position()
			return nil, fmt.Errorf("line %d: %s: a study has out, title, about, [set] and [[step]] tables", row, strings.Join(strict.Errors[0].Key(), "."))
		case errors.As(err, &syntax):
			row, _ := syntax.Position()
			return nil, fmt.Errorf("line %d: %w", row, err)
		}
		return nil, err
	}
	order, err := keyOrder(text)
	if err != nil {
		return nil, err
	}
	s := &Study{Path: path, Out: file.Out, Title: file.Title, About: file.About}
	s.Out = cmp.Or(s.Out, s.local("://"))
	for key, v := range file.Set {
		f, err := parseFlag(key, v)
		if err != nil {
			return nil, fmt.Errorf("set: %w", err)
		}
		s.Set = append(s.Set, f)
	}
	slices.SortFunc(s.Set, func(a, b Flag) int { return strings.Compare(a.Key, b.Key) })
	if len(file.Step) == 0 {
		return nil, errors.New("no [[step]]")
	}
	if len(order) != len(file.Step) {
		return nil, errors.New("a step is a table of its own, [[step]], in two pairs of brackets")
	}
	for i, keys := range file.Step {
		step, err := parseStep(keys, order[i])
		if err != nil {
			return nil, fmt.Errorf("step %s: %w", stepName(keys, i), err)
		}
		if slices.ContainsFunc(s.Steps, func(o Step) bool { return o.Name == step.Name }) {
			return nil, fmt.Errorf("two steps are named %s", step.Name)
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}

// Dir is the directory of the outputs, or their place in object storage. What the file names is a
// relative path without .., or begins with a name of Set that whoever runs the study has given. If
// they have given other names, it ends with their values, so that results of other values stay.
func (s *Study) Dir() (string, error) {
	dir, err := (&expander{study: s}).replace(&Run{}, s.Out, nil)
	if err != nil {
		return "", fmt.Errorf("%s: out: %w", s.Path, err)
	}
	if s.given["out"] {
		return dir, nil
	}
	if (Remote(dir) || !filepath.IsLocal(dir)) && !s.chosen(dir) {
		return "", fmt.Errorf("%s: out = %q: want a directory below the working directory; --out DIR writes elsewhere", s.Path, dir)
	}
	if sets := s.sets(); len(sets) > 0 {
		for i := range sets {
			sets[i].Value = filepath.Base(sets[i].Value)
		}
		dir += "-" + fileName(variant(sets))
	}
	return dir, nil
}

// sets are the names of Set that whoever runs the study has given, but for those in out.
func (s *Study) sets() (all []Binding) {
	refs, _ := parseReferences(s.Out) // Dir has replaced them
	for _, f := range s.Set {
		if !s.given[f.Key] || slices.ContainsFunc(refs, func(r reference) bool { return r.name == f.Key }) {
			continue
		}
		values := lists.Of(f.Values, func(v Value) string { return strings.Join(v, "+") })
		all = append(all, Binding{f.Key, strings.Join(values, ",")})
	}
	return all
}

// Begin returns an error if the outputs in the directory are of other values of Set, and records this
// run's values.
func (s *Study) Begin() error {
	dir, err := s.Dir()
	if err != nil {
		return err
	}
	name := filepath.Join(located(filepath.Dir(s.Path), s.local(dir)), setsName)
	text := variant(s.sets()) + "\n"
	was, err := os.ReadFile(name)
	if err == nil && string(was) != text && !s.Force {
		return fmt.Errorf("%s holds results of --set %s: give another --out, or --force replaces them", filepath.Dir(name), strings.TrimSpace(string(was)))
	}
	if err == nil && string(was) == text {
		return nil
	}
	f, err := create(s.ground(dir), name)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return f.install(err)
}

// setsName is the file of the outputs that has the values of Set that they are of.
const setsName = ".set"

// chosen reports whether dir was given for a name of Set, or is below it.
func (s *Study) chosen(dir string) bool {
	begins := literal().FindString(s.Out)
	refs, err := parseReferences(begins)
	if err != nil || len(refs) != 1 || !s.given[refs[0].name] || !strings.HasPrefix(s.Out, begins) {
		return false
	}
	prefix, err := (&expander{study: s}).replace(&Run{}, begins, nil)
	return err == nil && strings.HasPrefix(dir, prefix) && !slices.Contains(strings.Split(filepath.ToSlash(dir[len(prefix):]), "/"), "..")
}

// ground is where the study writes files, with its outputs in the directory out.
func (s *Study) ground(out string) Ground {
	base := filepath.Dir(s.Path)
	local := s.local(out)
	g := Ground{Root: base, Out: located(base, local), Force: s.Force}
	switch {
	case s.Root != "":
		g.Root = s.Root
	case !filepath.IsLocal(local):
		g.Root = g.Out
	}
	return g
}

// Remote reports whether out is a place in object storage. Then the datasets go there, and what
// people look at, reports, texts and the page, is in a directory next to the study.
func Remote(out string) bool { return strings.Contains(out, "://") }

// local is the directory of reports, texts and the page.
func (s *Study) local(out string) string {
	if !Remote(out) {
		return out
	}
	return strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
}

// below returns the place of name in out.
func below(out, name string) string {
	if Remote(out) {
		return strings.TrimRight(out, "/") + "/" + name
	}
	return filepath.Join(out, name)
}

// located returns where a file is that the study names: its paths count from its directory.
func located(base, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(base, name)
}

// SetValue gives a name of [set], or out, another text.
func (s *Study) SetValue(key, value string) error {
	if s.given == nil {
		s.given = map[string]bool{}
	}
	s.given[key] = true
	if key == "out" && value != "" && !slices.ContainsFunc(s.Set, func(f Flag) bool { return f.Key == key }) {
		s.Out = value
		return nil
	}
	for i := range s.Set {
		if f := &s.Set[i]; f.Key == key {
			*f = f.with(value)
			return nil
		}
	}
	if key == "out" {
		return fmt.Errorf("%s: out is empty: name the directory of the study", s.Path)
	}
	names := "none"
	if len(s.Set) > 0 {
		names = strings.Join(lists.Of(s.Set, func(f Flag) string { return f.Key }), ", ")
	}
	return fmt.Errorf("%s: [set] has no %s; its names: %s", s.Path, key, names)
}

// with returns f with another text; a list keeps to be one, of the values between commas, unless the
// text is one of its values.
func (f Flag) with(text string) Flag {
	g := Flag{Key: f.Key, List: f.List, Values: []Value{{text}}}
	if f.List && !slices.ContainsFunc(f.Values, func(v Value) bool { return strings.Join(v, "+") == text }) {
		g.Values = nil
		for one := range strings.SplitSeq(text, ",") {
			g.Values = append(g.Values, Value{one})
		}
	}
	return g
}

func stepName(keys map[string]any, i int) string {
	if name, ok := keys["name"].(string); ok {
		return name
	}
	return fmt.Sprint(i + 1)
}

// keyOrder returns the keys of each step in the order of the file.
func keyOrder(text []byte) ([][]string, error) {
	entries, err := tomldoc.Read(text)
	if err != nil {
		return nil, err
	}
	var order [][]string
	for _, e := range entries {
		switch {
		case e.Kind == tomldoc.ArrayTable:
			order = append(order, nil)
		case len(order) == 0:
		case e.Kind == tomldoc.Table:
			return nil, fmt.Errorf("[%s]: put it before the first [[step]]", e.Key[0])
		default:
			order[len(order)-1] = append(order[len(order)-1], e.Key[0])
		}
	}
	return order, nil
}

func parseStep(keys map[string]any, order []string) (Step, error) {
	var s Step
	for _, key := range order {
		v := keys[key]
		var err error
		switch key {
		case "name":
			s.Name, err = text(key, v)
		case "run":
			s.Run, err = text(key, v)
		case "stdout":
			s.Stdout, err = text(key, v)
		case "title":
			s.Title, err = text(key, v)
		case "about":
			s.About, err = text(key, v)
		case "args":
			list, ok := v.([]any)
			if !ok {
				list = []any{v}
			}
			for _, item := range list {
				word, e := scalar(key, item)
				s.Args, err = append(s.Args, word), errors.Join(err, e)
			}
		default:
			var f Flag
			f, err = parseFlag(key, v)
			s.Flags = append(s.Flags, f)
		}
		if err != nil {
			return s, err
		}
	}
	switch {
	case s.Run == "":
		return s, errors.New(`no run: name the command, as in run = "transform"`)
	case s.Name == "":
		return s, errors.New(`no name: others refer to the step by it, as in args = "{games}"`)
	case !plainName().MatchString(s.Name):
		return s, fmt.Errorf("name %q: want letters, digits, _ and -", s.Name)
	}
	return s, nil
}

func parseFlag(key string, v any) (Flag, error) {
	f := Flag{Key: key}
	list, ok := v.([]any)
	if !ok {
		word, err := scalar(key, v)
		f.Values = []Value{{word}}
		return f, err
	}
	f.List = true
	if len(list) == 0 {
		return f, fmt.Errorf("%s: an empty list: no run would be left", key)
	}
	for _, item := range list {
		inner, ok := item.([]any)
		if !ok {
			inner = []any{item}
		}
		var value Value
		for _, item := range inner {
			word, err := scalar(key, item)
			if err != nil {
				return f, err
			}
			value = append(value, word)
		}
		f.Values = append(f.Values, value)
	}
	return f, nil
}

func text(key string, v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", fmt.Errorf("%s: want a text in quotes", key)
}

// scalar writes a value as a flag takes it.
func scalar(key string, v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, int64, float64:
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("%s: want a text, a number, true or false, or a list of them", key)
}
