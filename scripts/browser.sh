#!/bin/sh
# Puts Chromium on the machine; see install-missing.sh.
set -eu
. "$(dirname "$0")/install-missing.sh"
for name in chromium chromium-browser google-chrome-stable google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
install_missing browser 'The tests that open pages' chromium
