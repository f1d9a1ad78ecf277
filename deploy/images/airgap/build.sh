#!/usr/bin/env bash
# Builds, without an image registry, substitutes for the three public images that Trawl's Dockerfile, compose file and
# tests use: a Java run time, Redis and Kafka. They consist of Debian packages, a run time linked from the local JDK,
# and Kafka's jars from Maven Central, and behave like the originals as far as Trawl needs; each has the label
# io.trawl.stand-in. The script never replaces an image without this label.
#
# Needs: a Docker engine, a JDK 25 with jlink, Maven, apt-get (Debian or Ubuntu) and redis-server. See docs/operations.md, "Without a registry".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
root=$(cd "$here/../../.." && pwd -P)
work=$root/deploy/images/target/airgap
export DOCKER_BUILDKIT=0 # the classic builder is sufficient and part of every engine

kafka_version=$(sed -n 's:.*<kafka.version>\(.*\)</kafka.version>.*:\1:p' "$root/pom.xml")
java_image=eclipse-temurin:25-jre
redis_image=redis:7-alpine
kafka_image=apache/kafka:$kafka_version

say() { printf 'airgap: %s\n' "$*"; }
fail() {
  printf 'airgap: %s\n' "$*" >&2
  exit 1
}

jdk() {
  local home
  for home in "${TRAWL_JAVA_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/*jdk*; do
    if [ -x "$home/bin/jlink" ] && grep -q '^JAVA_VERSION="\(2[5-9]\|[3-9][0-9]\)' "$home/release" 2>/dev/null; then
      printf '%s\n' "$home"
      return
    fi
  done
  fail "no JDK 25 with jlink here: set TRAWL_JAVA_HOME"
}

# The hash of a substitute's inputs; it is rebuilt when the hash changes.
java_home=$(jdk)
mark=$({ cat "$here"/build.sh "$here"/kafka-pom.xml "$here"/*.Dockerfile "$here"/kafka/*/* "$here"/redis/* "$java_home/release"; echo "$kafka_version"; } | sha256sum | cut -c1-16)

wanted() { # $1: image. Whether to build it
  local label
  label=$(docker image inspect --format '{{if .Config.Labels}}{{index .Config.Labels "io.trawl.stand-in"}}{{end}}' "$1" 2>/dev/null) || return 0
  if [ -z "$label" ]; then
    say "$1 is here and no stand-in: left alone"
    return 1
  fi
  [ "$label" != "$mark" ]
}

libraries_of() { # prints the paths of programs and of all their shared libraries
  local program
  for program in "$@"; do
    printf '%s\n' "$program"
    ldd "$program" | sed -n 's:.*=> \(/[^ ]*\) .*:\1:p; s:^[[:space:]]*\(/[^ ]*\) (.*:\1:p'
  done | sort -u
}

base_root() { # a small Debian userland in folder $1
  local to=$1 deb
  mkdir -p "$work/debs" "$to"
  (cd "$work/debs" && [ -e "of-$mark" ] || { rm -f ./*.deb && apt-get download -qq base-files netbase tzdata libc6 libgcc-s1 libstdc++6 zlib1g ca-certificates busybox-static bash-static && touch "of-$mark"; })
  mkdir -p "$to"/{tmp,root,proc,sys,dev,data,usr/local/bin,var/lib/dpkg/status.d}
  for deb in "$work"/debs/*.deb; do
    dpkg-deb -x "$deb" "$to"
    # Scanners look here for the packages of an image without a package manager.
    dpkg-deb -f "$deb" >"$to/var/lib/dpkg/status.d/$(dpkg-deb -f "$deb" Package)"
  done
  chmod 1777 "$to/tmp"
  ln -sf bash-static "$to/bin/bash"
  local tool
  for tool in sh cat ls sed grep cp mv rm mkdir chown chmod id wget nc sleep touch env hostname uname ps kill head tail df mktemp; do
    ln -sf busybox "$to/bin/$tool"
  done
  printf 'root:x:0:0:root:/root:/bin/sh\nredis:x:999:999:redis:/data:/bin/sh\nappuser:x:1000:1000:kafka:/home:/bin/sh\n' >"$to/etc/passwd"
  printf 'root:x:0:\nredis:x:999:\nappuser:x:1000:\n' >"$to/etc/group"
  printf 'hosts: files dns\n' >"$to/etc/nsswitch.conf"
}

context() { # an empty folder for one image,
  rm -rf "${work:?}/$1" && mkdir -p "$work/$1"
}

build() { # $1: name of the Dockerfile, $2: image
  docker build -q --label "io.trawl.stand-in=$mark" -f "$here/$1.Dockerfile" -t "$2" "${@:3}" "$work/$1" >"$work/$1.log" 2>&1 || fail "cannot build $2: $(tail -n 5 "$work/$1.log")"
  say "built $2"
}

mkdir -p "$work"
docker info >/dev/null 2>&1 || fail "no Docker engine answers"

if wanted "$java_image"; then
  context java
  base_root "$work/java/root"
  mkdir -p "$work/java/root/opt/java"
  "$java_home/bin/jlink" --add-modules java.se,jdk.charsets,jdk.unsupported,jdk.management,jdk.management.agent,jdk.crypto.ec,jdk.net,jdk.zipfs,jdk.jfr,jdk.httpserver,jdk.jcmd,jdk.localedata,jdk.naming.dns \
    --include-locales=en --strip-debug --no-header-files --no-man-pages --compress zip-6 --output "$work/java/root/opt/java/openjdk"
  tar -C "$work/java/root" --numeric-owner --owner=0 --group=0 -cf "$work/java/root.tar" . && rm -rf "$work/java/root"
  build java "$java_image"
fi

if wanted "$redis_image"; then
  command -v redis-server >/dev/null || fail "redis-server not found, needed for $redis_image: apt-get install redis-server"
  context redis
  base_root "$work/redis/root"
  while read -r file; do
    mkdir -p "$work/redis/root$(dirname "$file")"
    cp -L --remove-destination "$file" "$work/redis/root$file"
  done < <(libraries_of "$(readlink -f "$(command -v redis-server)")" "$(readlink -f "$(command -v redis-cli)")")
  ln -sf "$(readlink -f "$(command -v redis-server)")" "$work/redis/root/usr/local/bin/redis-server"
  ln -sf "$(readlink -f "$(command -v redis-cli)")" "$work/redis/root/usr/local/bin/redis-cli"
  cp "$here/redis/docker-entrypoint.sh" "$work/redis/root/usr/local/bin/"
  chmod 0755 "$work/redis/root/usr/local/bin/docker-entrypoint.sh"
  chown -R 999:999 "$work/redis/root/data"
  tar -C "$work/redis/root" --numeric-owner -cf "$work/redis/root.tar" . && rm -rf "$work/redis/root"
  build redis "$redis_image"
fi

if wanted "$kafka_image"; then
  context kafka
  copy=(-q -B -f "$here/kafka-pom.xml" "-Dkafka.version=$kafka_version" org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies
    -DincludeScope=runtime "-DoutputDirectory=$work/kafka/libs")
  # Local files need no network, which an air-gapped machine does not have.
  mvn -o "${copy[@]}" >/dev/null 2>&1 || mvn "${copy[@]}"
  cp -r "$here/kafka" "$work/kafka/files"
  build kafka "$kafka_image" --build-arg "BASE=$java_image"
fi
say "$java_image, $redis_image and $kafka_image are here"
