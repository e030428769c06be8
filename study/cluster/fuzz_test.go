package cluster

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// FuzzMessages: whatever workers send, with the token, a coordinator takes it for an answer to
// something that it asked, an error of the one who sent it, or nothing.
func FuzzMessages(f *testing.F) {
	f.Add("inbox.1", "a-1", "", []byte("answer"))
	f.Add("inbox.99999", "a-1", "", []byte("answer"))
	f.Add("inbox.-1", "b", "fault", []byte(nil))
	f.Add("inbox.2", "", "", []byte(`{"Seat": "a-1", "Idle": true}`))
	f.Fuzz(func(t *testing.T, subject, from, why string, data []byte) {
		p := &Pool{changed: make(chan struct{}, 1), members: members{"a-1": {seen: time.Now()}}}
		j := &job{step: Step{Name: "x"}, told: make(chan note, 1), closed: make(chan struct{})}
		j.seated, p.job = p.hear, j
		a := &asking{Pool: p, all: make([]asked, 3)}
		a.all[1] = asked{of: "a-1", since: time.Now()}
		m := &nats.Msg{Subject: subject, Data: data, Header: nats.Header{"From": {from}, "Error": {why}}}
		for range tries {
			if err := a.hear(context.Background(), m); err != nil && why == "" {
				t.Errorf("%q from %q: %v", subject, from, err)
			}
		}
		for i, q := range a.all {
			if q.answered && string(q.answer) != string(data) {
				t.Errorf("question %d has another answer", i)
			}
		}
		j.hear(m)
		(&Worker{}).hear(m)
	})
}
