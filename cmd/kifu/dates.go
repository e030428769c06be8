package main

import (
	"fmt"
	"kifu/query"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// dateFlags are the flags for the dates of games.
type dateFlags struct{ from, to string }

// declareDates adds the flags, whose values are dates that there are.
func declareDates(flags *pflag.FlagSet, from, to *string) {
	flags.Var(date{from}, "from", "only games from `DATE` on: 1990, 1990-05 or 1990-05-31")
	flags.Var(date{to}, "to", "only games up to `DATE` (all of that year, month or day)")
}

// condition is the condition in SQL over the columns of games, "" if no flag is given.
func (f *dateFlags) condition() string {
	var all []string
	if f.from != "" {
		all = append(all, "date >= "+query.QuoteText(f.from))
	}
	if f.to != "" {
		all = append(all, fmt.Sprintf("date[1:%d] <= %s", len(f.to), query.QuoteText(f.to)))
	}
	return strings.Join(all, " AND ")
}

// date is the value of a flag that is a date of a game, at any precision.
type date struct{ text *string }

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
			return nil
		}
	}
	return fmt.Errorf("want a year, a month or a day, as 1990, 1990-05 or 1990-05-31")
}
