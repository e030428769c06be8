package person

import (
	"fmt"
	"strings"

	"kifu/internal/human"
)

// Respelled says how many names differ from another in case, accents or punctuation alone: one player may count as two. It is empty
// if none does. Names of one word are left out: on a server another spelling is another account.
func Respelled(names []string) string {
	first, n, as := map[string]string{}, 0, ""
	for _, name := range names {
		if !strings.ContainsAny(name, " ,") {
			continue
		}
		letters := Letters(name)
		other, known := first[letters]
		if !known {
			first[letters] = name
			continue
		}
		if n++; n == 1 {
			as = fmt.Sprintf("“%s” and “%s”", other, name)
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return as + " may be one player: --aliases merges them (kifu names)."
	}
	return fmt.Sprintf("%s from another in case, accents or punctuation alone, as %s: --aliases merges them (kifu names).", human.Plural(int64(n), "name differs", "names differ"), as)
}
