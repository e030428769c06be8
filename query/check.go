package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/marcboeker/go-duckdb"

	"kifu/internal/edits"
	"kifu/internal/lists"
	"kifu/internal/pattern"
	"kifu/query/syntax"
)

// parse returns the SELECT statements of a text as trees. Other statements and syntax
// errors are errors.
func (db *DB) parse(ctx context.Context, text string) ([]syntax.Tree, error) {
	var raw string
	if err := db.conn.QueryRowContext(ctx, "SELECT json_serialize_sql(?::VARCHAR)::VARCHAR", text).Scan(&raw); err != nil {
		return nil, clean(err)
	}
	return syntax.Decode(raw, text)
}

// check refuses a text that is not one SELECT over what is attached, by the functions that there are, or
// that DuckDB without files does not bind; and makes the functions of players that it calls.
func (db *DB) check(ctx context.Context, text string) ([]syntax.Tree, error) {
	statements, err := db.parse(ctx, text)
	if err != nil {
		return nil, err
	}
	if len(statements) != 1 {
		return nil, fmt.Errorf("%d statements: want one", len(statements))
	}
	if err := db.permitted(ctx, statements[0]); err != nil {
		return nil, err
	}
	if err := db.try(ctx, text); err != nil {
		return nil, err
	}
	return statements, db.bindPlayers(ctx, statements[0])
}

// permitted looks at all that a statement names: tables, functions, types; and makes the functions.
func (db *DB) permitted(ctx context.Context, statement syntax.Tree) (err error) {
	attached := db.names()
	known, called := attached, map[string]bool{}
	syntax.Walk(statement, func(n syntax.Tree) {
		for _, key := range syntax.Keys(n["cte_map"]) {
			// Outside of where it is defined the name of a file, or of a view of DuckDB's own, would be read as one.
			if !tableName().MatchString(key) || views()[strings.ToLower(key)] {
				err = fmt.Errorf("a table of WITH cannot be named %q: use letters, digits and _", key)
			}
			known = append(known, strings.ToLower(key))
		}
	})
	syntax.Walk(statement, func(n syntax.Tree) {
		if err == nil {
			err = db.node(n, attached, known)
		}
		if name, is := n["function_name"].(string); is {
			called[strings.ToLower(name)] = true
		}
	})
	if err == nil {
		err = syntax.Bounded(statement)
	}
	if err == nil {
		_, err = db.behind(ctx)
	}
	if err != nil {
		return err
	}
	return db.ready(ctx, called)
}

// tableKinds are the kinds of tables in FROM.
var tableKinds = []string{"BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY", "SHOW_REF", "PIVOT"}

// node looks at one node of a statement.
func (db *DB) node(n syntax.Tree, attached, known []string) error {
	kind, _ := n["type"].(string)
	if _, is := n["sample"]; is && n["class"] == nil && !strings.HasSuffix(kind, "_NODE") && !slices.Contains(tableKinds, kind) {
		return fmt.Errorf("a query cannot use %s", kind)
	}
	if castType, is := n["cast_type"].(syntax.Tree); is {
		if err := syntax.Sized(castType); err != nil {
			return err
		}
	}
	switch {
	case kind == "TABLE_FUNCTION":
		f, _ := n["function"].(syntax.Tree)
		name := syntax.Lower(f["function_name"])
		if !tableFunctions[name] && db.gamesOf(name) == nil || syntax.Lower(f["schema"])+syntax.Lower(f["catalog"]) != "" {
			return fmt.Errorf("a query reads only the datasets that are named with it, not %s(…)", name)
		}
	case kind == "BASE_TABLE":
		name, _ := n["table_name"].(string)
		if schema := syntax.Lower(n["schema_name"]); schema == "main" {
			known = attached
		} else if schema != "" {
			return db.noTable(schema + "." + name)
		}
		if syntax.Lower(n["catalog_name"]) != "" || !slices.Contains(known, strings.ToLower(name)) {
			return db.noTable(name)
		}
	case kind == "SHOW_REF":
		quoted, _ := n["table_name"].(string)
		name := strings.TrimPrefix(strings.ToLower(quoted), `"main".`)
		if n["query"] == nil && !slices.ContainsFunc(attached, func(a string) bool { return QuoteName(a) == name }) {
			return db.noTable(strings.Trim(quoted, `"`))
		}
	case n["function_name"] != nil:
		return db.callable(n)
	}
	return nil
}

var tableName = pattern.Of(`^[\p{L}_][\p{L}\p{N}_]*$`)

