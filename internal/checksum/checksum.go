// Package checksum computes SHA-256 checksums, written in hexadecimal.
package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// Bytes returns the checksum of data.
func Bytes(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Of returns the checksum of what r has, and its length in bytes.
func Of(r io.Reader) (sum string, n int64, err error) {
	h := sha256.New()
	n, err = io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// File returns the checksum of a file's content, and its length in bytes.
func File(path string) (sum string, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	if sum, n, err = Of(f); err != nil {
		return "", 0, fmt.Errorf("%s: %w", path, err)
	}
	return sum, n, nil
}
