#!/usr/bin/env bash
# Makes base images out of programs of this machine, for where no image can be pulled: an old engine without a network, or CI. Their
# names begin with switchyard-local/ and end with the version that is really inside; nothing else is pretended.
#
#   infra/docker/local-images.sh [node nats redis haproxy prometheus otelcol]
#                                     default: node, and of the others those that are here
#
# An image that this script has made already of the same versions is left as it is, so that Compose leaves its containers alone.
# Prints a line NAME=image for each, for `eval` or an env file. Needs docker and busybox (Debian: busybox-static).
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH="$PWD/.tools/bin:$PWD/.tools/otelcol:$PATH:/usr/sbin"
THIS_SCRIPT=$(cksum <infra/docker/local-images.sh | tr ' ' -)

# make_image <name> <version> <programs> [change of docker import ...]     FOLDERS: what else the programs read
make_image() {
  local name=$1 version=$2 programs=$3 root program library folder
  shift 3
  local tag="switchyard-local/$name:$version"
  local changes=(-c 'ENV PATH=/usr/local/bin:/usr/bin:/bin' -c "LABEL switchyard.made-by=$THIS_SCRIPT" "$@")
  if [ "$("$DOCKER" image inspect --format '{{index .Config.Labels "switchyard.made-by"}}' "$tag" 2>/dev/null)" = "$THIS_SCRIPT" ]; then
    echo "${name^^}_IMAGE=$tag"
    return
  fi
  root=$(mktemp -d)
  mkdir -p "$root"/{bin,usr/bin,usr/local/bin,etc/ssl/certs,data,root,tmp,proc,sys,dev}
  chmod 755 "$root"
  chmod 1777 "$root/tmp"
  cp "$(command -v busybox)" "$root/bin/busybox"
  for program in $(busybox --list | grep -vx busybox); do ln -sf busybox "$root/bin/$program"; done
  ln -s /bin/env "$root/usr/bin/env"
  for program in $programs; do
    cp -L "$(command -v "$program")" "$root/usr/local/bin/"
    for library in $(ldd "$(readlink -f "$(command -v "$program")")" 2>/dev/null | grep -oE '/[^ )]+' || true); do
      mkdir -p "$root$(dirname "$library")"
      cp -L "$library" "$root$library"
    done
  done
  for folder in ${FOLDERS:-}; do
    mkdir -p "$root$(dirname "$folder")"
    cp -RL "$folder" "$root$folder"
  done
  printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
  printf 'root:x:0:\n' >"$root/etc/group"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  tar -C "$root" -c . | "$DOCKER" import "${changes[@]}" - "$tag" >/dev/null
  rm -rf "$root"
  echo "${name^^}_IMAGE=$tag"
}

make_one() {
  case $1 in
    node) make_image node "$(node -p process.versions.node)" 'node pnpm' \
      -c 'ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' ;;
    nats) make_image nats "$(nats-server --version | grep -oE '[0-9.]+$')" nats-server -c 'ENTRYPOINT ["nats-server"]' ;;
    redis) make_image redis "$(redis-server --version | grep -oE 'v=[0-9.]+' | cut -c3-)" 'redis-server redis-cli' \
      -c 'CMD ["redis-server"]' ;;
    haproxy) make_image haproxy "$(haproxy -v | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)" haproxy \
      -c 'CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]' ;;
    # Debian keeps its pages apart from the program.
    prometheus) FOLDERS=$(ls -d /usr/share/prometheus 2>/dev/null || true) \
      make_image prometheus "$(prometheus --version 2>&1 | sed -n 's/^prometheus, version \([0-9.]*\).*/\1/p')" prometheus \
      -c 'ENTRYPOINT ["prometheus"]' ;;
    otelcol) make_image otelcol "$(otelcol --version | grep -oE '[0-9.]+$')" otelcol -c 'ENTRYPOINT ["otelcol"]' ;;
    *)
      echo "local-images: $1 is not known; expected node, nats, redis, haproxy, prometheus or otelcol" >&2
      exit 2
      ;;
  esac
}

. infra/docker/docker-command.sh
command -v busybox >/dev/null || { echo "local-images: busybox was not found; install busybox-static" >&2; exit 1; }
if [ $# -gt 0 ]; then
  for name in "$@"; do make_one "$name"; done
else
  make_one node
  for name in nats-server redis-server haproxy prometheus otelcol; do
    if command -v "$name" >/dev/null; then make_one "${name%-server}"; fi
  done
fi
