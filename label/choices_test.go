package label

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/kit/evaltest"
	"kifu/schemas"
)

// playedDataset makes a dataset of the positions in which a move was played, "" for none.
func playedDataset(t *testing.T, ps []chess.Position, moves []string) string {
	t.Helper()
	return edited(t, ps, func(b *columns.Batch, from int) {
		v := b.Col("move")
		*v = columns.Vec{Column: v.Column}
		for _, move := range moves[from:][:b.Rows] {
			if move == "" {
				v.AppendNull()
			} else {
				v.AppendString(move)
			}
		}
	})
}

// Every legal move of a position is there once, with the values and features that the
// position after it has by itself; forced moves and ends of games are counted.
func TestChoices(t *testing.T) {
	rules := chess.Rules{}
	ps := evaltest.RandomPlay(chess.Start(), 2, 60, 7)
	ps = append(ps, fens(t, "7k/8/8/8/8/8/5q2/7K w - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "8/8/8/8/8/k7/2q5/K7 w - - 0 1", "7k/7p/8/8/8/8/r7/1r5K w - - 0 1", "6k1/8/8/8/8/8/1q6/K7 w - - 0 1")...)
	var moves []string
	var after []chess.Position
	forced, ended, choices := 0, 0, map[int64][]string{}
	for i, p := range ps {
		legal := p.AppendMoves(nil)
		if len(legal) == 0 {
			ended++
			moves = append(moves, "")
			continue
		}
		moves = append(moves, string(rules.AppendCoordinates(nil, p, legal[i%len(legal)])))
		if len(legal) == 1 {
			forced++
			continue
		}
		for _, m := range legal {
			choices[int64(i)] = append(choices[int64(i)], string(rules.AppendCoordinates(nil, p, m)))
			after = append(after, p.Play(m))
		}
	}
	positions := playedDataset(t, ps, moves)
	p := Params{Search: []string{"static", "quiescence"}, Zero: []string{"mobility"}, Choices: &Choices{}}
	rows, d := run(t, positions, 2, p)
	c := d.Manifest.Counts
	if forced == 0 || ended == 0 || c.Rejected[games.ForcedMove] != int64(forced) || c.Rejected[games.NoMove] != int64(ended) || c.Written != int64(len(after)) || rows.Rows != len(after) {
		t.Fatalf("%d forced, %d ended, %d moves; counts %+v", forced, ended, len(after), c)
	}
	p.Choices = nil
	want, _ := run(t, dataset(t, after), 1, p)
	for i := range rows.Rows {
		id := rows.Col("game_id").Int64[i]
		text := string(rows.Col("move").Value(i))
		if n := rows.Col("legal_moves").Int32[i]; choices[id][0] != text || int(n) != len(ps[id].AppendMoves(nil)) {
			t.Fatalf("row %d: move %s of %d, want %s", i, text, n, choices[id][0])
		}
		choices[id] = choices[id][1:]
		if rows.Col("played").Bool[i] != (text == moves[id]) || rows.Col("first_to_move").Bool[i] != (ps[id].ToMove() == chess.White) {
			t.Fatalf("row %d: %s of game %d, played %v", i, text, id, rows.Col("played").Bool[i])
		}
		for _, name := range []string{"static_value", "quiescence_value"} {
			if a, b := rows.Col(name).Float32[i], want.Col(name).Float32[i]; a != b {
				t.Fatalf("row %d: %s %v, of the position after the move %v", i, name, a, b)
			}
		}
		if rows.Col("leaf_phase").Int32[i] != want.Col("leaf_phase").Int32[i] || !bytes.Equal(rows.Col("features").Value(i), want.Col("features").Value(i)) {
			t.Fatalf("row %d: features are not those of the position after the move", i)
		}
		if conditions := rules.AppendColumns(nil, ps[id]); rows.Col("phase").Int32[i] != int32(conditions[0]) {
			t.Fatalf("row %d: phase %d, in the position %d", i, rows.Col("phase").Int32[i], conditions[0])
		}
	}
}

// A sample of the alternatives contains the move played, is the same for any number of
// workers, and differs with another seed.
func TestAlternatives(t *testing.T) {
	rules := chess.Rules{}
	ps := evaltest.RandomPlay(chess.Start(), 2, 40, 8)
	var moves []string
	for i, p := range ps {
		legal := p.AppendMoves(nil)
		if len(legal) == 0 {
			moves = append(moves, "")
			continue
		}
		moves = append(moves, string(rules.AppendCoordinates(nil, p, legal[i%len(legal)])))
	}
	positions := playedDataset(t, ps, moves)
	p := Params{Search: []string{"static"}, Choices: &Choices{Alternatives: 3, Seed: 1}}
	rows, one := run(t, positions, 1, p)
	_, three := run(t, positions, 3, p)
	datasettest.Same(t, one.Path, three.Path)
	size, chosen := map[int64]int{}, map[int64]int{}
	var drawn []string
	for i := range rows.Rows {
		id := rows.Col("game_id").Int64[i]
		size[id]++
		if rows.Col("played").Bool[i] {
			chosen[id]++
		}
		drawn = append(drawn, string(rows.Col("move").Value(i)))
	}
	for id, n := range size {
		if want := min(4, len(ps[id].AppendMoves(nil))); n != want || chosen[id] != 1 {
			t.Errorf("position %d: %d moves, want %d; %d played", id, n, want, chosen[id])
		}
	}
	p.Choices.Seed = 2
	other, _ := run(t, positions, 1, p)
	var others []string
	for i := range other.Rows {
		others = append(others, string(other.Col("move").Value(i)))
	}
	if slices.Equal(drawn, others) {
		t.Error("another seed draws the same moves")
	}
}

func TestChoicesRefused(t *testing.T) {
	for want, p := range map[string]Params{
		"alternatives": {Choices: &Choices{Alternatives: -1}},
		"omit":         {Choices: &Choices{}, Variations: true},
	} {
		p.Search = []string{"static"}
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	distinct := schemas.Positions(33, nil, true)
	if _, err := newPlan(chessGame, Params{Search: []string{"static"}, Choices: &Choices{}}, distinct); err == nil || !strings.Contains(err.Error(), "--dedup") {
		t.Errorf("distinct positions: %v", err)
	}
	ps := fens(t, "6k1/8/8/8/8/8/8/6K1 w - - 0 1")
	if _, d := run(t, playedDataset(t, ps, []string{"a1a8"}), 1, Params{Search: []string{"static"}, Choices: &Choices{}}); d.Manifest.Counts.Rejected[games.NotLegal] != 1 {
		t.Errorf("a move that is not legal: %+v", d.Manifest.Counts)
	}
}
