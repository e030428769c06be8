package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kifu/cmd/kifu/command"
	"kifu/players/match"
)

// parseEnds reads --resign, --draw and --at-limit.
func parseEnds(e *match.Ends, limit, resign, draw string) error {
	if e.LimitDraw = limit == "draw"; !e.LimitDraw && limit != "unfinished" {
		return command.Usagef("--at-limit %s: want unfinished or draw", limit)
	}
	if err := parseResign(e, resign); err != nil {
		return err
	}
	return parseDraw(e, draw)
}

// openEndings opens the tables of endings in directories, if there are any.
func openEndings(disk *command.Files, g command.Game, dirs string, p *match.Params) error {
	if dirs == "" {
		return nil
	}
	t, err := readEndings(disk, g, dirs)
	if err != nil {
		return err
	}
	p.Tables, p.Ends.Tables = t, t.Names()
	return nil
}

// parseResign reads "800:6", or the words of tournament managers, which count the moves of the
// side that loses.
func parseResign(e *match.Ends, text string) (err error) {
	if text == "" {
		return nil
	}
	bad := command.Usagef("--resign %s: want a value and a number of plies, as 800:6, or 'movecount=3 score=800'", text)
	if !strings.Contains(text, "=") {
		value, plies, _ := strings.Cut(text, ":")
		var fault error
		e.ResignValue, err = strconv.ParseFloat(value, 64)
		if e.ResignPlies, fault = strconv.Atoi(plies); err != nil || fault != nil || e.ResignPlies < 1 {
			return bad
		}
		return nil
	}
	words, ok := readSettings(text, "movecount", "score", "twosided")
	if !ok {
		return bad
	}
	moves, err := strconv.Atoi(words["movecount"])
	value, fault := strconv.ParseFloat(words["score"], 64)
	twosided, unclear := false, error(nil)
	if word := words["twosided"]; word != "" {
		twosided, unclear = strconv.ParseBool(word)
	}
	if err != nil || fault != nil || unclear != nil || moves < 1 {
		return bad
	}
	e.ResignValue, e.ResignPlies, e.ResignOneSided = value, moves, !twosided
	if twosided {
		e.ResignPlies *= 2
	}
	return nil
}

// parseDraw reads "40:8:10", or the words of tournament managers.
func parseDraw(e *match.Ends, text string) error {
	if text == "" {
		return nil
	}
	bad := command.Usagef("--draw %s: want a move, a number of moves of each side and a value, as 40:8:10, or 'movenumber=40 movecount=8 score=10'", text)
	words, ok := map[string]string{}, true
	if strings.Contains(text, "=") {
		words, ok = readSettings(text, "movenumber", "movecount", "score")
	} else {
		parts := strings.Split(text, ":")
		if ok = len(parts) == 3; ok {
			words["movenumber"], words["movecount"], words["score"] = parts[0], parts[1], parts[2]
		}
	}
	if !ok {
		return bad
	}
	var d match.Draw
	var faults [3]error
	words["movenumber"] = cmp.Or(words["movenumber"], "0")
	d.From, faults[0] = strconv.Atoi(words["movenumber"])
	d.Count, faults[1] = strconv.Atoi(words["movecount"])
	d.Value, faults[2] = strconv.ParseFloat(words["score"], 64)
	for _, err := range faults {
		if err != nil {
			return bad
		}
	}
	e.Draw = &d
	return nil
}

// readSettings reads words of the form name=value; ok is false for one of another name.
func readSettings(text string, names ...string) (words map[string]string, ok bool) {
	words = map[string]string{}
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		if !slices.Contains(names, name) {
			return nil, false
		}
		words[name] = value
	}
	return words, true
}
