package source

import (
	"kifu/internal/pattern"
	"strconv"
	"strings"
)

// words finds the pieces of a source: comments, names, numbers, signs and ends of lines.
var words = pattern.Of(`//[^\n]*|/\*(?s:.*?)\*/|#[ \t][^\n]*|[A-Za-z_]\w*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|::|=>|[=!<>+*/&|-]=|\S|\n`)

// token is a piece of a source.
type token struct {
	from, to int
	text     string
}

// read returns the pieces of a source but for its comments, and where each name with numbers is.
func read(text []byte) (tokens []token, places map[string][]int) {
	for _, at := range words().FindAllIndex(text, -1) {
		t := token{at[0], at[1], string(text[at[0]:at[1]])}
		if strings.HasPrefix(t.text, "//") || strings.HasPrefix(t.text, "/*") || strings.HasPrefix(t.text, "#") && len(t.text) > 1 {
			continue
		}
		tokens = append(tokens, t)
	}
	places = map[string][]int{}
	for i, t := range tokens {
		if isName(t.text) && numbersAfter(tokens, i) != nil {
			places[folded(t.text)] = append(places[folded(t.text)], i)
		}
	}
	return tokens, places
}

// numbersAfter returns the numbers that a name is given: those after the first sign of assignment
// of its statement, which a semicolon ends, or a comma or line outside brackets.
func numbersAfter(tokens []token, name int) (numbers []int) {
	before := ""
	if name > 0 {
		before = tokens[name-1].text
	}
	depth, assigned := 0, before == "define"
	for i := name + 1; i < len(tokens); i++ {
		switch t := tokens[i].text; {
		case t == "=":
			numbers, assigned = nil, true // those before are lengths of arrays
		case t == ":" && before != "?" && (i == name+1 || i == name+2 && strings.Contains(`"'`, tokens[name+1].text)):
			assigned = true
		case strings.Contains("([{", t):
			depth++
			assigned = assigned || t == "{" && i == name+1
		case strings.Contains(")]}", t):
			if depth--; depth < 0 {
				return numbers
			}
		case depth == 0 && (t == ";" || t == "," || t == "\n" && (len(numbers) > 0 || !assigned)):
			return numbers
		case depth == 0 && !assigned && isName(t):
			return nil // the name is a type's, or used here
		case assigned && isNumber(t):
			numbers = append(numbers, i)
		}
	}
	return numbers
}

func isName(t string) bool {
	return t[0] == '_' || t[0] >= 'A' && t[0] <= 'Z' || t[0] >= 'a' && t[0] <= 'z'
}

func isNumber(t string) bool {
	_, err := strconv.ParseFloat(t, 64)
	return err == nil && !isName(t)
}

// folded is a name without case and low lines.
func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
