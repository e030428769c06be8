package engine

import "context"

// attempts is the number of times that a position is sent before it is given up.
const attempts = 3

// Keeper keeps an engine running for one goroutine.
type Keeper struct {
	start    func(ctx context.Context) (Engine, error)
	engine   Engine // nil: to be started
	started  bool   // one engine at least came up
	restarts int
	options  []Option // in addition to its Config's; set after each start
}

// Keep returns a Keeper of the engines that start starts. The first one is started on
// demand.
func Keep(start func(ctx context.Context) (Engine, error)) *Keeper {
	return &Keeper{start: start}
}

// Restarts returns the number of times that the program was killed and started again.
func (k *Keeper) Restarts() int { return k.restarts }

// NewGame calls Engine.NewGame of a running program.
func (k *Keeper) NewGame(ctx context.Context) error {
	return k.try(ctx, func(e Engine) error { return e.NewGame(ctx) })
}

// Search calls Engine.Search. The error is the last attempt's.
func (k *Keeper) Search(ctx context.Context, position string) (v Value, err error) {
	err = k.try(ctx, func(e Engine) (err error) {
		v, err = e.Search(ctx, position)
		return err
	})
	return v, err
}

// Static calls Engine.Static. The error is the last attempt's.
func (k *Keeper) Static(ctx context.Context, position string) (score float64, ok bool, err error) {
	err = k.try(ctx, func(e Engine) (err error) {
		score, ok, err = e.Static(ctx, position)
		return err
	})
	return score, ok, err
}

// try calls f with a running engine, with a new one after each error.
func (k *Keeper) try(ctx context.Context, f func(Engine) error) (err error) {
	for range attempts {
		if k.engine == nil {
			if k.engine, err = k.start(ctx); err != nil {
				k.engine = nil
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case !k.started: // it does not work here, and would hang again
					return err
				}
				continue
			}
			k.started = true
			if k.options != nil {
				if err := set(ctx, k.engine, k.options); err != nil {
					k.drop()
					return err
				}
			}
		}
		if err = f(k.engine); err == nil {
			return nil
		}
		_ = k.engine.Close() // it failed already
		k.engine = nil
		if ctx.Err() != nil {
			return ctx.Err()
		}
		k.restarts++
	}
	return err
}

// Close ends the program.
func (k *Keeper) Close() { k.drop() }

// drop ends the program; the next question starts another.
func (k *Keeper) drop() {
	if k.engine != nil {
		_ = k.engine.Close()
		k.engine = nil
	}
}
