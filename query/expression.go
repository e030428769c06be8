package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kifu/datasets"
	"kifu/internal/expression"
	"kifu/internal/pattern"
	"kifu/query/syntax"
)

// Named is an SQL expression over the columns of a dataset, with the name it is given.
type Named struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
	// Wrap is a format, with %s for SQL, of what PartColumns computes; empty: SQL itself. Errors show SQL alone.
	Wrap string `json:"-"`
}

// wrapped is the expression as PartColumns computes it.
func (n Named) wrapped() string {
	if n.Wrap == "" {
		return n.SQL
	}
	return fmt.Sprintf(n.Wrap, n.SQL)
}

var plainName = pattern.Of(`^[\p{L}_][\p{L}\p{N}_ -]*$`)

// ParseNamed reads NAME=SQL arguments. The first = ends the name; names are letters,
// digits, _, - and spaces, each once.
func ParseNamed(args []string) ([]Named, error) {
	var all []Named
	for _, arg := range args {
		name, text, found := strings.Cut(arg, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		switch {
		case !found || text == "":
			return nil, fmt.Errorf("%q: want NAME=SQL, as in 'unsafe=king_safety <= -50'", arg)
		case !plainName().MatchString(name):
			return nil, fmt.Errorf("%q: a name is letters, digits, _, - and spaces: write 'unsafe=king_safety <= -50'", arg)
		}
		for _, n := range all {
			if n.Name == name {
				return nil, fmt.Errorf("%s is named twice", name)
			}
		}
		all = append(all, Named{Name: name, SQL: text})
	}
	return all, nil
}

// about adds n to an error, unless n has no name.
func (n Named) about(err error) error {
	if n.Name == "" {
		return err
	}
	return fmt.Errorf("%s=%s: %w", n.Name, n.SQL, err)
}

// Expression checks that n is one scalar expression over the columns of dir: no
// sub-query, no aggregate, no window, no column that dir lacks. It returns the type
// that DuckDB gives it. Errors begin with the name.
func (db *DB) Expression(ctx context.Context, dir *datasets.Dir, n Named) (typ string, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = n.about(err)
		}
	}()
	v := db.viewOf(dir)
	if v == nil {
		return "", fmt.Errorf("%s is not attached", dir.Path)
	}
	statement, root, err := db.single(ctx, n.SQL)
	if err != nil {
		return "", err
	}
	syntax.Walk(root, func(t syntax.Tree) {
		if name, _ := t["function_name"].(string); err == nil {
			err = oneRow(t["class"], strings.ToLower(name))
		}
	})
	if err == nil {
		err = db.permitted(ctx, statement)
	}
	if err != nil {
		return "", err
	}
	return db.bind(ctx, v, n.SQL)
}

// single parses a text that is one expression, and returns the statement around it, too.
func (db *DB) single(ctx context.Context, text string) (statement, root syntax.Tree, err error) {
	if text == "" {
		return nil, nil, errNotOne
	}
	statements, err := db.parse(ctx, "SELECT "+text)
	if err != nil {
		if errors.Is(err, syntax.ErrNotSelect) {
			err = errNotOne
		}
		return nil, nil, err
	}
	if len(statements) != 1 {
		return nil, nil, errNotOne
	}
	node, _ := statements[0]["node"].(syntax.Tree)
	from, _ := node["from_table"].(syntax.Tree)
	list, _ := node["select_list"].([]any)
	modifiers, _ := node["modifiers"].([]any)
	groups, _ := node["group_expressions"].([]any)
	if node["type"] != "SELECT_NODE" || from["type"] != "EMPTY" || len(list) != 1 || len(modifiers) > 0 || len(groups) > 0 ||
		node["where_clause"] != nil || node["having"] != nil || node["qualify"] != nil || node["sample"] != nil {
		return nil, nil, errNotOne
	}
	root, _ = list[0].(syntax.Tree)
	if alias, _ := root["alias"].(string); alias != "" {
		return nil, nil, fmt.Errorf("the name goes before the =, not after AS")
	}
	return statements[0], root, nil
}

