package explore_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/explore"
	"kifu/explore/models"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/ingest"
	"kifu/kit/sample"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/query/boards"
	"kifu/query/find"
	"kifu/query/format"
	"kifu/report/curve"
	"kifu/report/sheet"
	"kifu/schemas"
	"kifu/transform/tree"
)

const token = "a-token-of-the-tests"

// chessGames are the games of the sites of these tests.
func chessGames() map[string]site.Game {
	return map[string]site.Game{"chess": {Boards: board.Of(chess.Rules{}), Judge: models.Bind(sample.Chess, nil), People: models.BindPeople(sample.Chess),
		Find: func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (manifest.Counts, error) {
			return find.Run(ctx, chess.Rules{}, nil, q, workers, in, take)
		}}}
}

// hostile is a name that would do something if it were taken for HTML.
const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`

// hostilePGN is a game whose every text is one.
func hostilePGN() string {
	quoted := strings.ReplaceAll(hostile, `"`, `\"`)
	var tags strings.Builder
	for _, name := range []string{"Event", "Site", "White", "Black", "ECO", "Annotator"} {
		fmt.Fprintf(&tags, "[%s \"%s\"]\n", name, quoted)
	}
	return tags.String() + "[Result \"1-0\"]\n\n1. e4 {[%eval 0.4] [%clk 0:05:00]} e5 {[%eval 0.3] [%clk 0:04:58]} 2. Qh5 {[%eval -0.2] [%clk 0:04:50]} Nc6 {[%eval 0.1] [%clk 0:04:49]} 3. Bc4 {[%eval 0.0] [%clk 0:04:44]} Nf6 {[%eval #1] [%clk 0:04:40]} 4. Qxf7# {[%clk 0:04:40]} 1-0\n"
}

// worker is what this program is called when it makes pages.
const worker = "explore-worker"

func startWorker() *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return &exec.Cmd{Path: self, Args: []string{worker}}
}

// folder is where the first test makes the datasets of all.
var folder string

