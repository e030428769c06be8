package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"kifu/datasets/checked"
	"kifu/datasets/remote"
	"kifu/internal/checksum"
)

const (
	// sumName is the name of the checksum that Create leaves with an object.
	sumName = "Kifu-Sha256"
	// largest is the size of an object that one request can write; only such a request can
	// be conditional everywhere.
	largest = 5 << 30
	small   = 1 << 30 // more than any manifest has
)

// objects are the names below bucket/prefix.
type objects struct {
	store          *Store
	ctx            context.Context
	bucket, prefix string
}

func (o *objects) key(name string) string { return strings.TrimPrefix(o.prefix+"/"+name, "/") }

func (o *objects) url(name string) string {
	return strings.TrimRight("s3://"+o.bucket+"/"+o.key(name), "/")
}

// Relative implements remote.Objects. No path leads out of the bucket.
func (o *objects) Relative(relative string) (remote.Objects, string) {
	other := *o
	other.prefix = strings.Trim(path.Join("/", o.prefix, relative), "/")
	return &other, other.url("")
}

// Get implements remote.Objects.
func (o *objects) Get(name string) (data []byte, tag string, err error) {
	err = o.again(o.ctx, func(ctx context.Context, beat func()) error {
		body, info, _, err := o.store.client.GetObject(ctx, o.bucket, o.key(name), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer body.Close()
		tag = info.ETag
		data, err = io.ReadAll(io.LimitReader(beating{body, beat}, small))
		return err
	})
	if err != nil {
		return nil, "", o.explain(name, err)
	}
	return data, tag, nil
}

// Swap implements remote.Objects.
func (o *objects) Swap(name, tag string, data []byte) error {
	return o.put(name, checksum.Bytes(data), tag, bytes.NewReader(data), int64(len(data)))
}

// Create implements remote.Objects.
func (o *objects) Create(as checked.File, from string) error {
	if as.Bytes > largest {
		return fmt.Errorf("%s: %d bytes are more than the 5 GiB that one conditional write can have: make smaller parts", o.url(as.Name), as.Bytes)
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return o.put(as.Name, as.SHA256, "", f, as.Bytes)
}

// put writes an object if its tag is tag, or without one. The signature covers the
// checksum, so that the server takes no byte that was not sent.
func (o *objects) put(name, sum, tag string, data io.ReadSeeker, size int64) error {
	// DisableContentSha256: no sums by chunk on the way, only the sum of the whole in the header.
	opts := minio.PutObjectOptions{UserMetadata: map[string]string{sumName: sum}, DisableContentSha256: true}
	if tag == "" {
		opts.SetMatchETagExcept("*")
	} else {
		opts.SetMatchETag(strings.Trim(tag, `"`))
	}
	err := o.again(o.ctx, func(ctx context.Context, beat func()) error {
		_, err := o.store.client.PutObject(ctx, o.bucket, o.key(name), seeking{data, beat}, size, "", sum, opts)
		return err
	})
	switch r := minio.ToErrorResponse(err); {
	case err == nil:
		return nil
	case r.StatusCode == http.StatusPreconditionFailed, tag != "" && r.Code == minio.NoSuchKey:
		return fmt.Errorf("%s: %w", o.url(name), fs.ErrExist)
	}
	return o.explain(name, err)
}

// Stat implements remote.Objects.
func (o *objects) Stat(name string) (checked.File, error) {
	info, err := o.store.client.StatObject(o.ctx, o.bucket, o.key(name), minio.StatObjectOptions{})
	if err != nil {
		return checked.File{}, o.explain(name, err)
	}
	return checked.File{Name: name, Bytes: info.Size, SHA256: info.UserMetadata[sumName]}, nil
}

// List implements remote.Objects.
func (o *objects) List(begin string, most int) (all []remote.Object, err error) {
	err = o.list(begin, true, func(info minio.ObjectInfo, name string) bool {
		all = append(all, remote.Object{Name: name, Bytes: info.Size, Changed: info.LastModified})
		return len(all) != most
	})
	return all, err
}

// Folders implements remote.Objects.
func (o *objects) Folders() (all []string, err error) {
	err = o.list("", false, func(_ minio.ObjectInfo, name string) bool {
		if folder, is := strings.CutSuffix(name, "/"); is {
			all = append(all, folder)
		}
		return true
	})
	return all, err
}

func (o *objects) list(begin string, deep bool, take func(minio.ObjectInfo, string) bool) error {
	prefix := strings.TrimPrefix(o.prefix+"/", "/")
	for info := range o.store.client.Client.ListObjectsIter(o.ctx, o.bucket, minio.ListObjectsOptions{Prefix: prefix + begin, Recursive: deep}) {
		if info.Err != nil {
			return o.explain(begin, info.Err)
		}
		name := strings.TrimPrefix(info.Key, prefix)
		// Some programs mark a folder by an object with a slash at its end.
		if name == "" || deep && strings.HasSuffix(name, "/") {
			continue
		}
		if !take(info, name) {
			break
		}
	}
	return o.ctx.Err()
}

// Remove implements remote.Objects.
func (o *objects) Remove(names []string) error {
	ctx, cancel := context.WithCancel(o.ctx)
	defer cancel()
	send := make(chan minio.ObjectInfo)
	go func() {
		defer close(send)
		for _, name := range names {
			select {
			case send <- minio.ObjectInfo{Key: o.key(name)}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for fault := range o.store.client.RemoveObjects(ctx, o.bucket, send, minio.RemoveObjectsOptions{}) {
		if fault.Err != nil && minio.ToErrorResponse(fault.Err).Code != minio.NoSuchKey {
			return o.explain("", fault.Err)
		}
	}
	return o.ctx.Err()
}

// Scratch implements remote.Objects.
func (o *objects) Scratch() (string, error) { return o.store.cache.scratch() }

// Fetch implements remote.Objects.
func (o *objects) Fetch(want checked.File, again bool) (path string, release func(), err error) {
	return o.store.cache.fetch(want, again, func(to *os.File) (string, error) {
		var sum string
		err := o.again(o.ctx, func(ctx context.Context, beat func()) (err error) {
			sum, err = o.download(ctx, want, to, beat)
			return err
		})
		if err != nil {
			return "", o.explain(want.Name, err)
		}
		return sum, nil
	}, o.url(want.Name))
}

// Copy implements remote.Objects.
func (o *objects) Copy(name, to string, moved func(n int)) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	arrived := 0 // of an attempt that broke off, not to be reported twice
	err = o.again(o.ctx, func(ctx context.Context, beat func()) error {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		body, info, _, err := o.store.client.GetObject(ctx, o.bucket, o.key(name), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer body.Close()
		at := 0
		n, err := io.Copy(f, counting{beating{body, beat}, func(n int) {
			if at += n; at > arrived {
				moved(at - arrived)
				arrived = at
			}
		}})
		if err == nil && n != info.Size {
			err = io.ErrUnexpectedEOF
		}
		if err == nil {
			err = f.Truncate(n)
		}
		return err
	})
	if err != nil {
		return o.explain(name, err)
	}
	return f.Close()
}

// counting reports how many bytes were read at once.
type counting struct {
	io.Reader
	moved func(n int)
}

func (c counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if n > 0 {
		c.moved(n)
	}
	return n, err
}

// download writes an object to a file, and returns its checksum.
func (o *objects) download(ctx context.Context, want checked.File, to *os.File, beat func()) (string, error) {
	if _, err := to.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if err := to.Truncate(0); err != nil {
		return "", err
	}
	body, info, _, err := o.store.client.GetObject(ctx, o.bucket, o.key(want.Name), minio.GetObjectOptions{})
	if err != nil {
		return "", err
	}
	defer body.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, h), io.LimitReader(beating{body, beat}, want.Bytes+1))
	if err == nil && n < min(info.Size, want.Bytes) {
		err = io.ErrUnexpectedEOF
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// again runs a request that reads or writes a body. After a network error, or if no data moved for
// a time, it repeats it after a random wait. Errors that the server answered were tried again by
// the client.
func (o *objects) again(ctx context.Context, f func(ctx context.Context, beat func()) error) error {
	for attempt := 1; ; attempt++ {
		within, cancel := context.WithCancelCause(ctx)
		watch := time.AfterFunc(2*silence, func() { cancel(errSilent) })
		err := f(within, func() { watch.Reset(2 * silence) })
		watch.Stop()
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			err = context.Cause(within)
		}
		cancel(nil)
		if err == nil || ctx.Err() != nil || attempt == 5 || final(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(time.Second << attempt / 2)):
		}
	}
}

// final reports whether a request that ended with err should not be repeated: the server answered, the client
// tried often enough to connect, or the fault is on this machine.
func final(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return true
	}
	var local *fs.PathError
	status := minio.ToErrorResponse(err).StatusCode
	return errors.As(err, &local) || status != 0 && status != http.StatusConflict
}

var errSilent = errors.New("no answer from the server for two minutes")

// beating and seeking report each byte that moves.
type beating struct {
	io.Reader
	beat func()
}

func (b beating) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if n > 0 {
		b.beat()
	}
	return n, err
}

type seeking struct {
	io.ReadSeeker
	beat func()
}

func (s seeking) Read(p []byte) (int, error) { return beating{s.ReadSeeker, s.beat}.Read(p) }
