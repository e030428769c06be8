package schemas

// A value column holds a forced win in n plies as Win-n for the first player and n-Win
// for the second. Every other value is within ±Decided; values from outside programs
// and records are clamped to that range.
const (
	Win     = 32000
	Decided = 31000
)

// Forced reports whether a value means a forced win of either player.
func Forced[T int32 | int64 | float32 | float64](v T) bool { return v > Decided || v < -Decided }