func TestMain(m *testing.M) {
	if os.Args[0] == worker {
		if err := explore.Work(query.With(context.Background(), boards.Of([]board.Game{board.Of(chess.Rules{})})), os.Stdin, os.Stdout, datasets.Open, chessGames()); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	code := 1
	if dir, err := os.MkdirTemp("", "explore-"); err == nil {
		folder = dir
		code = m.Run()
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// data are the datasets of the tests: games, positions and labels of the sample, and a game
// of hostile names. What is in the folder already is opened.
func data(t testing.TB) []*site.Set {
	t.Helper()
	evil := ingested(t, filepath.Join(folder, "evil"), hostilePGN())
	labels := sample.Labels(folder)
	return []*site.Set{{Name: "games", Path: "games", Dir: sample.Games(folder)}, {Name: "positions", Path: "positions", Dir: sample.Positions(folder)},
		{Name: "labels", Path: "my labels", Dir: labels}, {Name: "evil", Path: "evil", Dir: evil}}
}

// ingested makes a dataset of games of chess.
func ingested(t testing.TB, dir, pgn string) *datasets.Dir {
	t.Helper()
	p, o := ingest.Params{Game: "chess"}, ingest.Options{Inputs: []string{"-"}, Stdin: strings.NewReader(pgn)}
	keys, err := ingest.InputKeys(context.Background(), sample.Ingest(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return sample.Build(dir, datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return ingest.Run(ctx, sample.Ingest(), p, o, out)
		}})
}

// serve starts a site and returns its address, which ends with /.
func serve(t testing.TB, sets []*site.Set, o explore.Options) string {
	t.Helper()
	o.Token, o.Threads, o.Trust, o.Start = token, 2, true, startWorker
	if o.Time == 0 {
		o.Time = 10 * time.Minute // on a machine under load, too
	}
	site, err := explore.New(query.With(context.Background(), boards.Of([]board.Game{board.Of(chess.Rules{})})), sets, chessGames(), o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- site.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return site.Address(l)
}

// get returns the status and the text of an answer.
func get(t testing.TB, address string, values ...string) (int, string) {
	t.Helper()
	if len(values) > 0 {
		v := url.Values{}
		for i := 0; i < len(values); i += 2 {
			v.Add(values[i], values[i+1])
		}
		address += "?" + v.Encode()
	}
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// ok is the text of an answer that must be there.
func ok(t testing.TB, address string, values ...string) string {
	t.Helper()
	status, text := get(t, address, values...)
	if status != http.StatusOK {
		t.Fatalf("%s %v: %d: %s", address, values, status, text)
	}
	return text
}

func rows(t testing.TB, text string) [][]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return all
}

// TestViews: every view answers, says what it must, and never writes a name as HTML.
func TestViews(t *testing.T) {
	at := serve(t, data(t), explore.Options{})
	for _, c := range []struct {
		view   string
		values []string
		says   []string
	}{
		{"", nil, []string{"labels", "kifu ingest", `href="curves?on=labels"`}},
		{"curves", []string{"when", "king_safety >= 30", "from", "-25", "to", "25", "least", "30"}, []string{"monotone", "errors by game and by player", "a (king_safety ≥ 30)", "positions from -25 to 25", "--when", " &#39;my labels&#39;", "args = &#34;my labels&#34;"}},
		{"positions", []string{"on", "labels", "where", "phase <= 8", "order", "king_safety", "down", "1"}, []string{`src="board?`, "in random order"}[:1]},
		{"positions", []string{"on", "labels", "where", "abs(quiescence_value) > 31000"}, []string{`<span class="value">White wins in `}},
		{"position", []string{"on", "labels", "game", "3", "ply", "30"}, []string{"material", "Principal variation", `id="board"`, "Try other weights", " centipawns, from White's side"}},
		{"games", []string{"on", "games", "result", "draw"}, []string{"½–½"}},
		{"positions", []string{"on", "labels", "like", "*/*/*/*/????P*/*/*/*"}, []string{"Set up pieces", "board_like(board"}},
		{"positions", []string{"on", "labels", "like", "*/*/*/*/????P*/*/*/*", "everywhere", "1", "where", "phase > 3"}, []string{"board_like_any(board", "AND (phase"}},
		{"positions", []string{"on", "labels", "like", "8/8/8/8/8/8/8/K1k5 w - - 0 1"}, []string{"hash_of(", "0 positions"}},
		{"results", []string{"on", "labels"}, []string{`href="position?`}},
		{"results", []string{"on", "games"}, []string{`href="game?`}},
		{"game", []string{"on", "games", "id", "3"}, []string{"evaluator", `class="steps"`, `<span class="ply">1.</span>&nbsp;<a`, ` centipawns"`}},
		{"game", []string{"on", "evil", "id", "0"}, []string{"&lt;script&gt;", "minutes left", "record"}},
		{"games", []string{"on", "evil"}, []string{"&lt;img"}},
		{"players", []string{"on", "evil", "name", "*"}, []string{"&lt;script&gt;", "Record"}},
		{"players", []string{"on", "evil"}, []string{"&lt;script&gt;"}},
		{"openings", []string{"on", "games", "line", "e2e4"}, []string{"games", "e5", "c5"}},
		{"openings", []string{"on", "games", "line", "1. e4 c5 2 Nf3"}, []string{`name="line" value="e4 c5 Nf3"`, "line=e4&#43;c5&#43;Nf3"}},
		{"openings", []string{"on", "evil"}, []string{"&lt;img src=x"}},
		{"results", []string{"on", "evil"}, []string{"&lt;script&gt;", "kifu ingest"}},
		{"sql", []string{"q", "SELECT '<b>' AS x"}, []string{"&lt;b&gt;"}},
	} {
		text := ok(t, at+c.view, c.values...)
		for _, s := range c.says {
			if !strings.Contains(text, s) {
				t.Errorf("%s %v does not say %q", c.view, c.values, s)
			}
		}
		if strings.Contains(text, "<img src=x") || strings.Contains(text, "<script>") || strings.Contains(text, "<b>' AS") {
			t.Errorf("%s %v: a name is taken for HTML", c.view, c.values)
		}
	}
}

// TestMistakesOf: the page of mistakes is of datasets with values; without any it says how to make some.
func TestMistakesOf(t *testing.T) {
	sets := data(t)
	text := ok(t, serve(t, sets, explore.Options{})+"mistakes")
	for name, want := range map[string]bool{"labels": true, "evil": true, "games": false, "positions": false} {
		if is := strings.Contains(text, "<option>"+name+"<") || strings.Contains(text, "<option selected>"+name+"<"); is != want {
			t.Errorf("%s is offered: %v, want %v", name, is, want)
		}
	}
	if text := ok(t, serve(t, sets, explore.Options{})+"mistakes?on=games"); !strings.Contains(text, "kifu label") {
		t.Error("the page of games without values, next to labels, does not name kifu label")
	}
	if text := ok(t, serve(t, sets[:2], explore.Options{})+"mistakes"); !strings.Contains(text, "kifu label") {
		t.Error("without values the page does not name kifu label")
	}
}

// TestWrong: what cannot be is said, each beside what it concerns, and the page stays.
func TestWrong(t *testing.T) {
	at := serve(t, data(t), explore.Options{})
	for _, c := range []struct {
		view   string
		values []string
		status int
		says   string
	}{
		{"curves", []string{"when", "king_safty > 0", "when", "phase > 3"}, 200, "did you mean king_safety?"},
		{"curves", []string{"when", "phase"}, 200, "a condition is true or false"},
		{"curves", []string{"when", "phase in (select 1)"}, 200, "a sub-query"},
		{"curves", []string{"when", "phase > 1", "name", "total"}, 200, "must not be total"},
		{"curves", []string{"value", "nothing"}, 200, "no column nothing"},
		{"curves", []string{"bin", "-3"}, 200, "bin -3"},
		{"curves", []string{"on", "nothing"}, 400, "o dataset of labels is called nothing"},
		{"positions", []string{"where", "phase >"}, 200, "syntax error"},
		{"positions", []string{"order", "sum(ply)"}, 200, "an aggregate"},
		{"positions", []string{"like", "x/y"}, 200, "no piece &#39;x&#39;"},
		{"position", []string{"on", "labels", "game", "3", "ply", "3000"}, 400, "o position of game 3 at ply 3000"},
		{"game", []string{"id", "12345"}, 400, "o game 12345"},
		{"games", []string{"elo", "many"}, 200, "want a number"},
		{"openings", []string{"on", "games", "line", "e2e4 e2e4"}, 200, "e2e4"},
		{"openings", []string{"on", "games", "at", "nonsense"}, 200, "nonsense"},
		{"sql", []string{"q", "SELECT nothing FROM labels"}, 200, "no column nothing"},
		{"sql", []string{"q", "SELECT 1", "as", "xls"}, 400, "no form"},
		{"nowhere", nil, 404, "not found"},
	} {
		status, text := get(t, at+c.view, c.values...)
		if status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s %v: %d, want %d and %q:\n%s", c.view, c.values, status, c.status, c.says, text[:min(len(text), 3000)])
		}
	}
	// The conditions that hold water are drawn beside one that does not.
	if text := ok(t, at+"curves", "when", "king_safty > 0", "when", "phase > 3"); !strings.Contains(text, "phase \\u003e 3") && !strings.Contains(text, "phase ≥") && !strings.Contains(text, "(phase &gt; 3)") {
		t.Error("the good condition is not drawn")
	}
}

// TestCurveIsTheReports: the CSV of a page is that of the report with the same conditions.
func TestCurveIsTheReports(t *testing.T) {
	sets := data(t)
	at := serve(t, sets, explore.Options{})
	got := ok(t, at+"curves", "when", "king_safety >= 30", "name", "safe", "when", "phase <= 8", "name", "late", "draws", "half", "as", "csv")
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p := curve.Params{Draws: "half", Sources: []string{"labels"}, When: []query.Named{{Name: "safe", SQL: "king_safety >= 30"}, {Name: "late", SQL: "phase <= 8"}}, Clusters: sheet.Clusters{Names: []int{1}}}
	r, err := curve.Run(context.Background(), db, p, []*datasets.Dir{sets[2].Dir, sets[0].Dir})
	if err != nil {
		t.Fatal(err)
	}
	write, err := format.Writer("csv")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := write(&want, r.Rows()); err != nil {
		t.Fatal(err)
	}
	a, b := rows(t, got), rows(t, want.String())
	slices.SortStableFunc(a, func(x, y []string) int { return strings.Compare(x[1]+x[2], y[1]+y[2]) })
	slices.SortStableFunc(b, func(x, y []string) int { return strings.Compare(x[1]+x[2], y[1]+y[2]) })
	if len(a) != len(b) {
		t.Fatalf("%d rows, want %d", len(a), len(b))
	}
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			t.Errorf("got  %v\nwant %v", a[i], b[i])
		}
	}
	if sql := ok(t, at+"curves", "when", "phase <= 8", "as", "sql"); !strings.Contains(sql, "phase <= 8") {
		t.Error("the query lacks the condition")
	}
	for form, begins := range map[string]string{"svg": "<?xml", "png": "\x89PNG"} {
		if text := ok(t, at+"curves", "as", form); !strings.HasPrefix(text, begins) {
			t.Errorf("%s begins with %q", form, text[:20])
		}
	}
}

// TestLosses: the log-loss with changed weights is that of a loop over the labels.
func TestLosses(t *testing.T) {
	at := serve(t, data(t), explore.Options{})
	all := rows(t, ok(t, at+"sql", "as", "csv", "q", "SELECT game_id, result, quiescence_value::DOUBLE, material::DOUBLE, first_player, second_player FROM labels JOIN games USING (game_id, result) WHERE result IN ('first', 'second') AND abs(quiescence_value) <= 31000 ORDER BY game_id"))
	for name, value := range map[string]string{"draws": "0", "bin": "1e309"} {
		if status, said := get(t, at+"weights", "on", "labels", name, value); status != http.StatusBadRequest || !strings.Contains(said, "want") {
			t.Errorf("%s=%s: %d, %s", name, value, status, said)
		}
	}
	answer := ok(t, at+"weights", "on", "labels", "game", "3", "ply", "30", "f.material", "0.2")
	var was, now, reach, scaleNow, scaleWas float64
	var n, games int
	part := answer[strings.Index(answer, `"losses"`):]
	if _, err := fmt.Sscanf(strings.ReplaceAll(strings.ReplaceAll(part, ",", ""), "−", "-"), `"losses":"log-loss %f was %f: difference %f ± %f (95 %% by game or player; %d positions of %d games drawn games excluded)""scales":"scale %f was %f`, &now, &was, new(float64), &reach, &n, &games, &scaleNow, &scaleWas); err != nil {
		t.Fatalf("%v: %s", err, part)
	}
	loss := func(w, v float64, result string) float64 {
		if result == "second" {
			v = -v
		}
		return math.Log1p(math.Exp(-w * v))
	}
	before, after, count := 0.0, 0.0, 0.0
	type sums struct{ d, n float64 }
	type people [2]string
	byGame, of := map[string]sums{}, map[string]people{}
	for _, r := range all[1:] {
		var v, m float64
		fmt.Sscan(r[2], &v)
		fmt.Sscan(r[3], &m)
		a, b := loss(1/scaleWas, v, r[1]), loss(1/scaleNow, v-0.8*m, r[1])
		before, after, count = before+a, after+b, count+1
		s := byGame[r[0]]
		byGame[r[0]], of[r[0]] = sums{s.d + b - a, s.n + 1}, people{min(r[4], r[5]), max(r[4], r[5])}
	}
	mean, squares, players, pairs := (after-before)/count, 0.0, map[string]sums{}, map[people]sums{}
	for id, s := range byGame {
		u := s.d - mean*s.n
		squares += u * u
		for _, name := range of[id] {
			players[name] = sums{players[name].d + u, players[name].n + s.n}
		}
		pairs[of[id]] = sums{pairs[of[id]].d + u, pairs[of[id]].n + s.n}
	}
	byPlayer := 0.0
	for _, s := range players {
		byPlayer += math.Pow(s.d/(count-s.n), 2)
	}
	for _, s := range pairs {
		byPlayer -= math.Pow(s.d/(count-s.n), 2)
	}
	// The dependence of games by the players they share is larger here than chance in each; Student's t is for some ten degrees of freedom.
	t95 := reach / math.Sqrt(byPlayer)
	if byPlayer < 2*squares/(count*count) || t95 < 1.96 || t95 > 2.6 {
		t.Errorf("± %v: by player %v, by game %v", reach, math.Sqrt(byPlayer), math.Sqrt(squares)/count)
	}
	// The scales are printed to a unit.
	if n != int(count) || games != len(byGame) || math.Abs(was-before/count) > 2e-4 || math.Abs(now-after/count) > 2e-4 {
		t.Errorf("log-loss %v, was %v of %d, %d; want %v, %v of %v, %v", now, was, n, games, after/count, before/count, count, len(byGame))
	}
}

// TestOpeningsCount: the tree counts what SQL over positions counts, by hash.
func TestOpeningsCount(t *testing.T) {
	sets := data(t)
	at := serve(t, sets, explore.Options{})
	most := rows(t, ok(t, at+"sql", "as", "csv", "q", `SELECT hash, count(DISTINCT game_id) AS games, min(game_id) AS game, arg_min(ply, game_id) AS ply,
		count(DISTINCT game_id) FILTER (result = 'first') AS first FROM positions WHERE ply < 60 GROUP BY hash HAVING games > 1 ORDER BY games DESC, hash LIMIT 5`))
	if len(most) != 6 {
		t.Fatal(most)
	}
	for _, r := range most[1:] {
		page := ok(t, at+"game", "on", "games", "id", r[2], "ply", r[3])
		_, fen, _ := strings.Cut(page, `<code data-shown="text">`)
		fen, _, _ = strings.Cut(fen, "</code>")
		tree := ok(t, at+"openings", "on", "games", "at", fen)
		if !strings.Contains(tree, "<b>"+r[1]+" games</b>") || !strings.Contains(tree, "White wins "+r[4]+",") {
			t.Errorf("%s: not %s games, %s of them won by the first player", fen, r[1], r[4])
		}
	}
	all := ok(t, at+"openings", "on", "games")
	some := ok(t, at+"openings", "on", "games", "result", "draw")
	if !strings.Contains(all, "<b>100 games</b>") || strings.Contains(some, "<b>100 games</b>") || !strings.Contains(some, "White wins 0,") {
		t.Error("the filter takes all games, or the tree none")
	}
}

// moveTable is how many games an openings page has, with the table of their moves.
var moveTable = regexp.MustCompile(`(?s)<p><b>[0-9,]+ games.*?(</table>|continues from here)`)

// treeOf makes the tree of games.
func treeOf(games *site.Set, dir string, by ...string) *datasets.Dir {
	p := tree.Params{Depth: 12, MinGames: 2, By: by}
	return sample.Build(dir, datasets.Step{Stage: "tree", Output: schemas.Tree().ID(), Params: p, Inputs: []string{games.Dir.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return tree.Run(ctx, chess.Rules{}, p, 2, in, out)
		}})
}

// variedPGN is games with few lines, of many years, ratings and time controls.
func variedPGN() string {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "[White \"A %d\"]\n[Black \"B\"]\n[Date \"%d.%02d.01\"]\n[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n[TimeControl \"%s\"]\n[Result \"%s\"]\n\n1. %s %s 2. %s\n\n", i%7, 1950+i%40, 1+i%12,
			2000+i*37%700, 2000+i*53%700, []string{"60+0", "300+3", "900+10", "5400+30"}[i%4], []string{"1-0", "0-1", "1/2-1/2", "*"}[i*i%11%4],
			[]string{"e4", "d4", "c4"}[i*i%3], []string{"Nf6", "e6", "g6"}[i*7%5%3], []string{"Nc3", "g3"}[i/3%2])
	}
	return text.String()
}

