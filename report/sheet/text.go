package sheet

import (
	"fmt"
	"regexp"
	"strings"
)

// PlainName is the name of a column as a person would write it.
func PlainName(column string) string { return strings.ReplaceAll(column, "_", " ") }

// OneLine sets an expression in one line as a person would write it.
func OneLine(sql string) string {
	text := relation.ReplaceAllStringFunc(strings.Join(strings.Fields(sql), " "), func(sign string) string {
		sign = strings.TrimSpace(sign)
		if nicer, ok := relations[sign]; ok {
			sign = nicer
		}
		return " " + sign + " "
	})
	return negative.ReplaceAllString(text, "$1−$2")
}

var (
	relation  = regexp.MustCompile(` ?(<=|>=|<>|!=|<|>|=) ?`)
	negative  = regexp.MustCompile(`([<>≤≥=≠] )-(\d)`)
	relations = map[string]string{"<=": "≤", ">=": "≥", "<>": "≠", "!=": "≠"}
)

// mostNames is how many datasets a title names.
const mostNames = 4

// Title is a report's title: "Evaluation curves of chess: labels, blind". Of many
// names it says how many.
func Title(what, game string, names []string) string {
	if game != "" {
		what += " of " + game
	}
	if len(names) > mostNames {
		names = append(append([]string{}, names[:mostNames-1]...), fmt.Sprintf("and %d more", len(names)-mostNames+1))
	}
	return what + ": " + strings.Join(names, ", ")
}
