// The gateway as a target of the side-by-side harness: put this file into its `targets/` folder, with INTERLOCK_ROOT naming this
// project. One gateway with its own Redis; sessions, journal and event log as in production.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { HERE, TMP } from "../lib/deps.mjs";
import { startNode, startRedis, waitPort } from "../lib/util.mjs";

const ROOT = process.env.INTERLOCK_ROOT;
const PORT = 18400;
const REDIS_PORT = 18401;

// The harness's worker is one agent; the flow pauses before its one step, for the approvals measure.
const manifest = (port) => `
agents:
  worker: { url: "http://127.0.0.1:${port}", tasks: { chat: Echo }, limits: { timeout_ms: 3600000 } }
services:
  worker: { agent: worker, task_type: chat, keywords: [ask], answer: outputs.text }
  gated: { flow: gated, keywords: [approve] }
flows:
  gated:
    steps:
      work: { agent: worker, task_type: chat, inputs: request.inputs, approval: { proposal: request.inputs } }
    goals: { gated: [work] }
`;

const body = (id, message, inputs) => JSON.stringify({ message, session_id: id, inputs });
const json = (text) => JSON.parse(text);

export const interlock = {
  sync: (id) => ({ path: "/api/v1/chat", body: body(id, "ask", {}) }),
  syncOk: (text) => text.includes('"done":true') && text.includes('"message":"done"'),
  stream: (id, spec) => ({
    path: "/api/v1/chat?stream=true&on_disconnect=cancel",
    body: body(id, "ask", spec),
  }),
  kind: (frame) =>
    frame.includes('"progress":{"i"') ? "event" : frame.includes('"done":true') ? "final" : "other",
  approvals: {
    async pause(x, tag) {
      const { status, text } = await x.call({
        path: "/api/v1/chat",
        body: body(tag, "approve", { tag, watch: true }),
      });
      if (status >= 300) throw new Error(`${status} ${text}`);
      return json(text).thread_id;
    },
    async approve(x, runId) {
      const { status, text } = await x.call({
        path: "/api/v1/chat/approve",
        body: JSON.stringify({ thread_id: runId }),
      });
      if (status >= 300) throw new Error(`${status} ${text}`);
    },
  },
  async up(worker) {
    const mesh = path.join(TMP, "interlock-mesh.yaml");
    fs.writeFileSync(mesh, manifest(worker.port));
    const redis = await startRedis(REDIS_PORT, process.env.APPENDFSYNC || "everysec");
    // As `npm start` and the Compose file have it.
    for (const [name, value] of [
      ["stream-node-max-bytes", "1024"],
      ["hash-max-listpack-value", "1024"],
      ["auto-aof-rewrite-min-size", "256mb"],
    ])
      execFileSync("redis-cli", ["-p", String(REDIS_PORT), "config", "set", name, value]);
    const env = {
      PORT: String(PORT),
      REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`,
      MESH_FILE: mesh,
      LOG_LEVEL: process.env.LOG_LEVEL || "info",
      MAX_RUNS: "20000",
      NODE_ENV: "production",
    };
    const main = path.relative(HERE, path.join(ROOT, "services/gateway/src/main.ts"));
    const gateway = startNode(main, env, ["--max-semi-space-size=32"], "interlock");
    await waitPort(PORT, 10_000, gateway);
    return { port: PORT, pids: [gateway.pid, redis.pid], procs: [gateway, redis], storePids: [redis.pid] };
  },
};
