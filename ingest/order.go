package ingest

import (
	"context"
)

// work parses and encodes jobs until there are none. What waits to be encoded goes
// first: it is nearer to the file.
func (r *run) work(ctx context.Context, parse, parsed, encode, encoded chan *job) error {
	w, err := newWorker(ctx, r)
	if err != nil {
		return err
	}
	defer w.close()
	for parse != nil || encode != nil {
		var j *job
		var ok bool
		select {
		case j, ok = <-encode:
			if !ok {
				encode = nil
				continue
			}
		default:
			select {
			case j, ok = <-encode:
				if !ok {
					encode = nil
					continue
				}
			case j, ok = <-parse:
				if !ok {
					parse = nil
					continue
				}
				if err := w.parse(ctx, j); err != nil {
					return err
				}
				parsed <- j // has room for every job there is
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if j.rows.Rows > 0 {
			var err error
			if j.group, err = j.part.w.Encode(j.rows.Batch); err != nil {
				return err
			}
		}
		encoded <- j
	}
	return nil
}

// write numbers the jobs, hands them back to be encoded, and puts them into parts, all
// in their order.
func (r *run) write(ctx context.Context, jobs chan int, free, parsed, encode, encoded chan *job) error {
	numbered, written, total := 0, 0, -1
	waiting, ready := map[int]*job{}, map[int]*job{}
	for total < 0 || written < total {
		select {
		case total = <-jobs:
			jobs = nil
		case j := <-parsed:
			waiting[j.seq] = j
			for j = waiting[numbered]; j != nil; j = waiting[numbered] {
				delete(waiting, numbered)
				numbered++
				if err := r.number(j); err != nil {
					return err
				}
				encode <- j
			}
		case j := <-encoded:
			ready[j.seq] = j
			for j = ready[written]; j != nil; j = ready[written] {
				delete(ready, written)
				written++
				if err := r.append(j); err != nil {
					return err
				}
				free <- j
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := r.empty(); err != nil {
		return err
	}
	if r.parts == 0 {
		if err := r.begin(); err != nil {
			return err
		}
	}
	if r.open != nil {
		return r.finish(r.open)
	}
	return nil
}

// number gives the games of j their ids and j its part.
func (r *run) number(j *job) error {
	for i := range j.rows.ID.Int64 {
		j.rows.ID.Int64[i] += r.id
	}
	r.id += int64(j.games)
	j.end.GameID = r.id
	if r.open == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	j.part = r.open
	j.part.games += j.rows.Rows
	if j.part.games >= r.params.PartGames && !j.open {
		j.last = true
		r.open = nil
	}
	return nil
}

func (r *run) begin() error {
	w, err := r.out.Part(r.parts)
	if err != nil {
		return err
	}
	r.parts++
	r.open = &part{w: w}
	r.begun = append(r.begun, r.open)
	return nil
}

// append puts the encoded j into its part, and logs its notes.
func (r *run) append(j *job) error {
	if j.rows.Rows > 0 {
		if err := j.part.w.Append(j.group); err != nil {
			return err
		}
	}
	if r.Log != nil {
		if _, err := r.Log.Write(j.log); err != nil {
			return err
		}
	}
	if r.Warn != nil && j.warn != nil {
		if _, err := r.Warn.Write(j.warn); err != nil {
			return err
		}
	}
	j.part.counts.Add(j.counts)
	r.counts.Add(j.counts)
	j.part.end = j.end
	if j.last {
		return r.finish(j.part)
	}
	return nil
}

func (r *run) finish(p *part) error {
	for i := range r.begun {
		if r.begun[i] == p {
			r.begun = append(r.begun[:i], r.begun[i+1:]...)
			break
		}
	}
	return p.w.Close(p.counts, p.end)
}
