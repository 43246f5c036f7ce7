#!/usr/bin/env bash
# Builds the images of Switchyard, one after the other: infra/docker/build-images.sh [target ...]   (default: all)
#
#   NODE_IMAGE     base image; default: the one that the Dockerfile pins or, where that cannot be pulled, one that
#                  local-images.sh makes of the Node.js of this machine
#   IMAGE_PREFIX   default: switchyard/       IMAGE_TAG   default: latest
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/docker/docker-command.sh

targets=("$@")
[ $# -gt 0 ] || targets=(registry composer config-distribution router cli demo-subgraphs keys)
pinned=$(sed -n 's/^ARG NODE_IMAGE=\(.*@.*\)/\1/p' infra/docker/Dockerfile)
node=${NODE_IMAGE:-$(pulled_image "$pinned")}
[ -n "$node" ] || node=$(infra/docker/local-images.sh node | sed -n 's/^NODE_IMAGE=//p')
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
version=$(sed -n 's/^  "version": "\(.*\)",/\1/p' package.json)

export DOCKER_BUILDKIT=1
for target in "${targets[@]}"; do
  image=${IMAGE_PREFIX-switchyard/}$target:${IMAGE_TAG:-latest}
  echo "images: building $image on $node" >&2
  "$DOCKER" build --file infra/docker/Dockerfile --target "$target" --tag "$image" --build-arg "NODE_IMAGE=$node" \
    --build-arg "VERSION=$version" --build-arg "REVISION=$revision" --progress plain . >&2
done
