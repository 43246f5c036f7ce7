#!/bin/sh
# Builds the NATS servers that Switchyard is tried on, .tools/nats/<version>/nats-server, from their Go modules, whose hashes Go itself checks.
# Does nothing that is already done. Where Go is missing or a module cannot be had, it says so, the tests on these servers are skipped, and this
# script succeeds all the same.
set -u
cd "$(dirname "$0")/.."
versions='2.10.27 2.12.15'
servers=$PWD/.tools/nats

for version in $versions; do
  [ -x "$servers/$version/nats-server" ] && continue
  if ! command -v go >/dev/null 2>&1; then
    echo "nats-versions: it needs go. The tests on NATS $versions, among them those of three replicas, are skipped." >&2
    exit 0
  fi
  echo "nats-versions: building NATS server $version" >&2
  mkdir -p "$servers/building.$version"
  # Without cgo no C compiler is needed. Not optimizing takes two thirds of the time, and what servers have in common with the programs of
  # scripts/helm.sh, scripts/flagd.sh and scripts/frameworks.sh is compiled once. A server appears whole or not at all.
  if problem=$(
    GOBIN="$servers/building.$version" GOFLAGS="-modcacherw '-gcflags=all=-N -l'" GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0 \
      nice go install -ldflags='-s -w' "github.com/nats-io/nats-server/v2@v$version" 2>&1
  ); then
    rm -rf "${servers:?}/$version"
    mv "$servers/building.$version" "$servers/$version"
  else
    rm -rf "$servers/building.$version"
    echo "nats-versions: NATS server $version could not be built: $(printf '%s\n' "$problem" | tail -1). The tests on it are skipped." >&2
  fi
done
