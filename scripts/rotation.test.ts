import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { rotateKeys } from "@interlock/issuer";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { GATEWAY, ISSUER, SERVICES } from "./lib/services.ts";

const CACHE_S = 3;

let issuerDataDir: string;
let mesh: Mesh;

beforeAll(async () => {
  issuerDataDir = mkdtempSync(join(tmpdir(), "interlock-issuer-"));
  mesh = await startMesh({
    services: SERVICES.filter(({ name }) => name === GATEWAY || name === ISSUER.name),
    replicas: { [GATEWAY]: 2 },
    redis: { durable: false },
    issuerDataDir,
    env: { AUTH: "required", ISSUER_CACHE_S: String(CACHE_S), LOOP_SHED_MS: "60000" },
    logDir: process.env.TEST_GATEWAY_LOGS,
  });
});
afterAll(async () => {
  await mesh.stop();
  rmSync(issuerDataDir, { recursive: true });
});

test("two gateways of one issuer take its tokens, and refuse those of a key that it has withdrawn", async () => {
  const statuses = (token: string) =>
    Promise.all(
      [1, 2].map(async (index) => {
        const { url } = mesh.find(`${GATEWAY}-${index}`);
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${url}/api/v1/runs`, { headers });
        await answer.body?.cancel();
        return answer.status;
      }),
    );
  const old = await mesh.token({ user: "ann" });
  expect(await statuses(old)).toEqual([200, 200]);
  rotateKeys(issuerDataDir);
  // Nobody asks meanwhile: the first request after that time is refused already.
  await delay(CACHE_S * 1000 + 100);
  expect(await statuses(old)).toEqual([401, 401]);
  expect(await statuses(await mesh.token({ user: "ann" }))).toEqual([200, 200]);
});
