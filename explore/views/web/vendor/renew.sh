#!/usr/bin/env bash
# Renews what the explorer's pages take from others, from npm, and checks it against
# checksums.txt: renew.sh; with new versions: renew.sh --accept.
set -euo pipefail
cd "$(dirname "$0")"
packages=(uplot@1.6.32 awesomplete@1.1.7)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for p in "${packages[@]}"; do
	(cd "$work" && npm pack --silent "$p" >/dev/null && mkdir "${p%@*}" && tar xzf "${p%@*}"-*.tgz -C "${p%@*}" --strip-components=1)
done
cp "$work/uplot/dist/uPlot.esm.js" "$work/uplot/dist/uPlot.min.css" .
cp "$work/uplot/LICENSE" LICENSE-uPlot
cp "$work/awesomplete/awesomplete.js" "$work/awesomplete/awesomplete.base.css" .
cp "$work/awesomplete/LICENSE" LICENSE-awesomplete
sed -i '/^\/\/# sourceMappingURL=/d' awesomplete.js # the map is not here
if [ "${1:-}" = --accept ]; then
	sha256sum -- *.js *.css LICENSE-* >checksums.txt
fi
sha256sum --check --quiet checksums.txt
