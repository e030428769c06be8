package datasets

// Filled returns those of the columns that have a value in some row of d. It reads the footers of the parts alone.
func (d *Dir) Filled(columns ...string) (map[string]bool, error) {
	filled := map[string]bool{}
	for g, err := range d.Groups(nil) {
		if err != nil {
			return nil, err
		}
		for _, column := range columns {
			if g.part.Filled(g.Index, column) {
				filled[column] = true
			}
		}
		if len(filled) == len(columns) {
			break
		}
	}
	return filled, nil
}
