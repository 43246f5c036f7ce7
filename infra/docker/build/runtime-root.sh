#!/bin/sh
# runtime-root.sh <folder>: the root file system that all images share. It holds Node.js with the libraries it is linked to,
# certificates of authorities, and the names of two users; no shell and no package manager.
set -eu
root=$1
node=$(command -v node)

mkdir -p "$root/usr/local/bin" "$root/etc/ssl/certs" "$root/app/.compiled" "$root/var/lib/switchyard" "$root/run/switchyard" "$root/tmp"
chmod 1777 "$root/tmp"
cp -L "$node" "$root/usr/local/bin/node"

# The program that loads it says which libraries it finds, and is one of them.
for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
  [ -e "$loader" ] || continue
  for library in "$loader" $("$loader" --list "$node" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p'); do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
done
[ -d "$root/lib" ] || [ -d "$root/lib64" ] || { echo "runtime-root: expected a base image with glibc" >&2; exit 1; }

for certificates in /etc/ssl/certs/ca-certificates.crt; do
  [ ! -e "$certificates" ] || cp -L "$certificates" "$root$certificates"
done
printf 'root:x:0:0:root:/root:/none\nswitchyard:x:65532:65532:switchyard:/tmp:/none\n' >"$root/etc/passwd"
printf 'root:x:0:\nswitchyard:x:65532:\n' >"$root/etc/group"
printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
# Empty where nobody mounts one: Node.js would say on stderr that it is not there.
: >"$root/run/switchyard/env"
chown -R 65532:65532 "$root/app/.compiled" "$root/var/lib/switchyard" "$root/run/switchyard"
