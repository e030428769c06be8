package command

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kifu/query"
)

// DateFlags are the flags for the dates of games.
type DateFlags struct{ From, To string }

// DeclareDates adds the flags, whose values are dates that there are.
func DeclareDates(flags *pflag.FlagSet, from, to *string) {
	between := &dateRange{from, to}
	flags.Var(date{from, between}, "from", "only games from `DATE` on: 1990, 1990-05 or 1990-05-31; a game of 1990 without a month is before 1990-01")
	flags.Var(date{to, between}, "to", "only games up to `DATE` (all of that year, month or day)")
}

// DeclareDate adds a flag whose value is a date that there is.
func DeclareDate(flags *pflag.FlagSet, to *string, name, usage string) {
	flags.Var(date{text: to}, name, usage)
}

// Condition is the condition in SQL over the columns of games, "" if no flag is given.
func (f *DateFlags) Condition() string {
	var all []string
	if f.From != "" {
		all = append(all, "date >= "+query.QuoteText(f.From))
	}
	if f.To != "" {
		all = append(all, fmt.Sprintf("date[1:%d] <= %s", len(f.To), query.QuoteText(f.To)))
	}
	return strings.Join(all, " AND ")
}

// dateRange has the values of --from and --to.
type dateRange struct{ from, to *string }

// empty reports whether all of --to is before --from.
func (r *dateRange) empty() bool {
	from, to := *r.from, *r.to
	n := min(len(from), len(to))
	return from[:n] > to[:n]
}

// date is the value of a flag that is a date of a game, at any precision.
type date struct {
	text    *string
	between *dateRange // nil: it is no end of one
}

var _ pflag.Value = date{}

func (d date) String() string {
	if d.text == nil {
		return ""
	}
	return *d.text
}

// Type is the word for the value in help.
func (date) Type() string { return "date" }

// Set takes a year, a month or a day that there is.
func (d date) Set(text string) error {
	for _, layout := range []string{"2006", "2006-01", time.DateOnly} {
		if _, err := time.Parse(layout, text); err == nil {
			*d.text = text
			if d.between != nil && d.between.empty() {
				return fmt.Errorf("--from %s is after --to %s", *d.between.from, *d.between.to)
			}
			return nil
		}
	}
	return fmt.Errorf("want a year, a month or a day, as 1990, 1990-05 or 1990-05-31")
}
