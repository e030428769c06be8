package sheet

import (
	"errors"
	"fmt"
)

// Error means that the data do not allow a report. All leaves such a report out; any other error is a
// failure.
type Error struct{ error }

// Errorf formats an Error.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Unwrap returns the error that Errorf was given with %w.
func (e Error) Unwrap() error { return errors.Unwrap(e.error) }
