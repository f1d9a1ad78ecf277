#!/usr/bin/env bash
# Builds the images of all or of the named processes: deploy/images/build.sh [coordinator downloader ...].
# TRAWL_TAG  the tag (default: dev)      TRAWL_BASE  the base image with the run time (default: eclipse-temurin:25-jre; it may be one without a shell)
set -euo pipefail
cd "$(dirname "$0")/../.."
docker buildx version >/dev/null 2>&1 || export DOCKER_BUILDKIT=0 # this client has no BuildKit or lacks the plug-in
version=$(sed -n 's:^  <version>\(.*\)</version>.*:\1:p' pom.xml | head -n 1)
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)

[ $# -gt 0 ] || set -- coordinator downloader analyzer pipeline standalone
for process in "$@"; do
  docker build -q -f deploy/images/Dockerfile --target "$process" -t "trawl/$process:${TRAWL_TAG:-dev}" \
    --build-arg "BASE=${TRAWL_BASE:-eclipse-temurin:25-jre}" --build-arg "VERSION=$version" --build-arg "REVISION=$revision" . >/dev/null
  echo "built trawl/$process:${TRAWL_TAG:-dev}"
done
