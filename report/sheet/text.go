package sheet

import (
	"fmt"
	"strings"

	"kifu/internal/pattern"
	"kifu/schemas"
)

// PlainName is the name of a column as a person would write it.
func PlainName(column string) string { return strings.ReplaceAll(column, "_", " ") }

// ValueAxis names the axis of a column of values: "quiescence value [centipawns], White's side".
func ValueAxis(column, unit, side string) string {
	return PlainName(column) + " [" + unit + "], " + side + "'s side"
}

// OneLine sets an expression in one line as a person would write it.
func OneLine(sql string) string {
	text := relation().ReplaceAllStringFunc(strings.Join(strings.Fields(sql), " "), func(sign string) string {
		sign = strings.TrimSpace(sign)
		if nicer, ok := relations[sign]; ok {
			sign = nicer
		}
		return " " + sign + " "
	})
	return negative().ReplaceAllString(text, "$1−$2")
}

var (
	relation  = pattern.Of(` ?(<=|>=|<>|!=|<|>|=) ?`)
	negative  = pattern.Of(`([<>≤≥=≠] )-(\d)`)
	relations = map[string]string{"<=": "≤", ">=": "≥", "<>": "≠", "!=": "≠"}
)

// mostNames is how many datasets a title names.
const mostNames = 4

// Title is a report's title: "Evaluation curves of chess: labels, blind". Of many
// names it reports how many.
func Title(what, game string, names []string) string {
	if game != "" && game != schemas.OtherGame {
		what += " of " + game
	}
	names = plainNames(names, game)
	if len(names) > mostNames {
		names = append(append([]string{}, names[:mostNames-1]...), fmt.Sprintf("and %d more", len(names)-mostNames+1))
	}
	return what + ": " + strings.Join(names, ", ")
}

// swept is the end of the name of a run of a sweep: "fit method=mlm".
var swept = pattern.Of(`[^ ,=]+=([^ ,]+)`)

// plainNames shortens names for titles: a sweep's keys to their values, without the game, which the title
// has. Names stay unchanged if the short ones would be equal.
func plainNames(names []string, game string) []string {
	var plain []string
	seen := map[string]bool{}
	for _, name := range names {
		short := name
		if swept().MatchString(name) {
			values := swept().ReplaceAllStringFunc(name, func(pair string) string {
				if _, value, _ := strings.Cut(pair, "="); value != game {
					return value
				}
				return ""
			})
			short = strings.Join(strings.FieldsFunc(values, func(r rune) bool { return r == ' ' || r == ',' }), " ")
		}
		if short == "" || seen[short] {
			return names
		}
		seen[short] = true
		plain = append(plain, short)
	}
	return plain
}
