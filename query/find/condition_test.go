package find_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/chess/motifs"
	"kifu/internal/expression"
	"kifu/kit/sample"
	labelmotifs "kifu/label/motifs"
	"kifu/query"
	"kifu/query/boards"
	"kifu/query/find"
	"kifu/transform"
)

// asked has the games of the sample, and a database of their positions p and of their motifs m.
type asked struct {
	ctx   context.Context
	games *datasets.Dir
	db    *query.DB
}

func ask(t *testing.T) asked {
	t.Helper()
	dir := t.TempDir()
	a := asked{ctx: query.With(context.Background(), boards.Of([]board.Game{board.Of(chess.Rules{})})), games: sample.Games(dir)}
	var err error
	if a.db, err = query.Open(a.ctx, query.Options{Threads: 2, TempDir: dir}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.db.Close() })
	positions := sample.Build(filepath.Join(dir, "p"), datasets.Step{Stage: "transform", Output: "positions/v1", Params: transform.Params{LegalMoves: true}, Inputs: []string{a.games.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, chess.Rules{}, transform.Params{LegalMoves: true}, transform.Options{}, in[0], out)
		}})
	moves := sample.Build(filepath.Join(dir, "m"), datasets.Step{Stage: "motifs", Output: "motifs/v1", Inputs: []string{a.games.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return labelmotifs.Run(ctx, chess.Rules{}, motifs.Chess{}, 2, in[0], out)
		}})
	for name, d := range map[string]*datasets.Dir{"p": positions, "m": moves} {
		if err := a.db.Attach(a.ctx, name, d); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// hits replays the games; each hit is game and ply.
func (a asked) hits(t *testing.T, q find.Query, conditions ...string) (all []string) {
	t.Helper()
	for _, text := range conditions {
		n, err := a.db.Parse(a.ctx, text)
		if err != nil {
			t.Fatal(text, err)
		}
		q.Conditions = append(q.Conditions, n)
	}
	if _, err := find.Run(a.ctx, chess.Rules{}, motifs.Chess{}, q, 2, a.games, func(h find.Hit) error {
		all = append(all, fmt.Sprint(h.Game, " ", h.Ply))
		return nil
	}); err != nil {
		t.Fatal(conditions, err)
	}
	return all
}

// rows asks the database for the same.
func (a asked) rows(t *testing.T, sql string) (all []string) {
	t.Helper()
	r, err := a.db.Query(a.ctx, "SELECT game_id, min(ply) FROM "+sql+" GROUP BY 1 ORDER BY 1")
	if err != nil {
		t.Fatal(sql, err)
	}
	rows, err := r.All()
	if err != nil {
		t.Fatal(sql, err)
	}
	for _, row := range rows {
		all = append(all, fmt.Sprint(row[0], " ", row[1]))
	}
	return all
}

// TestConditions: conditions hold in the positions of replayed games in which DuckDB finds that they hold.
func TestConditions(t *testing.T) {
	a := ask(t)
	for _, c := range []string{
		"ply = 7", "ply < 12.5 and result = 'first' and has_pieces(board, 'Bc4')", "ply < 9 and (ply < 3 or in_check = 1)", "7 < ply and in_check = 1", "not first_to_move and ply > 20", "phase < 10 or material_difference >= 3", "in_check = 1",
		"result = 'first' and ply between 3 and 5", "result <> 'draw' and coalesce(first_elo, 0) > 1", "result is null", "move is not null and ply > 60",
		"san(board, move) like 'Q%+'", "san(board, move) like '_x%'", "uci(board, move) = move and move in ('e2e4', 'g1f3', 'd7d5') and ply > 1",
		"piece_at(board, 'f7') = 'p' and piece_at(board, 'e4') in ('P', 'N')", "has_pieces(board, 'Bc4 [.p]h7 k[g8,h8]')",
		"attackers(board, 'f7', 'A') > attackers(board, 'f7', 'a')", "attacked(board, 'a', '[BN]') > 2", "pinned(board, '?') > 1 and ply < 40",
		"exchange(board, '?') >= 300", "mobility(board, '?') > 45", "legal_moves > 45", "checks(board) >= 3", "passed(board, 'P') > 1 and on_open_file(board, 'R') > 0",
		"board_like(board, '*/*/*/*/??B*/*/*/*')", "board_like_any(board, 'PP/.N')", "has_material(board, 'KQRBNPPPPkqrbnppp') or count_piece(board, 'Q') = 0",
		"hash = hash_of('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1')", "ply % 10 = 5 and abs(material_difference) * 2 > 3 - 1",
		"case when first_to_move then white_pawns else black_pawns end <= 4", "(phase < 20)::int + (ply > 10)::int = 2", "not (result = 'first' or first_elo > 0)",
		"null or ply = 4", "comment_value > 100", "clock_ms < 60000", "fen(board) like '%w KQkq%' and ply > 10", "result in ('first', null)", "result not in ('first', null)",
		"18446744073709551615 > hash and ply > 3", "material_difference / 2 = 1.5",
	} {
		got, want := a.hits(t, find.Query{}, c), a.rows(t, "p WHERE "+c)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d games %.60q, want %d %.60q", c, len(got), got, len(want), want)
		}
	}
	for _, c := range []string{"fork", "sacrifice and not first_to_move", "hanging_piece and ply > 30"} {
		if got, want := a.hits(t, find.Query{}, c), a.rows(t, "m WHERE "+c); !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%s: %d games, want %d", c, len(got), len(want))
		}
	}
}

