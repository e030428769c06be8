package chart

// LegendEntry is a button of the page that hides and shows a series.
type LegendEntry struct {
	Number int    // of the series
	Class  string // of the style sheet
	Label  string
}

// Legend has a button for each series that has points.
func (c *Chart) Legend() []LegendEntry {
	var all []LegendEntry
	for i, s := range c.Series {
		if len(s.Points) > 0 {
			all = append(all, s.entry(i))
		}
	}
	return all
}

// Legend has a button for each series.
func (f *Forest) Legend() []LegendEntry {
	var all []LegendEntry
	for i, s := range f.Series {
		all = append(all, s.entry(i))
	}
	return all
}

func (s *Series) entry(number int) LegendEntry {
	class := className(s.Colour)
	if s.Dash > 0 {
		class += " dashed"
	}
	return LegendEntry{number, class, s.Label}
}
