import { type AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { beforeAll, expect, test } from "@jest/globals";
import { decodeProtectedHeader } from "jose";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, get } from "./support/people.ts";
import { PUBLISHING, publishingMesh } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";
import { keyFile } from "./support/task-pushes.ts";

const keep = closing();
const keepAll = closingAtEnd();
const PUBLIC_URL = "https://mesh.example";
const CARDS = [
  "/.well-known/agent-card.json",
  "/a2a/extendedAgentCard",
  "/a2a/optimizer/.well-known/agent-card.json",
];
let agent: StandIn;
let redisUrl: string;
let gateway: TestGateway;

beforeAll(async () => {
  // The library prints each signature that it does not believe.
  const { debug } = console;
  console.debug = () => undefined;
  keepAll({
    stop: () => {
      console.debug = debug;
    },
  });
  redisUrl = keepAll(await testRedis()).url;
  agent = keepAll(await standIn(PUBLISHING));
  const env = { PUBLIC_URL, GATEWAY_KEY_FILE: keepAll(keyFile()).path };
  gateway = keepAll(await testGateway({ manifest: publishingMesh(agent.url), redisUrl, env }));
});

const cardAt = async (path: string, where = gateway): Promise<AgentCard> =>
  JSON.parse((await get(where, path, ANN)).text);

/** Verifies as the protocol's library does, with the keys that the mesh serves. */
const verify = verifyAgentCardSignature(async (kid, jku) => {
  expect(jku).toBe(`${PUBLIC_URL}/.well-known/jwks.json`);
  const { keys } = (await get(gateway, "/.well-known/jwks.json")).json() as {
    keys: { kid: string; kty: string }[];
  };
  const key = keys.find((one) => one.kid === kid);
  if (!key) throw new Error("no such key");
  return key;
});

test.each(CARDS)("a card is signed, and the protocol's library believes it: %s", async (path) => {
  const card = await cardAt(path);
  await verify(card);
  const [signature] = card.signatures as [AgentCard["signatures"][number]];
  const jku = `${PUBLIC_URL}/.well-known/jwks.json`;
  expect(decodeProtectedHeader(signature)).toEqual({
    alg: "EdDSA",
    typ: "JOSE",
    kid: expect.any(String),
    jku,
  });
  // What was signed is what is said.
  const url = "https://elsewhere.example/a2a";
  const changed = { ...card, supportedInterfaces: card.supportedInterfaces.map((one) => ({ ...one, url })) };
  await expect(verify(changed)).rejects.toThrow("No valid signatures");
  await expect(
    verify({ ...card, capabilities: { ...card.capabilities, streaming: false } } as AgentCard),
  ).rejects.toThrow();
});

test("a card is not signed without a key that lasts, nor where a request would choose the address", async () => {
  const manifest = publishingMesh(agent.url);
  const unsigned = [{ PUBLIC_URL }, { GATEWAY_KEY_FILE: keep(keyFile()).path }];
  for (const env of unsigned) {
    const other = keep(await testGateway({ manifest, redisUrl, env }));
    for (const path of CARDS) expect(await cardAt(path, other)).not.toHaveProperty("signatures");
  }
});
