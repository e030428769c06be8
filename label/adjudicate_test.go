package label

import (
	"reflect"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/chess"
	"kifu/schemas"
)

const (
	even  = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"
	ahead = "4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1"
	bare  = "4k3/8/8/8/8/8/8/4KN2 w - - 0 1"
	mate  = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
)

// Each position is a game of its own and has no result.
func TestAdjudicate(t *testing.T) {
	ps := fens(t, even, ahead, bare, mate)
	for _, c := range []struct {
		rules []string
		want  []string
		noted map[string]int64
	}{
		{nil, []string{"", "", "", ""}, nil},
		{[]string{"rules"}, []string{"", "", "draw", "first"}, map[string]int64{"result adjudicated: rules": 2}},
		{[]string{"rules", "win:600:1"}, []string{"", "first", "draw", "first"}, map[string]int64{"result adjudicated: rules": 2, "result adjudicated: win": 1}},
		{[]string{"draw:60:1"}, []string{"draw", "", "", ""}, map[string]int64{"result adjudicated: draw": 1}},
		{[]string{"win:600:2"}, []string{"", "", "", ""}, nil},
	} {
		rows, d := run(t, dataset(t, ps), 1, Params{Search: []string{"static"}, Adjudicate: c.rules})
		var got []string
		for i := range rows.Rows {
			got = append(got, string(rows.Col("result").Value(i)))
		}
		if !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(d.Manifest.Counts.Noted, c.noted) {
			t.Errorf("%v: results %q, noted %v", c.rules, got, d.Manifest.Counts.Noted)
		}
	}
}

// The record's result stands, unless the board contradicts it; the last positions decide.
func TestVerdicts(t *testing.T) {
	all, err := parseVerdicts([]string{"rules", "win:500:3", "draw:20:2"})
	if err != nil {
		t.Fatal(err)
	}
	a := newAdjudicator(chess.Rules{}, all)
	ps := fens(t, even, bare, mate)
	for _, c := range []struct {
		last   chess.Position
		values []float32
		open   bool
		want   games.Outcome
	}{
		{ps[0], []float32{-900, 500, 700, 501}, true, games.FirstWins},
		{ps[0], []float32{-500, -700, -501}, true, games.SecondWins},
		{ps[0], []float32{500, 499, 700}, true, games.Undecided},
		{ps[0], []float32{500, -700, 700}, true, games.Undecided},
		{ps[0], []float32{700, 700}, true, games.Undecided},
		{ps[0], []float32{700, 20, -20}, true, games.Drawn},
		{ps[0], []float32{700, 700, 700}, false, games.Undecided},
		{ps[1], []float32{700, 700, 700}, false, games.Drawn},
		{ps[2], []float32{-700, -700, -700}, true, games.FirstWins},
	} {
		if got, _ := a.decide(c.last, c.values, nil, c.open); got != c.want {
			t.Errorf("%v, open %v: %v, want %v", c.values, c.open, got, c.want)
		}
	}
	for _, bad := range []string{"", "win", "win:600", "win:x:3", "win:600:0", "loss:600:3", "draw:-1:2", "win:NaN:2"} {
		if _, err := parseVerdicts([]string{bad}); err == nil {
			t.Errorf("adjudication %q was accepted", bad)
		}
	}
	distinct := schemas.Positions(1, nil, true)
	if _, err := newPlan(chessGame, Params{Search: []string{"static"}, Adjudicate: []string{"rules"}}, distinct); err == nil || !strings.Contains(err.Error(), "--dedup") {
		t.Errorf("distinct positions: %v", err)
	}
}

// TestClaims: mates and declarations count from the first or the last position in which they
// can be claimed; games that have a result are left to it by unfinished.
func TestClaims(t *testing.T) {
	const first, second = games.First, games.Second
	claims := []claim{{mover: first}, {mover: second, mate: true}, {mover: first, declare: true}, {mover: first, mate: true}, {mover: second, declare: true}, {mover: first}}
	for rule, want := range map[string][2]games.Outcome{ // with a result, and without
		"mate:first":          {games.SecondWins, games.SecondWins},
		"mate:last":           {games.FirstWins, games.FirstWins},
		"mate:unfinished":     {games.Undecided, games.FirstWins},
		"declare:first":       {games.FirstWins, games.FirstWins},
		"declare:last":        {games.SecondWins, games.SecondWins},
		"declare:unfinished":  {games.Undecided, games.SecondWins},
		"mate:first,win:1:60": {games.SecondWins, games.SecondWins},
	} {
		verdicts, err := parseVerdicts(strings.Split(rule, ","))
		if err != nil {
			t.Fatal(err)
		}
		a := newAdjudicator(chess.Rules{}, verdicts)
		for i, open := range []bool{false, true} {
			if got, _ := a.decide(fens(t, even)[0], nil, claims, open); got != want[i] {
				t.Errorf("%s, without a result %v: %q, want %q", rule, open, got, want[i])
			}
		}
	}
	for _, bad := range []string{"mate", "mate:", "mate:never", "declare:first:2"} {
		if _, err := parseVerdicts([]string{bad}); err == nil || !strings.Contains(err.Error(), ":unfinished") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
