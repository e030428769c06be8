// Command sort measures what queries read of games before and after kifu sort: row
// groups by the bounds (kifu query --explain), bytes that the process read (the rchar
// of /proc/self/io, so on Linux alone), and the median time of nine runs.
//
//	go run ./bench/sort GAMES BY-DATE BY-ELO BY-PLAYER
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"kifu/datasets"
	"kifu/query"
)

var questions = []struct{ what, before, after, sorted string }{
	{"the games of 1972", "SELECT * FROM games WHERE date >= '1972' AND date < '1973'", "", "by_date"},
	{"a rating of 2600 or more", "SELECT * FROM games WHERE first_elo >= 2600", "", "by_elo"},
	{"Timman's 3,017 games", "SELECT * FROM games WHERE first_player = 'Timman Jan H (NED)' OR second_player = 'Timman Jan H (NED)'",
		"SELECT * FROM by_player_of('Timman Jan H (NED)')", "by_player"},
	{"Karpov's 241 games as \"Karpov, Anatoly\"", "SELECT * FROM games WHERE first_player = 'Karpov, Anatoly' OR second_player = 'Karpov, Anatoly'",
		"SELECT * FROM by_player_of('Karpov, Anatoly')", "by_player"},
	{"Tal's 67 games as \"Tal, Mikhail\"", "SELECT * FROM games WHERE first_player = 'Tal, Mikhail' OR second_player = 'Tal, Mikhail'",
		"SELECT * FROM by_player_of('Tal, Mikhail')", "by_player"},
	{"results of the same, without moves", "SELECT date, result FROM games WHERE first_player = 'Tal, Mikhail' OR second_player = 'Tal, Mikhail'",
		"SELECT date, result FROM by_player_players WHERE player = 'Tal, Mikhail'", "by_player"},
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sort:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("want GAMES BY-DATE BY-ELO BY-PLAYER")
	}
	db, err := query.Open(ctx, query.Options{Threads: 2, Trust: true})
	if err != nil {
		return err
	}
	defer db.Close()
	for i, name := range []string{"games", "by_date", "by_elo", "by_player"} {
		d, err := datasets.Open(args[i])
		if err != nil {
			return err
		}
		if err := db.Attach(ctx, name, d); err != nil {
			return err
		}
	}
	fmt.Println("| asked for | games | row groups | read | time | sorted: row groups | read | time |\n|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, q := range questions {
		after := q.after
		if after == "" {
			after = "SELECT * FROM " + q.sorted + q.before[len("SELECT * FROM games"):]
		}
		rows, a, err := measure(ctx, db, q.before)
		if err != nil {
			return err
		}
		same, b, err := measure(ctx, db, after)
		if err != nil {
			return err
		}
		if rows != same {
			return fmt.Errorf("%s: %d games, %d of the sorted ones", q.what, rows, same)
		}
		fmt.Printf("| %s | %d | %s | %s |\n", q.what, rows, a, b)
	}
	return nil
}

// measure runs a query nine times and returns its rows and cells of the table.
func measure(ctx context.Context, db *query.DB, text string) (rows int, cells string, err error) {
	var times []time.Duration
	var bytes int64
	for range 9 {
		before, err := bytesRead()
		if err != nil {
			return 0, "", err
		}
		begun := time.Now()
		r, err := db.Query(ctx, text)
		if err != nil {
			return 0, "", err
		}
		rows = 0
		if err := r.Each(func([]any) error { rows++; return nil }); err != nil {
			return 0, "", err
		}
		times = append(times, time.Since(begun))
		now, err := bytesRead()
		if err != nil {
			return 0, "", err
		}
		bytes = now - before
	}
	slices.Sort(times)
	pruned, err := db.Prune(ctx, text)
	if err != nil {
		return 0, "", err
	}
	groups := "index"
	if len(pruned) > 0 {
		groups = fmt.Sprintf("%d of %d", pruned[0].RowGroups, pruned[0].Groups)
	}
	return rows, fmt.Sprintf("%s | %.2f MB | %.0f ms", groups, float64(bytes)/1e6, float64(times[len(times)/2])/1e6), nil
}

// bytesRead is how much the process has read from files so far.
func bytesRead() (n int64, err error) {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscanf(string(text), "rchar: %d", &n)
	return n, err
}
