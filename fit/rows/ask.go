package rows

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
)

// Ask sends questions about the rows to other readers of the same labels, and take gets the answers in order.
// section returns the number of a question's subject. See hands.Hands.
type Ask func(n int, section func(i int) int, question func(i int) []byte, take func(i int, answer []byte) error) error

// A pass is divided into at most askedStretches stretches, of at least leastStretch chunks: what
// goes to and fro is as long as the weights for each.
const (
	askedStretches = 64
	leastStretch   = 4
)

// Question asks for the sums over some chunks of a section at theta: loss and gradient, or a Hessian.
type Question struct {
	Section Section
	Loss    string
	Theta   vector
	Chunks  Span // of the section
	Hessian bool
	Exact   bool // curvature
}

// ReadQuestion reads a question.
func ReadQuestion(text []byte) (q Question, err error) {
	err = gob.NewDecoder(bytes.NewReader(text)).Decode(&q)
	return q, err
}

// stretchSum is the sum over an aligned stretch of 2^Level chunks.
type stretchSum struct {
	Level int
	Sum   vector
}

// nameOf returns the name of the method with that loss; empty: none has it.
func nameOf(l losses.Loss) string {
	for _, method := range []string{losses.MLM, losses.LS, losses.Ordered, losses.Value, losses.Choice, losses.Pairs} {
		if losses.Of(method) == l {
			return method
		}
	}
	return ""
}

// stretch returns the length of the stretches of n chunks, a power of two.
func stretch(n int) int {
	return max(leastStretch, 1<<bits.Len(uint((n-1)/askedStretches)))
}

// vector are numbers that gob encodes in their memory layout.
type vector []float64

// GobEncode implements gob.GobEncoder.
func (v vector) GobEncode() ([]byte, error) {
	out := make([]byte, 0, 8*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out, nil
}

// GobDecode implements gob.GobDecoder.
func (v *vector) GobDecode(text []byte) error {
	*v = make(vector, len(text)/8)
	for i := range *v {
		(*v)[i] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*i:]))
	}
	return nil
}

// asked is pass by workers; ok is false without a worker, and total is unchanged.
func (r *Store) asked(l losses.Loss, theta []float64, total *tree) (ok bool) {
	if r.Ask == nil || nameOf(l) == "" || len(r.Chunks) == 0 {
		return false
	}
	var sum tree
	length := stretch(len(r.Chunks))
	r.rounds++
	err := r.Ask((len(r.Chunks)+length-1)/length, func(i int) int { return r.sectionOf(i * length) }, func(i int) []byte {
		return r.question(Question{Loss: nameOf(l), Theta: theta}, Span{i * length, min((i+1)*length, len(r.Chunks))})
	}, func(_ int, answer []byte) error {
		var sums []stretchSum
		err := gob.NewDecoder(bytes.NewReader(answer)).Decode(&sums)
		for _, s := range sums {
			sum.addAt(s.Level, s.Sum)
		}
		return err
	})
	if err == nil {
		*total = sum
	}
	return err == nil
}

// askedHessian is Hessian by workers, span by span; nil without a worker.
func (r *Store) askedHessian(theta []float64, l losses.Loss, curvature func(losses.Local) float64) *mat.SymDense {
	if r.Ask == nil || nameOf(l) == "" || len(r.Chunks) <= spanChunks || r.Design.Decided != nil {
		return nil
	}
	var total tree
	exact := curvature(losses.Local{Exact: 1}) == 1
	r.rounds++
	err := r.Ask(r.spans(), func(i int) int { return r.sectionOf(r.span(i).From) }, func(i int) []byte {
		return r.question(Question{Loss: nameOf(l), Theta: theta, Hessian: true, Exact: exact}, r.span(i))
	}, func(_ int, answer []byte) error {
		var sum vector
		err := gob.NewDecoder(bytes.NewReader(answer)).Decode(&sum)
		total.add(sum)
		return err
	})
	if err != nil {
		return nil
	}
	return r.symmetric(&total)
}

// Answer answers a question that another store asked, of whose section r has the rows.
func (r *Store) Answer(q Question, workers int) ([]byte, error) {
	if len(q.Theta) != r.Design.Size() || q.Chunks.From < 0 || q.Chunks.To > len(r.Chunks) {
		return nil, fmt.Errorf("a request for %d numbers and chunks up to %d, but the rows have %d and %d: are these the same labels?", len(q.Theta), q.Chunks.To, r.Design.Size(), len(r.Chunks))
	}
	l := losses.Of(q.Loss)
	if q.Hessian {
		curvature := losses.Positive
		if q.Exact {
			curvature = losses.Exact
		}
		return pack(vector(r.spanHessian(q.Theta, l, curvature, q.Chunks, workers).RawSymmetric().Data)), nil
	}
	var sums []stretchSum
	var t tree
	r.pass(l, q.Theta, q.Chunks, workers, &t)
	for level := len(t.levels) - 1; level >= 0; level-- { // higher levels come first
		if t.full[level] {
			sums = append(sums, stretchSum{level, t.levels[level]})
		}
	}
	return pack(sums), nil
}

// spans is the number of spans of chunks over which a Hessian is summed.
func (r *Store) spans() int { return (len(r.Chunks) + spanChunks - 1) / spanChunks }

// span returns the chunks of span i.
func (r *Store) span(i int) Span { return Span{i * spanChunks, min((i+1)*spanChunks, len(r.Chunks))} }

// symmetric returns the sum of the upper halves in t.
func (r *Store) symmetric(t *tree) *mat.SymDense {
	h := mat.NewSymDense(r.Design.Size(), nil)
	t.sum(h.RawSymmetric().Data)
	return h
}

// pack returns the bytes of a question or an answer.
func pack(v any) []byte {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(v); err != nil {
		panic(err) // a buffer takes everything, and all of these have an encoding
	}
	return text.Bytes()
}
