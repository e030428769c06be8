package parts

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"

	"kifu/internal/human"
)

// Short writes a cell of a table for a person.
func Short(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return plainNumber(v)
	case float32:
		return plainNumber(float64(v))
	case int64:
		return strings.Replace(fmt.Sprint(v), "-", "−", 1)
	case []byte:
		return fmt.Sprintf("%x", v)
	case time.Time:
		return v.Format("2006-01-02")
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any, map[string]any:
		if text, err := json.Marshal(v); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v)
}

// plainNumber writes at most four significant decimals.
func plainNumber(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v), math.IsInf(v, 0):
		return "–"
	case a >= 100:
		return human.Number(math.Round(v*10) / 10)
	case a >= 1 || a == 0:
		return human.Number(math.Round(v*1e3) / 1e3)
	}
	return human.Number(math.Round(v*1e5) / 1e5)
}

// Cut shortens a text to so many letters.
func Cut(n int, text string) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// EmbeddedJSON is data for a script, in an element that is no script of its own. Package
// json escapes <, > and &, so that nothing in it ends the element.
func EmbeddedJSON(v any) (template.HTML, error) {
	text, err := json.Marshal(v)
	return template.HTML(`<script type="application/json">` + string(text) + `</script>`), err
}

// Plain is a text without control characters and signs that turn the direction of
// writing, with which a name could pass for another.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f:
			return '\ufffd'
		}
		return r
	}, text)
}
