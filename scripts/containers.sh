#!/bin/sh
# Puts Docker, Compose and HAProxy on the machine when they are missing and installing is permitted (root and apt-get), with what base images
# are made of where none can be pulled. No engine is started. Where they stay missing, the tests of containers are skipped and say so.
set -eu
missing=""
[ -x /usr/sbin/dockerd ] || [ -x /usr/bin/dockerd ] || missing="$missing docker.io"
command -v docker-compose >/dev/null 2>&1 || docker compose version >/dev/null 2>&1 || missing="$missing docker-compose"
command -v busybox >/dev/null 2>&1 || missing="$missing busybox-static"
command -v haproxy >/dev/null 2>&1 || [ -x /usr/sbin/haproxy ] || missing="$missing haproxy"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "containers: not on this machine:$missing. The tests of containers may be skipped; install them to run those too." >&2
  exit 0
fi
echo "containers: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
# shellcheck disable=SC2086
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1; then
  echo "containers: apt-get could not install$missing. The tests of containers may be skipped." >&2
fi
