package datasets

// Filled returns those of the columns that have a value in some row of d. It reads the footers of the parts alone.
func (d *Dir) Filled(columns ...string) (map[string]bool, error) {
	filled := map[string]bool{}
	for i := 0; i < d.NumParts() && len(filled) < len(columns); i++ {
		p, err := d.OpenPartUnchecked(i)
		if err != nil {
			return nil, err
		}
		for group := range p.RowGroups() {
			for _, column := range columns {
				if p.Filled(group, column) {
					filled[column] = true
				}
			}
		}
		if err := p.Close(); err != nil {
			return nil, err
		}
	}
	return filled, nil
}
