package source

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"kifu/internal/lists"
)

// perLine is how many entries of an array a line has.
const perLine = 8

// reserved are the words of C, C++ and Rust, and the names of the formats' own types.
var reserved = strings.Fields(`S Score alignas alignof and asm auto bool break case catch char class const constexpr continue default delete
	do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new not operator or private
	protected public register restrict return short signed sizeof static struct switch template this throw true try typedef typename union
	unsigned using virtual void volatile while xor`)

func (p Params) functions() template.FuncMap {
	ident, upper := namer(func(s string) string { return s }), namer(strings.ToUpper)
	return template.FuncMap{
		"num": p.number, "values": p.values, "wrap": p.wrap, "ident": ident, "upper": upper,
		"whole": func() bool { return p.Decimals == 0 },
		"comma": func(i int) string {
			if i == 0 {
				return ""
			}
			return ", "
		},
		"quote": func(s string) (string, error) {
			b, err := json.Marshal(s)
			return string(b), err
		},
		"real": func(x float64) string {
			text := strconv.FormatFloat(x+0, 'g', -1, 64)
			if !strings.ContainsAny(text, ".e") {
				text += ".0"
			}
			return text
		},
	}
}

// number returns x with the decimals asked for, and no negative zero.
func (p Params) number(x float64) string {
	unit := math.Pow10(p.Decimals)
	return strconv.FormatFloat(math.Round(x*unit)/unit+0, 'f', p.Decimals, 64)
}

// values returns the numbers of an entry.
func (p Params) values(e Entry) string {
	texts := lists.Of(e.Weights, p.number)
	return strings.Join(texts, ", ")
}

// wrap returns the entries of an array between open and shut, some to a line.
func (p Params) wrap(open, shut string, a Array) string {
	var b strings.Builder
	for i, e := range a.Entries {
		if b.WriteByte(' '); i%perLine == 0 {
			b.WriteString("\n\t")
		}
		b.WriteString(open + p.values(e) + shut + ",")
	}
	return strings.ReplaceAll(b.String(), " \n", "\n") + "\n"
}

// namer returns a function that makes an identifier of a name. Names stay apart: what is taken or
// reserved gets a low line more.
func namer(change func(string) string) func(string) string {
	of, taken := map[string]string{}, map[string]bool{}
	return func(name string) string {
		if id, again := of[name]; again {
			return id
		}
		id := strings.Map(func(r rune) rune {
			if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
				return r
			}
			return '_'
		}, name)
		if id = change(id); id == "" || unicode.IsDigit(rune(id[0])) {
			id = "_" + id
		}
		for taken[id] || slices.Contains(reserved, id) {
			id += "_"
		}
		of[name], taken[id] = id, true
		return id
	}
}
