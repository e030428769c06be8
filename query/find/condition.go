package find

import (
	"fmt"
	"math"
	"strings"

	"kifu/games"
	"kifu/games/board"
	"kifu/internal/expression"
)

// eval evaluates an expression in the position that its names show.
type eval func() value

// names has the columns and the boards that conditions ask for.
type names interface {
	// column returns a column of positions; ok is false without such a column.
	column(name string) (e eval, ok bool)
	// view returns the position, as functions of boards take it.
	view() board.View
	// game returns the game.
	game() board.Game
	// moveText returns the text of the move that was played, in coordinates or as records write it.
	moveText(coordinates bool) value
}

// compile makes a condition on the positions of a game. It has SQL's null: a comparison with null is null.
func compile(n expression.Node, of names) (eval, error) {
	switch n.Op {
	case "constant":
		v := valueOf(n.Value)
		return func() value { return v }, nil
	case "column":
		if e, ok := of.column(n.Name); ok {
			return e, nil
		}
		return nil, fmt.Errorf("games have no column %q: search positions or labels that have it", n.Name)
	case "function":
		if e, ok, err := boardFunction(n, of); ok || err != nil {
			return e, err
		}
	}
	args := make([]eval, len(n.Args))
	for i := range n.Args {
		var err error
		if args[i], err = compile(n.Args[i], of); err != nil {
			return nil, err
		}
	}
	switch n.Op {
	case "and", "or":
		return connected(args, n.Op == "or"), nil
	case "not":
		return func() value {
			if v := args[0](); v.kind != null {
				return truthOf(!v.holds())
			}
			return value{}
		}, nil
	case "is null", "is not null":
		return func() value { return truthOf((args[0]().kind == null) == (n.Op == "is null")) }, nil
	case "in", "not in":
		return among(args, n.Op == "in"), nil
	case "between":
		return connected([]eval{compared(">=", args[0], args[1]), compared("<=", args[0], args[2])}, false), nil
	case "case":
		return cases(args), nil
	case "cast":
		return cast(args[0], n.Name)
	case "function":
		return plainFunction(n.Name, args)
	}
	return compared(n.Op, args[0], args[1]), nil
}

// connected is AND, or with or OR, of SQL's three values.
func connected(args []eval, or bool) eval {
	return func() value {
		known := true
		for _, a := range args {
			v := a()
			if v.kind == null {
				known = false
			} else if v.holds() == or {
				return truthOf(or)
			}
		}
		if !known {
			return value{}
		}
		return truthOf(!or)
	}
}

func compared(op string, a, b eval) eval {
	holds := map[string]func(order int) bool{
		"=": func(o int) bool { return o == 0 }, "<>": func(o int) bool { return o != 0 }, "<": func(o int) bool { return o < 0 },
		"<=": func(o int) bool { return o <= 0 }, ">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
	}[op]
	return func() value {
		order, ok := compare(a(), b())
		if !ok {
			return value{}
		}
		return truthOf(holds(order))
	}
}

// among is IN, or NOT IN.
func among(args []eval, in bool) eval {
	return func() value {
		v, known := args[0](), true
		for _, a := range args[1:] {
			order, ok := compare(v, a())
			if ok && order == 0 {
				return truthOf(in)
			}
			known = known && ok
		}
		if !known {
			return value{}
		}
		return truthOf(!in)
	}
}

// cases is CASE: conditions with what they give, and what else.
func cases(args []eval) eval {
	return func() value {
		i := 0
		for ; i+1 < len(args); i += 2 {
			if args[i]().holds() {
				return args[i+1]()
			}
		}
		return args[i]()
	}
}

// cast makes numbers and truths of one another.
func cast(a eval, typ string) (eval, error) {
	switch typ {
	case "boolean":
		return func() value {
			v := a()
			if v.kind == null {
				return v
			}
			return truthOf(v.holds() || v.s == "t" || v.s == "true")
		}, nil
	case "tinyint", "smallint", "integer", "bigint", "float", "double":
		whole := typ != "float" && typ != "double"
		return func() value {
			v := a()
			if v.kind == truth {
				v.kind = number
			}
			if whole {
				v.n = math.RoundToEven(v.n)
			}
			return v
		}, nil
	}
	return nil, fmt.Errorf("conditions on games cannot cast to %s", typ)
}

