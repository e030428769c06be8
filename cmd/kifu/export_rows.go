package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/export"
	"kifu/query"
)

// choiceFlags choose the rows that are written, and their order.
type choiceFlags struct {
	ids, where, by string
	without        []string
	who            chosen.Players
	dates          command.DateFlags
	top            int
}

func (f *choiceFlags) declare(flags *pflag.FlagSet) {
	flags.StringVar(&f.ids, "ids", "", "select games by an `SQL` query for game_id over the view g, or by a CSV or Parquet file")
	flags.StringSliceVar(&f.without, "without", nil, "skip the games in `DIR|FILE`: kifu duplicates, or a table with game_id")
	flags.StringVar(&f.where, "where", "", "select rows by an SQL `CONDITION` over columns and boards")
	f.who.Declare(flags, "only games of `NAME`, or positions of them if GAMES are named; * is any text")
	command.DeclareDates(flags, &f.dates.From, &f.dates.To)
	flags.IntVar(&f.top, "top", 0, "write only the first `N` rows in the order of --by")
	flags.StringVar(&f.by, "by", "", "order by `COLUMN` or an expression, highest first (-COLUMN: lowest first)")
}

// candidate is a row of one of the sources that may be written. Rows come by their keys, the highest
// first, and of equal keys in the order of the datasets.
type candidate struct {
	source int
	row    int64
	key    float64
	more   *[wordKeys - 1]float64 // of words: the keys after the first bytes; else nil
}

// Words are ordered by their first bytes, in several keys of as many bytes as a number keeps exactly.
const (
	wordKeys    = 8
	bytesPerKey = 6
)

// before orders candidates: the highest key first.
func (c candidate) before(d candidate) int {
	if by := cmp.Compare(d.key, c.key); by != 0 || c.more == nil || d.more == nil {
		return by
	}
	return slices.Compare(d.more[:], c.more[:])
}

// wordKeysOf returns expressions for the keys of words, negative so that A comes before B.
func wordKeysOf(by string) (all []query.Named) {
	for i := range wordKeys {
		all = append(all, query.Named{Name: "--by", SQL: fmt.Sprintf("coalesce(-('0x' || rpad(substr(hex(encode((%s\n))), %d, %d), %[3]d, '0'))::BIGINT::DOUBLE, 0)",
			by, 2*bytesPerKey*i+1, 2*bytesPerKey)})
	}
	return all
}

// set sets which rows of the sources are written, and in which order.
func (f choiceFlags) set(ctx context.Context, mk *command.Maker, sources []export.Source, games *datasets.Dir, some bool) error {
	file := some && command.IsTableFile(mk.Files, f.ids)
	if file && len(sources) > 1 {
		return command.Usagef("--ids %s: the command line names %d datasets: name one", f.ids, len(sources))
	}
	for _, path := range f.without {
		if len(sources) > 1 && command.IsTableFile(mk.Files, path) {
			return command.Usagef("--without %s: the command line names %d datasets: name one", path, len(sources))
		}
	}
	ranked := f.by != ""
	var all []candidate
	for i := range sources {
		s := &sources[i]
		of := s.In
		if games != nil {
			of = games
		}
		var ids []int64
		if some {
			var err error
			if ids, err = idsInOrder(ctx, mk, s.In, f.ids, file); err != nil {
				return err
			}
			s.Games = chosen.Set(ids)
		}
		if err := f.games(ctx, mk, s, of); err != nil {
			return err
		}
		inOrder := some && !ranked && s.In.Table.Name == "games" && (file || hasOrder(f.ids))
		rows, err := f.rows(ctx, mk, *s, i)
		if err != nil {
			return err
		}
		switch {
		case inOrder:
			ranked = true
			all = append(all, inOrderOf(ids, rows, f.where != "", i)...)
		case rows != nil || ranked:
			all = append(all, rows...)
		}
	}
	if f.where == "" && !ranked {
		return nil
	}
	setRows(sources, all, ranked, f.top)
	return nil
}

// games restricts a source to the games of --player, --against, --from, --to and --without; of are its games.
func (f choiceFlags) games(ctx context.Context, mk *command.Maker, s *export.Source, of *datasets.Dir) error {
	theirs, err := f.who.Games(ctx, mk, of, f.dates)
	if err != nil {
		return err
	}
	s.Games = chosen.Both(s.Games, theirs)
	if len(f.without) == 0 {
		return nil
	}
	named, err := command.ListedGames(ctx, mk, f.without, of)
	s.Games = chosen.Both(s.Games, func(id int64) bool { return !named(id) })
	return err
}

