package games

// Reason is an error without particulars: short, the same for every case of its kind,
// so that rejected games can be counted by it. What ParseMove, UnpackMove and Start
// find wrong is a Reason, or wraps one; errors.As finds it.
type Reason string

func (r Reason) Error() string { return string(r) }

// The faults of a written move that every game knows.
const (
	UnreadableMove Reason = "unreadable move"
	IllegalMove    Reason = "illegal move"
	AmbiguousMove  Reason = "ambiguous move"
	NullMove       Reason = "null move"
)

// UnknownVariant returns the Reason for a variant that the game does not play, by its name.
func UnknownVariant(name string) Reason { return Reason("variant " + name + " is not played here") }