func (db *DB) noTable(name string) error {
	if len(db.views) == 0 {
		return fmt.Errorf("no dataset %s: none is named", name)
	}
	names := db.names()
	if near, ok := edits.Nearest(name, names); ok {
		return fmt.Errorf("no dataset %s: did you mean %s?", name, near)
	}
	return fmt.Errorf("no dataset %s; there is %s", name, strings.Join(names, ", "))
}

// names returns the names of the views, in lower case as SQL compares them.
func (db *DB) names() []string {
	return lists.Of(db.views, func(v view) string { return strings.ToLower(v.name) })
}

var (
	noColumn      = pattern.Of(`(?:Referenced column|does not have a column named) "([^"]+)"`)
	noColumnTable = pattern.Of(`Table "([^"]+)" does not have a column named "([^"]+)"`)
	excerpt       = pattern.Of(`(?s)\n+LINE \d+:.*`)
)

// explain rewords DuckDB's messages: the nearest column of the
// datasets for one that is not there.
func (db *DB) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := err.Error()
	m := noColumn().FindStringSubmatch(text)
	if m == nil {
		return clean(err)
	}
	table := ""
	if t := noColumnTable().FindStringSubmatch(text); t != nil {
		table = t[1]
	}
	return db.noColumn(m[1], table)
}

// noColumn returns the error for a column that no attached dataset has, or not the one that
// table names. It begins with the dataset in which a near name was found.
func (db *DB) noColumn(name, table string) error {
	var candidates []string
	var in, places []string
	for _, v := range db.views {
		if table != "" && !strings.EqualFold(v.name, table) {
			continue
		}
		place := fmt.Sprintf("%s (%s)", v.name, v.dir.Path)
		places = append(places, place)
		for _, c := range v.dir.Table.Columns {
			candidates, in = append(candidates, c.Name), append(in, place)
		}
	}
	if i := slices.Index(candidates, "first_player"); i >= 0 {
		if column := columnOfTag(name); column != "" {
			return fmt.Errorf("%s: no column %s: it is %s (docs/formats/tags.md)", in[i], name, column)
		}
	}
	if near, ok := edits.Nearest(name, candidates); ok {
		return fmt.Errorf("%s: no column %s: did you mean %s?", in[slices.Index(candidates, near)], name, near)
	}
	if len(places) == 1 {
		return fmt.Errorf("%s: no column %s; its columns are %s", places[0], name, strings.Join(candidates, ", "))
	}
	return fmt.Errorf("no column %s in %s", name, strings.Join(places, ", "))
}

// columnOfTag returns which column of games has a tag of records, in words; "" for a name that looks
// like no tag.
func columnOfTag(name string) string {
	if column := columnsOfTags[strings.ToLower(name)]; column != "" {
		return column
	}
	if name[0] >= 'A' && name[0] <= 'Z' && strings.ContainsFunc(name, unicode.IsLower) {
		return "a tag: tags['" + name + "']"
	}
	return ""
}

const (
	eitherPlayer = "first_player or second_player, by who moves first"
	eitherElo    = "first_elo or second_elo, by who moves first"
)

var columnsOfTags = map[string]string{
	"white": eitherPlayer, "black": eitherPlayer, "whiteelo": eitherElo, "blackelo": eitherElo, "utcdate": "date", "year": "date",
	"timecontrol": "time_control", "eco": "opening", "fen": "start_position", "setup": "start_position", "plycount": "ply_count",
}

// fromDriver is the driver's prefix of errors of functions in Go.
const fromDriver = "database/sql/driver: API error: "

// badText reports whether DuckDB has found a text that is not UTF-8.
func badText(err error) bool {
	return strings.Contains(err.Error(), "nvalid string encoding found in Parquet file")
}

// clean strips DuckDB's excerpt of the statement off an error, keeping the message.
func clean(err error) error {
	if err == nil {
		return nil
	}
	var d *duckdb.Error
	if !errors.As(err, &d) {
		return err
	}
	text := excerpt().ReplaceAllString(d.Msg, "")
	text = strings.Replace(text, fromDriver, "", 1)
	kind, message, found := strings.Cut(text, " Error: ")
	switch {
	case !found:
		message = text
	case kind == "Out of Memory":
		message = "out of memory: " + message
	case badText(err):
		message = "a text is not UTF-8: kifu check names its part, row and column"
	}
	message = strings.ReplaceAll(strings.TrimSpace(message), "\n", " ")
	if r := []rune(message); len(r) > 1 && !unicode.IsUpper(r[1]) {
		message = string(unicode.ToLower(r[0])) + string(r[1:])
	}
	return errors.New(message)
}
