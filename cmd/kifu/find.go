package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/query/find"
	"kifu/query/format"
)

// findFlags are the flags of kifu find.
type findFlags struct {
	fen, moves, material, pattern, sql string
	when, without                      string
	then                               []string
	within                             int
	sameSide                           bool
	who                                chosen.Players
	dates                              command.DateFlags
	any, letters                       bool
	games, replies                     int
	out                                string
}

func findCommand(mk *command.Maker) *cobra.Command {
	var f findFlags
	cmd := &cobra.Command{
		Use:   "find --fen FEN|--moves MOVES|--material PIECES|--pattern PATTERN|--when CONDITION DATASET [GAMES]",
		Short: "Find the games that reach a position, and what was played there",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return command.Usagef("%d arguments; want games, positions or labels, the latter two optionally with their games", len(args))
			}
			return nil
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if f.fen == "" && f.moves == "" && f.position() == "" && f.sql == "" && f.who == (chosen.Players{}) && f.dates.Condition() == "" {
				return command.Usagef("nothing to find: give --fen, --moves, --material, --pattern, --when, --sql, --player or --from")
			}
			switch {
			case f.out == "-":
				return command.Usagef("--out -: kifu find prints its tables there: name a file")
			case f.any && f.position() == "" && len(f.then) == 0:
				return command.Usagef("--any needs --pattern, --when or --then")
			case len(f.then) == 0 && (f.without != "" || f.sameSide || cmd.Flags().Changed("within")):
				return command.Usagef("--within, --without and --same-side need --then")
			case f.within < 1:
				return command.Usagef("--within %d: want 1 or more plies", f.within)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.find(cmd.Context(), mk, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.fen, "fen", "", "find the position `FEN`, as the game writes positions")
	flags.StringVar(&f.moves, "moves", "", "find the position after `MOVES` from the start or --fen: 'e4 c5', f5d6c3")
	flags.StringVar(&f.material, "material", "", "find positions with exactly these `PIECES`: KRPkr")
	flags.StringVar(&f.pattern, "pattern", "", "find positions that match `PATTERN`, as in board_like")
	flags.StringVar(&f.when, "when", "", "find positions where the SQL `CONDITION` holds: 'fork and ply < 40'")
	flags.StringArrayVar(&f.then, "then", nil, "require a later position where `CONDITION` holds; repeatable, in order")
	flags.IntVar(&f.within, "within", 1, "look for --then in the next `N` plies")
	flags.StringVar(&f.without, "without", "", "require that `CONDITION` holds nowhere in between")
	flags.BoolVar(&f.sameSide, "same-side", false, "match --then only with the same side to move")
	flags.BoolVar(&f.any, "any", false, "also find mirror images of --pattern, and positions with sides exchanged")
	flags.StringVar(&f.sql, "sql", "", "select rows of the dataset by an SQL `CONDITION`")
	f.who.Declare(flags, "only games of `NAME`, in full or in part; * is any text")
	command.DeclareDates(flags, &f.dates.From, &f.dates.To)
	flags.IntVar(&f.games, "games", 10, "list `N` games")
	flags.IntVar(&f.replies, "replies", 12, "list `N` moves played")
	flags.BoolVar(&f.letters, "letters", false, "write pieces as Latin letters")
	flags.StringVar(&f.out, "out", "", "write all games to `FILE`: .csv, .json, .md, .tex or .arrow")
	return cmd
}

// findings are the matches so far.
type findings struct {
	opening string // the name of the position, "" for none
	what    string // that counts counts
	games   int64
	hits    []find.Hit // of a tree some to look at, else all
	replies find.Replies
	lines   string // name of the first player where replies are lines near a pattern; "": they are moves
	moved   string // the point at which lines show a pattern that may be anywhere
	counts  manifest.Counts
	elapsed time.Duration
}

func (f *findings) add(h find.Hit) error {
	f.games++
	f.hits = append(f.hits, h)
	if f.lines != "" {
		f.replies.AddLine(h, f.lines)
	} else {
		f.replies.Add(h)
	}
	return nil
}

// find looks for positions in games by replaying them, in others by SQL.
func (f findFlags) find(ctx context.Context, mk *command.Maker, args []string) error {
	in, g, err := mk.OpenGame(args[0], "")
	if err != nil {
		return err
	}
	q, same, name, err := f.query(g)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := format.Check(formatOf(f.out)); err != nil {
			return command.Misused(err)
		}
		if err := mk.MayWrite(f.out); err != nil {
			return err
		}
	}
	of := in
	if len(args) == 2 {
		if of, err = mk.Open(args[1], "games"); err != nil {
			return err
		}
		if err := datasets.CheckTogether(in, of); err != nil {
			return err
		}
	}
	if in.Table.Name == "tree" && of != in && (f.sql != "" || !f.inTree(same, in)) {
		in = of // the games have what the tree does not
	}
	result := &findings{opening: name, what: "rows", replies: find.Replies{Same: same}}
	if q.Near != nil {
		result.lines, result.moved = g.Boards.Layout().Sides[games.First], q.Near.Pattern.Moved(g.Boards.Layout())
	}
	begun := time.Now()
	if in.Table.Name != "tree" {
		if err := f.findPlayer(ctx, mk, &q, of); err != nil {
			return err
		}
	}
	switch {
	case in.Table.Name == "tree":
		err = f.findInTree(ctx, mk, g, same, in, result)
	case in.Table.Name == "games":
		result.what = "games"
		err = f.findInGames(ctx, mk, g, q, in, result)
	case in.Table.Index("board") >= 0 && in.Table.Index("hash") >= 0:
		err = f.findInRows(ctx, mk, g, q, in, result)
	default:
		err = fmt.Errorf("%s holds %s: want games, trees, positions or labels", in.Path, in.Table.Name)
	}
	if err != nil {
		return err
	}
	result.elapsed = time.Since(begun)
	return f.printFound(ctx, mk, g, of, result)
}

