#!/usr/bin/env bash
# Builds the image gpuwise:latest from the Dockerfile with the engine there is.
set -eu
cd "$(dirname "$0")/../.."
if command -v docker >/dev/null && docker version >/dev/null 2>&1; then
    exec docker build -t gpuwise .
elif command -v podman >/dev/null; then
    exec podman build --format docker -t gpuwise . # the OCI format has no HEALTHCHECK
fi
echo "make image needs docker or podman; make image-test builds and runs the image without an engine" >&2
exit 2
