package source

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/eval"
	"kifu/internal/lists"
)

// Patched counts the numbers that Patch wrote, and lists the names without a place.
type Patched struct {
	Numbers int
	Missing []string
}

// patcher collects the numbers of a source that change.
type patcher struct {
	Params
	text   []byte
	tokens []token
	places map[string][]int // of names that numbers follow, by folded name
	stages []string
	add    bool           // weights to the numbers
	edits  map[int]string // by token
	done   Patched
}

// Patch returns text, a source in any language, with the numbers after each name of m replaced by its
// weights, times p.Times; corrections are added to the numbers. A name is a term's,
// an array's (see Array), or either with a stage before or after it. Case and low lines in names do not
// count. A number keeps its decimals, a gap of an array its number. Errors name the line where a name
// has more or fewer numbers than weights, or has numbers a second time.
func Patch(text []byte, m *eval.Model, p Params) ([]byte, Patched, error) {
	scaled, err := p.scale(m)
	if err != nil {
		return nil, Patched{}, err
	}
	f := &patcher{Params: p, text: text, add: m.Corrections, stages: m.Stages, edits: map[int]string{}}
	f.tokens, f.places = read(text)
	for _, a := range arrays(scaled) {
		if err := f.array(a.Array); err != nil {
			return nil, Patched{}, err
		}
	}
	for _, r := range scaled.Reals {
		if err := f.array(Array{Name: r.Name, Entries: []Entry{{r.Name, []float64{r.Weight}}}}); err != nil {
			return nil, Patched{}, err
		}
	}
	return f.edited(), f.done, nil
}

// array puts the weights of an array: all by its name, or each by its own.
func (f *patcher) array(a Array) error {
	if there, err := f.put(a.Name, a.Entries); there || err != nil {
		return err
	}
	for _, e := range a.Entries {
		there, err := false, error(nil)
		if a.Indexed && e.Name != "" {
			there, err = f.put(e.Name, []Entry{e})
		}
		if err != nil {
			return err
		}
		if !there && e.Name != "" {
			f.done.Missing = append(f.done.Missing, e.Name)
		}
	}
	return nil
}

// put puts the weights of entries after a name, or each stage's after its own name.
func (f *patcher) put(name string, entries []Entry) (bool, error) {
	if there, err := f.numbers(name, entries); there || err != nil || len(f.stages) < 2 {
		return there, err
	}
	found := 0
	for i, stage := range f.stages {
		one := lists.Of(entries, func(e Entry) Entry { return Entry{e.Name, e.Weights[min(i, len(e.Weights)-1):][:1]} })
		for _, full := range []string{name + stage, stage + name} {
			there, err := f.numbers(full, one)
			if err != nil {
				return false, err
			}
			if there {
				found++
				break
			}
		}
	}
	if found > 0 && found < len(f.stages) {
		return false, fmt.Errorf("%s has numbers for %d of the stages %s", name, found, strings.Join(f.stages, ", "))
	}
	return found > 0, nil
}

// numbers replaces the numbers after one name.
func (f *patcher) numbers(name string, entries []Entry) (bool, error) {
	at := f.places[folded(name)]
	if len(at) == 0 {
		return false, nil
	}
	if len(at) > 1 {
		return false, fmt.Errorf("lines %d and %d both give %s numbers: keep one", f.line(at[0]), f.line(at[1]), name)
	}
	numbers, each := numbersAfter(f.tokens, at[0]), len(entries[0].Weights)
	if more := len(numbers) - each*len(entries); more < 0 || more%each != 0 || len(entries) == 1 && more > 0 {
		return false, fmt.Errorf("line %d gives %s %d numbers: want %d", f.line(at[0]), name, len(numbers), each*len(entries))
	}
	for k, e := range entries {
		for i, w := range e.Weights {
			if n := numbers[k*each+i]; e.Name != "" {
				f.edits[n] = replaced(f.tokens[n].text, w, f.add)
				f.done.Numbers++
			}
		}
	}
	return true, nil
}

// edited returns the text with its edits.
func (f *patcher) edited() []byte {
	var out bytes.Buffer
	from := 0
	for i, t := range f.tokens {
		if edit, changed := f.edits[i]; changed {
			out.Write(f.text[from:t.from])
			out.WriteString(edit)
			from = t.to
		}
	}
	out.Write(f.text[from:])
	return out.Bytes()
}

// line returns the number of the line of a token.
func (f *patcher) line(i int) int { return 1 + bytes.Count(f.text[:f.tokens[i].from], []byte("\n")) }

// replaced returns a weight with the decimals of the number it replaces, or added to it.
func replaced(was string, weight float64, add bool) string {
	decimals := 0
	if point := strings.IndexByte(was, '.'); point >= 0 {
		decimals = len(was) - point - 1
	}
	if add {
		present, _ := strconv.ParseFloat(was, 64) // isNumber
		weight += present
	}
	const noise = 1e9 // of sums of decimals
	return Params{Decimals: decimals}.number(math.Round(weight*noise) / noise)
}
