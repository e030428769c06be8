package store

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kifu/datasets"
	"kifu/kit/storetest"
)

// TestWebIdentity: the token of a container's role is exchanged for credentials, which the requests then
// have; a token that is refused is told, and nobody is asked without credentials.
func TestWebIdentity(t *testing.T) {
	server, _ := start(t)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("a token of the cluster"), 0o666); err != nil {
		t.Fatal(err)
	}
	key := storetest.Key
	var asked []string
	sts := storetest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.FormValue("Action")+" "+r.FormValue("RoleArn")+" "+r.FormValue("WebIdentityToken"))
		if r.FormValue("WebIdentityToken") != "a token of the cluster" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
<Credentials><AccessKeyId>%s</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>%s</Expiration></Credentials>
</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`, key, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	}))
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_WEB_IDENTITY_TOKEN_FILE": token,
		"AWS_ROLE_ARN": "arn:aws:iam::1:role/kifu", "AWS_ENDPOINT_URL_STS": sts} {
		t.Setenv(name, value)
	}
	build(t, connected(t), place, count("p", 3, -1, new([]int)), datasets.Options{})
	if len(server.Keys()) == 0 || len(asked) != 1 || asked[0] != "AssumeRoleWithWebIdentity arn:aws:iam::1:role/kifu a token of the cluster" {
		t.Errorf("asked: %q; objects: %v", asked, server.Keys())
	}
	if err := os.WriteFile(token, []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := datasets.OpenAt(connected(t), place)
	says(t, err, "AWS_WEB_IDENTITY_TOKEN_FILE="+token, "no credentials", sts)
}
