# The reader and the server: one image, one command for each (see docs/production.md).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN node scripts/run.mjs deploy /app

FROM node:24.21.0-bookworm-slim
COPY --from=build /app /app
WORKDIR /tmp
ENV NODE_ENV=production
EXPOSE 5173 9464 42069
USER node
ENTRYPOINT ["node", "/app/scripts/run.mjs"]
CMD ["server"]