// query returns what is wanted but for its conditions; if it is a position, same begins with it, the name of its opening is
// returned, and positions follow that the symmetries of the board make equal to it.
func (f findFlags) query(g command.Game) (q find.Query, same []board.Board, opening string, err error) {
	if f.fen != "" || f.moves != "" {
		at, err := g.Boards.Start("", f.fen)
		if err != nil {
			return q, nil, "", command.Usagef("--fen %s: %v", f.fen, err)
		}
		opening = openingOn(at, f.moves)
		if at, _, err = playMoves(at, f.moves); err != nil {
			return q, nil, "", err
		}
		if same = []board.Board{at}; at.Layout().Symmetric {
			same = board.Alike(g.Boards, at)
		}
		q.Hashes = lists.Of(same, board.Board.Hash)
	}
	if _, err := board.ParseMaterial(g.Boards, f.material); err != nil {
		return q, nil, "", command.Usagef("--material: %v", err)
	}
	if f.pattern != "" {
		p, err := board.ParsePattern(g.Boards, f.pattern)
		if err != nil {
			return q, nil, "", command.Usagef("--pattern: %v", err)
		}
		if f.patternAlone() && same == nil && g.Boards.Layout().Symmetric {
			q.Near = &find.Near{Pattern: p, Every: f.any}
		}
	}
	q.Sequence = find.Sequence{Steps: 1 + len(f.then), Within: f.within, SameSide: f.sameSide, Without: f.without != ""}
	q.Exchanged = f.any && !f.patternAlone()
	return q, same, opening, nil
}

// patternAlone reports whether --pattern is the only condition on positions, which has more mirror images than
// there are ways to exchange the sides.
func (f findFlags) patternAlone() bool {
	return f.pattern != "" && f.material+f.when+f.without == "" && len(f.then) == 0
}

