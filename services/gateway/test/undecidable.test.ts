import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { TEST_IDENTITY } from "./support/issuer.ts";
import { post, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";

const use = closing();
const keep = closingAtEnd();
let agent: StandIn;
let redis: Awaited<ReturnType<typeof testRedis>>;

beforeAll(async () => {
  agent = keep(await standIn(PUBLISHING));
  redis = keep(await testRedis());
});

const NOBODY_HAS_IT =
  "Nobody can approve this: no caller of this mesh can have a role that may (pricing-lead). Whoever runs the mesh has to give somebody one.";
const LOGGED = "an approval that nobody can give";
const LEAD = { "pricing-lead": { inherits: ["pricing_approver"] } };

type Given = { rule?: object; roles?: object; identity?: object | undefined };

const manifestOf = ({ rule = {}, roles = LEAD, ...more }: Given) => ({
  ...publishingMesh(agent.url, { ...RULE, ...rule }),
  access: { roles },
  ...more,
});
const start = async (given: Given): Promise<TestGateway> =>
  use(await testGateway({ manifest: manifestOf(given), redisUrl: redis.url }));

/** Asked without a token, on a loopback binding. */
async function pauseOf(gateway: TestGateway) {
  const body = { message: "publish the prices", session_id: randomUUID() };
  const answer = await post(gateway, "/api/v1/chat", body);
  expect(answer.status).toBe(200);
  expect(gatewayContract.chatAnswer(answer.json())).toMatchObject({ ok: true });
  const events = await toRest(gateway, String(answer.json().thread_id), {});
  expect(events.at(-1)?.data.warnings).toEqual(answer.json().warnings);
  return answer.json() as { message: string; warnings?: string[] };
}

const mapped = (roles: string[]) => ({
  issuers: {
    test: { ...TEST_IDENTITY.issuers.test, claims: { roles: [{ claim: "groups", map: { leads: roles } }] } },
  },
});

test.each<[string, Given, string]>([
  ["nobody vouches for anybody", { identity: undefined }, NOBODY_HAS_IT],
  ["the mapping of roles gives nobody the role", { identity: mapped(["viewer"]) }, NOBODY_HAS_IT],
  [
    "four eyes are wanted and there is one caller",
    {
      identity: undefined,
      roles: {
        ...LEAD,
        analyst: {
          inherits: ["viewer"],
          agents: ["*"],
          flows: ["*"],
          services: ["*"],
          approvals: { decide: ["*/*"] },
        },
      },
      rule: { roles: ["analyst"] },
    },
    "it needs a second person",
  ],
])("where %s, the pause says that nobody can approve it, and so does the start", async (_, given, said) => {
  const gateway = await start(given);
  expect(gateway.logs()).toContain(LOGGED);
  expect(gateway.logs()).toContain("flows.publishing.steps.publish.approval");
  const { message, warnings = [] } = await pauseOf(gateway);
  expect(warnings.join()).toContain(said);
  expect(message).toContain(said);
});

test.each<[string, Given]>([
  ["tokens say the roles", {}],
  ["the mapping of roles gives it", { identity: mapped(["pricing-lead"]) }],
  [
    "one role decides and another is named",
    { roles: { "pricing-lead": {}, all: { approvals: { decide: ["*/*"] } } } },
  ],
])("where %s, nothing is said", async (_, given) => {
  const gateway = await start(given);
  expect(gateway.logs()).not.toContain(LOGGED);
  expect((await pauseOf(gateway)).message).not.toContain("Nobody can approve");
});

test("a reload says it, and later pauses follow it", async () => {
  const gateway = use(await testGateway({ manifest: manifestOf({}), redisUrl: redis.url }));
  gateway.write(manifestOf({ identity: mapped(["viewer"]) }));
  await gateway.reload();
  expect(gateway.logs()).toContain(LOGGED);
  expect((await pauseOf(gateway)).warnings).toContain(NOBODY_HAS_IT);
});
