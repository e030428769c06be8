#!/bin/sh
# Makes dist/kifu-VERSION-OS-ARCH.tar.gz (of Windows .zip) for the machine it runs on: the program, man pages,
# completions, licence and README, the licences and notices of the modules in it; beside it the list of the modules in it (.sbom.json, CycloneDX 1.5) and
# SHA256SUMS. DuckDB is linked through cgo, so that each platform needs a C++ compiler of its own: on linux/amd64
# those for linux/arm64 and Windows are used if they are there (Debian: g++-aarch64-linux-gnu, g++-mingw-w64-x86-64),
# the others are built where they run (.github/workflows/dist.yml).
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^const Version = "\(.*\)".*/\1/p' datasets/*.go)
[ -n "$version" ] || { echo "datasets has no Version" >&2; exit 1; }
commit=$(git rev-parse HEAD 2>/dev/null || true) # which Go does not see in a worktree of git
flags="-s -w${commit:+ -X main.commit=$commit}"
mkdir -p dist
native=

# pack OS ARCH CC CXX: the archive of a platform, by these compilers (none: the usual ones).
pack() {
	os=$1 arch=$2
	name=kifu-$version-$os-$arch
	ending=
	[ "$os" = windows ] && ending=.exe
	rm -rf "dist/$name"
	mkdir -p "dist/$name/completion"
	kifu=dist/$name/kifu$ending
	echo "compiling for $os/$arch; the first time it takes a minute or more, most of it for DuckDB's bindings" >&2
	if [ -z "${3:-}" ]; then
		CGO_ENABLED=1 go build -trimpath -buildvcs=false -ldflags="$flags" -o "$kifu" ./cmd/kifu
		native=dist/$name
		"$kifu" man --out "dist/$name/man/man1" >/dev/null
		for shell in bash zsh fish; do
			"$kifu" completion $shell >"dist/$name/completion/kifu.$shell"
		done
	else
		CGO_ENABLED=1 GOOS=$os GOARCH=$arch CC=$3 CXX=$4 CGO_LDFLAGS="-O2 -g $(linking "$3")" go build -trimpath -buildvcs=false -ldflags="$flags" -o "$kifu" ./cmd/kifu
		cp -R "$native/man" "$native/completion" "dist/$name/"
	fi
	cp LICENSE README.md CITATION.cff "dist/$name/"
	go version -m "$kifu" | modules >"dist/$name.sbom.json"
	notices "$kifu" "dist/$name/licenses"
}

# notices KIFU DIR: the licences and notices of the modules in a program, and of Go. A module without any stops it.
notices() {
	mkdir -p "$2/go"
	cp "$(go env GOROOT)/LICENSE" "$2/go/"
	go version -m "$1" | awk '$1 == "dep" || $1 == "=>" { print $2 "@" $3 }' | while read -r module; do
		from=$(go list -m -f '{{.Dir}}' "${module%@*}")
		mkdir -p "$2/$module"
		find "$from" -maxdepth 1 -type f | grep -iE '/(licen[cs]e|notice|copying|copyright|patents|unlicense)[^/]*$' | while read -r file; do
			cp "$file" "$2/$module/" && chmod 644 "$2/$module/$(basename "$file")"
		done
		[ -n "$(ls "$2/$module")" ] || { echo "$module has no licence" >&2; exit 1; }
	done
}

# linking CC: what a linker is told of DuckDB's library. That of Windows asks for a function of streams by the name that
# it has since mbstate_t is a structure (MinGW-w64 11); older compilers have it by the other.
linking() {
	case $1 in
	*mingw*)
		printf '#include <wchar.h>\nstruct _Mbstatet x;\nmbstate_t *p = &x;\n' | "$1" -Werror -fsyntax-only -xc - 2>/dev/null && return
		seekpos=_ZNSt15basic_streambufIcSt11char_traitsIcEE7seekposESt4fposI
		echo "-Wl,--defsym=${seekpos}9_MbstatetESt13_Ios_Openmode=${seekpos}iESt13_Ios_Openmode"
		;;
	esac
}

modules() {
	awk -v version="$version" '
$1 == "dep" { n++; dep[n] = $2; of[n] = $3 }
$1 == "=>" { dep[n] = $2; of[n] = $3 }
END {
	printf "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n"
	printf "  \"metadata\": {\"component\": {\"type\": \"application\", \"name\": \"kifu\", \"version\": \"%s\"}},\n  \"components\": [\n", version
	for (i = 1; i <= n; i++)
		printf "    {\"type\": \"library\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:golang/%s@%s\"}%s\n", dep[i], of[i], dep[i], of[i], i < n ? "," : ""
	print "  ]\n}"
}'
}

# wrap OS ARCH: the directory of a platform becomes its archive.
wrap() {
	name=kifu-$version-$1-$2
	cd dist
	if [ "$1" = windows ]; then
		rm -f "$name.zip"
		if command -v 7z >/dev/null; then
			7z a -tzip "$name.zip" "$name" >/dev/null
		else
			zip -qrX "$name.zip" "$name"
		fi
	else
		# The same bytes for the same files: names in order, no times or owners.
		find "$name" -type f | LC_ALL=C sort >"$name.files"
		tar --version 2>/dev/null | grep -q GNU && same="--mtime=@0 --owner=0 --group=0 --numeric-owner" || same=
		tar $same -cf - -T "$name.files" | gzip -n >"$name.tar.gz"
		rm "$name.files"
	fi
	rm -rf "$name"
	cd ..
}

os=$(go env GOOS) arch=$(go env GOARCH)
platforms=$os/$arch
pack "$os" "$arch"
if [ "$platforms" = linux/amd64 ]; then
	if command -v aarch64-linux-gnu-g++ >/dev/null; then
		pack linux arm64 aarch64-linux-gnu-gcc aarch64-linux-gnu-g++
		platforms="$platforms linux/arm64"
	fi
	# DuckDB's library has the threads of POSIX; Debian's compiler without a suffix has those of Windows.
	threads=
	command -v x86_64-w64-mingw32-g++-posix >/dev/null && threads=-posix
	if command -v x86_64-w64-mingw32-g++ >/dev/null && { command -v 7z || command -v zip; } >/dev/null; then
		pack windows amd64 "x86_64-w64-mingw32-gcc$threads" "x86_64-w64-mingw32-g++$threads"
		platforms="$platforms windows/amd64"
	fi
fi
for p in $platforms; do
	wrap "${p%/*}" "${p#*/}"
done
cd dist
sum=sha256sum
command -v sha256sum >/dev/null || sum="shasum -a 256"
$sum kifu-"$version"-*.tar.gz kifu-"$version"-*.zip kifu-"$version"-*.sbom.json 2>/dev/null >SHA256SUMS || true
ls -l kifu-"$version"-* SHA256SUMS
