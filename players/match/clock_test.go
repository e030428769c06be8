package match

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/players/play"
	"kifu/search/engine"
)

// clocked is a program that takes its time: so much for each move, until it is told that less
// than some is left, and then more than that.
type clocked struct {
	program
	takes, until time.Duration
	told         *[]engine.Clock
}

func (c clocked) MoveTimed(ctx context.Context, start string, moves []string, clock engine.Clock) (engine.Answer, error) {
	a, err := c.Move(ctx, start, moves)
	*c.told = append(*c.told, clock)
	own := clock.Left[0]
	if clock.Second {
		own = clock.Left[1]
	}
	a.Elapsed, a.Depth, a.Scored = c.takes, 7, true
	if own < c.until {
		a.Elapsed = own + 51*time.Millisecond
	}
	return a, err
}

// timedPlayer is a program on a clock.
func timedPlayer(t *testing.T, name, control string, c clocked) play.Player {
	t.Helper()
	p := player(t, "uci:x "+control+" name="+name)
	c.left.Store(1 << 20)
	p.Outside.Start = func(context.Context) (engine.Engine, error) { return c, nil }
	return p
}

// TestClocks: what is left after each move, what programs are told, and who has lost.
func TestClocks(t *testing.T) {
	var told []engine.Clock
	quick := clocked{program: newProgram(), takes: 100 * time.Millisecond, told: &told}
	slow := clocked{program: newProgram(), takes: 300 * time.Millisecond, until: 900 * time.Millisecond, told: new([]engine.Clock)}
	p := params(t, 2, "random", "random")
	p.Players = []play.Player{timedPlayer(t, "quick", "tc=2/1+0.05", quick), timedPlayer(t, "slow", "tc=1+0.1 timemargin=50", slow)}
	dir := filepath.Join(t.TempDir(), "games")
	r, err := playOut(t, tictactoeGame, nil, p, 1, dir)
	if err != nil || r.Ends["time forfeit"] != 2 || r.Sides != [2][3]int64{{1, 0, 0}, {1, 0, 0}} {
		t.Fatalf("%+v, %v", r, err)
	}
	read(t, dir, func(b *columns.Batch, i int) {
		winner := []games.Outcome{games.FirstWins, games.SecondWins}[i]
		if got := string(b.Col("result").Value(i)); got != winner.String() || string(b.Col("termination").Value(i)) != "time forfeit" {
			t.Errorf("game %d: %s by %s", i, got, b.Col("termination").Value(i))
		}
		if tags := tagsOf(b, i); tags["WhiteTimeControl"] != []string{"2/1+0.05", "1+0.1"}[i] || tags["BlackTimeControl"] != []string{"1+0.1", "2/1+0.05"}[i] {
			t.Errorf("game %d: %v", i, tags)
		}
		if !b.Col("time_control").IsNull(i) || !b.Col("base_ms").IsNull(i) {
			t.Errorf("game %d: one time control of two", i)
		}
		// quick: 1000+50, -100+50; its second move brings a second more, -100+50+1000.
		// slow: 1000+100, -300+100, then 900 left: -300+100; then 700 and it goes beyond.
		want := [][]int32{{1000, 900, 1950, 700, 1900}, {900, 1000, 700, 1950}}[i]
		from, to := b.Col("clocks_ms").List(i)
		for k := range min(len(want), to-from) {
			if got := b.Col("clocks_ms").Int32[from+k]; got != want[k] {
				t.Errorf("game %d, ply %d: %d ms left, want %d", i, k, got, want[k])
			}
		}
		if to-from != len(want) {
			t.Errorf("game %d: %d clocks, want %v", i, to-from, want)
		}
	})
	first := engine.Clock{Left: [2]time.Duration{1050 * time.Millisecond, 1100 * time.Millisecond}, Increment: [2]time.Duration{50 * time.Millisecond, 100 * time.Millisecond}, Moves: 2}
	if len(told) == 0 || told[0] != first || told[1].Moves != 1 || told[2].Moves != 2 {
		t.Errorf("told %+v, want %+v at first", told, first)
	}
}

// tagsOf returns the tags of a row.
func tagsOf(b *columns.Batch, i int) map[string]string {
	tags := map[string]string{}
	v := b.Col("tags")
	for j, to := v.List(i); j < to; j += 2 {
		tags[string(v.Text(j))] = string(v.Text(j + 1))
	}
	return tags
}

// TestLimitsOfPlayers: the words of tournament managers.
func TestLimitsOfPlayers(t *testing.T) {
	for text, want := range map[string]engine.Limits{
		"uci:x tc=5+0.05":                {Clock: engine.TimeControl{Base: 5 * time.Second, Increment: 50 * time.Millisecond}},
		"uci:x st=0.1 timemargin=20":     {MoveTime: 100 * time.Millisecond, Strict: true, Margin: 20 * time.Millisecond},
		"uci:x nodes=1000 plies=9":       {Nodes: 1000, Depth: 9},
		"gtp:x tc=25/600":                {Clock: engine.TimeControl{Base: 600 * time.Second, Moves: 25}},
		"usi:x tc=1+1 depth=3 MultiPV=1": {Clock: engine.TimeControl{Base: time.Second, Increment: time.Second}, Depth: 3},
	} {
		if p := player(t, text); p.Outside.Config.Limits != want {
			t.Errorf("%s: %+v, want %+v", text, p.Outside.Config.Limits, want)
		}
	}
	for text, want := range map[string]string{
		"uci:x tc=five":               "want [MOVES/]SECONDS",
		"uci:x st=1+1":                "as st=0.1",
		"uci:x tc=1 st=1":             "not both",
		"uci:x depth=1 timemargin=10": "a margin is for a clock",
		"uci:x tc=1 timemargin=-1":    "want milliseconds",
	} {
		if _, err := play.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
