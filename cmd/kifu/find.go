package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/lists"
	tables "kifu/internal/table"
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
	who                                playersFlags
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
			if f.fen == "" && f.moves == "" && f.position() == "" && f.sql == "" && f.who == (playersFlags{}) && f.dates.Condition() == "" {
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
	f.who.declare(flags, "only games of `NAME`, in full or in part; * is any text")
	command.DeclareDates(flags, &f.dates.From, &f.dates.To)
	flags.IntVar(&f.games, "games", 10, "list `N` games")
	flags.IntVar(&f.replies, "replies", 12, "list `N` moves played")
	flags.BoolVar(&f.letters, "letters", false, "write pieces as Latin letters")
	flags.StringVar(&f.out, "out", "", "write all games to `FILE`: .csv, .json, .md, .tex or .arrow")
	return cmd
}

// found holds the matches so far.
type found struct {
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

func (f *found) add(h find.Hit) error {
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
	result := &found{opening: name, what: "rows", replies: find.Replies{Same: same}}
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
	games, err := f.who.chosenGames(ctx, mk, of, f.dates)
	q.Games = both(q.Games, games)
	return err
}

func (f findFlags) findInGames(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, result *found) error {
	if f.sql != "" {
		ids, err := gameIDs(ctx, mk, in, "SELECT game_id FROM g WHERE ("+f.sql+"\n)")
		if err != nil {
			return fmt.Errorf("--sql: %w", err)
		}
		q.Games = both(q.Games, setOf(ids))
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
func (f findFlags) findInRows(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, result *found) error {
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

// printFound prints how many games there are, what was played in them, and the first of them.
func (f findFlags) printFound(ctx context.Context, mk *command.Maker, g command.Game, of *datasets.Dir, result *found) error {
	same := result.replies.Same
	if same != nil {
		fmt.Fprintf(mk.Stdout, "%s\n", same[0].AppendText(nil))
	}
	if result.opening != "" {
		fmt.Fprintf(mk.Stdout, "%s\n", result.opening)
	}
	line := "in " + command.Units(result.games, "games")
	if result.what == "games" && result.counts.Read > 0 && of.Rows() == result.counts.Read {
		line += " of " + human.Grouped(of.Rows())
	}
	if r := command.Reasons(result.counts.Rejected); r != "" {
		line += "; left out " + r
	}
	if len(same) > 1 {
		line += "; turned and mirrored boards are one position"
	}
	if result.moved != "" {
		line += "; the pattern is shown from " + result.moved + " on"
	}
	fmt.Fprintln(mk.Stdout, line)
	fmt.Fprintf(mk.Stderr, "%s in %v\n", command.Units(result.counts.Read, result.what), result.elapsed.Round(time.Millisecond))
	if result.games == 0 {
		f.suggestPattern(mk, g)
		return nil
	}
	sides := g.Boards.Layout().Sides
	if f.replies > 0 {
		fmt.Fprint(mk.Stdout, "\n"+f.repliesTable(result, upper(sides)).Plain())
	}
	if f.games > 0 && len(result.hits) > 0 {
		t, err := f.gamesTable(ctx, mk, of, result.hits[:min(f.games, len(result.hits))], g.Boards.Layout(), sides)
		if err != nil {
			return err
		}
		fmt.Fprint(mk.Stdout, "\n"+t.Plain())
	}
	if f.out == "" {
		return nil
	}
	write, err := format.Writer(formatOf(f.out))
	if err != nil {
		return err
	}
	return writeHits(mk, f.out, write, result.hits)
}

// suggestPattern prints how to find the board of --fen alone, which may leave out castling rights or hands.
func (f findFlags) suggestPattern(mk *command.Maker, g command.Game) {
	placement, _, _ := strings.Cut(f.fen, " ")
	if placement == "" || f.moves != "" {
		return
	}
	if _, err := board.ParsePattern(g.Boards, placement); err == nil {
		fmt.Fprintf(mk.Stderr, "the side to move and all else in the line above must be the same; --pattern '%s' finds the board alone\n", placement)
	}
}

// upper returns the names of the sides as heads of columns.
func upper(sides [2]string) [2]string {
	return [2]string{strings.ToUpper(sides[0]), strings.ToUpper(sides[1])}
}

// repliesTable lists what was played, the rest in one line; lines near a pattern as a tree.
func (f findFlags) repliesTable(result *found, sides [2]string) tables.Table {
	t := tables.Table{Head: []tables.Cell{tables.Text("MOVE"), tables.Number("GAMES"), tables.Number("SHARE"),
		tables.Number(sides[0]), tables.Number("DRAW"), tables.Number(sides[1]), tables.Number("SCORE")}}
	all := result.replies.All()
	listed := all[:min(f.replies, len(all))]
	if result.lines != "" {
		listLines(&t, listed, "", result.games)
		return t
	}
	for _, r := range listed {
		t.Rows = append(t.Rows, replyRow(cmp.Or(f.text(r.Written), "(the end)"), r, result.games))
	}
	var rest int64
	for _, r := range all[len(listed):] {
		rest += r.Games
	}
	if rest > 0 {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("(%d others)", len(all)-f.replies), human.Grouped(rest), human.Percent(float64(rest)/float64(result.games), 1), "", "", "", ""})
	}
	return t
}

// text returns a move as --letters asks for it.
func (f findFlags) text(w find.Written) string {
	if f.letters {
		return w.Move
	}
	return w.Shown
}

// listLines appends the lines that go on after one that games games have, each followed by those that go on after it.
func listLines(t *tables.Table, all []find.Reply, after string, games int64) {
	for _, r := range all {
		before, word := "", r.Move
		if i := strings.LastIndexByte(r.Move, ' '); i >= 0 {
			before, word = r.Move[:i], r.Move[i+1:]
		}
		switch {
		case before != after:
		case word == "":
			row := replyRow("(elsewhere)", r, games)
			row[len(row)-1] = "" // no side moved
			t.Rows = append(t.Rows, row)
		default:
			depth := strings.Count(r.Move, " ")
			t.Rows = append(t.Rows, replyRow(strings.Repeat("  ", depth)+word[:1]+" "+word[1:], r, games))
			listLines(t, all, r.Move, r.Games)
		}
	}
}

// replyRow is the row of a reply in positions that games games have.
func replyRow(move string, r find.Reply, games int64) []string {
	score := ""
	if s, ok := r.Score(); ok {
		score = human.Percent(s, 1)
	}
	return []string{move, human.Grouped(r.Games), human.Percent(float64(r.Games)/float64(games), 1),
		human.Grouped(r.First), human.Grouped(r.Draw), human.Grouped(r.Second), score}
}

// gamesTable lists games with their players, where the games are known.
func (f findFlags) gamesTable(ctx context.Context, mk *command.Maker, of *datasets.Dir, hits []find.Hit, on *games.Layout, sides [2]string) (tables.Table, error) {
	t := tables.Table{Head: []tables.Cell{tables.Number("GAME"), tables.Number("PLY"), tables.Text("MOVE"), tables.Text("RESULT")}}
	var names map[int64][]string
	if of.Table.Name == "games" {
		heads := upper(sides)
		t.Head = append(t.Head, tables.Text(heads[0]), tables.Text(heads[1]), tables.Text("DATE"), tables.Text("EVENT"))
		var err error
		if names, err = gameLines(ctx, of, hits); err != nil {
			return t, err
		}
	}
	for _, h := range hits {
		move := f.text(h.Written)
		row := []string{fmt.Sprint(h.Game), fmt.Sprint(h.Ply), move, winner(h.Result, sides)}
		if on.Pairs && move != "" && h.Ply != noPly {
			mover := games.First
			if !h.FirstToMove {
				mover = games.Second
			}
			row[2] = on.MoveNumber(int(h.Ply), mover) + " " + move
		}
		if h.Ply == noPly {
			row[1] = ""
		}
		if names != nil {
			extra := names[h.Game]
			if extra == nil {
				return t, fmt.Errorf("%s has no game %d: these are not the games of the positions", of.Path, h.Game)
			}
			row = append(append(row[:3], winner(games.OutcomeNamed(extra[0]), sides)), extra[1:]...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// lineColumns are the columns of games that gameLines returns.
var lineColumns = []string{"result", "first_player", "second_player", "date", "event"}

// gameLines returns the line of each game that was found.
func gameLines(ctx context.Context, of *datasets.Dir, hits []find.Hit) (map[int64][]string, error) {
	names := map[int64][]string{}
	return names, datasets.Lookup(ctx, of, lists.Of(hits, func(h find.Hit) int64 { return h.Game }), lineColumns, func(b *columns.Batch) error {
		for i, game := range b.Col("game_id").Int64 {
			names[game] = lists.Of(lineColumns, func(name string) string { return string(b.Col(name).Value(i)) })
		}
		return nil
	})
}

// writeHits writes all games that were found.
func writeHits(mk *command.Maker, out string, write format.Func, hits []find.Hit) error {
	rows := make([][]any, len(hits))
	for i, h := range hits {
		rows[i] = []any{h.Game, int64(h.Ply), h.FirstToMove, orNull(h.Move), orNull(h.Result.String())}
	}
	columns := []query.Column{{Name: "game_id", Type: "BIGINT"}, {Name: "ply", Type: "BIGINT"}, {Name: "first_to_move", Type: "BOOLEAN"},
		{Name: "move", Type: "VARCHAR"}, {Name: "result", Type: "VARCHAR"}}
	if err := mk.WriteFile(out, func(w io.Writer) error { return write(w, query.NewResult(columns, rows)) }); err != nil {
		return err
	}
	mk.Announce(out, command.Units(int64(len(hits)), "games"))
	return nil
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// noPly is the ply of games of a tree, which has none.
const noPly = -1
