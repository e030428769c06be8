package chart

type LegendEntry struct {
	Number int
	Class  string
	Label  string
}

// Legend has a button a series.
func (c *Chart) Legend() []LegendEntry {
	var all []LegendEntry
	for i, s := range c.Series {
		class := className(s.Colour)
		if s.Dash > 0 {
			class += " dashed"
		}
		all = append(all, LegendEntry{i, class, s.Label})
	}
	return all
}
