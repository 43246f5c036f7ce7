#!/bin/sh
# Puts nats-server, redis-server and nginx on the machine when they are missing and installing is permitted (root and apt-get).
# Nothing is started. Where they stay missing, the tests that need them are skipped and say so.
set -eu
missing=""
command -v nats-server >/dev/null 2>&1 || missing="$missing nats-server"
command -v redis-server >/dev/null 2>&1 || missing="$missing redis-server"
command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || missing="$missing nginx"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "servers: not on this machine:$missing. The tests on these will be skipped; install them to run those too." >&2
  exit 0
fi
echo "servers: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
# shellcheck disable=SC2086
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1; then
  echo "servers: apt-get could not install$missing. The tests on these will be skipped." >&2
fi
