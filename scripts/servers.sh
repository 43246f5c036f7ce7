#!/bin/sh
# Puts nats-server, redis-server and nginx on the machine; see install-missing.sh.
set -eu
. "$(dirname "$0")/install-missing.sh"
set --
command -v nats-server >/dev/null 2>&1 || set -- "$@" nats-server
command -v redis-server >/dev/null 2>&1 || set -- "$@" redis-server
command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || set -- "$@" nginx
install_missing servers 'The tests on these' "$@"
