package query

import (
	"context"
	"fmt"
	"slices"
)

// Narrow has the view of an attached dataset show these of its parts alone.
func (db *DB) Narrow(ctx context.Context, name string, parts []int) error {
	at := slices.IndexFunc(db.views, func(v view) bool { return v.name == name })
	if at < 0 || len(parts) == 0 {
		return fmt.Errorf("%d parts of %s, which has to be attached", len(parts), name)
	}
	db.shut()
	_, err := db.conn.ExecContext(ctx, fmt.Sprintf("CREATE OR REPLACE VIEW %s AS SELECT * FROM %s", QuoteName(name), source(db.views[at].dir, parts, "")))
	return err
}
