// Package expression has the parts of an SQL expression over the columns of one row, as DuckDB's parser sees
// them, for those that evaluate it without a database.
package expression

// Node is an expression.
type Node struct {
	// Op is "constant", "column", "function" (operators such as + and LIKE, which is ~~, too), "case" (when, then, …,
	// else), "cast", or in small letters what SQL writes: "and", "or", "not", "=", "<>", "<", "<=", ">", ">=", "in",
	// "not in", "between", "is null", "is not null".
	Op   string
	Name string // of a column or function in small letters, or the type of a cast
	// Value is that of a constant: nil, bool, float64, string, or uint64 for whole numbers that a
	// float64 does not hold.
	Value any
	Args  []Node
}
