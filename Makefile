# DuckDB's own Arrow interface is not used: leaving it out cuts the build by two thirds.
export GOFLAGS := -tags=no_duckdb_arrow
export CGO_ENABLED := 1

.PHONY: dist test-s3 test-iceberg build demo study-chess study-draughts study-othello study-go study-shogi study-knightcap study-logistello test quick examples experiments race vet lint perft fuzz bench docs changes clean

build: ## bin/kifu
	@test -x bin/kifu || echo "compiling; the first time it takes a minute or more, most of it for DuckDB's bindings; packages are named as they are done" >&2
	go build -v -trimpath -buildvcs=false -ldflags='$(COMMIT)' -o bin/kifu ./cmd/kifu

# What kifu --version says of the commit. Go sees it only in some folders (cmd/kifu/version.go), and would write it
# otherwise: one commit is one program, whatever the folder, which the workers of a cluster ask for.
COMMIT = $(addprefix -X main.commit=,$(shell git rev-parse HEAD 2>/dev/null))

dist: ## dist/: an archive for this platform with manuals and completions, its modules as an SBOM, checksums
	cmd/kifu/dist.sh

demo: build ## from the bundled games to curves, weights and pages, and to a browser (EXPLORE=false: not)
	bin/kifu demo --out demo $(if $(EXPLORE),--explore=$(EXPLORE))

study-draughts: SET += $(if $(RECORDS),file=.pdn.zst)
study-chess study-draughts study-othello study-go study-shogi study-knightcap study-logistello: study-%: build ## a study on the bundled games, or RECORDS=PATH; SET='share=0.02 …' as kifu run --set
	bin/kifu run $(foreach s,$(if $(RECORDS),records=$(RECORDS)) $(SET),--set '$(s)') experiments/$*/study.toml

# Tests are vetted by vet, and linked without debug and symbol tables, which takes half the time,
# by the first of these linkers that cc knows: for DuckDB's 70 MB the usual one takes twice as long. They and the
# thousand programs that they start collect garbage less often, which takes a tenth less time.
LINKER = $(firstword $(foreach l,mold gold lld,$(shell echo 'int main(void){}' | cc -x c -fuse-ld=$(l) -o /dev/null - 2>/dev/null && echo $(l))))
TEST = GOGC=400 go test -timeout 30m -vet=off -ldflags='-s -w$(if $(LINKER), -extldflags=-fuse-ld=$(LINKER))'

test: vet ## all tests
	KIFU_TESTS=all $(TEST) ./... ./bench/...

quick: ## the tests that one waits for between two edits: without those that take seconds each (kit/slow)
	$(TEST) ./... ./bench/...

test-s3: ## object storage against a real server, built from its module
	cd datasets/store/s3test && GOFLAGS= GOWORK=off go test -vet=off -ldflags=-w -v ./...

bin/kifu-iceberg: $(wildcard cmd/kifu-iceberg/*.go datasets/*.go datasets/*/*.go) ## what 'kifu publish --as iceberg' starts
	cd cmd/kifu-iceberg && GOFLAGS= GOWORK=off CGO_ENABLED=0 go build -trimpath -buildvcs=false -o ../../bin/kifu-iceberg .

test-iceberg: bin/kifu-iceberg ## tables read by a reader that has nothing from kifu; needs node and npm
	mkdir -p /tmp/kifu-icebird && cd /tmp/kifu-icebird && npm install --silent icebird@0.3.1
	cd cmd/kifu-iceberg && GOFLAGS= GOWORK=off ICEBIRD=/tmp/kifu-icebird go test -vet=off -ldflags=-w -v .
	cd datasets/store/s3test && GOFLAGS= GOWORK=off ICEBIRD=/tmp/kifu-icebird KIFU_ICEBERG=$(CURDIR)/bin/kifu-iceberg go test -vet=off -ldflags=-w -v -run Iceberg .

race: ## tests under the race detector where goroutines share work
	$(TEST) -race -short -skip '$(ALONE)' ./cmd/kifu/cli ./datasets ./ingest ./transform ./transform/duplicates ./label ./players/patterns ./fit/rows ./fit/meat ./search/engine ./study

# Tests that share nothing, or go the way of others, and take long under the race detector.
ALONE = ^(Fuzz|Example)|^Test(Domains|ManyPages|Passed|Flipped|Encode|CheckParquet|Bounds|BatchesCome|Damaged|Strangers|Lookup|AskedWithLongRecords|Cut|LongChunks|Compressed|Archives|EastAsian|Filters|Sample|Dedup|AppendAfter|ResumeInArchive|PlantedPolicy|Rates|AgainstAllPairs)

vet:
	GOGC=400 go vet ./... ./bench/...
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo 'not gofmt-ed:'; gofmt -l $$(git ls-files '*.go'); exit 1; }

lint: vet ## staticcheck; what CI runs before the tests
	GOGC=400 go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./... ./bench/...

examples: ## every line of kifu in the help, README and docs, run; minutes
	KIFU_LONG=1 $(TEST) ./cmd/kifu -run 'TestExamples' -timeout 60m -v

build/positions/%.epd: bench/endings/*.go ## positions of an ending (P, R, N) with their results
	mkdir -p $(@D) && go run ./bench/endings $* >$@.tmp && mv $@.tmp $@

experiments: build/positions/P.epd build/positions/R.epd build/positions/N.epd ## remake the tables of experiments/ from the bundled data, and compare; UPDATE=1 writes them, KIFU_RECORDS=DIR has more records; 20 minutes, with those another 40
	KIFU_LONG=1 $(subst -timeout 30m,-timeout 6h,$(TEST)) ./cmd/kifu -run 'TestStudyPages' -v $(if $(UPDATE),-update)

perft: ## the published counts to full depth; minutes
	KIFU_PERFT=full go test -v -run 'Rules/Perft' -timeout 60m ./games/...

FUZZTIME ?= 10m

fuzz: ## every fuzz target for FUZZTIME (10m) each, one after the other
	@for p in $$(go list ./...); do for t in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		go test -run '^$$' -fuzz "^$$t$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$p || exit 1; done; done

docs: ## write the pages that are generated from the code
	go test . ./cmd/kifu -run Docs -update

changes: ## what changes/ holds, under the headings of CHANGELOG.md
	@for h in added changed refused fixed; do set -- changes/$$h-*.md; \
		[ ! -f "$$1" ] || { echo "### $$h" | sed 's/ \(.\)/ \u\1/'; echo; sed 's|(\.\./|(|g' "$$@"; echo; }; done

bench: ## Go benchmarks of every stage
	go test -run '^$$' -bench . ./...

clean:
	rm -rf bin demo
