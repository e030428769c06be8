# docker build -t kifu . && docker run --rm -v "$PWD:/data" kifu datasets list
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=1 go build -tags=no_duckdb_arrow -trimpath -ldflags='-s -w' -o /kifu ./cmd/kifu

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY --from=build /kifu /usr/local/bin/kifu
WORKDIR /data
ENTRYPOINT ["kifu"]
