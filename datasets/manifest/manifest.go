// Package manifest is manifest.json, which says what a dataset holds and what it was made of.
//
// In: the file, or what a step adds. Out: the key, the entries of the parts, also from lists next to them, and how two
// manifests differ. It neither opens parts nor decides what may be replaced.
package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets/checked"
	"kifu/internal/checksum"
	"kifu/internal/lists"
	"kifu/internal/params"
	"kifu/schemas"
)

// Version is the version of the tool. It is part of every dataset's key, so that a
// release that computes something else does not pass off the old one's datasets.
const Version = "0.2.0"

const (
	// manifestFormat is the format of a manifest whose parts may have footers; one with lists has
	// listedFormat. The earlier formats, 1 and 2, are read, too. A kifu that supports neither refuses them.
	manifestFormat = 3
	listedFormat   = 4
)

// listed reports whether m's format is one with lists.
func (m *Manifest) listed() bool { return m.Format%2 == 0 }

// Tool returns the program's name in a manifest. Where the compiler joins a
// multiplication and an addition into one rounding (arm64, GOAMD64=v3), sums have other
// last digits, so that such a build has datasets of its own.
func Tool() string {
	if fuses(1+0x1p-30, -1-0x1p-29) {
		return "kifu " + Version + " fma"
	}
	return "kifu " + Version
}

// fuses reports whether x*x + y is rounded once; in the values given only the last digit of
// the square is left then.
//
//go:noinline
func fuses(x, y float64) bool { return x*x+y != 0 }

// Manifest is manifest.json: what a dataset holds and what it was made of.
type Manifest struct {
	Format int             `json:"format"`
	Tool   string          `json:"tool"` // "kifu 0.2.0"
	Stage  string          `json:"stage"`
	Schema string          `json:"schema"` // "games/v1"
	Key    string          `json:"key"`    // hash of stage, schema, params, input keys, tool
	Params json.RawMessage `json:"params"`
	Inputs []Input         `json:"inputs"`
	// Appended has the number of inputs before each time that more were appended.
	Appended []int `json:"appended,omitempty"`
	// Apart is Step.Apart: the parts of what an input was before it grew are the first ones.
	Apart   bool              `json:"apart,omitempty"`
	Meta    map[string]string `json:"meta"` // "game", "unit", "leaf", …
	Columns []schemas.Column  `json:"columns,omitempty"`
	Counts  Counts            `json:"counts"`
	Files   []checked.File    `json:"files,omitempty"` // next to the parts
	Parts   []Part            `json:"parts,omitempty"`
	// Lists name the parts if there are more than a manifest holds, and then Parts is empty:
	// Dir.Info reads them.
	Lists []List `json:"lists,omitempty"`
	// Sum is the SHA-256 of all that is above, so that a damaged manifest is found;
	// manifests of other programs have none.
	Sum string `json:"sum,omitempty"`

	// Reused is how many parts of a Build come from the dataset that was there before.
	Reused int `json:"-"`
}

// Input is one input of a dataset: a dataset by its schema and key, or a file by its
// name and content.
type Input struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// Part is one Parquet part. State is the stage's own note of where the part
// ended, for resuming.
type Part struct {
	checked.File
	Rows   int64           `json:"rows"`
	Counts Counts          `json:"counts"`
	State  json.RawMessage `json:"state,omitempty"`
}

// Counts are the rows read, written, rejected by reason, and noted by reason (rows
// that were kept though something was odd about them).
type Counts struct {
	Read     int64            `json:"read"`
	Written  int64            `json:"written"`
	Rejected map[string]int64 `json:"rejected,omitempty"`
	Noted    map[string]int64 `json:"noted,omitempty"`
}

// Add adds o to c.
func (c *Counts) Add(o Counts) {
	c.Read += o.Read
	c.Written += o.Written
	for reason, n := range o.Rejected {
		c.Reject(reason, n)
	}
	for reason, n := range o.Noted {
		c.Note(reason, n)
	}
}

