package managers

import (
	"fmt"
	"slices"
	"strings"
)

// player translates an engine with what holds for each.
func (t *translator) player(o option) (string, error) {
	of := map[string]string{}
	var order []string
	for _, from := range []option{o, t.each} {
		for _, name := range from.order {
			if _, own := of[name]; !own {
				of[name], order = from.values[name], append(order, name)
			}
		}
	}
	if of["cmd"] == "" {
		return "", fmt.Errorf("cmd=PROGRAM is missing")
	}
	if p := of["proto"]; p != "" && p != "uci" {
		return "", fmt.Errorf("proto=%s: kifu match starts only chess programs that speak UCI", p)
	}
	words := []string{quoted(strings.TrimSpace("uci:" + of["cmd"] + " " + of["args"]))}
	for _, name := range order {
		value := of[name]
		switch setting, isOption := strings.CutPrefix(name, "option."); {
		case isOption:
			words = append(words, quoted(setting+"="+value))
		case slices.Contains([]string{"name", "tc", "st", "nodes", "depth", "timemargin"}, name):
			if name != "tc" || value != "inf" {
				words = append(words, quoted(name+"="+value))
			}
		case slices.Contains([]string{"cmd", "args", "proto", "restart", "stderr", "trust"}, name):
		case name == "dir":
			return "", fmt.Errorf("dir=%s: kifu match starts programs where it is: give cmd= a path", value)
		default:
			return "", fmt.Errorf("%s=: no setting of a player does this", name)
		}
	}
	return strings.Join(words, " "), nil
}

// quoted is a word of a player, in double quotes if it has blanks.
func quoted(word string) string {
	if strings.ContainsAny(word, " \t") {
		return `"` + word + `"`
	}
	return word
}
