#!/bin/sh
# package.sh <folder> <workspace package> ...: what one image holds below /app. The packages with those of the workspace that they
# depend on, their production dependencies, the licence, and a list of all of it (CycloneDX).
#
# The workspace keeps its form, with links in node_modules: Node.js strips types from no file whose real path is below node_modules.
set -eu
to=$1
shift
with_dependencies=""
alone=""
for package in "$@"; do
  with_dependencies="$with_dependencies --filter-prod $package..."
  alone="$alone --filter $package"
done

# shellcheck disable=SC2086
pnpm install --prod --frozen-lockfile --ignore-scripts --reporter=append-only --store-dir /pnpm/store \
  $with_dependencies
mkdir -p "$to"
cp package.json LICENSE "$to/"
cp -a node_modules "$to/"
for folder in $(pnpm ls $with_dependencies --depth -1 --parseable); do
  name=${folder#"$PWD/"}
  mkdir -p "$to/$name"
  for part in package.json src schemas dist node_modules; do
    [ ! -e "$name/$part" ] || cp -a "$name/$part" "$to/$name/"
  done
done

# Declarations, sources and their maps: Node.js runs no TypeScript below node_modules.
find "$to/node_modules" -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -exec rm -f {} +
rm -rf "$to/node_modules/.modules.yaml" "$to/node_modules/.pnpm-workspace-state-v1.json" "$to/node_modules/.bin"

pnpm sbom --sbom-format cyclonedx --sbom-spec-version 1.6 --sbom-type application --prod $alone \
  --out "$to/sbom.cdx.json"
