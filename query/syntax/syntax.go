// Package syntax reads a statement as DuckDB's parser writes it.
//
// In: the JSON of json_serialize_sql. Out: its nodes, an expression over the columns of a row, and an error for one whose tables,
// texts, lists or arrays may grow too large. It knows no names of tables and columns, and does not run the statement.
package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tree is a node of the statement as DuckDB's parser sees it.
type Tree = map[string]any

// Decode returns the SELECT statements of a text, raw being what json_serialize_sql makes of it.
func Decode(raw, text string) ([]Tree, error) {
	var answer struct {
		Error      bool   `json:"error"`
		Message    string `json:"error_message"`
		Type       string `json:"error_type"`
		Position   string `json:"position"`
		Statements []Tree `json:"statements"`
	}
	numbers := json.NewDecoder(strings.NewReader(raw))
	numbers.UseNumber() // hashes and ids have more digits than a float64
	if err := numbers.Decode(&answer); err != nil {
		return nil, fmt.Errorf("the parsed statement: %w", err)
	}
	if answer.Error {
		if strings.Contains(answer.Message, "Only SELECT statements") {
			return nil, ErrNotSelect
		}
		return nil, errors.New(answer.Message + at(text, answer.Position))
	}
	return answer.Statements, nil
}

// ErrNotSelect is the error for a statement that is no SELECT.
var ErrNotSelect = errors.New("a query only reads: want SELECT, FROM, WITH, DESCRIBE or SUMMARIZE")

// at points into text.
func at(text, position string) string {
	var p int
	if _, err := fmt.Sscan(position, &p); err != nil || p < 0 || p > len(text) {
		return ""
	}
	rest := []rune(strings.TrimSpace(text[p:]))
	if len(rest) == 0 {
		return ""
	}
	if len(rest) > 24 {
		rest = append(rest[:24], '…')
	}
	return fmt.Sprintf(", at %q", string(rest))
}

// Keys returns the keys of a map as the parser writes it: {"map": [{"key": …}]}.
func Keys(v any) []string {
	m, _ := v.(Tree)
	list, _ := m["map"].([]any)
	var found []string
	for _, item := range list {
		entry, _ := item.(Tree)
		if key, ok := entry["key"].(string); ok {
			found = append(found, key)
		}
	}
	return found
}

// Walk calls f with every node below and with v, parents first.
func Walk(v any, f func(Tree)) {
	switch v := v.(type) {
	case Tree:
		f(v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			Walk(v[key], f)
		}
	case []any:
		for _, item := range v {
			Walk(item, f)
		}
	}
}

func numberOf(v any) float64 {
	number, _ := v.(json.Number)
	n, _ := number.Float64()
	return n
}

func Lower(v any) string {
	text, _ := v.(string)
	return strings.ToLower(text)
}
