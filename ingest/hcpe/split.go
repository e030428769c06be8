package hcpe

import "kifu/ingest/record"

// maxGame is the number of records of the longest game, which bounds the memory.
const maxGame = 1 << 15

// cuts returns the cuts of a stream where a game begins. Lines are numbers of records.
func (l *layout) cuts() record.Cuts {
	return record.Cuts{Max: maxGame * l.size, TooLong: "more than 32768 moves", Keep: l.size, Unit: l.size, Cut: l.last, Next: l.after}
}

// last returns the place of the last game that begins in d, 0 if none does.
func (l *layout) last(d []byte, _ bool) int {
	last := len(d)/l.size - 1
	if last < 1 {
		return 0
	}
	b, fault := l.read(d[last*l.size:])
	for i := last; i > 0; i-- {
		a, before := l.read(d[(i-1)*l.size:])
		if fault != "" || before != "" || !follows(&a, &b) {
			return i * l.size
		}
		b, fault = a, before
	}
	return 0
}

// after returns where in d the game ends that was given up, of which d begins with a record; -1 if it goes on.
func (l *layout) after(d []byte, _ bool) int {
	if len(d) < l.size {
		return -1
	}
	a, fault := l.read(d)
	for at := l.size; at+l.size <= len(d); at += l.size {
		b, next := l.read(d[at:])
		if fault != "" || next != "" || !follows(&a, &b) {
			return at
		}
		a = b
	}
	return -1
}
