package format

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

func when(t time.Time, typ string) string {
	switch typ {
	case "DATE":
		return t.Format("2006-01-02")
	case "TIME":
		return t.Format("15:04:05.999999")
	}
	return t.Format("2006-01-02 15:04:05.999999")
}

// exact writes a value with all its digits. null is written for a null.
func exact(v any, typ, null string) string {
	switch v := v.(type) {
	case nil:
		return null
	case string:
		return v
	case float32:
		return float(float64(v), 32)
	case float64:
		return float(v, 64)
	case []byte:
		return hex.EncodeToString(v)
	case time.Time:
		return when(v, typ)
	case []any, map[string]any:
		return string(appendJSON(nil, v, typ))
	}
	return fmt.Sprint(v)
}

func float(v float64, bits int) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e17) {
		return strconv.FormatFloat(v, 'g', -1, bits)
	}
	return strconv.FormatFloat(v, 'f', -1, bits)
}

// short writes a value for a person: fractions at six significant digits.
func short(v any, typ, null string) string {
	var f float64
	switch v := v.(type) {
	case float32:
		f = float64(v)
	case float64:
		f = v
	default:
		return exact(v, typ, null)
	}
	a := math.Abs(f)
	if math.IsNaN(a) || math.IsInf(a, 0) || a != 0 && (a < 1e-4 || a >= 1e15) {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	decimals := 5
	for x := a; x >= 10 && decimals > 0; x /= 10 {
		decimals--
	}
	for x := a; x < 1 && x > 0 && decimals < 9; x *= 10 {
		decimals++
	}
	text := strconv.FormatFloat(f, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		text = "0"
	}
	return text
}

// appendJSON appends v as JSON. JSON has no NaN and no infinity: they become null.
func appendJSON(b []byte, v any, typ string) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case float32, float64:
		text := exact(v, typ, "")
		if strings.ContainsAny(text, "NI") {
			text = "null"
		}
		return append(b, text...)
	case []byte:
		return strconv.AppendQuote(b, hex.EncodeToString(v))
	case time.Time:
		return strconv.AppendQuote(b, when(v, typ))
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item, strings.TrimSuffix(typ, "[]"))
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, key), ':')
			b = appendJSON(b, v[key], "")
		}
		return append(b, '}')
	case string:
		return appendText(b, v)
	}
	return fmt.Append(b, v)
}

func appendText(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // any string is JSON
	}
	return append(b, quoted...)
}

// Short writes a value of a result for a person: fractions at six significant digits, null as
// nothing.
func Short(v any, typ string) string { return short(v, typ, "") }
