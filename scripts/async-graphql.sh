#!/bin/sh
# Builds the subgraph of infra/frameworks in Rust, under .cache/frameworks. It takes minutes, so only `make test-long` does it, and
# `make async-graphql`. Does nothing that is already done. Where it cannot be built, the file async-graphql.missing says why, its tests are
# skipped, and this script succeeds all the same.
set -u
cd "$(dirname "$0")/.."
source=$PWD/infra/frameworks/src/subscriptions/async-graphql
cache=$PWD/.cache/frameworks
work=$cache/async-graphql
mkdir -p "$cache"
rm -f "$cache/async-graphql.missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

missing() { # reason
  echo "$1" >"$cache/async-graphql.missing"
  echo "frameworks: async-graphql is not tested: $1" >&2
  exit 0
}

command -v cargo >/dev/null 2>&1 || missing "it needs cargo"
want="$(cargo --version) $(cat "$source"/Cargo.* "$source"/src/* | cksum)"
[ "$(cat "$work/ready" 2>/dev/null)" = "$want" ] && exit 0
rm -rf "$work"
mkdir -p "$work"
echo "frameworks: building the subgraph in Rust" >&2
# What was compiled on the way is half a gigabyte.
CARGO_INCREMENTAL=0 cargo build --locked --manifest-path "$source/Cargo.toml" --target-dir "$work/target" >"$log" 2>&1 &&
  mv "$work/target/debug/changes" "$work/changes" && rm -rf "$work/target" ||
  missing "it could not be built: $(grep -v '^[[:space:]]*$' "$log" | tail -1)"
echo "$want" >"$work/ready"
