package explore_test

import (
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kifu/explore"
	"kifu/explore/site"
)

// TestEmptyColumns: a column of games is shown if any game of the dataset has a value, whichever page has it, and left out of every
// table of games, and of the orders, if none has.
func TestEmptyColumns(t *testing.T) {
	game := func(i int, tags string) string {
		return fmt.Sprintf("[White \"Ann\"]\n[Black \"Bob %d\"]\n[Result \"1-0\"]\n%s\n1. e4 e5 1-0\n\n", i, tags)
	}
	var bare, some strings.Builder
	for i := range 60 {
		bare.WriteString(game(i, ""))
		some.WriteString(game(i, map[bool]string{true: "[WhiteElo \"2000\"]\n[Date \"1972.01.02\"]\n"}[i == 59]))
	}
	at := serve(t, []*site.Set{{Name: "bare", Path: "bare", Dir: ingested(t, filepath.Join(folder, "bare"), bare.String())},
		{Name: "some", Path: "some", Dir: ingested(t, filepath.Join(folder, "some"), some.String())}}, explore.Options{})
	heads := func(address string) string {
		page := ok(t, at+address)
		tables := regexp.MustCompile(`(?s)<thead>.*?</thead>`).FindAllString(page, -1)
		if len(tables) == 0 {
			t.Fatalf("%s: no table:\n%s", address, page)
		}
		last := tables[len(tables)-1]
		if body := page[strings.LastIndex(page, "<tbody>"):]; strings.Count(last, "</th>") != strings.Count(body[:strings.Index(body, "</tr>")], "</td>") {
			t.Errorf("%s: a row has other columns than its head", address)
		}
		return strings.Join(strings.Fields(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(last, " "))), " ")
	}
	for address, want := range map[string]string{
		"games?on=bare":            "White Black result opening plies",
		"openings?on=bare":         "White Black result opening plies",
		"players?on=bare&name=Ann": "why game side opponent result plies",
		"games?on=some":            "White rating Black result date opening plies", // though the page has no rating
		"games?on=some&order=date": "White rating Black result date opening plies",
		"openings?on=some":         "White rating Black result date opening plies",
		"players?on=some&name=Ann": "why game side opponent date result own rating opponent's plies",
	} {
		if got := heads(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	if page := ok(t, at+"games?on=bare"); strings.Contains(page, "<option>first_elo") || !strings.Contains(page, "<option>ply_count") {
		t.Error("games are offered in the order of an empty column")
	}
}
