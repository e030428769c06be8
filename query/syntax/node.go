package syntax

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/internal/expression"
)

// words are the operators of SQL by their names in DuckDB.
var words = map[string]string{
	"COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<", "COMPARE_GREATERTHAN": ">", "COMPARE_LESSTHANOREQUALTO": "<=",
	"COMPARE_GREATERTHANOREQUALTO": ">=", "CONJUNCTION_AND": "and", "CONJUNCTION_OR": "or", "OPERATOR_NOT": "not", "COMPARE_IN": "in",
	"COMPARE_NOT_IN": "not in", "OPERATOR_IS_NULL": "is null", "OPERATOR_IS_NOT_NULL": "is not null", "COMPARE_BETWEEN": "between",
	"CASE_EXPR": "case", "OPERATOR_CAST": "cast",
}

// NodeOf returns a node of a tree with those below it.
func NodeOf(t Tree) (n expression.Node, err error) {
	kind, _ := t["type"].(string)
	switch t["class"] {
	case "CONSTANT":
		v, _ := t["value"].(Tree)
		n.Op = "constant"
		n.Value, err = constantOf(v)
		return n, err
	case "COLUMN_REF":
		names, _ := t["column_names"].([]any)
		return expression.Node{Op: "column", Name: Lower(names[len(names)-1])}, nil
	case "FUNCTION":
		n.Op, n.Name = "function", Lower(t["function_name"])
	default:
		n.Op = words[kind]
		if n.Op == "" && kind != "OPERATOR_COALESCE" {
			return n, fmt.Errorf("conditions on games cannot use %s", strings.ToLower(kind))
		}
	}
	if kind == "OPERATOR_COALESCE" {
		n.Op, n.Name = "function", "coalesce"
	}
	if castType, is := t["cast_type"].(Tree); is {
		n.Name = Lower(castType["id"])
	}
	for _, below := range argumentsOf(t) {
		arg, err := NodeOf(below)
		if err != nil {
			return n, err
		}
		n.Args = append(n.Args, arg)
	}
	return n, nil
}

// argumentsOf returns the nodes below one, in their order.
func argumentsOf(t Tree) (all []Tree) {
	add := func(v any) {
		if below, is := v.(Tree); is {
			all = append(all, below)
		}
	}
	for _, key := range []string{"left", "right", "input", "lower", "upper", "child"} {
		add(t[key])
	}
	checks, _ := t["case_checks"].([]any)
	for _, check := range checks {
		c, _ := check.(Tree)
		add(c["when_expr"])
		add(c["then_expr"])
	}
	add(t["else_expr"])
	children, _ := t["children"].([]any)
	for _, child := range children {
		add(child)
	}
	return all
}

// constantOf returns the value of a constant.
func constantOf(v Tree) (any, error) {
	if null, _ := v["is_null"].(bool); null {
		return nil, nil
	}
	typ, _ := v["type"].(Tree)
	switch x := v["value"].(type) {
	case string, bool:
		return x, nil
	case json.Number:
		f, err := x.Float64()
		if err != nil {
			return nil, err
		}
		if info, _ := typ["type_info"].(Tree); typ["id"] == "DECIMAL" {
			f /= math.Pow(10, numberOf(info["scale"]))
		}
		if u, err := strconv.ParseUint(x.String(), 10, 64); err == nil && u > 1<<53 && typ["id"] != "DECIMAL" {
			return u, nil
		}
		return f, nil
	case Tree: // of 128 bits
		if lowest, is := x["lower"].(json.Number); is && numberOf(x["upper"]) == 0 {
			u, err := strconv.ParseUint(lowest.String(), 10, 64)
			return u, err
		}
	}
	return nil, fmt.Errorf("conditions on games cannot use a constant of type %s", Lower(typ["id"]))
}
