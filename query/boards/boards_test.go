package boards_test

import (
	"context"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/othello"
	"kifu/kit/sample"
	"kifu/query"
	"kifu/query/boards"
)

// open attaches the positions of the sample as p, with the functions of two games.
func open(t testing.TB) (*query.DB, context.Context, *datasets.Dir) {
	t.Helper()
	ctx := query.With(context.Background(), boards.Of([]board.Game{board.Of(othello.Rules{}), board.Of(chess.Rules{})}))
	db, err := query.Open(ctx, query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	positions := sample.Positions(t.TempDir())
	if err := db.Attach(ctx, "p", positions); err != nil {
		t.Fatal(err)
	}
	return db, ctx, positions
}

// TestFunctions compares the functions with columns that other code has computed, on every
// position of the sample: each statement counts rows, and those that agree.
func TestFunctions(t *testing.T) {
	db, ctx, positions := open(t)
	for _, agrees := range []string{
		"hash_of(fen(board)) = hash",
		"count_piece(board, 'P') = white_pawns AND count_piece(board, 'q') = black_queens",
		// More texts in one statement than are remembered.
		"count_piece(board, 'P') + count_piece(board, 'N') + count_piece(board, 'B') + count_piece(board, 'R') + count_piece(board, 'Q') + count_piece(board, 'K') + " +
			"count_piece(board, 'p') + count_piece(board, 'n') + count_piece(board, 'b') + count_piece(board, 'r') + count_piece(board, 'q') + count_piece(board, 'k') = length(material(board))",
		"coalesce(uci(board, san(board, move)) = move, true)",
		"coalesce(move IS NULL OR hash_after(board, move) = next, true)",
		"(piece_at(board, 'e4') = 'P') = board_like(board, '*/*/*/*/????P*/*/*/*')",
		"length(replace(material(board), 'K', '')) = 1 + white_pawns + white_knights + white_bishops + white_rooks + white_queens + black_pawns + black_knights + black_bishops + black_rooks + black_queens",
		"has_material(board, material(board)) AND in_hand(board, 'P') = 0",
		"board_like_any(board, '*/*/*/*/????P*/*/*/*') = (piece_at(board, 'e4') = 'P' OR piece_at(board, 'E5') = 'p')",
		"count_piece(board, 'Pe4') = (piece_at(board, 'e4') = 'P')::INT AND count_piece(board, '[Pp][e4,d5]') = (upper(piece_at(board, 'e4')) = 'P')::INT + (upper(piece_at(board, 'd5')) = 'P')::INT",
		"has_pieces(board, '[KR]g1 .f1') = (piece_at(board, 'g1') IN ('K', 'R') AND piece_at(board, 'f1') = '')",
		"column_of(board, '[d5,e4]') = 4 AND row_of(board, '[d5,e4]') = 4 AND distance(board, 'a1', 'h6') = 7 AND column_of(board, 'Pd5') = 4 * (piece_at(board, 'd5') = 'P')::INT",
		// A king's square by the text of the position: blanks written out, the rows from the top.
		"list_transform([array_to_string(list_transform(string_split(regexp_replace(split_part(fen(board), ' ', 1), '/', '', 'g'), ''), c -> CASE WHEN c BETWEEN '1' AND '8' THEN repeat('.', c::INT) ELSE c END), '')]," +
			" t -> [instr(t, 'K') - 1, instr(t, 'k') - 1])[1] = [column_of(board, 'K') - 1 + 8 * (8 - row_of(board, 'K')), column_of(board, 'k') - 1 + 8 * (8 - row_of(board, 'k'))]",
		"distance(board, 'K', 'k') = greatest(abs(column_of(board, 'K') - column_of(board, 'k')), abs(row_of(board, 'K') - row_of(board, 'k'))) AND (count_piece(board, 'q') > 0 OR distance(board, 'q', 'K') = -1)",
		"count_piece(board, 'P') = 0 OR 8 - row_of(board, 'P') >= distance(board, 'P', '[a8,b8,c8,d8,e8,f8,g8,h8]')",
		"(checkers(board) > 0) = (in_check = 1) AND attackers(board, CASE WHEN first_to_move THEN 'K' ELSE 'k' END, CASE WHEN first_to_move THEN 'a' ELSE 'A' END) = checkers(board)",
		"mobility(board, 'A') + mobility(board, 'a') = mobility(board, '?') AND (move IS NULL OR (mobility(board, 'A') > 0) = first_to_move)",
		"mobility(board, '?') >= checks(board) AND (move IS NULL OR (checks(board) > 0 OR san(board, move) NOT LIKE '%+'))",
		"(length(split_part(fen(board), ' ', 1)) > 0) AND (split_part(fen(board), ' ', 2) = 'w') = first_to_move",
	} {
		r, err := db.Query(ctx, "SELECT count(*), count(*) FILTER ("+agrees+") FROM (SELECT *, lead(hash) OVER (PARTITION BY game_id ORDER BY ply) AS next FROM p)")
		if err != nil {
			t.Fatalf("%s: %v", agrees, err)
		}
		rows, err := r.All()
		if err != nil {
			t.Fatalf("%s: %v", agrees, err)
		}
		if rows[0][0] != positions.Rows() || rows[0][1] != rows[0][0] {
			t.Errorf("%s: so in %v of %v rows", agrees, rows[0][1], rows[0][0])
		}
	}
}

// TestErrors: errors are in plain words.
func TestErrors(t *testing.T) {
	db, ctx, _ := open(t)
	for sql, want := range map[string]string{
		"SELECT fen('abc'::BLOB) FROM p LIMIT 1":              "a board of chess has 32 bytes, not 3",
		"SELECT san(board, 'e2e5') FROM p LIMIT 1":            "e2e5: illegal move in r",
		"SELECT piece_at(board, 'i9') FROM p LIMIT 1":         `no square "i9" on this board: it has a8 to h1`,
		"SELECT count_piece(board, 'X') FROM p LIMIT 1":       `count_piece: "X": no piece 'X'; chess has P N B R Q K p`,
		"SELECT board_like(board, 'x') FROM p LIMIT 1":        "no piece 'x'",
		"SELECT hash_of('8/8') FROM p LIMIT 1":                "8/8: ",
		"SELECT fen(board, 'shogi') FROM p LIMIT 1":           `no game "shogi"; the datasets are of chess`,
		"SELECT has_material(board, 'KRPkr', 7) FROM p":       "",
		"SELECT attackers(board, 'f7 g7', 'A') FROM p":        `attackers: "f7 g7": no piece 'f'`,
		"SELECT count_piece(board, 'Pe9') FROM p":             `no square "e9" on this board`,
		"SELECT attackers(board, 'K', 'A', 'othello') FROM p": "attackers: no game \"othello\"",
		"SELECT material(board, 'othello') FROM p LIMIT 1":    "a board of othello has 17 bytes, not 32",
		"SELECT count(*) FROM p WHERE hash = hash_of('8/8/')": "8/8/: ",
	} {
		r, err := db.Query(ctx, sql)
		if err == nil {
			_, err = r.All()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "API error") {
			t.Errorf("%s: %v, want %s", sql, err, want)
		}
	}
	// Without a dataset of a game nothing is known, with those of two nothing is guessed.
	empty, err := query.Open(ctx, query.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	if r, err := empty.Query(ctx, "SELECT hash_of('x')"); err == nil {
		if _, err = r.All(); err == nil || !strings.Contains(err.Error(), "no dataset of a game") {
			t.Error(err)
		}
	}
	other := *sample.Positions(t.TempDir())
	manifest := *other.Manifest
	manifest.Meta = map[string]string{"game": "othello"}
	other.Manifest = &manifest
	if err := db.Attach(ctx, "o", &other); err != nil {
		t.Fatal(err)
	}
	r, err := db.Query(ctx, "SELECT fen(board) FROM p LIMIT 1")
	if err == nil {
		_, err = r.All()
	}
	if err == nil || !strings.Contains(err.Error(), "the datasets are of chess, othello: add the game's name") {
		t.Error(err)
	}
}

// BenchmarkFunctions calls a function for every position of the sample; ns/row is its cost
// on two threads.
func BenchmarkFunctions(b *testing.B) {
	db, ctx, positions := open(b)
	for _, f := range []string{"hash = hash_of('8/8/8/8/8/8/8/K1k5 w - - 0 1')", "board_like(board, '*/*/*/*/????P*/*/*/*')", "board_like_any(board, 'PP/.N')",
		"has_material(board, 'KRPkr')", "piece_at(board, 'e4') = 'P'", "fen(board) = ''", "san(board, move) = ''"} {
		name, _, _ := strings.Cut(f, "(")
		b.Run(strings.ReplaceAll(name, " ", ""), func(b *testing.B) {
			for b.Loop() {
				r, err := db.Query(ctx, "SELECT count(*) FROM p WHERE "+f)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.All(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(positions.Rows()), "ns/row")
		})
	}
}
