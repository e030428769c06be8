package ratings

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Score is a row of a table of results: what a player made of the games with an opponent, whoever moved first.
type Score struct {
	Player   string `json:"player"`
	Opponent string `json:"opponent"`
	Wins     int64  `json:"wins"`
	Draws    int64  `json:"draws"`
	Losses   int64  `json:"losses"`
	Opening  string `json:"opening,omitempty"`
}

// ReadScores reads a CSV table with the columns player, opponent, wins, draws, losses and, if there is one, opening. Errors
// name the line.
func ReadScores(text []byte) ([]Score, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("no header line: %w", err)
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range []string{"player", "opponent", "wins", "draws", "losses"} {
		if _, there := at[name]; !there {
			return nil, fmt.Errorf("no column %q: want player, opponent, wins, draws, losses", name)
		}
	}
	var all []Score
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err // it names the line
		}
		line, _ := r.FieldPos(0)
		s := Score{Player: strings.TrimSpace(row[at["player"]]), Opponent: strings.TrimSpace(row[at["opponent"]])}
		if i, there := at["opening"]; there {
			s.Opening = strings.TrimSpace(row[i])
		}
		if s.Player == "" || s.Opponent == "" || s.Player == s.Opponent {
			return nil, fmt.Errorf("line %d: want the names of two players", line)
		}
		for name, to := range map[string]*int64{"wins": &s.Wins, "draws": &s.Draws, "losses": &s.Losses} {
			n, err := strconv.ParseInt(strings.TrimSpace(row[at[name]]), 10, 32)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("line %d: %s is %q: want a number of games", line, name, row[at[name]])
			}
			*to = n
		}
		all = append(all, s)
	}
}
