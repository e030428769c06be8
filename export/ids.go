package export

import (
	"fmt"
	"math/bits"
)

// IDs is a set of game ids. A page of 65,536 neighbours takes eight kilobytes.
type IDs struct {
	pages map[int64]*[1024]uint64
	n     int64
}

// ID returns what a query returned, an integer of any size, as a game id.
func ID(v any) (int64, error) {
	id, ok := v.(int64)
	if u, unsigned := v.(uint64); unsigned {
		id, ok = int64(u), u>>63 == 0
	}
	if !ok {
		return 0, fmt.Errorf("%v is not a game id: the query must return the column game_id alone", v)
	}
	return id, nil
}

// Add adds what a query returned, as ID takes it.
func (s *IDs) Add(v any) error {
	id, err := ID(v)
	if err != nil {
		return err
	}
	if s.pages == nil {
		s.pages = map[int64]*[1024]uint64{}
	}
	page := s.pages[id>>16]
	if page == nil {
		page = new([1024]uint64)
		s.pages[id>>16] = page
	}
	word, bit := &page[id>>6&1023], uint64(1)<<(id&63)
	if *word&bit == 0 {
		*word |= bit
		s.n++
	}
	return nil
}

// Has reports whether id is in the set.
func (s *IDs) Has(id int64) bool {
	page := s.pages[id>>16]
	return page != nil && page[id>>6&1023]>>(id&63)&1 != 0
}

// Len returns the number of ids.
func (s *IDs) Len() int64 { return s.n }

// And returns the ids that are in both sets.
func (s *IDs) And(o *IDs) *IDs {
	both := &IDs{pages: map[int64]*[1024]uint64{}}
	for at, page := range s.pages {
		other := o.pages[at]
		if other == nil {
			continue
		}
		common := new([1024]uint64)
		for i := range page {
			common[i] = page[i] & other[i]
			both.n += int64(bits.OnesCount64(common[i]))
		}
		both.pages[at] = common
	}
	return both
}
