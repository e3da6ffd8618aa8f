# One target per service, e.g. `docker build --target optimizer .`; docker-compose.yml builds them all.
# Node runs the TypeScript sources directly, so there is no compile step.

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
# Copies only package manifests, so Docker reuses the `npm ci` layers until a dependency changes.
COPY package.json package-lock.json .npmrc ./
COPY contracts/package.json contracts/
COPY services/agent-kit/package.json services/agent-kit/
COPY services/client/package.json services/client/
COPY services/cost/package.json services/cost/
COPY services/explainer/package.json services/explainer/
COPY services/finops/package.json services/finops/
COPY services/gateway/package.json services/gateway/
COPY services/issuer/package.json services/issuer/
COPY services/optimizer/package.json services/optimizer/
COPY services/policy/package.json services/policy/
COPY services/pricing/package.json services/pricing/
COPY services/reporter/package.json services/reporter/
COPY services/savings/package.json services/savings/
COPY services/sensitivity/package.json services/sensitivity/
COPY services/telemetry/package.json services/telemetry/
COPY services/transfer/package.json services/transfer/
COPY services/understanding/package.json services/understanding/
COPY scripts/conformance/package.json scripts/conformance/
COPY scripts/cli/package.json scripts/cli/
COPY scripts/create-interlock/package.json scripts/create-interlock/

# Each image has what its own process needs: the gateway's libraries for models weigh more than all of an agent.
FROM manifests AS agent-dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --loglevel=error \
  $(for folder in services/*; do case $folder in */gateway | */issuer | */client | */understanding | */cost | */savings | */finops) ;; *) echo "--workspace=$folder" ;; esac; done)

# The database that bills are asked in is an optional package a platform, of 70 MB.
FROM manifests AS cost-dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --loglevel=error --workspace=services/cost --workspace=services/savings --workspace=services/telemetry

FROM manifests AS issuer-dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --loglevel=error --workspace=services/issuer

# Source maps, sources and types of libraries, and ranks of the tokenizer in a form that it does not load, are half of what is installed.
FROM manifests AS gateway-dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --loglevel=error --workspace=services/gateway --workspace=services/telemetry \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tiktoken' \) -delete

FROM manifests AS conformance-dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --loglevel=error --workspace=scripts/conformance

FROM node:24-bookworm-slim AS runtime
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Interlock" \
  org.opencontainers.image.description="A mesh of agent workers behind one gateway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production HOST=0.0.0.0 READY_PATH=/health/ready
WORKDIR /app
# By the shell, as the image has no curl: a Node of its own for each check took most of a small machine that runs the whole mesh.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET %s HTTP/1.0\\r\\nHost: 127.0.0.1:%s\\r\\n\\r\\n' \"$READY_PATH\" \"$PORT\" >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
COPY LICENSE ./

FROM runtime AS conformance
LABEL org.opencontainers.image.title="Interlock conformance" \
  org.opencontainers.image.description="Proves that an agent keeps the agent contract"
COPY --from=conformance-dependencies /app ./
COPY contracts contracts
COPY scripts/conformance scripts/conformance
# It checks and ends.
HEALTHCHECK NONE
USER node
ENTRYPOINT ["node", "scripts/conformance/src/main.ts"]

# Node is PID 1 in all that follow, so it receives SIGTERM and drains.
FROM runtime AS service
LABEL org.opencontainers.image.title="Interlock agent"
COPY --from=agent-dependencies /app ./
COPY contracts contracts
COPY services services
USER node

FROM service AS optimizer
ENV PORT=8081
EXPOSE 8081
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/optimizer/src/main.ts"]

FROM service AS policy
ENV PORT=8082
EXPOSE 8082
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/policy/src/main.ts"]

FROM service AS explainer
ENV PORT=8083
EXPOSE 8083
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/explainer/src/main.ts"]

FROM service AS sensitivity
ENV PORT=8084
EXPOSE 8084
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/sensitivity/src/main.ts"]

FROM service AS reporter
ENV PORT=8087
EXPOSE 8087
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/reporter/src/main.ts"]

FROM service AS transfer
ENV PORT=8086
EXPOSE 8086
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/transfer/src/main.ts"]

FROM runtime AS bills
LABEL org.opencontainers.image.title="Interlock agent"
COPY --from=cost-dependencies /app ./
COPY contracts contracts
COPY services services
USER node

FROM bills AS cost
ENV PORT=8088
EXPOSE 8088
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/cost/src/main.ts"]

FROM bills AS savings
ENV PORT=8089
EXPOSE 8089
CMD ["node", "--import", "./services/telemetry/src/register.ts", "services/savings/src/main.ts"]

# Vouches for the users of a mesh under development. Its keys outlive the container in the volume /data.
FROM runtime AS issuer
LABEL org.opencontainers.image.title="Interlock issuer" \
  org.opencontainers.image.description="Vouches for the users of a mesh under development"
COPY --from=issuer-dependencies /app ./
COPY contracts contracts
COPY services services
RUN mkdir /data && chown node:node /data
USER node
ENV PORT=8085 ISSUER_DATA_DIR=/data/issuer
EXPOSE 8085
CMD ["node", "services/issuer/src/main.ts"]

FROM runtime AS gateway
LABEL org.opencontainers.image.title="Interlock gateway"
COPY --from=gateway-dependencies /app ./
COPY mesh.yaml ./
COPY contracts contracts
COPY services services
# A volume that is mounted here belongs to the user of the process.
RUN install -d -o node -g node -m 700 /keys
USER node
ENV PORT=8080 READY_PATH=/readyz
EXPOSE 8080
# Most objects of a request are garbage when it ends. A larger young generation frees them before promotion.
CMD ["node", "--max-semi-space-size=32", "--import", "./services/telemetry/src/register.ts", "services/gateway/src/main.ts"]
