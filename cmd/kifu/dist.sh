#!/bin/sh
# Makes dist/kifu-VERSION-OS-ARCH.tar.gz (of Windows .zip) for the machine it runs on: the program, man pages,
# completions, licence and README; beside it the list of the modules in it (.sbom.json, CycloneDX 1.5) and
# SHA256SUMS. DuckDB is linked through cgo, so that each platform is built on its own (.github/workflows/dist.yml).
set -eu
cd "$(dirname "$0")/../.."
os=$(go env GOOS) arch=$(go env GOARCH)
version=$(sed -n 's/^const Version = "\(.*\)".*/\1/p' datasets/*.go)
[ -n "$version" ] || { echo "datasets has no Version" >&2; exit 1; }
name=kifu-$version-$os-$arch
ending=
[ "$os" = windows ] && ending=.exe
rm -rf "dist/$name"
mkdir -p "dist/$name/completion"
echo "compiling; the first time it takes a minute or more, most of it for DuckDB's bindings" >&2
CGO_ENABLED=1 go build -ldflags='-s -w' -o "dist/$name/kifu$ending" ./cmd/kifu
kifu=dist/$name/kifu$ending
"$kifu" man --out "dist/$name/man/man1" >/dev/null
for shell in bash zsh fish; do
	"$kifu" completion $shell >"dist/$name/completion/kifu.$shell"
done
cp LICENSE README.md CITATION.cff "dist/$name/"
go version -m "$kifu" | awk -v version="$version" '
$1 == "dep" { n++; dep[n] = $2; of[n] = $3 }
$1 == "=>" { dep[n] = $2; of[n] = $3 }
END {
	printf "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n"
	printf "  \"metadata\": {\"component\": {\"type\": \"application\", \"name\": \"kifu\", \"version\": \"%s\"}},\n  \"components\": [\n", version
	for (i = 1; i <= n; i++)
		printf "    {\"type\": \"library\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:golang/%s@%s\"}%s\n", dep[i], of[i], dep[i], of[i], i < n ? "," : ""
	print "  ]\n}"
}' >"dist/$name.sbom.json"
cd dist
if [ "$os" = windows ]; then
	archive=$name.zip
	rm -f "$archive"
	7z a -tzip "$archive" "$name" >/dev/null
else
	archive=$name.tar.gz
	# The same bytes for the same files: names in order, no times or owners.
	find "$name" -type f | LC_ALL=C sort >"$name.files"
	tar --version 2>/dev/null | grep -q GNU && same="--mtime=@0 --owner=0 --group=0 --numeric-owner" || same=
	tar $same -cf - -T "$name.files" | gzip -n >"$archive"
	rm "$name.files"
fi
rm -rf "$name"
sum=sha256sum
command -v sha256sum >/dev/null || sum="shasum -a 256"
$sum kifu-"$version"-*.tar.gz kifu-"$version"-*.zip kifu-"$version"-*.sbom.json 2>/dev/null >SHA256SUMS || true
ls -l "$archive" "$name.sbom.json" SHA256SUMS