// TestOpeningsFiltered: with a choice of games the pages of a tree, by groups, have the numbers of pages that replay them.
func TestOpeningsFiltered(t *testing.T) {
	games := &site.Set{Name: "games", Path: "games", Dir: ingested(t, filepath.Join(t.TempDir(), "games"), variedPGN())}
	d := treeOf(games, filepath.Join(t.TempDir(), "tree"), "rating", "speed", "month")
	replayed := serve(t, []*site.Set{games}, explore.Options{})
	read := serve(t, []*site.Set{games, {Name: "tree", Path: d.Path, Dir: d}}, explore.Options{})
	alone := serve(t, []*site.Set{{Name: "tree", Path: d.Path, Dir: d}}, explore.Options{})
	different := map[string]bool{}
	for _, of := range [][]string{{"result", "draw"}, {"elo", "2400"}, {"elo_to", "2599", "result", "second"}, {"speed", "rapid"}, {"elo", "2450"}, {"player", "A 3"}, {"from", "1970", "to", "1989"}, {"from", "1920", "elo", "2000"}, {"from", "1801", "to", "1802"}} {
		query := append([]string{"on", "games", "line", "e4 Nf6"}, of...)
		want, got := moveTable.FindString(ok(t, replayed+"openings", query...)), moveTable.FindString(ok(t, read+"openings", query...))
		different[want] = true
		if got != want || got == "" {
			t.Errorf("%s: the tree has\n%s\nand the games\n%s", of, got, want)
		}
		if of[1] == "2450" || of[0] == "player" {
			continue
		}
		if text := ok(t, alone+"openings", append([]string{"line", "e4 Nf6"}, of...)...); !strings.Contains(text, strings.SplitN(want, "\n", 2)[0]) {
			t.Errorf("%s: the tree alone has %s", of, text)
		}
	}
	if text := ok(t, alone+"openings", "elo", "2450"); !strings.Contains(text, "a tree has bands of 200") {
		t.Errorf("a bound within a band: %s", text)
	}
	if text := ok(t, alone+"openings", "player", "tal"); !strings.Contains(text, "a tree has no players") {
		t.Errorf("a player of a tree: %s", text)
	}
	if len(different) < 8 {
		t.Errorf("%d of the choices differ", len(different))
	}
}