// Reject counts n more rows rejected for reason.
func (c *Counts) Reject(reason string, n int64) {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	c.Rejected[reason] += n
}

// Note counts n more rows of which reason was noted.
func (c *Counts) Note(reason string, n int64) {
	if c.Noted == nil {
		c.Noted = map[string]int64{}
	}
	c.Noted[reason] += n
}

// Dropped returns the notes on what the records of games have and no column has.
func (c *Counts) Dropped() (d Counts) {
	for reason, n := range c.Noted {
		if strings.HasPrefix(reason, schemas.Dropped) {
			d.Note(reason, n)
		}
	}
	return d
}

func (m *Manifest) Table() (schemas.Table, error) {
	var t schemas.Table
	name, version, found := strings.Cut(m.Schema, "/v")
	n, err := strconv.Atoi(version)
	if !found || err != nil {
		return t, fmt.Errorf("schema %q is not of the form name/v1", m.Schema)
	}
	t.Name, t.Version = name, n
	for _, c := range m.Columns {
		c.Domain = schemas.DomainOf(name, c)
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

// New returns m as this program begins it: with its format, tool and key.
func New(m Manifest) *Manifest {
	m.Format, m.Tool, m.Meta = manifestFormat, Tool(), map[string]string{}
	m.Key = m.Identity()
	return &m
}

// Identity returns the dataset's identity: no clock, host or path goes into it.
func (m *Manifest) Identity() string {
	text, err := json.Marshal(struct {
		Tool, Stage, Schema string
		Params              json.RawMessage
		Inputs              []Input
		Appended            []int `json:",omitempty"`
	}{m.Tool, m.Stage, m.Schema, m.Params, m.Inputs, m.Appended})
	if err != nil {
		panic(err) // params were marshalled before
	}
	return checksum.Bytes(text)
}

// FirstInput returns the key of the first input, or "".
func (m *Manifest) FirstInput() string {
	if len(m.Inputs) == 0 {
		return ""
	}
	return m.Inputs[0].Key
}

// Parse reads the text of the manifest at path.
func Parse(path string, text []byte) (*Manifest, error) {
	m := new(Manifest)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Format < 1 || m.Format > listedFormat {
		return nil, fmt.Errorf("%s: manifest format %d: this kifu reads formats 1 to %d", path, m.Format, listedFormat)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// check compares m with its own checksum, and rejects content that kifu never writes: names that lead out of
// the dataset or to its manifest, and numbers below 0.
func (m *Manifest) check() error {
	if m.Sum != "" && m.Sum != m.Checksum() {
		return errors.New("damaged: its checksum does not fit its content (build the dataset again with --force)")
	}
	if err := m.checkLists(); err != nil {
		return err
	}
	files := slices.Clone(m.Files)
	for _, p := range m.Parts {
		if p.Rows < 0 {
			return fmt.Errorf("%s: invalid number of rows, %d", p.Name, p.Rows)
		}
		files = append(files, p.File)
	}
	files = append(files, lists.Of(m.Lists, func(l List) checked.File { return l.File })...)
	seen := map[string]bool{Name: true, TmpName: true, LockName: true, ".": true, "..": true, "": true}
	for _, f := range files {
		if seen[f.Name] || strings.ContainsAny(f.Name, "/\\\x00") || filepath.VolumeName(f.Name) != "" {
			return fmt.Errorf("%q is not a valid file name, or is listed twice", f.Name)
		}
		if f.Bytes < 0 {
			return fmt.Errorf("%s: invalid number of bytes, %d", f.Name, f.Bytes)
		}
		seen[f.Name] = true
	}
	return nil
}

// Checksum returns the checksum of m, whatever it has as Sum.
func (m *Manifest) Checksum() string {
	bare := *m
	bare.Sum = ""
	text, err := json.Marshal(bare)
	if err != nil {
		panic(err) // it comes from JSON, or params were marshalled before
	}
	return checksum.Bytes(text)
}

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
