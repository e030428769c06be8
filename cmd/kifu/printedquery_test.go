package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
	"kifu/kit/slow"
)

// printedQuery is a report whose query, as its page prints it, gives the numbers that it publishes: its CSV,
// or where kifu computes on from the rows the sums over them that the CSV must have, too.
type printedQuery struct {
	report       string
	args         []string
	query, table string // SQL over the tables q, of the query, and t, the CSV; empty: all of it
}

var printedQueries = []printedQuery{
	{report: "curve", args: []string{"--min-count", "20", "--value", "static_value,quiescence_value", "--when", "late=ply > 60", "--games", "games", "labels"}},
	{report: "calibration", args: []string{"--value", "static_value,quiescence_value", "--games", "games", "labels"}},
	{report: "depth", args: []string{"--games", "games", "labels"}},
	{report: "moves", args: []string{"--pattern", "square=move[3:]", "choices"}},
	{report: "mistakes", args: []string{"choices", "positions", "games"}},
	{report: "weights", args: []string{"fit"}},
	{report: "database", args: []string{"games", "positions"}},
	{report: "opening", args: []string{"--min-games", "5", "tree"},
		query: "SELECT hash::VARCHAR AS hash, move, games, share, first_wins, draws, second_wins, last_date FROM q WHERE (hash::VARCHAR, move) IN (SELECT (hash::VARCHAR, move) FROM t) ORDER BY ALL",
		table: "SELECT hash::VARCHAR AS hash, move, games, share, if(first_to_move, wins, losses) AS first_wins, draws, if(first_to_move, losses, wins) AS second_wins, last_date FROM t ORDER BY ALL"},
	{report: "wdl", args: []string{"--by", "ply // 4", "--within", "2000", "othello"}},
	{report: "endgame", args: []string{"--min-games", "1", "--plies", "1", "labels"},
		query: "SELECT ending, count(*) AS games, count(*) FILTER (points = 1) AS won, round(avg(points), 9) AS score, round(avg(expected) FILTER (points IS NOT NULL), 9) AS expected FROM q GROUP BY ALL HAVING count(points) > 1 ORDER BY ALL",
		table: "SELECT ending, games, won, round(score, 9) AS score, round(expected, 9) AS expected FROM t WHERE score IS NOT NULL ORDER BY ALL"},
	{report: "players", args: []string{"games"},
		query: "SELECT first_player AS player, second_player AS opponent, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses FROM q GROUP BY ALL HAVING (player, opponent) IN (SELECT (player, opponent) FROM t) ORDER BY ALL",
		table: "SELECT player, opponent, first_wins AS wins, first_draws AS draws, first_losses AS losses FROM t WHERE first_wins + first_draws + first_losses > 0 ORDER BY ALL"},
	{report: "ratings", args: []string{"games"},
		query: "SELECT player, sum(w + d + l) AS games, sum(w) AS wins, sum(d) AS draws, sum(l) AS losses FROM (SELECT first_player AS player, wins AS w, draws AS d, losses AS l FROM q UNION ALL SELECT second_player, losses, draws, wins FROM q) GROUP BY ALL HAVING player IN (SELECT player FROM t) ORDER BY ALL",
		table: "SELECT player, games, wins, draws, losses FROM t ORDER BY ALL"},
	{report: "event", args: []string{"--when", "move = 25", "--match", "move", "games"},
		query: "SELECT count(DISTINCT (game_id, sign)) AS events FROM q WHERE event AND score IS NOT NULL",
		table: "SELECT events + unmatched AS events FROM t WHERE outcome = 'score' AND band = 'all'"},
	{report: "split", args: []string{"--min-count", "200", "--columns", "mobility,phase,first_to_move", "--dependence", "games", "othello"},
		query: "SELECT curve, sum(positions) AS positions, any_value(curve_games) AS games FROM q WHERE kind = 'bin' AND curve <> 'total' GROUP BY ALL ORDER BY ALL",
		table: "SELECT split::VARCHAR AS curve, positions, games FROM t WHERE split <= (SELECT max(try_cast(curve AS INTEGER)) FROM q) ORDER BY ALL"},
}

// TestPrintedQueries: the query that a page prints gives what the report has computed. Of openings in positions report/opening tests that.
func TestPrintedQueries(t *testing.T) {
	slow.Test(t, "thirteen reports of a sample")
	t.Chdir(t.TempDir())
	kifu := func(args ...string) {
		t.Helper()
		runHere(t, args...)
	}
	kifu("datasets", "sample", "chess-masters", "--out", "masters.pgn.zst")
	kifu("ingest", "--out", "games", "masters.pgn.zst")
	kifu("tree", "--out", "tree", "games")
	kifu("transform", "--out", "positions", "--legal-moves", "--min-ply", "20", "--sample", "0.02", "games")
	kifu("label", "--out", "labels", "--search", "static,quiescence", "positions")
	kifu("choices", "--out", "choices", "--search", "static", "positions")
	kifu("fit", "--out", "fit", "--method", "mlm", "--free", "bishop_pair", "labels")
	kifu("datasets", "sample", "othello-selfplay", "--out", "games.ggf.zst")
	kifu("ingest", "--out", "others", "games.ggf.zst")
	kifu("transform", "--out", "places", "others")
	kifu("label", "--out", "othello", "--search", "static", "--zero", "mobility", "places")
	for _, p := range printedQueries {
		t.Run(p.report, func(t *testing.T) {
			runHere(t, slices.Concat([]string{"report", p.report, "--out", p.report}, p.args)...)
			names := []string{"games=games"} // in which players are looked up
			for _, arg := range p.args {
				if exists, err := os.Stat(arg); err == nil && exists.IsDir() && arg != "games" {
					names = append(names, arg+"="+arg)
				}
			}
			sql, err := os.ReadFile(filepath.Join(p.report, p.report+".sql"))
			if err != nil {
				t.Fatal(err)
			}
			table := filepath.Join(p.report, p.report+".csv")
			ask := func(sql string) [][]string {
				return readCSV(t, runHere(t, slices.Concat([]string{"query", "--format", "csv", sql}, names, []string{"t=" + table})...))
			}
			if p.query == "" {
				want, err := os.ReadFile(table)
				if err != nil {
					t.Fatal(err)
				}
				sameCells(t, readCSV(t, string(want)), ask(string(sql)))
				return
			}
			with := fmt.Sprintf("WITH q AS (%s\n) ", sql)
			sameCells(t, ask(with+p.table), ask(with+p.query))
		})
	}
}

// runHere returns what a command prints, in the working directory.
func runHere(t *testing.T, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	if code := runMain(context.Background(), nil, &out, &stderr, args); code != command.OK {
		t.Fatalf("kifu %v: exit code %d\n%s", args, code, stderr.String())
	}
	return out.String()
}

func readCSV(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// sameCells compares rows of the report with those of its query; numbers may differ by rounding.
func sameCells(t *testing.T, report, query [][]string) {
	t.Helper()
	if len(report) < 2 || len(report) != len(query) {
		t.Fatalf("%d rows, the query has %d", len(report), len(query))
	}
	for i, row := range report {
		for k, cell := range row {
			a, err := strconv.ParseFloat(cell, 64)
			b, err2 := strconv.ParseFloat(query[i][k], 64)
			if cell != query[i][k] && (err != nil || err2 != nil || math.Abs(a-b) > 1e-9*math.Abs(b)) {
				t.Fatalf("row %d, %s: %s, the query has %s", i, report[0][k], cell, query[i][k])
			}
		}
	}
}
