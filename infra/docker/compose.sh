#!/usr/bin/env bash
# infra/docker/compose.sh up|down|run …: Compose with the images that can be had. `up` builds the images of Switchyard and starts everything in
# the background; any other words go to Compose as they are. Where an upstream image cannot be pulled, a local one of the
# programs of this machine takes its place (local-images.sh), and its name says so.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/docker/docker-command.sh

compose() {
  if "$DOCKER" compose version >/dev/null 2>&1; then
    "$DOCKER" compose --file infra/docker/compose.yaml "$@"
  elif command -v docker-compose >/dev/null; then
    docker-compose --file infra/docker/compose.yaml "$@"
  else
    echo "compose: neither \"docker compose\" nor docker-compose was found" >&2
    exit 1
  fi
}

# image_for <variable> <program of local-images.sh>: exports the variable, or fails.
image_for() {
  local variable=$1 program=$2 pinned found
  [ -z "${!variable:-}" ] || return 0
  pinned=$(sed -n "s/.*\${$variable:-\(.*\)}$/\1/p" infra/docker/compose.yaml)
  found=$(pulled_image "$pinned")
  if [ -z "$found" ]; then
    found=$(infra/docker/local-images.sh "$program" | sed -n "s/^$variable=//p")
    [ -z "$found" ] || echo "compose: $found takes its place" >&2
    if [ "$program" = nats ] && ! printf '2.10\n%s\n' "${found##*:}" | sort --check --version-sort 2>/dev/null; then
      echo "compose: this NATS server is older than 2.10: what it acknowledged survives a killed process, not a power cut" >&2
      export NATS_SYNC_INTERVAL=
    fi
  fi
  [ -n "$found" ] || { echo "compose: there is no image for $program" >&2; exit 1; }
  export "$variable=$found"
}

export COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-switchyard} COMPOSE_DOCKER_CLI_BUILD=1 DOCKER_BUILDKIT=1
if [ "${1:-}" != up ]; then
  compose "$@"
  exit
fi
shift
[ -n "${SKIP_BUILD:-}" ] || infra/docker/build-images.sh
image_for NATS_IMAGE nats
image_for REDIS_IMAGE redis
image_for HAPROXY_IMAGE haproxy
image_for PROMETHEUS_IMAGE prometheus
compose up --detach --no-build "$@"
