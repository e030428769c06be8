package pattern

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"kifu/eval"
	"kifu/games"
)

// Extension is the extension of the file of weights next to a pattern file: edges.toml,
// edges.tables.
const Extension = ".tables"

// The file of weights: magic, the length of the header in four bytes (little-endian), the
// header as JSON, and the weights as 16-bit numbers (little-endian), deflated. They are in
// grains of the unit, pattern by pattern, phase by phase, one for each class of entries in the
// order of its lowest entry; the first square of a pattern has the lowest weight in an entry.
const magic = "kifu tables 1\n"

// header holds the header of a file of weights.
type header struct {
	Game     string          `json:"game"`
	Name     string          `json:"name"`
	Unit     string          `json:"unit"`
	Grain    float64         `json:"grain"`
	Patterns []headerPattern `json:"patterns"`
	Weights  int             `json:"weights"`
	Plan     string          `json:"plan"` // sum of what numbers the weights
	Sum      string          `json:"sum"`  // sum of the weights
}

type headerPattern struct {
	Name    string `json:"name"`
	Squares int    `json:"squares"`
	Places  int    `json:"places"`
	Phases  int    `json:"phases"`
	Classes int    `json:"classes"`
	Set     int    `json:"set"` // weights that are not 0
}

// Tables are the weights of a plan.
type Tables struct {
	plan    *Plan
	weights []int16
	values  [][]int16 // by table: phase by phase a value of each entry
	file    []byte    // that they were read from; nil: they are new
}

var _ eval.Tables = (*Tables)(nil)

// NewTables returns tables with weights in the unit, rounded to grains. A weight beyond what
// 16 bits hold for all places of its pattern together is cut off there; cut is their number.
func (p *Plan) NewTables(weights []float64) (t *Tables, cut int, err error) {
	if len(weights) != p.Weights {
		return nil, 0, fmt.Errorf("%d weights: the pattern file %s has %d", len(weights), p.File.Name, p.Weights)
	}
	packed := make([]int16, len(weights))
	for i := range p.tables {
		most := float64(p.tables[i].limit())
		for j := p.tables[i].At; j < p.tables[i].end(); j++ {
			w := math.Round(weights[j] / p.File.Grain)
			if math.IsNaN(w) {
				return nil, 0, fmt.Errorf("weight %d of %s is not a number", j-p.tables[i].At, p.tables[i].Name)
			}
			if math.Abs(w) > most {
				w = math.Copysign(most, w)
				cut++
			}
			packed[j] = int16(w)
		}
	}
	return p.tablesOf(packed), cut, nil
}

// limit is the greatest weight: the sum over all places is a count of an eval.Feature.
func (t *table) limit() int { return math.MaxInt16 / max(1, t.Places) }

// end is the number after the last weight.
func (t *table) end() int { return t.At + t.phases*t.Classes }

func (p *Plan) tablesOf(weights []int16) *Tables {
	t := &Tables{plan: p, weights: weights}
	for i := range p.tables {
		of := &p.tables[i]
		values := make([]int16, 0, of.phases*of.size)
		for phase := range of.phases {
			w := weights[of.At+phase*of.Classes:][:of.Classes]
			for _, c := range of.class {
				values = append(values, w[c])
			}
		}
		t.values = append(t.values, values)
	}
	return t
}

// Plan returns the plan whose weights they are.
func (t *Tables) Plan() *Plan { return t.plan }

// Weight returns weight i in the unit.
func (t *Tables) Weight(i int) float64 { return float64(t.weights[i]) * t.plan.File.Grain }

// Checksum returns "sha256:" and the sum of what numbers the weights and of the weights.
func (t *Tables) Checksum() string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(t.plan.key()+sumOf(t.weights))))
}

// Files returns the pattern file and the weights, by the names that they have next to a dataset.
func (t *Tables) Files() (map[string][]byte, error) {
	weights, err := t.Encode()
	return map[string][]byte{Name + ".toml": t.plan.File.Text, Name + Extension: weights}, err
}

// Name is the base name of pattern files next to datasets.
const Name = "patterns"

// key returns a sum of all that decides what a weight's number means.
func (p *Plan) key() string {
	h := sha256.New()
	fmt.Fprintln(h, p.File.Game, p.cells, p.exchange)
	for i := range p.tables {
		t := &p.tables[i]
		fmt.Fprintln(h, t.Name, t.base, t.Squares, t.Classes, t.First, t.digits)
	}
	for _, place := range p.places {
		fmt.Fprintln(h, place.table, place.cells, place.other)
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

func sumOf(weights []int16) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(bytesOf(weights))) }

