import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import type { Answer } from "./support/http.ts";
import { claimsOf, jwt } from "./support/issuer.ts";
import { COMPOSITE_ASK, GOOD_OUTPUTS } from "./support/mesh.ts";
import { as, decide, get, type Paused, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, RULE } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { answering, callsOf, type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let gateway: TestGateway;
let agent: StandIn;
let redis: Redis;

const ROLES = {
  "pricing-lead": { inherits: ["pricing_approver"] },
  legal: { approvals: { decide: ["publishing/*"] } },
  auditor: { approvals: { view: ["publishing/*"] } },
  // All of the flow `pricing`, but for the agent that explains.
  planner: {
    inherits: ["viewer"],
    agents: ["optimizer", "policy"],
    flows: ["pricing"],
    services: ["p*", "explainer"],
    models: ["s*"],
  },
  checker: { sessions: "own", tasks: ["policy/POLICY_CHECK"], services: ["policy"], tools: ["policy_*"] },
  teller: { sessions: "own", services: ["optimizer"] },
};

const OWNER = as("ann");
const STRANGER = as("bea", "pricing_approver");
const OPERATOR = as("ola", "operator");
const APPROVER = as("lee", "pricing-lead");
const ADMIN = as("root", "admin");
const ELSEWHERE = as("ann", "admin", "elsewhere");
const NOBODY = as("ann", "intern");

beforeAll(async () => {
  const { url } = keep(await testRedis());
  agent = keep(
    await standIn({ ...PUBLISHING, PRICE_EXPLANATION: answering(GOOD_OUTPUTS.PRICE_EXPLANATION) }),
  );
  const mesh = publishingMesh(agent.url);
  const gated = (approval: object) => {
    const { publishing } = mesh.flows;
    const publish = { ...publishing.steps.publish, approval: { ...RULE, ...approval } };
    return { ...publishing, steps: { ...publishing.steps, publish } };
  };
  const flows = { ...mesh.flows, urgent: gated({ max_age: 300 }) };
  gateway = keep(
    await testGateway({ manifest: { ...mesh, flows, access: { roles: ROLES } }, redisUrl: url }),
  );
  redis = new Redis(url);
  keep({ stop: () => redis.disconnect() });
});

/** What an answer says, but for what every request has anew. */
const said = ({ status, text, headers }: Answer) => [
  status,
  headers["content-type"],
  text.replace(/"request_id":"[^"]*"/, ""),
];
const codeOf = (answer: Answer) => [answer.status, answer.json().code];

type Ids = { run: string; session: string };
type Route = (ids: Ids, headers: Record<string, string>) => Promise<Answer>;

const READS: Record<string, Route> = {
  "GET /runs/{id}": ({ run }, who) => get(gateway, `/api/v1/runs/${run}`, who),
  "GET /runs/{id}/events": ({ run }, who) => get(gateway, `/api/v1/runs/${run}/events`, who),
  "GET /runs/{id}/events in another dialect": ({ run }, who) =>
    get(gateway, `/api/v1/runs/${run}/events?dialect=status&after=1`, who),
  "GET /sessions/{id}": ({ session }, who) => get(gateway, `/api/v1/sessions/${session}`, who),
};
const RESET: Route = ({ session }, who) => post(gateway, `/api/v1/sessions/${session}/reset`, undefined, who);
const CANCELS: Record<string, Route> = {
  "POST /runs/{id}/cancel": ({ run }, who) => post(gateway, `/api/v1/runs/${run}/cancel`, undefined, who),
  "POST /chat/cancel": ({ run }, who) => post(gateway, "/api/v1/chat/cancel", { thread_id: run }, who),
};
const APPROVE: Route = ({ run }, who) => post(gateway, "/api/v1/chat/approve", { thread_id: run }, who);
const HIDDEN: Record<string, Route> = {
  ...READS,
  ...CANCELS,
  "POST /chat/approve": APPROVE,
  "POST /sessions/{id}/reset": RESET,
};
const SPEAKS: Record<string, Route> = {
  "POST /chat": ({ session: session_id }, who) =>
    post(gateway, "/api/v1/chat", { message: "check", session_id }, who),
  "POST /chat as a stream": ({ session: session_id }, who) =>
    post(gateway, "/api/v1/chat?stream=true", { message: "check", session_id }, who),
  "POST /chat, waiting for its turn": ({ session: session_id }, who) =>
    post(gateway, "/api/v1/chat?multitask=enqueue", { message: "check", session_id }, who),
  "POST /runs": ({ session: session_id }, who) =>
    post(gateway, "/api/v1/runs", { flow: "pricing", session_id }, who),
};

async function ownedRun(headers = OWNER): Promise<Ids> {
  const session = randomUUID();
  const run = await startRun(gateway, { flow: "pricing", session_id: session }, headers);
  await toRest(gateway, run, headers);
  return { run, session };
}

describe("a run and its session", () => {
  let ids: Ids;
  beforeAll(async () => {
    ids = await ownedRun();
  });

  test.each(Object.entries(READS))("%s: to their owner, operators and administrators", async (_, route) => {
    for (const who of [OWNER, OPERATOR, ADMIN]) expect((await route(ids, who)).status).toBe(200);
  });

  test.each(Object.entries(HIDDEN))("%s: foreign is unknown, byte for byte", async (_, route) => {
    for (const who of [STRANGER, APPROVER, ELSEWHERE, NOBODY]) {
      const foreign = await route(ids, who);
      expect(foreign.status).toBe(404);
      expect(said(foreign)).toEqual(said(await route({ run: "unknown", session: "unknown" }, who)));
    }
  });

  test.each(Object.entries(SPEAKS))(
    "%s: nobody else speaks in the session, or learns of it",
    async (_, route) => {
      for (const who of [STRANGER, APPROVER, ADMIN]) {
        const refused = await route(ids, who);
        expect(codeOf(refused)).toEqual([404, "not_found"]);
        expect(refused.text).not.toContain(ids.run);
      }
      for (const who of [OPERATOR, NOBODY]) expect(codeOf(await route(ids, who))).toEqual([403, "forbidden"]);
      // One name in two tenants is two sessions.
      expect((await route(ids, ELSEWHERE)).status).toBeLessThan(300);
    },
  );

  test.each(Object.entries(CANCELS))("%s: its owner and operators", async (_, route) => {
    for (const who of [OWNER, OPERATOR, ADMIN]) {
      const run = await pausedRun(gateway, { flow: "publishing" }, OWNER);
      expect((await route({ run: run.runId, session: "" }, STRANGER)).status).toBe(404);
      expect((await route({ run: run.runId, session: "" }, who)).json()).toMatchObject({
        state: "cancelled",
      });
    }
  });

  test("a session is reset by its owner and administrators; operators read it alone", async () => {
    const own = await ownedRun();
    expect(codeOf(await RESET(own, OPERATOR))).toEqual([403, "forbidden"]);
    expect((await RESET(own, OWNER)).status).toBe(200);
    expect((await RESET(own, ADMIN)).status).toBe(200);
  });

  test("the lists hold what is the caller's, or all of the tenant", async () => {
    const tenant = randomUUID();
    const [ann, bea] = [as("ann", "", tenant), as("bea", "", tenant)];
    const made = [await ownedRun(ann), await ownedRun(bea), await ownedRun(ann), await ownedRun(ann)];
    const [first, other, second, third] = made;
    const list = async (kind: "run" | "session", who: Record<string, string>, query = "limit=2") => {
      const seen: unknown[] = [];
      for (let before = ""; ; ) {
        const page = (await get(gateway, `/api/v1/${kind}s?${query}${before}`, who)).json();
        seen.push(...(page[`${kind}s`] as Record<string, unknown>[]).map((one) => one[`${kind}_id`]));
        if (page.next === undefined) return seen;
        before = `&before=${page.next}`;
      }
    };
    for (const kind of ["run", "session"] as const) {
      expect(await list(kind, ann)).toEqual([third?.[kind], second?.[kind], first?.[kind]]);
      expect(await list(kind, bea)).toEqual([other?.[kind]]);
      expect(await list(kind, as("ola", "operator", tenant))).toEqual(
        made.map((ids) => ids[kind]).toReversed(),
      );
      expect(await list(kind, as("lee", "pricing-lead", tenant))).toEqual([]);
      expect(await list(kind, as("ann", "intern", tenant))).toEqual([]);
    }
    expect(await list("run", bea, `session_id=${first?.session}`)).toEqual([]);
    expect(await list("run", ann, "state=needs_review")).toEqual([]);
  });

  test("a key of another subject is another key: nobody is answered with somebody else's run", async () => {
    const body = { message: "check", session_id: randomUUID() };
    const key = { "idempotency-key": randomUUID() };
    const first = await post(gateway, "/api/v1/chat", body, { ...OWNER, ...key });
    const other = await post(gateway, "/api/v1/chat", body, { ...STRANGER, ...key });
    const again = await post(gateway, "/api/v1/chat", body, { ...OWNER, ...key });
    expect([first.status, codeOf(other)]).toEqual([200, [404, "not_found"]]);
    expect(again.json().thread_id).toBe(first.json().thread_id);
  });

  test("a session from before sessions had owners is nobody's", async () => {
    const own = await ownedRun();
    await redis.hdel(keysOf("default").session(own.session), "owner");
    expect((await get(gateway, `/api/v1/sessions/${own.session}`, OWNER)).status).toBe(404);
    expect((await get(gateway, `/api/v1/sessions/${own.session}`, OPERATOR)).status).toBe(200);
    const body = { message: "check", session_id: own.session };
    expect((await post(gateway, "/api/v1/chat", body, OWNER)).status).toBe(404);
  });
});

describe("what a caller asks for", () => {
  const ask = (body: object, who: Record<string, string>, query = "") =>
    post(gateway, `/api/v1/chat${query}`, { session_id: randomUUID(), ...body }, who);
  const run = (body: object, who: Record<string, string>) =>
    post(gateway, "/api/v1/runs", { session_id: randomUUID(), ...body }, who);
  const PLANNER = as("pia", "planner");
  const CHECKER = as("cho", "checker");

  test("a role that grants nothing asks for nothing, and leaves nothing behind", async () => {
    const session_id = randomUUID();
    for (const who of [NOBODY, OPERATOR, as("vic", "viewer")]) {
      expect(codeOf(await ask({ message: "hello", session_id }, who))).toEqual([403, "forbidden"]);
      expect(codeOf(await run({ flow: "pricing", session_id }, who))).toEqual([403, "forbidden"]);
    }
    expect(await redis.exists(keysOf("default").session(session_id))).toBe(0);
  });

  test("a plan with a forbidden step is refused before it starts, with the step's name", async () => {
    const before = agent.calls.length;
    const sessions = [randomUUID(), randomUUID(), randomUUID()];
    const [one, two, three] = sessions;
    const refused = [
      await ask({ message: COMPOSITE_ASK, session_id: one }, PLANNER),
      await ask({ message: COMPOSITE_ASK, session_id: two }, PLANNER, "?stream=true"),
      await run({ flow: "pricing", goals: ["optimizer", "explainer"], session_id: three }, PLANNER),
    ];
    for (const answer of refused) {
      expect(codeOf(answer)).toEqual([403, "forbidden"]);
      expect(answer.json()).toMatchObject({ step: "explain", error: expect.stringContaining('"explain"') });
    }
    expect(agent.calls.slice(before).filter(({ path }) => path.startsWith("/agents/run/"))).toEqual([]);
    for (const session of sessions)
      expect(await redis.exists(keysOf("default").session(String(session)))).toBe(0);
    // The same role, without the step.
    expect((await run({ flow: "pricing", goals: ["policy"] }, PLANNER)).status).toBe(202);
  });

  test("a flow, a goal or a service that the role does not name is refused with a sentence", async () => {
    const flow = await run({ flow: "publishing" }, PLANNER);
    expect([codeOf(flow), flow.json().goal]).toEqual([[403, "forbidden"], "publishing"]);
    const goal = await run({ flow: "pricing", goals: ["policy"] }, CHECKER);
    expect(goal.json()).toMatchObject({ code: "forbidden", flow: "pricing", goal: "policy" });
    const service = await ask({ message: "propose prices" }, CHECKER);
    expect(service.json()).toMatchObject({ code: "forbidden", service: "optimizer" });
    expect(service.json().error).toBe('You may not use the service "optimizer".');
    expect((await ask({ message: "check" }, CHECKER)).status).toBe(200);
    // The service is granted, what it does is not.
    expect((await ask({ message: "propose prices" }, as("tim", "teller"))).json()).toMatchObject({
      code: "forbidden",
      step: "optimizer",
    });
  });

  test("a model hint is for those who may choose the model; one that is on no list is ignored, as ever", async () => {
    const model = async (hint: string, who: Record<string, string>) => {
      const answer = await ask({ message: "check" }, who, `?model=${hint}`);
      return answer.status === 200 ? answer.json().model : codeOf(answer);
    };
    expect(await model("small", PLANNER)).toBe("small");
    expect(await model("large", PLANNER)).toEqual([403, "forbidden"]);
    expect(await model("unheard-of", PLANNER)).toBe("rules");
    expect(await model("small", OWNER)).toBe("small");
  });

  test("an endpoint of a task is for those who may ask for the task", async () => {
    const check = (who: Record<string, string>) =>
      post(gateway, "/api/v1/policy/check", { proposed: [] }, who);
    const asked = callsOf(agent, "POLICY_CHECK").length;
    for (const who of [NOBODY, OPERATOR, as("tim", "teller")])
      expect(codeOf(await check(who))).toEqual([403, "forbidden"]);
    expect(callsOf(agent, "POLICY_CHECK")).toHaveLength(asked);
    for (const who of [OWNER, CHECKER, PLANNER, ADMIN]) expect((await check(who)).status).toBe(200);
  });

  test("the lists hold what the caller may use", async () => {
    const names = async (who: Record<string, string>) => {
      const of = async (path: string) => JSON.parse((await get(gateway, `/api/v1/${path}`, who)).text);
      const name = (one: { name?: string; id?: string }) => one.name ?? one.id;
      return {
        agents: (await of("agents")).agents.map(name),
        tools: (await of("chat/tools")).map(name),
        models: (await of("chat/models")).models.map(name),
      };
    };
    expect(await names(CHECKER)).toEqual({ agents: ["policy"], tools: ["policy_check"], models: [] });
    expect(await names(PLANNER)).toEqual({ agents: ["optimizer", "policy"], tools: [], models: ["small"] });
    expect(await names(NOBODY)).toEqual({ agents: [], tools: [], models: [] });
    const all = await names(OWNER);
    expect([all.agents.length, all.tools.length, all.models.length]).toEqual([4, 4, 3]);
    expect(await names(ADMIN)).toEqual(all);
  });
});

describe("an approval", () => {
  const path = (run: Pick<Paused, "approvalId">, more = "") => `/api/v1/approvals/${run.approvalId}${more}`;
  const seenBy = async (who: Record<string, string>) =>
    ((await get(gateway, "/api/v1/approvals?limit=200", who)).json().approvals as { id: string }[]).map(
      ({ id }) => id,
    );
  const AUDITOR = as("aud", "auditor");

  test("is seen by those whom it names and who may decide it, and by those who read approvals", async () => {
    const run = await pausedRun(gateway, { flow: "publishing" }, OWNER);
    for (const who of [APPROVER, OPERATOR, AUDITOR, ADMIN]) {
      expect((await get(gateway, path(run), who)).json()).toMatchObject({ id: run.approvalId });
      expect((await get(gateway, path(run, "/audit"), who)).status).toBe(200);
      expect(await seenBy(who)).toContain(run.approvalId);
    }
    // The asker knows of it by his run, and learns who decides it.
    for (const more of ["", "/audit"])
      expect(codeOf(await get(gateway, path(run, more), OWNER))).toEqual([403, "forbidden"]);
    expect(codeOf(await decide(gateway, run, "approve", OWNER))).toEqual([403, "forbidden"]);
    expect(await seenBy(OWNER)).not.toContain(run.approvalId);
    // One who decides others, one whom the approval does not name, and another tenant's.
    for (const who of [STRANGER, as("leo", "legal"), ELSEWHERE, NOBODY]) {
      for (const more of ["", "/audit"])
        expect(said(await get(gateway, path(run, more), who))).toEqual(
          said(await get(gateway, path({ approvalId: "unknown" }, more), who)),
        );
      expect(said(await decide(gateway, run, "approve", who))).toEqual(
        said(await decide(gateway, { ...run, approvalId: "unknown" }, "approve", who)),
      );
      expect(await seenBy(who)).not.toContain(run.approvalId);
    }
    // Not even that there are some.
    for (const who of [OWNER, NOBODY])
      expect((await get(gateway, "/api/v1/approvals?limit=1", who)).json()).toEqual({
        approvals: [],
        can_decide: false,
        note: expect.any(String),
        your_roles: [expect.any(String)],
      });
  });

  test("shows its approver what he decides on, and neither the run nor the session", async () => {
    const run = await pausedRun(gateway, { flow: "publishing" }, OWNER);
    const approval = (await get(gateway, path(run), APPROVER)).json();
    expect(approval).toMatchObject({ run_id: run.runId, requested_by: "ann" });
    expect((await get(gateway, `/api/v1/runs/${run.runId}`, APPROVER)).status).toBe(404);
    expect((await get(gateway, `/api/v1/sessions/${approval.session_id}`, APPROVER)).status).toBe(404);
    expect((await decide(gateway, run, "approve", APPROVER)).status).toBe(200);
    expect((await toRest(gateway, run.runId, OWNER, run.seq)).at(-1)).toMatchObject({
      data: { status: "ok" },
    });
  });

  test("is refused to those who see but may not decide it, and they are told who may", async () => {
    const run = await pausedRun(gateway, { flow: "publishing" }, OWNER);
    for (const who of [OPERATOR, AUDITOR, ADMIN]) {
      for (const decision of ["approve", "reject", "edit"] as const) {
        const more = decision === "edit" ? { edits: [] } : {};
        const refused = await decide(gateway, run, decision, who, more);
        expect(codeOf(refused)).toEqual([403, "forbidden"]);
        expect(refused.json()).toMatchObject({
          error: "This approval is decided by: pricing-lead.",
          allowed_roles: ["pricing-lead"],
        });
      }
      expect(codeOf(await APPROVE({ run: run.runId, session: "" }, who))).toEqual([403, "forbidden"]);
    }
    expect((await get(gateway, path(run), APPROVER)).json()).toMatchObject({ state: "pending" });
  });

  test("with a maximum age is decided by those who proved within it who they are", async () => {
    const run = await pausedRun(gateway, { flow: "urgent", goals: ["publishing"] }, OWNER);
    const at = (ageS: number, roles = ["pricing-lead"]) => {
      const auth_time = Math.floor(Date.now() / 1000) - ageS;
      const token = jwt(claimsOf({ sub: "lee", roles, auth_time }));
      return { authorization: `Bearer ${token}` };
    };
    // Who may not decide it anyway is not sent to log in again.
    expect(codeOf(await decide(gateway, run, "approve", at(1_000, ["operator"])))).toEqual([
      403,
      "forbidden",
    ]);
    for (const decision of ["approve", "reject"] as const) {
      const refused = await decide(gateway, run, decision, at(1_000));
      expect(codeOf(refused)).toEqual([401, "unauthorized"]);
      expect(refused.headers["www-authenticate"]).toBe(
        'Bearer error="insufficient_user_authentication", error_description="A more recent authentication is required", max_age="300"',
      );
    }
    expect((await get(gateway, path(run), APPROVER)).json()).toMatchObject({ state: "pending" });
    expect((await decide(gateway, run, "approve", at(10))).status).toBe(200);
  });
});
