package explore

import (
	"context"
	"errors"

	"kifu/query"
)

// pool lends databases, each with all datasets attached: a page that takes its time does
// not keep another tab waiting.
type pool struct {
	free chan *query.DB
	all  []*query.DB
}

// together is how many pages are made at a time.
const together = 3

func newPool(ctx context.Context, sets []*Set, o query.Options) (*pool, error) {
	p := &pool{free: make(chan *query.DB, together)}
	for range together {
		db, err := query.Open(ctx, o)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.all = append(p.all, db)
		for _, s := range sets {
			// A model without tables has no view.
			if err := db.Attach(ctx, s.Name, s.Dir); err != nil && s.tabular() {
				return nil, errors.Join(err, p.close())
			}
		}
		p.free <- db
	}
	return p, nil
}

// lend waits for a database, which has to be given back.
func (p *pool) lend(ctx context.Context) (*query.DB, error) {
	select {
	case db := <-p.free:
		return db, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pool) give(db *query.DB) { p.free <- db }

func (p *pool) close() error {
	var all []error
	for _, db := range p.all {
		all = append(all, db.Close())
	}
	return errors.Join(all...)
}
