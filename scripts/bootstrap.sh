#!/bin/sh
# Makes .tools/bin with a new enough Node.js, the pinned pnpm and switchyard. Needs only some Node.js >= 18 with npm, and does
# nothing that is already done.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .tools/bin

# engines.node is ">=24.12": compared as major*1000+minor.
want=24012
version() { "$1" -p 'const [a, b] = process.versions.node.split("."); a * 1000 + +b' 2>/dev/null || echo 0; }

if ! command -v npm >/dev/null 2>&1; then
  echo "bootstrap: npm was not found. Switchyard sets itself up from any Node.js >= 18 that has npm on the PATH." >&2
  exit 1
fi
if [ "$(version .tools/bin/node)" -lt $want ] && [ "$(version node)" -ge $want ]; then
  # The one of now: with version managers, the next shell may have an older one.
  ln -sf "$(node -p process.execPath)" .tools/bin/node
elif [ "$(version .tools/bin/node)" -lt $want ]; then
  echo "bootstrap: Node.js $(node -v) is older than 24.12; putting one under .tools" >&2
  mkdir -p .tools/node
  cp tools/package.json tools/package-lock.json .tools/node/
  npm ci --prefix .tools/node --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  bin=$(ls .tools/node/node_modules/node-*/bin/node 2>/dev/null | head -1)
  if [ -z "$bin" ]; then
    echo "bootstrap: npm installed no Node.js for $(uname -sm): there is none for such machines, or it could not be fetched. Try again, or install Node.js >= 24.12" >&2
    exit 1
  fi
  ln -sf "../../$bin" .tools/bin/node
fi

PATH="$PWD/.tools/bin:$PATH"
pnpm=$(node -p 'require("./package.json").packageManager.split("@")[1]')
if [ "$(.tools/bin/pnpm --version 2>/dev/null || true)" != "$pnpm" ]; then
  npm install --prefix .tools/pnpm --ignore-scripts --no-save --no-package-lock --no-audit --no-fund --loglevel=error "pnpm@$pnpm" >&2
  # The native program where it runs: the script in front of it ends on SIGTERM without passing it on, and what pnpm
  # had started would go on alone.
  native=$(ls .tools/pnpm/node_modules/@pnpm/exe.*/pnpm 2>/dev/null | head -1)
  if [ -n "$native" ] && [ "$("$native" --version 2>/dev/null || true)" = "$pnpm" ]; then
    ln -sf "../${native#.tools/}" .tools/bin/pnpm
  else
    ln -sf ../pnpm/node_modules/.bin/pnpm .tools/bin/pnpm
  fi
fi

ln -sf ../../scripts/switchyard .tools/bin/switchyard
