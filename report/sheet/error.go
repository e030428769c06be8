package sheet

import (
	"errors"
	"fmt"
	"strings"
)

// Error means that the data do not allow a report, and names them. All leaves such a report out; any other error
// is a failure.
type Error struct{ error }

// Errorf formats an Error.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// About puts the names of the datasets before an Error; it returns other errors, and nil, unchanged.
func About(names []string, err error) error {
	if !errors.As(err, new(Error)) || len(names) == 0 {
		return err
	}
	return Errorf("%s: %w", strings.Join(names, ", "), err)
}

// Unwrap returns the error that Errorf was given with %w.
func (e Error) Unwrap() error { return errors.Unwrap(e.error) }
