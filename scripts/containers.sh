#!/bin/sh
# Puts Docker, Compose, HAProxy and Prometheus on the machine, with what base images are made of where none can be pulled; see
# install-missing.sh. No engine is started.
set -eu
. "$(dirname "$0")/install-missing.sh"
set --
[ -x /usr/sbin/dockerd ] || [ -x /usr/bin/dockerd ] || set -- "$@" docker.io
command -v docker-compose >/dev/null 2>&1 || docker compose version >/dev/null 2>&1 || set -- "$@" docker-compose
command -v busybox >/dev/null 2>&1 || set -- "$@" busybox-static
command -v haproxy >/dev/null 2>&1 || [ -x /usr/sbin/haproxy ] || set -- "$@" haproxy
command -v prometheus >/dev/null 2>&1 || set -- "$@" prometheus
install_missing containers 'The tests of containers' "$@"
