// Package store keeps datasets in object storage: s3://bucket/prefix, at Amazon or any
// server that speaks its protocol and honours conditional writes.
//
// In goes a URL, out comes a remote.Objects, by which package datasets commits parts and reads
// them; With gives it to a context. Files are fetched into a local cache by checksum and verified
// on the way in, because DuckDB and the Parquet reader need files. Requests are repeated after
// waits of random length; a stalled one is given up and tried again. The server and the credentials
// are given as for other programs: by the variables AWS_* and the files in ~/.aws (config.go).
//
// What a dataset is, and in which order its objects appear, is not decided here but in
// package datasets. Only this package imports minio-go.
package store

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"

	"kifu/datasets/remote"
)

// Store opens places in object storage. Its zero value is ready; nothing is read or asked
// before the first use.
type Store struct {
	mu     sync.Mutex
	client *minio.Core
	signed bool // requests have credentials
	cache  *cache
}

// With returns a context in which datasets can be in object storage, and a function that
// removes what was kept for this process alone.
func With(ctx context.Context) (context.Context, func()) {
	s := new(Store)
	return remote.With(ctx, s.Open), s.Close
}

// Open returns the place at a URL, s3://bucket/prefix. It makes no request.
func (s *Store) Open(ctx context.Context, place string) (remote.Objects, error) {
	rest, ours := strings.CutPrefix(place, "s3://")
	bucket, prefix, _ := strings.Cut(rest, "/")
	if !ours || bucket == "" || strings.ContainsAny(bucket, "@:?#%") {
		return nil, fmt.Errorf("%s: want a path, or s3://BUCKET/PREFIX", place)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		var err error
		if s.client, s.signed, err = connect(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
	}
	if s.cache == nil {
		var err error
		if s.cache, err = openCache(); err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
	}
	return &objects{store: s, ctx: ctx, bucket: bucket, prefix: strings.Trim(path.Clean("/"+prefix), "/")}, nil
}

// Close removes the scratch directories and local copies of this process; the cache stays.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache != nil {
		s.cache.close()
		s.cache = nil
	}
}
