package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"gopkg.in/ini.v1"
)

const (
	// attempts is how often a request is made unless AWS_MAX_ATTEMPTS is set, with
	// waits from 0 to at most 1 s between them.
	attempts = 16
	// silence is how long a server may send nothing, or take no byte, before a request is
	// made again.
	silence = time.Minute
	amazon  = "https://s3.amazonaws.com"
)

// connect makes a client of the environment. signed is false if there are no credentials.
func connect(ctx context.Context) (client *minio.Core, signed bool, err error) {
	profile := readProfile()
	server := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), profile("endpoint_url"), amazon)
	endpoint, err := url.Parse(server)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" || strings.Trim(endpoint.Path, "/") != "" {
		return nil, false, fmt.Errorf("AWS_ENDPOINT_URL=%s: want http://HOST:PORT or https://HOST:PORT", server)
	}
	creds, err := identify(ctx)
	if err != nil {
		return nil, false, err
	}
	lookup := minio.BucketLookupDNS
	if endpoint.String() != amazon && !truth("AWS_VIRTUAL_HOSTED_STYLE_REQUEST") {
		lookup = minio.BucketLookupPath
	}
	retries, err := strconv.Atoi(cmp.Or(os.Getenv("AWS_MAX_ATTEMPTS"), strconv.Itoa(attempts)))
	if err != nil || retries < 1 {
		return nil, false, fmt.Errorf("AWS_MAX_ATTEMPTS=%s: want a number from 1", os.Getenv("AWS_MAX_ATTEMPTS"))
	}
	secure := endpoint.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, false, err
	}
	transport.ResponseHeaderTimeout = silence
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	client, err = minio.NewCore(endpoint.Host, &minio.Options{
		Creds: creds, Secure: secure, Transport: transport, BucketLookup: lookup, MaxRetries: retries,

		Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), profile("region")),
	})
	if err != nil {
		return nil, false, err
	}
	value, err := creds.GetWithContext(nil)
	return client, err == nil && value.AccessKeyID != "", err
}

// identify looks for credentials in the order of other programs: environment, files of the
// profile, container or machine.
func identify(ctx context.Context) (*credentials.Credentials, error) {
	anonymous := credentials.NewStatic("", "", "", credentials.SignatureAnonymous)
	if truth("AWS_NO_SIGN_REQUEST") {
		return anonymous, nil
	}
	if id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"); (id == "") != (secret == "") {
		return nil, errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: one is set without the other")
	}
	chain := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if !truth("AWS_EC2_METADATA_DISABLED") || os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" || os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != "" {
		// The machine's own service answers at once or is not there.
		near := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: time.Second}).DialContext}}
		chain = append(chain, &credentials.IAM{Client: near, Endpoint: os.Getenv("AWS_EC2_METADATA_SERVICE_ENDPOINT")})
	}
	if file := os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE"); file != "" && os.Getenv("AWS_ACCESS_KEY_ID") == "" {
		return webIdentity(file)
	}
	creds := credentials.NewChainCredentials(chain)
	if value, err := creds.GetWithContext(nil); err == nil && value.AccessKeyID != "" {
		return creds, nil
	}
	if profile := os.Getenv("AWS_PROFILE"); profile != "" {
		return nil, fmt.Errorf("AWS_PROFILE=%s: no credentials in that profile of %s and %s", profile, credentialsFile(), configFile())
	}
	return anonymous, ctx.Err() // and no more look-up with each request
}

// webIdentity exchanges the token in a file for credentials, at the service of AWS_ENDPOINT_URL_STS or
// AWS_ENDPOINT_URL (MinIO and Ceph have one), or at Amazon's of the region. The environment of the machine or
// container renews the token.
func webIdentity(file string) (*credentials.Credentials, error) {
	service := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_STS"), os.Getenv("AWS_ENDPOINT_URL"))
	creds := credentials.New(&credentials.IAM{Client: &http.Client{Timeout: silence}, Endpoint: service, Region: os.Getenv("AWS_DEFAULT_REGION")})
	if _, err := creds.GetWithContext(nil); err != nil {
		return nil, fmt.Errorf("AWS_WEB_IDENTITY_TOKEN_FILE=%s: no credentials for the token from %s: %w", file, cmp.Or(service, "Amazon"), err)
	}
	return creds, nil
}

// readProfile returns what the profile in use has in the configuration file.
func readProfile() func(key string) string {
	file, err := ini.LooseLoad(configFile())
	name := cmp.Or(os.Getenv("AWS_PROFILE"), "default")
	return func(key string) string {
		if err != nil {
			return ""
		}
		if name != "default" {
			return file.Section("profile " + name).Key(key).String()
		}
		return file.Section(name).Key(key).String()
	}
}

func configFile() string { return awsFile("AWS_CONFIG_FILE", "config") }

func credentialsFile() string { return awsFile("AWS_SHARED_CREDENTIALS_FILE", "credentials") }

func awsFile(variable, name string) string {
	home, _ := os.UserHomeDir()
	return cmp.Or(os.Getenv(variable), filepath.Join(home, ".aws", name))
}

// truth reads a variable that is true or false; YES, as GDAL has it, counts as true.
func truth(variable string) bool {
	text := os.Getenv(variable)
	is, err := strconv.ParseBool(strings.ToLower(text))
	return is && err == nil || strings.EqualFold(text, "yes")
}
