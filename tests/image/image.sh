#!/usr/bin/env bash
# Builds the image gpuwise:latest from the Dockerfile with the engine there is.
set -eu
cd "$(dirname "$0")/../.."
commit=$(git describe --always --dirty --abbrev=12 2>/dev/null || true) # none in an unpacked archive
if command -v docker >/dev/null && docker version >/dev/null 2>&1; then
    exec docker build --build-arg "COMMIT=$commit" -t gpuwise .
elif command -v podman >/dev/null; then
    exec podman build --build-arg "COMMIT=$commit" --format docker -t gpuwise . # the OCI format has no HEALTHCHECK
fi
echo "make image needs docker or podman; make image-test builds and runs the image without an engine" >&2
exit 2