// plainFunction is a function of numbers or texts.
func plainFunction(name string, args []eval) (eval, error) {
	arithmetic := map[string]func(a, b float64) float64{
		"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
		"*": func(a, b float64) float64 { return a * b }, "/": func(a, b float64) float64 { return a / b }, "%": math.Mod,
	}[name]
	texts := map[string]func(a, b string) bool{
		"~~": like, "!~~": func(a, b string) bool { return !like(a, b) }, "starts_with": strings.HasPrefix, "contains": strings.Contains,
	}[name]
	switch {
	case name == "coalesce":
		return func() (v value) {
			for _, a := range args {
				v = a()
				if v.kind != null {
					break
				}
			}
			return v
		}, nil
	case name == "abs" && len(args) == 1:
		return func() value { v := args[0](); v.n = math.Abs(v.n); return v }, nil
	case name == "-" && len(args) == 1:
		return func() value { v := args[0](); v.n = -v.n; return v }, nil
	case arithmetic != nil && len(args) == 2:
		return func() value {
			a, b := args[0](), args[1]()
			if a.kind == null || b.kind == null || (name == "/" || name == "%") && b.n == 0 {
				return value{}
			}
			return numberOf(arithmetic(a.n, b.n))
		}, nil
	case texts != nil && len(args) == 2:
		return func() value {
			a, b := args[0](), args[1]()
			if a.kind == null || b.kind == null {
				return value{}
			}
			return truthOf(texts(a.s, b.s))
		}, nil
	}
	return nil, fmt.Errorf("conditions on games have no function %s: make positions (kifu transform) and search these", name)
}

// boardFunction is a function of the column board; ok is false for another.
func boardFunction(n expression.Node, of names) (e eval, ok bool, err error) {
	if n.Name == "hash_of" && len(n.Args) == 1 && n.Args[0].Op == "constant" {
		b, err := of.game().Start("", fmt.Sprint(n.Args[0].Value))
		if err != nil {
			return nil, true, err
		}
		v := value{kind: hash, u: b.Hash()}
		return func() value { return v }, true, nil
	}
	if len(n.Args) == 0 || n.Args[0].Op != "column" || n.Args[0].Name != "board" {
		return nil, false, nil
	}
	if len(n.Args) == 2 && n.Args[1].Op == "column" && n.Args[1].Name == "move" && (n.Name == "san" || n.Name == "uci") {
		return func() value { return of.moveText(n.Name == "uci") }, true, nil
	}
	for _, f := range of.game().Functions() {
		if f.Name == n.Name && len(f.Params) == len(n.Args)-1 {
			e, err := called(f, n.Args[1:], of)
			return e, true, err
		}
	}
	return nil, false, fmt.Errorf("no function %s of boards of %s with %d arguments (docs/functions.md)", n.Name, of.game().Name(), len(n.Args))
}

// called calls a function of boards with texts.
func called(f board.Function, texts []expression.Node, of names) (eval, error) {
	fixed, args := make([]string, len(texts)), make([]eval, len(texts))
	constant := true
	for i, t := range texts {
		var err error
		if args[i], err = compile(t, of); err != nil {
			return nil, err
		}
		fixed[i], _ = t.Value.(string)
		constant = constant && t.Op == "constant"
	}
	var last *games.Layout // of the board that ask is for
	var ask func(board.View) (any, error)
	if constant { // an error is returned before the search, if the usual board has it
		if _, err := f.Prepare(of.game().Layout(), fixed); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return func() value {
		v := of.view()
		if l := v.Layout(); !constant || l != last {
			for i := range args {
				a := args[i]()
				if a.kind == null {
					return value{}
				}
				fixed[i] = a.s
			}
			var err error
			if ask, err = f.Prepare(l, fixed); err != nil {
				return value{}
			}
			last = l
		}
		found, err := ask(v)
		if err != nil {
			return value{}
		}
		return valueOf(found)
	}, nil
}

// below returns the ply from which on a condition cannot hold, such as 40 for ply < 40; 0 if there is no such ply.
func below(n expression.Node) int {
	if n.Op == "and" {
		least := 0
		for _, arg := range n.Args {
			if ply := below(arg); ply > 0 && (least == 0 || ply < least) {
				least = ply
			}
		}
		return least
	}
	if n.Op == "<" && n.Args[0].Op == "column" && n.Args[0].Name == "ply" {
		limit, _ := n.Args[1].Value.(float64)
		return int(math.Ceil(limit))
	}
	return 0
}