// TestOpeningsOfTree: the pages of a tree have the numbers of pages that replay the games, also where a line leaves it.
func TestOpeningsOfTree(t *testing.T) {
	sets := data(t)
	games := sets[slices.IndexFunc(sets, func(s *site.Set) bool { return s.Kind() == "games" })]
	d := treeOf(games, filepath.Join(t.TempDir(), "tree"))
	replayed := serve(t, sets, explore.Options{})
	read := serve(t, append(slices.Clone(sets), &site.Set{Name: "tree", Path: d.Path, Dir: d}), explore.Options{})
	alone := serve(t, []*site.Set{{Name: "tree", Path: d.Path, Dir: d}}, explore.Options{})
	link := regexp.MustCompile(`<td><a href="openings\?[^"]*line=([^"&]*)`)
	line, lengths := "", map[string]int{}
	for range 16 {
		of := strings.Fields(line)
		want := moveTable.FindString(ok(t, replayed+"openings", "on", "games", "line", line))
		got := moveTable.FindString(ok(t, read+"openings", "on", "games", "line", line))
		if got != want || got == "" {
			t.Fatalf("after %s the tree has\n%s\nand the games\n%s", line, got, want)
		}
		if text := ok(t, alone+"openings", "line", line); len(of) < 3 && !strings.Contains(text, strings.SplitN(want, "\n", 2)[0]) {
			t.Errorf("after %s the tree alone has %s", line, text)
		}
		lengths[strings.SplitN(want, "</b>", 2)[0]]++
		all := link.FindAllStringSubmatch(html.UnescapeString(want), -1)
		if len(all) == 0 {
			break
		}
		next, err := url.QueryUnescape(all[len(of)%len(all)][1])
		if err != nil {
			t.Fatal(err)
		}
		line = next
	}
	if len(lengths) < 3 || lengths["<p><b>1 games"] < 2 {
		t.Errorf("%v: the line has too few positions to tell", lengths)
	}
}

