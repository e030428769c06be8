package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/minio/minio-go/v7"
)

// explain names the object in an error, and the next step. An object that
// is not there is fs.ErrNotExist.
func (o *objects) explain(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	place := o.url(name)
	r := minio.ToErrorResponse(err)
	server := o.store.client.EndpointURL().Host
	switch {
	case r.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s: no bucket %s at %s: create it first, or set AWS_ENDPOINT_URL to the server that has it", place, o.bucket, server)
	case r.Code == minio.NoSuchKey: // of a HEAD, too
		return fmt.Errorf("%s: %w", place, fs.ErrNotExist)
	case r.Code == "ExpiredToken" || r.Code == "ExpiredTokenException" || r.Code == "TokenRefreshRequired":
		return fmt.Errorf("%s: the credentials have expired: get new ones (aws sso login, or a new AWS_SESSION_TOKEN) and run the command again, it resumes", place)
	case r.Code == "InvalidAccessKeyId" || r.Code == "XAdminUserNotFound" || r.Code == "SignatureDoesNotMatch" || r.Code == "InvalidToken":
		return fmt.Errorf("%s: %s rejects these credentials (%s): check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_PROFILE", place, server, r.Code)
	case r.Code == "AuthorizationHeaderMalformed":
		return fmt.Errorf("%s: %s: %w (set AWS_REGION)", place, server, err)
	case r.Code == "RequestTimeTooSkewed":
		return fmt.Errorf("%s: this machine's clock differs from %s's: set it", place, server)
	case r.Code == "NotImplemented" && r.StatusCode == http.StatusNotImplemented:
		return fmt.Errorf("%s: %s has no conditional writes, which datasets need (docs/object-storage.md names servers that have them): %s", place, server, r.Message)
	case r.StatusCode == http.StatusForbidden && !o.store.signed:
		return fmt.Errorf("%s: denied, and no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (in %s)", place, credentialsFile())
	case r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%s: denied by %s (%s): these credentials may not do this", place, server, cmp.Or(r.Code, r.Message))
	case r.StatusCode == 0:
		return fmt.Errorf("%s: no answer from %s: %w", place, server, err)
	}
	return fmt.Errorf("%s: %s: %w", place, server, err)
}