// idsInOrder returns the game ids of --ids in the order of the query or the file.
func idsInOrder(ctx context.Context, mk *command.Maker, in *datasets.Dir, ids string, file bool) (all []int64, err error) {
	if !file {
		if all, err = chosen.IDs(ctx, mk, in, ids); err != nil {
			err = fmt.Errorf("--ids: %w", err)
		}
		return all, err
	}
	rows, err := command.TableRows(ctx, mk, ids, true, []string{"game_id"})
	if err != nil {
		return nil, err
	}
	if all, err = chosen.IDsIn(rows); err != nil {
		err = fmt.Errorf("%s: %w", ids, err)
	}
	return all, err
}

// inOrderOf returns the games of ids in their order, if where is set those that are among rows.
func inOrderOf(ids []int64, rows []candidate, where bool, source int) (all []candidate) {
	fits := map[int64]bool{}
	for _, r := range rows {
		fits[r.row] = true
	}
	seen := map[int64]bool{}
	for i, id := range ids {
		if !seen[id] && (!where || fits[id]) {
			all = append(all, candidate{source: source, row: id, key: -float64(i)})
			seen[id] = true
		}
	}
	return all
}

// hasOrder reports whether a query orders its rows, outside of brackets and texts.
func hasOrder(sql string) bool {
	depth := 0
	var plain strings.Builder
	for i := 0; i < len(sql); i++ {
		switch c := sql[i]; {
		case c == '\'' || c == '"':
			for i++; i < len(sql) && sql[i] != c; i++ {
			}
			plain.WriteByte('x')
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0:
			plain.WriteByte(c)
		}
	}
	words := strings.Fields(strings.ToLower(plain.String()))
	for i := range len(words) - 1 {
		if words[i] == "order" && words[i+1] == "by" {
			return true
		}
	}
	return false
}

// setRows takes the first rows in the order of their keys, all if top is 0, and has them written in
// this order if they are ranked.
func setRows(sources []export.Source, all []candidate, ranked bool, top int) {
	if ranked {
		slices.SortStableFunc(all, candidate.before)
		if top > 0 {
			all = all[:min(top, len(all))]
		}
	}
	rows, ranks := make([][]int64, len(sources)), make([][]int, len(sources))
	for rank, c := range all {
		rows[c.source] = append(rows[c.source], c.row)
		if ranked {
			ranks[c.source] = append(ranks[c.source], rank)
		}
	}
	for i := range sources {
		sources[i].Rows = export.NewRows(rows[i], ranks[i])
	}
}

// rows returns the rows of the chosen games for which --where holds, with their keys by --by;
// none without either.
func (f choiceFlags) rows(ctx context.Context, mk *command.Maker, s export.Source, source int) ([]candidate, error) {
	if f.where == "" && f.by == "" {
		return nil, nil
	}
	in := s.In
	db, err := query.Open(ctx, query.Options{Threads: mk.Workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := db.Attach(ctx, "g", in); err != nil {
		return nil, err
	}
	condition, keys := "true", []query.Named{{Name: "--by", SQL: "0"}}
	if f.where != "" {
		if err := db.Condition(ctx, in, query.Named{Name: "--where", SQL: f.where}); err != nil {
			return nil, err
		}
		condition = "coalesce((" + f.where + "\n), false)"
	}
	if f.by != "" {
		by := query.Named{Name: "--by", SQL: f.by}
		typ, err := db.Expression(ctx, in, by)
		if err != nil {
			return nil, err
		}
		switch {
		case typ == "VARCHAR":
			keys = wordKeysOf(f.by)
		case typ == "BOOLEAN" || query.IsNumber(typ):
			keys[0].SQL = "coalesce((" + f.by + "\n)::DOUBLE, 0)"
		default:
			return nil, command.Usagef("--by %s: cannot sort by a %s: want a number or a text", f.by, typ)
		}
		condition += " AND (" + f.by + "\n) IS NOT NULL"
	}
	named := append([]query.Named{{Name: "--where", SQL: condition}}, keys...)
	if s.Games != nil {
		named = append(named, query.Named{Name: "game_id", SQL: "game_id"})
	}
	of, err := db.PartColumns(ctx, in, named)
	if err != nil {
		return nil, err
	}
	var rows []candidate
	columns, first := make([][]float64, len(named)), int64(0)
	for part := range in.NumParts() {
		for k := range columns {
			columns[k] = columns[k][:0]
		}
		if err := of.Append(ctx, columns, part); err != nil {
			return nil, err
		}
		for i, x := range columns[0] {
			ids := columns[len(columns)-1] // if there are any
			if x != 1 || s.Games != nil && !s.Games(int64(ids[i])) {
				continue
			}
			c := candidate{source: source, row: first + int64(i), key: columns[1][i]}
			if len(keys) > 1 {
				c.more = new([wordKeys - 1]float64)
				for k := range c.more {
					c.more[k] = columns[2+k][i]
				}
			}
			rows = append(rows, c)
		}
		first += int64(len(columns[0]))
	}
	return rows, nil
}
