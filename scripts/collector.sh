#!/bin/sh
# Builds .tools/otelcol/otelcol, the OpenTelemetry Collector of infra/observability/collector, for images where the pinned one cannot
# be pulled. The first time that takes minutes of computing; does nothing that is already done. Fails, and says why, where it cannot.
set -eu
cd "$(dirname "$0")/.."
sources=$PWD/infra/observability/collector
target=$PWD/.tools/otelcol
want=$(cat "$sources"/main.go "$sources"/go.mod "$sources"/go.sum | cksum)
[ "$(cat "$target/ready" 2>/dev/null)" = "$want" ] && exit 0
command -v go >/dev/null 2>&1 || { echo "collector: it is built with Go, which is not on this machine" >&2; exit 1; }
echo "collector: building it, which takes minutes the first time" >&2
mkdir -p "$target"
version=$(sed -n 's#^\tgo.opentelemetry.io/collector/otelcol v##p' "$sources/go.mod")
log=$(mktemp)
if ! (cd "$sources" && GOFLAGS=-mod=readonly GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0 \
  go build -trimpath -ldflags "-s -w -X main.version=$version" -o "$target/otelcol" .) >"$log" 2>&1; then
  echo "collector: it could not be built: $(tail -1 "$log")" >&2
  rm -f "$log"
  exit 1
fi
rm -f "$log"
echo "$want" >"$target/ready"
