#!/usr/bin/env bash
# Crawls documentation of Debian by the files of this folder, served on loopback, and checks every item:
#   docs/examples/crawls/run.sh [NAME...]
# It needs python3, and the packages python3.11-doc debian-faq debian-policy git-doc sqlite3-doc.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
python3 -u -m http.server 0 --bind 127.0.0.1 --directory /usr/share/doc >"$out/server" 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$out"' EXIT
until port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$out/server") && [ -n "$port" ]; do sleep 0.1; done
export TRAWL_VALUE_PORT=$port
[ $# -gt 0 ] || set -- python-functions debian-faq debian-policy git-commands sqlite-functions
bad=0
for name; do
  "$here/../../../trawl" crawl --file "$here/$name.yaml" --allow-network 127.0.0.0/8 --data "$out/$name-data" --out "$out/$name" >"$out/log" 2>&1 ||
    { cat "$out/log"; bad=1; continue; }
  grep -E '^ +(pages|duration)' "$out/log"
  "$here/check.py" "$name" "http://127.0.0.1:$port/" "$out/$name" || bad=1
done
exit $bad
