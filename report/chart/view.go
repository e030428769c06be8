package chart

// Fits reports whether v has lines where w has some.
func (v View) Fits(w View) bool {
	if len(v.Series) != len(w.Series) {
		return false
	}
	for i := range v.Series {
		if (len(v.Series[i]) == 0) != (len(w.Series[i]) == 0) {
			return false
		}
	}
	return true
}

// View is the same picture with draws counted in another way, or with other bins.
type View struct {
	Draws  string    `json:"draws"`
	Bin    string    `json:"bin"`
	Labels []string  `json:"labels"` // of the series
	Series [][][]any `json:"series"` // points [x, y, low, high, note]; [x, y] of lines without intervals
}

// View is c as the page's script draws it.
func (c *Chart) View(draws, bin string) View {
	v := View{Draws: draws, Bin: bin}
	for _, s := range c.Series {
		v.Labels = append(v.Labels, s.Label)
		points := [][]any{}
		for _, p := range s.Points {
			switch {
			case p.X < c.XMin || p.X > c.XMax:
			case s.Smooth:
				points = append(points, []any{p.X, p.Y})
			default:
				points = append(points, []any{p.X, p.Y, p.Low, p.High, p.Note})
			}
		}
		v.Series = append(v.Series, points)
	}
	return v
}
