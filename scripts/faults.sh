#!/bin/sh
# Puts libfaketime on the machine, with which `make faults` gives one service a wrong clock; see install-missing.sh.
set -eu
. "$(dirname "$0")/install-missing.sh"
set --
ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || set -- libfaketime
install_missing faults 'Faults with wrong clocks' "$@"
