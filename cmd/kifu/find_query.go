package main

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/query/find"
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

// query returns what is wanted but for its conditions; if it is a position, same begins with it, the name of its opening is
// returned, and positions follow that the symmetries of the board make equal to it. Moves are played from start.
func (f findFlags) query(g command.Game, start string) (q find.Query, same []board.Board, opening string, err error) {
	if f.fen != "" || f.moves != "" {
		at, err := g.Boards.Start("", start)
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

// usualStart returns the position from which most games begin where none has the game's usual start, as on a small board of Go;
// else "".
func usualStart(ctx context.Context, mk *command.Maker, g command.Game, in *datasets.Dir) (string, error) {
	usual, err := g.Boards.Start("", "")
	if err != nil {
		return "", err
	}
	for _, from := range []string{"(SELECT variant, start_position FROM d LIMIT 10000)", "d"} { // some games show it at once
		_, rows, err := command.Rows(ctx, mk, in, "SELECT coalesce(variant, ''), coalesce(start_position, ''), count(*)::BIGINT FROM "+from+" GROUP BY ALL ORDER BY 3 DESC, 1, 2")
		if err != nil {
			return "", err
		}
		n, all, texts := map[uint64]int64{}, int64(0), map[uint64]string{}
		for _, row := range rows {
			b, err := g.Boards.Start(row[0].(string), row[1].(string))
			if err != nil {
				continue // such games are rejected when they are replayed
			}
			if b.Hash() == usual.Hash() {
				return "", nil
			}
			if n[b.Hash()] == 0 {
				texts[b.Hash()] = string(b.AppendText(nil))
			}
			n[b.Hash()] += row[2].(int64)
			all += row[2].(int64)
		}
		for hash, games := range n {
			if from == "d" && 2*games > all {
				return texts[hash], nil
			}
		}
	}
	return "", nil
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

// checkConditions looks for errors in the conditions as the user gave them, before they become parts of others. Conditions on the
// positions of games have no columns here: the replay checks their names.
func (f findFlags) checkConditions(ctx context.Context, in *datasets.Dir) error {
	of := lists.Of(f.then, func(text string) query.Named { return query.Named{Name: "--then", SQL: text} })
	of = append(of, query.Named{Name: "--when", SQL: f.when}, query.Named{Name: "--without", SQL: f.without}, query.Named{Name: "--sql", SQL: f.sql})
	of = slices.DeleteFunc(of, func(n query.Named) bool { return n.SQL == "" })
	if len(of) == 0 {
		return nil
	}
	db, err := query.Open(ctx, query.Options{Threads: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Attach(ctx, in.Table.Name, in); err != nil {
		return err
	}
	for _, n := range of {
		if in.Table.Name == "games" && n.Name != "--sql" {
			err = db.One(ctx, n)
		} else {
			err = db.Condition(ctx, in, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// oneOf is the condition that a row has one of some positions.
func oneOf(hashes []uint64) string {
	return "hash IN (" + strings.Join(lists.Of(hashes, func(h uint64) string { return strconv.FormatUint(h, 10) }), ", ") + ")"
}

// findings are the matches so far.
type findings struct {
	opening string // the name of the position, "" for none
	what    string // that counts counts
	games   int64
	hits    []find.Hit // of a tree some to look at, else all
	replies find.Replies
	lines   string         // name of the first player where replies are lines near a pattern; "": they are moves
	near    *board.Pattern // of lines
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

// noPly is the ply of games of a tree, which has none.
const noPly = -1
