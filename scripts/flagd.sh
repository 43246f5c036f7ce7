#!/bin/sh
# Builds the flagd that buckets of rollouts are compared with, .tools/flagd/<version>/flagd, from its Go module, whose hashes Go itself checks.
# Does nothing that is already done. Where Go is missing or a module cannot be had, it says so, the tests with flagd are skipped, and this script
# succeeds all the same.
set -u
cd "$(dirname "$0")/.."
version=0.16.1
programs=$PWD/.tools/flagd

[ -x "$programs/$version/flagd" ] && exit 0
if ! command -v go >/dev/null 2>&1; then
  echo "flagd: it needs go. The tests with flagd $version are skipped." >&2
  exit 0
fi
echo "flagd: building flagd $version" >&2
mkdir -p "$programs/building.$version"
# Compiled as in scripts/nats-versions.sh. A program appears whole or not at all.
if problem=$(
  GOBIN="$programs/building.$version" GOFLAGS="-modcacherw '-gcflags=all=-N -l'" GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0 \
    nice go install -ldflags='-s -w' "github.com/open-feature/flagd/flagd@v$version" 2>&1
); then
  rm -rf "${programs:?}/$version"
  mv "$programs/building.$version" "$programs/$version"
else
  rm -rf "$programs/building.$version"
  echo "flagd: flagd $version could not be built: $(printf '%s\n' "$problem" | tail -1). The tests with it are skipped." >&2
fi