// TestSides: moves have numbers and sides names as records have them, in games, lists and positions.
func TestSides(t *testing.T) {
	at := serve(t, data(t), explore.Options{})
	for view, want := range map[string][]string{
		"game":      {`<span class="ply">1.</span>`, `<span class="ply">2.</span>`, `href="#moves"`, `id="moves"`},
		"games":     {">White</th>", `<option value="second">Black</option>`, `href="#main"`},
		"positions": {" won</span>", ". "},
		"openings":  {"White wins ", "points won by White"},
	} {
		page := ok(t, at+view, "on", map[bool]string{true: "labels", false: "games"}[view == "positions"])
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: no %s", view, text)
			}
		}
	}
}

// TestPositionsCSV: the rows have the texts of their positions, in the order of the page.
func TestPositionsCSV(t *testing.T) {
	at := serve(t, data(t), explore.Options{})
	got := rows(t, ok(t, at+"positions", "on", "labels", "where", "ply = 10", "order", "game_id", "down", "1", "as", "csv"))
	want := rows(t, ok(t, at+"sql", "as", "csv", "q", "SELECT game_id, fen(board) FROM labels WHERE ply = 10 ORDER BY game_id DESC"))
	if len(got) != len(want) || len(got) < 50 {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i, r := range got[1:] {
		if r[0] != want[i+1][0] || r[len(r)-1] != want[i+1][1] {
			t.Errorf("row %d: %v, want %v", i+1, r, want[i+1])
		}
	}
}

// TestPlayers: the table of a player counts what a plain query counts.
func TestPlayers(t *testing.T) {
	slow.Test(t, "queries of a player")
	at := serve(t, data(t), explore.Options{})
	most := rows(t, ok(t, at+"players", "on", "games", "as", "csv"))[1]
	name := most[0]
	quoted := "'" + strings.ReplaceAll(name, "'", "''") + "'"
	want := rows(t, ok(t, at+"sql", "as", "csv", "q", "SELECT count(*), count(*) FILTER ((result = 'first') = (first_player = "+quoted+") AND result <> 'draw') FROM games WHERE "+quoted+" IN (first_player, second_player)"))[1]
	got := rows(t, ok(t, at+"players", "on", "games", "name", strings.ToUpper(name), "as", "csv"))
	column := func(row []string, name string) string { return row[slices.Index(got[0], name)] }
	for _, r := range got[1:] {
		if column(r, "item") == "both" && (column(r, "games") != want[0] || column(r, "won") != want[1]) {
			t.Errorf("%s: %v; want %v", name, r, want)
		}
	}
	if page := ok(t, at+"players", "on", "games", "name", name); !strings.Contains(page, want[0]+" games") || !strings.Contains(page, "Value lost by a move") || !strings.Contains(page, "Games worth seeing") {
		t.Errorf("the page of %s does not say %s games, what moves lose and what to see", name, want[0])
	}
	// More spellings than are listed count, too.
	both := rows(t, ok(t, at+"players", "on", "games", "name", "*", "as", "csv"))
	if page := ok(t, at+"players", "on", "games", "name", "*"); column(both[1], "item") != "both" || !strings.Contains(page, column(both[1], "games")+" games of ") || column(both[1], "games") != "200" {
		t.Errorf("all players: %v", both[1])
	}
	if most[1] != want[0] || len(got) < 3 {
		t.Errorf("%s has %s games in the list, %s in the tables (%d rows)", name, most[1], want[0], len(got))
	}
	// A name that nobody has leads to the nearest, here and in filters.
	wrong := name[:len(name)-1] + "z"
	if page := ok(t, at+"players", "on", "games", "name", wrong); !strings.Contains(page, "no player is called") || !strings.Contains(page, html.EscapeString(name)) {
		t.Errorf("%s: the page does not lead to %s", wrong, name)
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ',' || r == ' ' })
	slices.Reverse(words)
	part := strings.Join(words, " ")
	if page := ok(t, at+"games", "on", "games", "player", part); !strings.Contains(page, html.EscapeString(name)) {
		t.Errorf("%s as a filter does not take %s", part, name)
	}
	// Two players are shown head to head.
	met := rows(t, ok(t, at+"sql", "as", "csv", "q", "SELECT if(first_player = "+quoted+", second_player, first_player) AS rival, count(*) FROM games WHERE "+quoted+" IN (first_player, second_player) GROUP BY rival ORDER BY 2 DESC, 1"))[1]
	both = rows(t, ok(t, at+"players?name="+url.QueryEscape(name)+"&name="+url.QueryEscape(met[0])+"&on=games&as=csv"))
	if i := slices.Index(both[0], "player"); !slices.ContainsFunc(both, func(r []string) bool { return r[i] == name+" against "+met[0] }) {
		t.Errorf("no row of the CSV is of %s against %s", name, met[0])
	}
	if page := ok(t, at+"players?name="+url.QueryEscape(name)+"&name="+url.QueryEscape(met[0])+"&on=games"); !strings.Contains(page, met[1]+" game") || !strings.Contains(page, html.EscapeString(name+" against "+met[0])) {
		t.Errorf("%s against %s: no %s games on their page", name, met[0], met[1])
	}
}

// TestStops: the end of the context ends a query that would never end, and leaves no file.
func TestStops(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	site, err := explore.New(context.Background(), data(t)[:1], chessGames(), explore.Options{Token: token, Trust: true, Threads: 2, Time: time.Hour, Start: startWorker})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- site.Serve(ctx, l) }()
	asked := make(chan int, 1)
	go func() {
		r, err := http.Get(site.Address(l) + "sql?q=" + url.QueryEscape(endless))
		if err != nil {
			asked <- 0
			return
		}
		r.Body.Close()
		asked <- r.StatusCode
	}()
	time.Sleep(300 * time.Millisecond)
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("it does not stop")
	}
	if status := <-asked; status == http.StatusOK {
		t.Error("a query without end was answered")
	}
	if err := site.Close(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
