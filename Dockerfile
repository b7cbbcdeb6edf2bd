# gpuwise in a container: docker run -p 8080:8080 -v gpuwise:/data gpuwise
FROM debian:trixie-slim AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        gcc libc6-dev make libmicrohttpd-dev libuv1-dev libjansson-dev libsqlite3-dev zlib1g-dev \
        libcrypt-dev && \
    rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Makefile ./
COPY server server
COPY handlers handlers
COPY db db
COPY migrations migrations
COPY static static
# What `gpuwise version` says these sources are; make image gives it.
ARG COMMIT=
RUN make -j"$(nproc)" COMMIT="$COMMIT" all

# The C tests on this Debian: docker build --target test . (no part of the image that serves)
FROM build AS test
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends perl && \
    rm -rf /var/lib/apt/lists/*
COPY tests tests
RUN make -j"$(nproc)" units

FROM debian:trixie-slim
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libmicrohttpd12t64 libuv1t64 libjansson4 libsqlite3-0 zlib1g libcrypt1 && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin gpuwise && \
    install -d -o gpuwise -g gpuwise -m 0750 /data
COPY --from=build /src/build/gpuwise /usr/local/bin/gpuwise
COPY LICENSE /usr/share/doc/gpuwise/LICENSE
ENV GPUWISE_LISTEN=0.0.0.0:8080 GPUWISE_DB=/data/gpuwise.db
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s --retries=3 CMD ["gpuwise", "healthcheck"]
ENTRYPOINT ["gpuwise"]
CMD ["serve"]