var errNotOne = errors.New("not one expression over the columns")

// oneRow refuses the nodes of an expression that are not a function of one row. An
// aggregate cannot be distinguished from a function by its node; bind finds it.
func oneRow(class any, function string) error {
	switch {
	case class == "SUBQUERY":
		return errors.New("a sub-query: an expression may use only the columns of its row")
	case class == "WINDOW":
		return errors.New("a window function: an expression may use only the columns of its row")
	case class == "STAR":
		return errNotOne
	case slices.Contains([]string{"unnest", "unlist"}, function):
		return fmt.Errorf("%s returns several rows", function)
	case slices.Contains([]string{"random", "uuid", "gen_random_uuid", "now", "current_timestamp", "get_current_timestamp", "today", "current_date"}, function):
		return fmt.Errorf("%s() differs from run to run", function)
	}
	return nil
}

// bind asks DuckDB without files for the type of an expression. An aggregate binds too, but the rows
// then no longer have columns of their own, so another column next to it does not.
func (db *DB) bind(ctx context.Context, v *view, text string) (string, error) {
	if err := db.copyColumns(ctx, v); err != nil {
		return "", err
	}
	columns, err := describe(ctx, db.wall.conn, "SELECT "+inner(text)+" AS x FROM "+View(v.name))
	if err != nil {
		return "", db.only(v).explain(ctx, err)
	}
	if _, err := describe(ctx, db.wall.conn, "SELECT "+QuoteName(v.dir.Table.Columns[0].Name)+", "+inner(text)+" AS x FROM "+View(v.name)); err != nil {
		return "", errors.New("an aggregate: an expression may use only the columns of its row")
	}
	return columns[0].Type, nil
}

// inner puts an expression that Expression has passed into a statement. The line's end
// closes a comment in it.
func inner(text string) string { return "(" + text + "\n)" }

// viewOf returns the view of dir, nil when it is not attached.
func (db *DB) viewOf(dir *datasets.Dir) *view {
	for i := range db.views {
		if db.views[i].dir.Path == dir.Path {
			return &db.views[i]
		}
	}
	return nil
}

// only is db as far as hints are concerned, with nothing but v attached.
func (db *DB) only(v *view) *DB { return &DB{engine: db.engine, views: []view{*v}} }

// NamesIn returns the words of a statement that may name a table or a column, in lower case.
func NamesIn(statement string) map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(statement), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[word] = true
	}
	return words
}

// namedIn is db as far as hints are concerned, with the hints of attached tables that a statement names; db
// itself if it names none.
func (db *DB) namedIn(statement string) *DB {
	words := NamesIn(statement)
	some := &DB{engine: db.engine}
	for _, v := range db.views {
		if words[strings.ToLower(v.name)] {
			some.views = append(some.views, v)
		}
	}
	if len(some.views) == 0 {
		return db
	}
	return some
}

// Condition checks n like Expression and that it is true or false.
func (db *DB) Condition(ctx context.Context, dir *datasets.Dir, n Named) error {
	typ, err := db.Expression(ctx, dir, n)
	if err != nil {
		return err
	}
	if typ != "BOOLEAN" {
		as := n.SQL + " > 0"
		if !IsNumber(typ) {
			as = n.SQL + " = '…'"
		}
		return n.about(fmt.Errorf("a condition is true or false, this is %s: compare it, as in %s", typ, as))
	}
	return nil
}

// One checks that n is one expression, whatever its names mean.
func (db *DB) One(ctx context.Context, n Named) error {
	if _, _, err := db.single(ctx, n.SQL); err != nil {
		return n.about(err)
	}
	return nil
}

// Parse reads an expression over the columns of one row. It looks up no names: whoever evaluates the
// expression does.
func (db *DB) Parse(ctx context.Context, text string) (n expression.Node, err error) {
	_, root, err := db.single(ctx, text)
	if err != nil {
		return n, err
	}
	return syntax.NodeOf(root)
}
