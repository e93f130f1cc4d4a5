# The server, the indexer and its replicas: one image, one command for each (see docs/production.md).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN node scripts/run.mjs deploy /app

FROM node:24.21.0-bookworm-slim
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
WORKDIR /data
ENV NODE_ENV=production LINEAGE_INDEX_DIR=/data/index LINEAGE_ACCOUNTS_DIR=/data/accounts
VOLUME /data
EXPOSE 5173
USER node
ENTRYPOINT ["node", "/app/scripts/run.mjs"]
CMD ["server"]
