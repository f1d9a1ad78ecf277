#!/bin/sh
# As the public image's: options or a configuration file alone are meant for redis-server.
set -e
case "${1:-}" in
  -* | *.conf) set -- redis-server "$@" ;;
esac
if [ "$1" = redis-server ]; then
  set -- "$@" --protected-mode no
fi
exec "$@"
