#!/bin/sh
# Puts Chromium on the machine when it is missing and installing is permitted (root and apt-get). Nothing is started.
# Where it stays missing, the tests that open pages are skipped and say so.
set -eu
for name in chromium chromium-browser google-chrome-stable google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "browser: no Chromium on this machine. The tests that open pages will be skipped; install it to run these too." >&2
  exit 0
fi
echo "browser: installing chromium" >&2
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; then
  echo "browser: apt-get could not install chromium. The tests that open pages will be skipped." >&2
fi
