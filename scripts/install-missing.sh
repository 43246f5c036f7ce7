# For scripts that source this: puts Debian packages on the machine when they are missing and installing is permitted (root and
# apt-get). Nothing is started. Where they stay missing, the tests that need them are skipped and say so.
# shellcheck shell=sh

# install_missing <what the script is for> <which tests> [package ...]
install_missing() {
  purpose=$1 tests=$2
  shift 2
  [ $# -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "$purpose: not on this machine: $*. $tests are skipped; install them to run these too." >&2
    return 0
  fi
  echo "$purpose: installing $*" >&2
  export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
  if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null 2>&1; then
    echo "$purpose: apt-get could not install $*. $tests are skipped." >&2
  fi
}
