#!/usr/bin/env bash
# scripts/portable.sh — an installed tree as one archive that asks nothing of the machine's libraries.
#
# usage: portable.sh PREFIX ARCHIVE.tar.xz
# The C library and its loader go along, as Debian has few of the libraries as archives to be linked in: the binary is
# started by its own loader, so the machine's glibc may be older (or another). It needs Linux 3.2 on x86-64-v2, no more.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
archive=$(realpath -m "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/rehearse
cp -a "$1" "$tree"
mkdir -p "$tree/lib"
mv "$tree/bin/rehearse" "$tree/lib/rehearse"
strip "$tree/lib/rehearse"
loader=
while read -r name arrow path _; do
  case "$name $arrow $path" in
    linux-vdso*) ;;
    */ld-linux*) loader=$(basename "$name"); cp -L "$name" "$tree/lib/" ;;
    *' => /'*) cp -L "$path" "$tree/lib/$name" ;;
  esac
done < <(ldd "$tree/lib/rehearse")
cat >"$tree/bin/rehearse" <<EOF
#!/bin/sh
# The binary, by its own loader and with its own libraries.
here=\$(dirname "\$(readlink -f "\$0")")
exec "\$here/../lib/$loader" --library-path "\$here/../lib" --argv0 rehearse "\$here/../lib/rehearse" "\$@"
EOF
chmod 755 "$tree/bin/rehearse"
mkdir -p "$(dirname "$archive")"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -cf - rehearse | xz -T1 -6 >"$archive.part"
mv "$archive.part" "$archive"