func bytesOf(weights []int16) []byte {
	b := make([]byte, 0, 2*len(weights))
	for _, w := range weights {
		b = binary.LittleEndian.AppendUint16(b, uint16(w))
	}
	return b
}

// Encode returns the file of weights: the one that they were read from, as to deflate a million of
// them takes a second.
func (t *Tables) Encode() ([]byte, error) {
	if t.file != nil {
		return t.file, nil
	}
	text, err := t.header()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
	b.Write(text)
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(bytesOf(t.weights)); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// header returns the header of the file, as JSON.
func (t *Tables) header() ([]byte, error) {
	f := t.plan.File
	h := header{Game: f.Game, Name: f.Name, Unit: f.Unit, Grain: f.Grain, Weights: len(t.weights), Plan: t.plan.key(), Sum: sumOf(t.weights)}
	for i := range t.plan.tables {
		of := &t.plan.tables[i]
		line := headerPattern{Name: of.Name, Squares: of.Squares, Places: of.Places, Phases: of.phases, Classes: of.Classes}
		for _, w := range t.weights[of.At:of.end()] {
			if w != 0 {
				line.Set++
			}
		}
		h.Patterns = append(h.Patterns, line)
	}
	return json.Marshal(h)
}

var errDamaged = errors.New("the weights are damaged")

// Decode reads a file of weights of p.
func (p *Plan) Decode(data []byte) (*Tables, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < 4 {
		return nil, errors.New("no weights of patterns: want a file that kifu tables wrote")
	}
	n := binary.LittleEndian.Uint32(rest)
	if rest = rest[4:]; uint64(n) > uint64(len(rest)) {
		return nil, errDamaged
	}
	var h header
	if json.Unmarshal(rest[:n], &h) != nil {
		return nil, errDamaged
	}
	switch {
	case h.Game != p.File.Game:
		return nil, fmt.Errorf("weights of %s, the patterns are of %s", h.Game, p.File.Game)
	case h.Plan != p.key() || h.Weights != p.Weights:
		return nil, fmt.Errorf("the weights (%d, of %s) do not fit the patterns (%d weights): patterns, squares or phases were changed after the fit", h.Weights, h.Name, p.Weights)
	case h.Grain != p.File.Grain || h.Unit != p.File.Unit:
		return nil, fmt.Errorf("the weights are in %v %s, the pattern file has %v %s", h.Grain, h.Unit, p.File.Grain, p.File.Unit)
	}
	deflated := bytes.NewReader(rest[n:])
	packed := flate.NewReader(deflated)
	raw := make([]byte, 2*h.Weights)
	if _, err := io.ReadFull(packed, raw); err != nil {
		return nil, errDamaged
	}
	if n, err := packed.Read(make([]byte, 1)); n > 0 || err != io.EOF || deflated.Len() > 0 {
		return nil, errDamaged
	}
	weights := make([]int16, h.Weights)
	for i := range weights {
		weights[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
	}
	if sumOf(weights) != h.Sum {
		return nil, errDamaged
	}
	for i := range p.tables {
		most := p.tables[i].limit()
		for _, w := range weights[p.tables[i].At:p.tables[i].end()] {
			if int(w) > most || int(w) < -most {
				return nil, errDamaged
			}
		}
	}
	t := p.tablesOf(weights)
	if text, err := t.header(); err == nil && bytes.Equal(text, rest[:n]) {
		t.file = bytes.Clone(data)
	}
	return t, nil
}

// Model returns the evaluator of the tables: a term for each pattern, whose count is in grains.
func (t *Tables) Model() *eval.Model {
	f := t.plan.File
	m := &eval.Model{Game: f.Game, Name: f.Name, Unit: f.Unit, Stages: []string{"all"}, Knots: []int{0}, Tables: t}
	for i := range t.plan.tables {
		name := t.plan.tables[i].Name
		m.Terms = append(m.Terms, eval.Term{Name: name, Group: name, Weights: []float64{f.Grain}})
	}
	return m
}

// Read reads a pattern file and the weights next to it. layout and pieces come from the
// game's Drawer.
func Read(text, weights []byte, game string, l *games.Layout, pieces []games.Piece) (*Tables, error) {
	f, err := Parse(text)
	if err != nil {
		return nil, err
	}
	p, err := NewPlan(f, game, l, pieces)
	if err != nil {
		return nil, err
	}
	return p.Decode(weights)
}
