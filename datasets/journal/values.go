package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Values keeps the results of units of work, by key, in a journal. It begins with those of an interrupted run. The zero Values
// keeps nothing.
type Values[K comparable, V any] struct {
	file *File
	kept map[K]V
}

// entry is a record of Values, as JSON.
type entry[K comparable, V any] struct {
	Key   K
	Value V
}

// Of reads the values of a journal. It takes what opening the journal returned, and returns an error of that.
func Of[K comparable, V any](j *File, err error) (*Values[K, V], error) {
	if err != nil {
		return nil, err
	}
	v := &Values[K, V]{j, map[K]V{}}
	for _, text := range j.Records() {
		var e entry[K, V]
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields() // another version wrote them
		if err := d.Decode(&e); err != nil {
			return nil, errors.Join(fmt.Errorf("what an interrupted run has kept: %w (start again with --force)", err), j.Close())
		}
		v.kept[e.Key] = e.Value
	}
	return v, nil
}

// Kept returns the value that an interrupted run made for key; ok is false without one.
func (v *Values[K, V]) Kept(key K) (value V, ok bool) {
	value, ok = v.kept[key]
	return value, ok
}

// Keep stores the value of key. Several goroutines may call it.
func (v *Values[K, V]) Keep(key K, value V) error {
	if v.file == nil {
		return nil
	}
	text, err := json.Marshal(entry[K, V]{key, value})
	if err != nil {
		return err
	}
	return v.file.Add(text)
}

// End removes the journal of work that is complete. If the work ended with an error, it keeps the journal and returns the error.
func (v *Values[K, V]) End(err error) error {
	if err != nil {
		return errors.Join(err, v.file.Close())
	}
	return v.file.Drop()
}
