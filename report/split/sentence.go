package split

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/internal/human"
	"kifu/report/sheet"
	"kifu/report/split/conditions"
	"kifu/report/split/search"
)

// sentence reports what a split is to whoever plays.
func (s *report) sentence(k *search.Split) string {
	text := "Where " + s.words(k) + ", "
	number := func(x float64) string { return human.Fixed(math.Abs(x), s.decimals()) }
	worth := func(shift float64, how string) string {
		side := s.Curves.Sides[0]
		if shift < 0 {
			side = s.Curves.Sides[1]
		}
		return "positions are " + how + "worth " + number(shift) + " more to " + side + " than their value"
	}
	more := func(shift float64, how string) string { return worth(shift, how) + " implies" }
	switch {
	case math.IsNaN(k.ShiftP):
	case !math.IsNaN(k.Given.Value):
		return text + worth(k.Given.Value, "") + " and the earlier splits imply."
	case k.Gap.Significant() && !k.Mean.Significant() && !math.IsNaN(k.Mean.Value): // the mean may be 0
		return "At a value of " + human.Number(k.At) + ", where " + s.words(k) + ", " + more(k.Gap.Value, "") + "."
	case k.Gap.Significant() || k.Mean.Significant():
		return text + more(orElse(k.Mean.Value, k.Gap.Value), "") + "."
	default:
		return text + "positions are won more often or less often than others of their value."
	}
	if math.IsNaN(k.Lead) {
		return text + "a lead is worth more or less than its value implies."
	}
	text += "a lead of " + human.Number(k.Lead) + " is worth " + number(k.Worth)
	if k.Mean.Significant() {
		text += ", and " + more(k.Mean.Value, "on average ")
	}
	return text + "."
}

func orElse(x, y float64) float64 {
	if math.IsNaN(x) {
		return y
	}
	return x
}

// words are a condition's, with its atoms' comparisons in words.
func (s *report) words(k *search.Split) string {
	var all []string
	for _, a := range k.Atoms {
		if a.Given >= 0 {
			all = append(all, sheet.OneLine(a.Name)+" holds")
			continue
		}
		name, number := s.Columns[a.Column], human.Number(a.At)
		if spelled := strings.SplitN(a.Name, " ", 3); len(spelled) == 3 {
			number = strings.Replace(spelled[2], "-", "−", 1)
		}
		switch {
		case a.Flag && a.At == 1:
			all = append(all, name+" holds")
		case a.Flag:
			all = append(all, name+" does not hold")
		case a.Op == conditions.AtLeast:
			all = append(all, name+" is at least "+number)
		case a.Op == conditions.AtMost:
			all = append(all, name+" is at most "+number)
		default:
			all = append(all, name+" is "+number)
		}
	}
	return strings.Join(all, " and ")
}

// feature is the argument of kifu fit --add that makes the condition a feature, and where
// its slope was found one that is the value where it holds.
func (s *report) feature(k listedSplit) (all []string) {
	name, condition := "split_"+k.number(), k.Condition.SQL
	if strings.Contains(condition, "--") || strings.Contains(condition, "\n") {
		condition += "\n" // a comment ends with its line
	} else {
		condition = strings.TrimSpace(condition)
	}
	all = append(all, fmt.Sprintf("--add '%s=(%s)::INTEGER'", name, quoted(condition)))
	if math.IsNaN(k.ShiftP) {
		all = append(all, fmt.Sprintf("--add '%s_slope=CASE WHEN (%s) THEN %s ELSE 0 END'", name, quoted(condition), quoted(s.Value)))
	}
	return all
}

// quoted is text inside of a shell's single quotes.
func quoted(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }

// command is the line that fits features; the labels are named as their directory is.
func (s *report) command(out string, features []string) string {
	return "kifu fit --out " + out + " --intercept " + strings.Join(features, " ") + " '" + quoted(s.Params.Source) + "'"
}

// commands returns the commands of every split that is shown, and of all together, as a script.
func (s *report) commands() string {
	var text strings.Builder
	text.WriteString("# The worth of each split as a feature of the evaluation, alone and together with the others.\n")
	var together []string
	for _, k := range listed(s.Shown()) {
		features := s.feature(k)
		together = append(together, features...)
		text.WriteString("\n# " + k.number() + ". " + s.sentence(k.Split) + "\n" + s.command("fit-"+k.number(), features) + "\n")
	}
	if len(together) > 1 {
		text.WriteString("\n# All\n" + s.command("fit-splits", together) + "\n")
	}
	return text.String()
}

// explained are the columns that the conditions shown are made of.
func (s *report) explained() (rows [][]string) {
	var seen []string
	for _, k := range listed(s.Shown()) {
		for _, a := range k.Atoms {
			if a.Given < 0 && !slices.Contains(seen, s.Columns[a.Column]) {
				seen = append(seen, s.Columns[a.Column])
				rows = append(rows, []string{s.Columns[a.Column], s.Docs[s.Columns[a.Column]]})
			}
		}
	}
	return rows
}

// adjusted is a p-value among all that were tested: a shift's is at least one in the number of flips.
func (k listedSplit) adjusted() string {
	if !math.IsNaN(k.ShiftP) && k.ShiftP <= 1.0/(search.Flips+1) {
		return "≤ " + strconv.FormatFloat(1.0/(search.Flips+1), 'g', 2, 64)
	}
	return human.Chance(k.P)
}

// kind reports what was found.
func (k listedSplit) kind() string {
	switch {
	case !math.IsNaN(k.ShiftP):
		return "shift"
	case k.Worth > k.Lead:
		return "steeper"
	case k.Worth < k.Lead:
		return "flatter"
	}
	return "slope"
}
