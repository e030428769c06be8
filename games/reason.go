package games

// Reason is an error without particulars: short, and the same for every case of its kind,
// so that rejected games can be counted by it. Errors of ParseMove, UnpackMove and Start
// are Reasons or wrap one; errors.As finds it.
type Reason string

// Error returns the reason.
func (r Reason) Error() string { return string(r) }

// Errors in a written move that occur in every game.
const (
	UnreadableMove Reason = "unreadable move"
	IllegalMove    Reason = "illegal move"
	AmbiguousMove  Reason = "ambiguous move"
	NullMove       Reason = "null move"
)

// UnknownVariant returns the Reason for a variant that the game does not play, by its name.
func UnknownVariant(name string) Reason { return Reason("variant " + name + " is not played here") }