// TestSequences compares series of conditions with joins of the positions with themselves.
func TestSequences(t *testing.T) {
	a := ask(t)
	for _, c := range []struct {
		sequence             find.Sequence
		first, then, without string
	}{
		{find.Sequence{Within: 1}, "san(board, move) like '%x%'", "san(board, move) like '%x%'", ""},
		{find.Sequence{Within: 5, SameSide: true}, "in_check = 1", "in_check = 1", ""},
		{find.Sequence{Within: 6, Without: true}, "material_difference > 0", "material_difference < 0", "san(board, move) like 'Q%'"},
		{find.Sequence{Within: 9, SameSide: true, Without: true}, "san(board, move) like 'N%'", "san(board, move) like 'N%+'", "exchange(board, '?') >= 300"},
	} {
		s, at := c.sequence, func(text, table string) string { // the columns of one of the tables
			for _, name := range []string{"board", "move", "in_check", "material_difference"} {
				text = strings.ReplaceAll(text, name, table+"."+name)
			}
			return "(" + text + ")"
		}
		sql := fmt.Sprintf("(SELECT a.game_id, a.ply FROM p a JOIN p b ON b.game_id = a.game_id AND b.ply BETWEEN a.ply + 1 AND a.ply + %d WHERE %s AND %s", s.Within, at(c.first, "a"), at(c.then, "b"))
		s.Steps = 2
		conditions := []string{c.first, c.then}
		if s.SameSide {
			sql += " AND (b.ply - a.ply) % 2 = 0"
		}
		if s.Without {
			conditions = append(conditions, c.without)
			sql += " AND NOT EXISTS (SELECT 1 FROM p c WHERE c.game_id = a.game_id AND c.ply > a.ply AND c.ply < b.ply AND " + at(c.without, "c") + ")"
		}
		if got, want := a.hits(t, find.Query{Sequence: s}, conditions...), a.rows(t, sql+")"); !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%v: %d games, want %d", conditions, len(got), len(want))
		}
	}
}

// TestExchanged: what is found with the sides exchanged, too, is what the conditions of both sides find.
func TestExchanged(t *testing.T) {
	a := ask(t)
	for either, both := range map[string]string{
		"has_pieces(board, 'Be3 pd6') and result = 'first'":     "result = 'first' and has_pieces(board, 'Be3 pd6') or result = 'second' and has_pieces(board, 'be6 Pd3')",
		"first_to_move and material_difference > 2":             "first_to_move and material_difference > 2 or not first_to_move and material_difference < -2",
		"san(board, move) = 'Nf6+' and first_elo > second_elo":  "san(board, move) = 'Nf6+' and first_elo > second_elo or san(board, move) = 'Nf3+' and second_elo > first_elo",
		"move = 'e1g1' and white_castling = 2 and phase > 20":   "move = 'e1g1' and white_castling = 2 and phase > 20 or move = 'e8g8' and black_castling = 2 and phase > 20",
		"comment_value > 200 and not first_to_move and ply > 3": "ply > 3 and (comment_value > 200 and not first_to_move or comment_value < -200 and first_to_move)",
	} {
		if got, want := a.hits(t, find.Query{Exchanged: true}, either), a.rows(t, "p WHERE "+both); !slices.Equal(got, want) {
			t.Errorf("%s: %d games, want %d", either, len(got), len(want))
		}
	}
}

// TestConditionErrors: names that are unknown are told with what to do.
func TestConditionErrors(t *testing.T) {
	a := ask(t)
	for text, want := range map[string]string{
		"quiescence_value > 3":          `games have no column "quiescence_value"`,
		"attackers(board, 'i9', 'A')":   "attackers: ",
		"liberties(board, 'e4')":        "no function liberties of boards of chess",
		"sin(ply) > 0":                  "no function sin",
		"ply::date > '2000-01-01'":      "cannot cast to date",
		"ply in (select 1)":             "subquery",
		"hash = hash_of('no position')": "",
	} {
		n, err := a.db.Parse(a.ctx, text)
		if err == nil {
			_, err = find.Run(a.ctx, chess.Rules{}, motifs.Chess{}, find.Query{Conditions: []expression.Node{n}}, 1, a.games, func(find.Hit) error { return nil })
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