// position is the condition on a position that the flags put together, "" for none.
func (f findFlags) position() string {
	var all []string
	if f.when != "" { // the cheapest first
		all = append(all, "("+f.when+"\n)")
	}
	if f.material != "" {
		all = append(all, "has_material(board, "+query.QuoteText(f.material)+")")
	}
	if f.pattern != "" {
		function := "board_like"
		if f.any && f.patternAlone() {
			function = "board_like_any"
		}
		all = append(all, function+"(board, "+query.QuoteText(f.pattern)+")")
	}
	return strings.Join(all, " AND ")
}

// conditions are the conditions of a find.Sequence.
func (f findFlags) conditions() []string {
	all := append([]string{cmp.Or(f.position(), "true")}, f.then...)
	if f.without != "" {
		all = append(all, f.without)
	}
	return all
}

// openingOn returns the name of the opening that moves from a position lead to: of the last of
// their positions that has one. Moves that cannot be played end it.
func openingOn(at board.Board, moves string) (name string) {
	words := board.Words(at, moves)
	for i := range len(words) + 1 {
		b, _, err := playWords(at, words[:i])
		if err != nil {
			break
		}
		name = cmp.Or(b.Opening(""), name)
	}
	return name
}

// findPlayer leaves the games of --player, --against, --from and --to, if they are given.
func (f findFlags) findPlayer(ctx context.Context, mk *command.Maker, q *find.Query, of *datasets.Dir) error {
	games, err := f.who.Games(ctx, mk, of, f.dates)
	q.Games = chosen.Both(q.Games, games)
	return err
}

func (f findFlags) findInGames(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, result *findings) error {
	if f.sql != "" {
		ids, err := chosen.IDs(ctx, mk, in, "SELECT game_id FROM g WHERE ("+f.sql+"\n)")
		if err != nil {
			return fmt.Errorf("--sql: %w", err)
		}
		q.Games = chosen.Both(q.Games, chosen.Set(ids))
	}
	if f.position() != "" || len(f.then) > 0 {
		db, err := query.Open(ctx, query.Options{Threads: 1})
		if err != nil {
			return err
		}
		defer db.Close()
		for _, text := range f.conditions() {
			n, err := db.Parse(ctx, text)
			if err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
			q.Conditions = append(q.Conditions, n)
		}
	}
	var err error
	result.counts, err = g.Find(ctx, q, mk.Workers, in, result.add)
	return err
}

// findInRows asks positions or labels. Checksums are not compared: of positions sorted by
// hash nearly nothing is read, which needs no database.
func (f findFlags) findInRows(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, result *findings) error {
	result.counts.Read = in.Rows()
	take := func(h find.Hit) error {
		if q.Games != nil && !q.Games(h.Game) {
			return nil
		}
		return result.add(h)
	}
	if q.Exchanged {
		return command.Usagef("--any with conditions needs games, not %s", in.Table.Name)
	}
	if q.Hashes != nil && f.sql+f.position() == "" && len(f.then) == 0 && !remote.Is(in.Path) && find.HasRows(in.Table) {
		if found, err := find.Sorted(ctx, g.Boards, q.Hashes, in, take); found || err != nil {
			return err
		}
	}
	return f.findBySQL(ctx, mk, g, q, in, take)
}

