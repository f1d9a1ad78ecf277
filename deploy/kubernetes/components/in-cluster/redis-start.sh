#!/bin/sh
# Starts redis-server in a container, for compose and for Kubernetes, with two users: trawl, for Trawl's processes, with
# the password of the variable REDIS_PASSWORD, and operator, for maintenance from inside the container, with a random
# password in /tmp/operator. Passwords are in files of mode 600 and on no command line. Arguments go to redis-server.
set -eu
umask 077
case ${REDIS_PASSWORD:-} in
  '' | *[!A-Za-z0-9_-]*)
    echo "REDIS_PASSWORD must be set, to letters, digits, '-' and '_'" >&2
    exit 2
    ;;
esac
folder=${TMPDIR:-/tmp}
cat /proc/sys/kernel/random/uuid >"$folder/operator"
# Redis writes to disk before it acknowledges, never evicts keys, and keeps small hashes compact (22 bytes per URL instead of about 100).
# No client can log in as the default user, but with its rights Redis loads its own file: without them it silently skips what scripts wrote.
cat >"$folder/redis.conf" <<END
appendonly yes
appendfsync always
save ""
maxmemory-policy noeviction
hash-max-ziplist-entries 512
hash-max-ziplist-value 64
protected-mode no
user default off resetpass ~* &* +@all
user trawl on >$REDIS_PASSWORD ~* +@all -@admin -@dangerous -script +script|load +info +config|get
user operator on >$(cat "$folder/operator") ~* &* +@all
END
[ "$(id -u)" != 0 ] || ! id redis >/dev/null 2>&1 || chown redis "$folder/operator" "$folder/redis.conf"
exec docker-entrypoint.sh redis-server "$folder/redis.conf" "$@"
