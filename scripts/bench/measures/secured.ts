import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { localToken } from "../../lib/local-issuer.ts";
import { runAsks } from "../load/asks.ts";
import { askOf, type Question } from "../load/requests.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

const ROUNDS = 7;
const USERS = 100;
/** As many as the shipped manifest allows. */
const LIMITS = { subject: { points: 60_000, per_s: 60 }, tenant: { points: 600_000, per_s: 60 } };

/**
 * Two gateways over one Redis take turns: one asks nobody who they are and counts nothing, the other verifies a token, counts requests
 * against limits of subject and tenant, and keeps its decision log. Each has one user, whose runs share writes; runs of many users share
 * fewer, with or without tokens, so that these are a figure of their own.
 */
export const secured: Measure = {
  name: "secured",
  title: "Simple ask with tokens, limits and audit, against one without",
  async run({ cores, signal }) {
    const dir = mkdtempSync(join(tmpdir(), "interlock-bench-"));
    const manifest = join(dir, "mesh.yaml");
    const plainFile = fileURLToPath(new URL("../sut/mesh.yaml", import.meta.url));
    writeFileSync(manifest, JSON.stringify({ ...parse(readFileSync(plainFile, "utf8")), limits: LIMITS }));
    const plain = await startRig({ cores, signal });
    try {
      const safe = await startRig({
        cores,
        signal,
        manifest,
        store: plain.mesh,
        gatewayEnv: { AUTH: "required" },
      });
      try {
        const [one, many] = await Promise.all([asUsers(1), asUsers(USERS)]);
        const costs: [off: number, on: number, many: number][] = [];
        for (let round = 0; round <= ROUNDS; round++) {
          const off = await costOf(plain, askOf.gateway, signal);
          const on = await costOf(safe, one, signal);
          const manyUsers = await costOf(safe, many, signal);
          // The first round is the compiler's.
          if (round > 0) costs.push([off, on, manyUsers]);
        }
        // Whatever else the machine does adds to the cost of a round: the least one has the least of it.
        const least = (us: readonly number[]) => Math.min(...us);
        const [off, on] = [least(costs.map(([us]) => us)), least(costs.map(([, us]) => us))];
        const manyUsersCpuUs = least(costs.map(([, , us]) => us));
        return { plainCpuUs: off, securedCpuUs: on, addedCpuUs: on - off, manyUsersCpuUs };
      } finally {
        await safe.stop();
      }
    } finally {
      await plain.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/** CPU of gateway and Redis for an ask. */
async function costOf(rig: Rig, question: Question, signal: AbortSignal): Promise<number> {
  const { answered, cpuS } = await runAsks(
    { urls: rig.gateways, question, concurrency: 32 },
    { warmS: 0.5, seconds: 1.5, usages: [rig.sut], signal },
  );
  return ((cpuS[0] ?? 0) * 1e6) / answered;
}

async function asUsers(count: number): Promise<Question> {
  const names = Array.from({ length: count }, (_, n) => `user-${n}`);
  const tokens = await Promise.all(names.map((user) => localToken({ user })));
  let next = 0;
  return { ...askOf.gateway, ask: () => ({ ...askOf.gateway.ask(), token: tokens[next++ % count] }) };
}