// findBySQL asks which conditions hold in each row, and takes the first row of each game that begins what is looked for.
func (f findFlags) findBySQL(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, take func(find.Hit) error) error {
	conditions := f.conditions()
	if q.Hashes != nil {
		conditions[0] += " AND " + oneOf(q.Hashes)
	}
	if f.sql != "" {
		conditions[0] += " AND (" + f.sql + "\n)"
	}
	var holds, some []string
	for i, c := range conditions {
		holds = append(holds, fmt.Sprintf("coalesce((%s\n)::BOOLEAN, false) AS condition_%d", c, i))
		some = append(some, fmt.Sprintf("condition_%d", i))
	}
	first := ""
	if len(conditions) == 1 {
		first = "QUALIFY row_number() OVER (PARTITION BY game_id ORDER BY ply) = 1"
	}
	asked := `SELECT game_id, ply, first_to_move, board, coalesce(move, ''), coalesce(result, ''), hash, ` + strings.Join(some, ", ") + ` FROM (
		SELECT game_id, ply, first_to_move, board, move, result, hash, ` + strings.Join(some, ", ") + `
		FROM (SELECT game_id, ply, first_to_move, board, move, result, hash, ` + strings.Join(holds, ", ") + ` FROM d)
		WHERE ` + strings.Join(some, " OR ") + ` ` + first + `)`
	if q.Near != nil { // which has one condition
		asked = "WITH found AS MATERIALIZED (" + asked + ") SELECT found.*, moves, movers FROM found LEFT JOIN (" + playedAfter + ") USING (game_id)"
	}
	_, rows, err := rowsOf(ctx, mk, in, asked+" ORDER BY game_id, ply")
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		game := rows[:1]
		for len(game) < len(rows) && rows[len(game)][0] == game[0][0] {
			game = rows[:len(game)+1]
		}
		rows = rows[len(game):]
		if row := firstRow(q.Sequence, game); row != nil {
			h := find.Hit{Game: row[0].(int64), Ply: int32(row[1].(int64)), FirstToMove: row[2].(bool), Result: games.OutcomeNamed(row[5].(string)), Hash: row[6].(uint64)}
			if err := readRow(&h, g, q, row); err != nil {
				return fmt.Errorf("%s: game_id %d: %w", in.Path, h.Game, err)
			}
			if err := take(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// oneOf is the condition that a row has one of some positions.
func oneOf(hashes []uint64) string {
	return "hash IN (" + strings.Join(lists.Of(hashes, func(h uint64) string { return strconv.FormatUint(h, 10) }), ", ") + ")"
}

// playedAfter has the moves of the games from the position that was found on, and for each 1 if the first player made it: as far as
// the dataset has all positions.
const playedAfter = `SELECT game_id, string_agg(move, ' ' ORDER BY ply) AS moves, string_agg(first_to_move::INTEGER::VARCHAR, '' ORDER BY ply) AS movers
	FROM (SELECT d.game_id, d.ply, d.move, d.first_to_move, d.ply - found.ply AS after, row_number() OVER (PARTITION BY d.game_id ORDER BY d.ply) - 1 AS number
		FROM d JOIN found ON d.game_id = found.game_id AND d.ply >= found.ply)
	WHERE after = number GROUP BY game_id`

// readRow sets what h has of the move in a row and of those after it.
func readRow(h *find.Hit, g command.Game, q find.Query, row []any) error {
	packed := row[3].([]byte)
	if err := h.Read(g.Boards, packed, row[4].(string)); err != nil || q.Near == nil {
		return err
	}
	moves, _ := row[len(row)-2].(string) // null after the last move
	movers, _ := row[len(row)-1].(string)
	sides := make([]games.Side, len(movers))
	for i := range sides {
		if movers[i] == '0' {
			sides[i] = games.Second
		}
	}
	return h.Follow(g.Boards, packed, q.Near, strings.Fields(moves), sides)
}

// firstRow returns the row with which a sequence begins in the rows of a game, which are in the order of their
// plies; nil without one.
func firstRow(s find.Sequence, rows [][]any) []any {
	const before = 7 // columns before the conditions
	at := lists.By(rows, func(row []any) int { return int(row[1].(int64)) })
	last := int(rows[len(rows)-1][1].(int64))
	ply, ok := s.First(func(ply int) bool { return ply <= last }, func(condition, ply int) bool {
		row := at[ply]
		return row != nil && row[before+condition].(bool)
	})
	if !ok {
		return nil
	}
	return at[ply]
}
