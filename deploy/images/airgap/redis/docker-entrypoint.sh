#!/bin/sh
# Like the public image's script: options or a configuration file alone are arguments of redis-server.
set -e
case "${1:-}" in
  -* | *.conf) set -- redis-server "$@" ;;
esac
if [ "$1" = redis-server ]; then
  set -- "$@" --protected-mode no
fi
exec "$@"
