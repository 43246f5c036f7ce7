#!/usr/bin/env bash
# infra/docker/compose.sh up|roll|down|run …: Compose with the images that can be had.
#
#   up [option of Compose …]   builds the images of Switchyard, and starts everything in the background
#                              without options it then prints what to try
#   roll <service> …           replaces the containers of registry, composer, config-distribution or router one after the other: the
#                              next one is stopped when a new one, of the image that IMAGE_TAG names now, says that it is ready
#
# Any other words go to Compose as they are. Where an upstream image cannot be pulled, a local one of the programs of this machine takes
# its place (local-images.sh), and its name says so. What no program can take the place of is left out, loudly. DASHBOARDS=yes
# publishes Grafana and Prometheus (compose.dashboards.yaml).
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/docker/docker-command.sh

files=(--file infra/docker/compose.yaml)
[ -z "${DASHBOARDS:-}" ] || files+=(--file infra/docker/compose.dashboards.yaml)

compose() {
  if "$DOCKER" compose version >/dev/null 2>&1; then
    "$DOCKER" compose "${files[@]}" "$@"
  elif command -v docker-compose >/dev/null; then
    docker-compose "${files[@]}" "$@"
  else
    echo "compose: neither \"docker compose\" nor docker-compose was found" >&2
    exit 1
  fi
}

# pinned_image <variable>: the image that compose.yaml names.
pinned_image() { sed -n "s/.*\${$1:-\(.*\)}$/\1/p" infra/docker/compose.yaml; }

# image_for <variable> <program of local-images.sh>: exports the variable, or fails.
image_for() {
  local variable=$1 program=$2 pinned found
  [ -z "${!variable:-}" ] || return 0
  pinned=$(pinned_image "$variable")
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

# replace_containers <service>: needs room for one more container than there are.
replace_containers() {
  local service=$1 old container
  old=$(compose ps --quiet "$service")
  [ -n "$old" ] || { echo "compose: no container of $service runs; start it with up" >&2; exit 1; }
  for container in $old; do
    compose up --detach --no-build --no-deps --no-recreate --scale "$service=$(($(wc -w <<<"$old") + 1))" "$service"
    await_health "$service"
    "$DOCKER" stop --time 70 "$container" >/dev/null
    "$DOCKER" rm --volumes "$container" >/dev/null
  done
}

# await_health <service>: until every container of it says that it is ready; fails after five minutes.
await_health() {
  local ill
  for _ in $(seq 300); do
    # Asked of the engine, as Compose takes a second of a processor to say the same.
    ill=$("$DOCKER" ps --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
      --filter "label=com.docker.compose.service=$1" --filter label=com.docker.compose.oneoff=False |
      xargs "$DOCKER" inspect --format '{{.State.Health.Status}}' | grep --count --invert-match '^healthy$' || true)
    [ "$ill" -gt 0 ] || return 0
    sleep 1
  done
  echo "compose: $ill of the containers of $1 did not get ready in five minutes; the others go on" >&2
  exit 1
}

# What `compose run` started is no service, and Compose does not stop it in all versions: customers, for example.
stop_runs() {
  local runs
  runs=$("$DOCKER" ps --all --quiet --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
    --filter label=com.docker.compose.oneoff=True)
  # shellcheck disable=SC2086
  [ -z "$runs" ] || "$DOCKER" rm --force $runs >/dev/null
}

# Commands as they are typed in the checkout. A line that begins with two spaces is a command.
print_what_to_try() {
  local router="http://localhost:${ROUTER_PORT:-4000}/graphql" cli="infra/docker/compose.sh run --rm cli"
  cat <<TEXT

Everything was started. In a minute or two the routers answer; these are typed in the checkout.

The base graph, and the same through the feature flag "new-pricing", which replaces the subgraph "products":
  curl -s $router -H 'content-type: application/json' -d '{"query":"{ products { name price } }"}'
  curl -s $router -H 'content-type: application/json' -H 'X-Feature-Flag: new-pricing' -d '{"query":"{ products { name price discountPercent } }"}'

A release that stops by itself. In a second terminal, customers ask for prices until Ctrl-C, and you see what they get:
  infra/docker/compose.sh run --rm customers

The flag goes to 20 % of them and every 30 seconds to more, as long as its errors stay within 2 points of those of base:
  $cli rollout ramp new-pricing --steps 20,50,80,100 --every 30s --guard errors=+2pt,requests=200 --stop errors=20% --forgeable-key

Within these two minutes, make the flag's subgraph fail. Seconds later the rollout is aborted, and everybody gets base:
  infra/docker/compose.sh exec -T demo-subgraphs node infra/demo/src/switch-subgraph.ts products-next fail

Which figures decided, and what was done by whom:
  $cli rollout get new-pricing
  $cli audit --limit 5

Mend the subgraph, and go on:
  infra/docker/compose.sh exec -T demo-subgraphs node infra/demo/src/switch-subgraph.ts products-next mend
  $cli rollout resume new-pricing

All of this, and what else there is: docs/docker.md. Stop it with: make compose-down
TEXT
}

case "${1:-}" in
  up | roll) command=$1 && shift ;;
  down)
    stop_runs
    # Compose stops no service whose profile is not asked for.
    export COMPOSE_PROFILES="${COMPOSE_PROFILES:+$COMPOSE_PROFILES,}previews"
    compose "$@"
    exit
    ;;
  *)
    compose "$@"
    exit
    ;;
esac
if [ "$command" = roll ] && [ $# -eq 0 ]; then
  echo "compose: expected services to replace, such as: infra/docker/compose.sh roll router" >&2
  exit 2
fi
[ -n "${SKIP_BUILD:-}" ] || infra/docker/build-images.sh
image_for NATS_IMAGE nats
image_for REDIS_IMAGE redis
image_for HAPROXY_IMAGE haproxy
image_for PROMETHEUS_IMAGE prometheus
# What can be left out, loudly.
without() {
  echo "compose: WITHOUT $1: $2" >&2
  files+=(--file "infra/docker/compose/without-$1.yaml")
}
if [ -z "${OTELCOL_IMAGE:-}" ]; then
  OTELCOL_IMAGE=$(pulled_image "$(pinned_image OTELCOL_IMAGE)")
  # It takes minutes to build, which whoever builds nothing does not want to wait for.
  if [ -z "$OTELCOL_IMAGE" ] && { [ -x .tools/otelcol/otelcol ] || [ -z "${SKIP_BUILD:-}" ]; } && scripts/collector.sh; then
    OTELCOL_IMAGE=$(infra/docker/local-images.sh otelcol | sed -n 's/^OTELCOL_IMAGE=//p')
    echo "compose: $OTELCOL_IMAGE takes its place" >&2
  fi
  export OTELCOL_IMAGE
  [ -n "$OTELCOL_IMAGE" ] || without otel-collector "there is no image of it"
fi
if [ -z "${GRAFANA_IMAGE:-}" ]; then
  GRAFANA_IMAGE=$(pulled_image "$(pinned_image GRAFANA_IMAGE)")
  export GRAFANA_IMAGE
  [ -n "$GRAFANA_IMAGE" ] || without grafana "there is no image of it, and no program of this machine can take its place"
fi
if [ "$command" = up ]; then
  compose up --detach --no-build "$@"
  [ $# -gt 0 ] || print_what_to_try
else
  for service in "$@"; do replace_containers "$service"; done
fi
