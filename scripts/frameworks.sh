#!/bin/sh
# Sets up the two subgraph frameworks of infra/frameworks that are not npm packages, under .cache/frameworks: a Python environment with
# Strawberry, and the server that gqlgen generates. Does nothing that is already done. Where a language is missing or a package cannot be
# had, the file <framework>.missing says why, the tests of that framework are skipped, and this script succeeds all the same.
set -u
cd "$(dirname "$0")/.."
sources=$PWD/infra/frameworks/src/subgraphs
events=$PWD/infra/frameworks/src/subscriptions
cache=$PWD/.cache/frameworks
mkdir -p "$cache"
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

missing() { # framework, reason
  echo "$2" >"$cache/$1.missing"
  echo "frameworks: $1 is not tested: $2" >&2
}
last_line() { grep -v '^[[:space:]]*$' "$1" | tail -1; }

strawberry() {
  rm -f "$cache/strawberry.missing"
  venv=$cache/strawberry
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    { missing strawberry "it needs python3 (3.11 or newer) with venv and pip"; return; }
  want="$(python3 --version) $(cksum <"$sources/strawberry/requirements.txt")"
  [ "$(cat "$venv/ready" 2>/dev/null)" = "$want" ] && return
  rm -rf "$venv"
  echo "frameworks: installing Strawberry" >&2
  if python3 -m venv "$venv" >"$log/strawberry" 2>&1 &&
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir --only-binary :all: --no-deps \
      --require-hashes -r "$sources/strawberry/requirements.txt" >>"$log/strawberry" 2>&1; then
    echo "$want" >"$venv/ready"
  else
    missing strawberry "its packages could not be installed: $(last_line "$log/strawberry")"
  fi
}

gqlgen() {
  rm -f "$cache/gqlgen.missing"
  work=$cache/gqlgen
  command -v go >/dev/null 2>&1 || { missing gqlgen "it needs go"; return; }
  want="$(go env GOVERSION) $(cat "$sources"/gqlgen/* "$events"/gqlgen/* | cksum)"
  [ "$(cat "$work/ready" 2>/dev/null)" = "$want" ] && return
  rm -rf "$work"
  cp -R "$sources/gqlgen" "$work"
  cp -R "$events/gqlgen" "$work/events"
  echo "frameworks: generating and building the server of gqlgen" >&2
  # Compiled as in scripts/nats-versions.sh.
  if (
    cd "$work" &&
      export GOFLAGS="-mod=readonly -modcacherw '-gcflags=all=-N -l'" &&
      export GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0 &&
      go tool gqlgen generate && go build -o reviews . &&
      go tool gqlgen generate --config events/gqlgen.yml && go build -o changes ./events
  ) >"$log/gqlgen" 2>&1; then
    echo "$want" >"$work/ready"
  else
    missing gqlgen "it could not be generated or built: $(last_line "$log/gqlgen")"
  fi
}

strawberry &
gqlgen &
wait
