# For scripts that source this: DOCKER is a client that can build with BuildKit, and pulled_image says what can be had.
# shellcheck shell=bash

# Clients since 23 need the plug-in buildx for it, older ones do not.
can_build() {
  command -v "$1" >/dev/null 2>&1 || return 1
  "$1" buildx version >/dev/null 2>&1 && return 0
  local major
  major=$("$1" --version | sed -n 's/^Docker version \([0-9]*\)\..*/\1/p')
  [ "${major:-0}" -ge 19 ] && [ "$major" -lt 23 ]
}

DOCKER=${DOCKER:-}
for candidate in docker /usr/bin/docker; do
  if [ -z "$DOCKER" ] && can_build "$candidate"; then DOCKER=$candidate; fi
done
if [ -z "$DOCKER" ]; then
  echo "docker: no client that can build images was found; install Docker with buildx" >&2
  exit 1
fi

# Prints the image when it is here or can be pulled, else nothing.
pulled_image() {
  if "$DOCKER" image inspect "$1" >/dev/null 2>&1 || timeout 600 "$DOCKER" pull --quiet "$1" >/dev/null 2>&1; then
    echo "$1"
  else
    echo "images: $1 cannot be pulled" >&2
  fi
}
