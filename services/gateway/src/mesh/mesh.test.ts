import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { dialogueMesh } from "../../test/support/dialogue.ts";
import { pricingMesh } from "../../test/support/mesh.ts";
import { publishingMesh, RULE } from "../../test/support/publishing.ts";
import { LargeValues } from "./large/large-values.ts";
import { loadMesh, type Surroundings } from "./load.ts";
import { MeshError } from "./mesh-error.ts";

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "interlock-mesh-"));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const LARGE = new LargeValues({ largeTimeoutMs: 10_000, largeMemoryMb: 512 });
const URL_OF_AGENTS = "http://127.0.0.1:9999/";

function load(
  manifest: object | string,
  env: Record<string, string> = {},
  surroundings: Surroundings = { loopback: true },
) {
  const file = join(dir, "mesh.yaml");
  writeFileSync(file, typeof manifest === "string" ? manifest : JSON.stringify(manifest));
  return loadMesh(file, env, LARGE, surroundings);
}

/** The problems of a manifest that cannot be used. */
/** The problems after their files and lines, without columns. */
function located(text: string): string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof MeshError) return error.located.map((one) => one.replace(/(\.yaml:\d+):\d+/, "$1"));
  }
  return [];
}

function problems(manifest: object | string, surroundings?: Surroundings): readonly string[] {
  try {
    load(manifest, {}, surroundings);
  } catch (error) {
    if (error instanceof MeshError) return error.problems;
    throw error;
  }
  return [];
}

const SLOT = { kind: "count", label: { en: "slot", ko: "슬롯" } };

const VERIFY = (agent: string, task_type: string) => ({
  agent,
  task_type,
  inputs: "proposal",
  accept: "true",
});

/** Steps of the pricing flow whose last one has an effect. */
const withEffect = (agent?: string, task = "") => {
  const { steps } = pricingMesh(URL_OF_AGENTS).flows.pricing;
  const verify = agent === undefined ? {} : { verify: VERIFY(agent, task) };
  return { steps: { ...steps, send: { needs: ["optimize"], publish: 1, ...verify } } };
};

/** Two models at one place, of which the first has more members. */
const MODELS = (more: object) => ({
  providers: { local: { kind: "openai_compatible", base_url: "http://127.0.0.1:1/v1/" } },
  models: { small: { provider: "local", model: "s", ...more }, large: { provider: "local", model: "l" } },
});

type Manifest = ReturnType<typeof pricingMesh>;
const changed = (change: (manifest: Manifest) => void): Manifest => {
  const manifest = pricingMesh(URL_OF_AGENTS);
  change(manifest);
  return manifest;
};

test("the manifest that ships is valid, and its variables have defaults", () => {
  const file = fileURLToPath(new URL("../../../../mesh.yaml", import.meta.url));
  expect(loadMesh(file, {}, LARGE).agents.get("optimizer")?.url).toBe("http://127.0.0.1:8081");
  expect(loadMesh(file, { OPTIMIZER_URL: "http://optimizer:80" }, LARGE).agents.get("optimizer")?.url).toBe(
    "http://optimizer:80",
  );
});

describe("the place of an agent", () => {
  const at = (url: string, egress?: object) => ({
    ...(egress === undefined ? {} : { egress }),
    agents: { worker: { url, tasks: { T: "Does it." } } },
  });

  test("must be listed where it is private, and the problem says how", () => {
    expect(problems(at("http://10.0.0.5:80"))).toEqual([
      expect.stringContaining("agents.worker.url: 10.0.0.5 is not on the public internet"),
    ]);
    const [said = ""] = problems(at("http://10.0.0.5:80"));
    const [, section = ""] = /write: (egress: .*)$/.exec(said) ?? [];
    const agents = "agents: { worker: { url: 'http://10.0.0.5:80', tasks: { T: Does it. } } }";
    expect(load(`${section}\n${agents}`).agents.get("worker")?.url).toBe("http://10.0.0.5:80");
  });

  test("may be this machine where the gateway serves this machine alone, or where it is listed", () => {
    const inside = at("http://127.0.0.1:81");
    expect(problems(inside)).toEqual([]);
    expect(problems(inside, { loopback: false })).toHaveLength(1);
    expect(problems(at("http://127.0.0.1:81", { allow: ["127.0.0.1"] }), { loopback: false })).toEqual([]);
    expect(problems(at("http://127.0.0.1:81", { allow: ["10.0.0.0/8"] }))).toHaveLength(1);
  });

  test("is held to the same rules where an issuer's keys are", () => {
    const issuers = {
      found: { issuer: "http://10.0.0.5", audience: ["mesh"] },
      named: { issuer: "http://10.0.0.6", audience: ["mesh"], keys: { url: "http://169.254.169.254/keys" } },
      shared: { issuer: "http://10.0.0.7", audience: ["mesh"], keys: { secret_env: "SECRET" } },
    };
    expect(problems({ ...at("http://h.example/"), identity: { issuers } })).toEqual([
      expect.stringContaining("identity.issuers.found.issuer: 10.0.0.5 is not on the public internet"),
      expect.stringContaining("identity.issuers.named.keys.url: 169.254.169.254 is link-local"),
    ]);
  });

  test("is neither the gateway's store nor a metadata service, and has no credentials", () => {
    const reserved = [{ host: "localhost", port: 6379 }];
    expect(problems(at("http://127.0.0.1:6379"), { loopback: true, reserved })).toEqual([
      "agents.worker.url: 127.0.0.1:6379 is the gateway's own store",
    ]);
    expect(problems(at("http://169.254.169.254/", { allow: ["0.0.0.0/0"] }))).toHaveLength(1);
    expect(problems(at("http://169.254.169.254/", { allow: ["169.254.0.0/16"] }))).toEqual([
      expect.stringContaining("egress.allow"),
    ]);
    expect(problems(at("http://user:word@h.example/"))).toEqual([
      "agents.worker.url: a URL must not hold credentials",
    ]);
  });
});

test("what is left out has its default", () => {
  const mesh = load("agents: { worker: { url: 'http://h/base/', tasks: { T: Does it. } } }");
  expect(mesh.agents.get("worker")).toMatchObject({
    url: "http://h/base",
    tasks: ["T"],
    limits: { timeoutMs: 30_000, retries: 1, backoffMs: 200, maxEventBytes: 1_048_576 },
  });
  expect(mesh.models).toEqual({
    default: "rules",
    allow: ["rules"],
    tasks: {},
    experiments: [],
    models: new Map(),
    settings: new Map(),
  });
  expect(mesh.roles).toEqual({});
  expect(mesh.general).not.toBe("");
});

test("limits are what the manifest says, and nothing without it", () => {
  const agents = { policy: { url: "http://localhost", tasks: { POLICY_CHECK: "x" } } };
  const limits = {
    subject: { points: 5, per_s: 60 },
    agents: { policy: { points: 7, per_s: 1 } },
    tools: { policy_check: { points: 9, per_s: 2 } },
    tokens_per_day: 1_000,
  };
  expect(load(JSON.stringify({ agents, limits })).limits).toEqual({
    subject: { points: 5, perS: 60 },
    agents: new Map([["policy", { points: 7, perS: 1 }]]),
    tools: new Map([["policy_check", { points: 9, perS: 2 }]]),
    tokensPerDay: 1_000,
  });
  expect(load(JSON.stringify({ agents })).limits).toEqual({ agents: new Map(), tools: new Map() });
});

test("roles, and how old a proof of identity may be for a decision, are taken as they are", () => {
  const gate = (approval: object) => ({
    agents: { worker: { url: URL_OF_AGENTS, tasks: { T: "x" } } },
    services: { go: { flow: "f" } },
    flows: {
      f: { steps: { s: { publish: 1, approval: { proposal: 1, ...approval } } }, goals: { go: ["s"] } },
    },
    access: { roles: { lead: { inherits: ["analyst"], rows: { region: ["EMEA"] } } } },
  });
  const rule = (approval: object) => load(gate(approval)).flows.get("f")?.steps.get("s")?.approval;
  expect(rule({ max_age: 300 })).toMatchObject({ maxAgeS: 300 });
  expect(rule({})?.maxAgeS).toBeUndefined();
  expect(load(gate({})).roles).toEqual({ lead: { inherits: ["analyst"], rows: { region: ["EMEA"] } } });
});

describe("variables", () => {
  const $ = (variable: string) => `${"$"}{${variable}}`;
  const manifest = (url: string) =>
    `# ${$("NOT_READ")}\nagents: { worker: { url: '${url}', tasks: { T: x } } }`;

  test("are put in, with their defaults where they are unset or empty", () => {
    const url = (env: Record<string, string>) =>
      load(manifest(`http://${$("AT_HOST:-fallback")}/`), env).agents.get("worker")?.url;
    expect(url({ AT_HOST: "here" })).toBe("http://here");
    expect(url({ AT_HOST: "" })).toBe("http://fallback");
    expect(url({})).toBe("http://fallback");
  });

  test("without a value are all named, and so are they not in comments", () => {
    expect(problems(manifest(`http://${$("ONE")}${$("TWO")}/`))).toEqual([
      "the variable ONE is not set and has no default",
      "the variable TWO is not set and has no default",
    ]);
  });
});

test("a dialogue has limits of its own, and says itself what the user reads", () => {
  const manifest = dialogueMesh(URL_OF_AGENTS);
  const task = { kind: "dialogue", agent: "waiter", taskType: "ORDER_TURN" };
  expect(load(manifest).services.get("order")?.target).toEqual({
    ...task,
    maxStateBytes: 65_536,
    historyTurns: 12,
  });
  const own = dialogueMesh(URL_OF_AGENTS, { dialogue: { max_state_bytes: 1024, history_turns: 0 } });
  expect(load(own).services.get("order")?.target).toEqual({ ...task, maxStateBytes: 1024, historyTurns: 0 });
  const order = { ...manifest.services.order, answer: "outputs.message" };
  expect(problems({ ...manifest, services: { order } })).toHaveLength(1);
});

const RATE = { points: 1, per_s: 1 };

describe("a manifest is refused, and the place is named,", () => {
  test.each<[what: string, change: (manifest: Manifest) => void, problem: string]>([
    [
      "where an agent has a port that cannot be",
      ({ agents }) => (agents.policy.url = "http://localhost:99999"),
      "agents.policy.url: it is not a valid address",
    ],
    [
      "where a limit is of an agent that is not there",
      (manifest) => Object.assign(manifest, { limits: { agents: { nobody: RATE } } }),
      'limits.agents: there is no agent "nobody"',
    ],
    [
      "where a limit is of a tool that is not there",
      (manifest) => Object.assign(manifest, { limits: { tools: { policy: RATE, policy_check: RATE } } }),
      'limits.tools: there is no tool "policy"',
    ],
    [
      "where a service has tools that are nobody's",
      (manifest) =>
        Object.assign(manifest.services, { helper: { tools: ["sql.*", "policy_check", "nothing"] } }),
      'services.helper.tools: there is no server "sql"',
    ],
    [
      "where a model could call a task that takes effect in a dialogue",
      (manifest) =>
        Object.assign(manifest.services, {
          helper: { tools: ["policy_check"] },
          talk: { agent: "policy", task_type: "POLICY_CHECK", dialogue: {} },
        }),
      'services.helper.tools: "policy_check" takes effect in a dialogue or a verified step, and is called there alone',
    ],
    [
      "where a tool is both a task and a flow",
      (manifest) =>
        Object.assign(manifest.services, {
          helper: { tools: ["policy_check"] },
          policy_check: { flow: "pricing" },
        }),
      'services.helper.tools: "policy_check" is both a task and a service with a flow',
    ],
    [
      "where a slot takes values of a slot that is not there",
      ({ flows }) =>
        Object.assign(flows.pricing, {
          slots: {
            against: {
              kind: "enum",
              label: { en: "against", ko: "against" },
              from: ["items.region"],
              behind: { slot: "nothing", values: ["a"], named: "not {value}", said: ["than {value}"] },
            },
          },
        }),
      'flows.pricing.slots.against.behind: there is no slot "nothing"',
    ],
    [
      "where a step calls a tool of a server that is not there",
      ({ flows }) => Object.assign(flows.pricing.steps, { read: { tool: "sql.query", inputs: {} } }),
      'flows.pricing.steps.read.tool: there is no server "sql"',
    ],
    [
      "where a tool-calling agent has a model that is not there",
      (manifest) =>
        Object.assign(manifest.services, { helper: { tools: ["policy_check"], model: "nobody" } }),
      'services.helper.model: there is no model "nobody"',
    ],
    [
      "where its instructions are in no file",
      (manifest) =>
        Object.assign(manifest.services, { helper: { tools: ["policy_check"], instructions: "none.md" } }),
      "services.helper.instructions: the file none.md cannot be read",
    ],
    [
      "where an endpoint serves a book that nothing is published to",
      (manifest) => Object.assign(manifest, { endpoints: { prices: { book: "prices" } } }),
      'endpoints.prices.book: there is no book "prices"',
    ],
    [
      "where a table makes what the flow does not take",
      ({ flows }) => Object.assign(flows.pricing, { accepts: ["rows"], table: { rows: "items" } }),
      'flows.pricing.table.rows: `accepts` does not have "items"',
    ],
    [
      "where a table orders by a field that is not there",
      ({ flows }) =>
        Object.assign(flows.pricing, {
          table: { fields: { tier: { order: { as: "tiers", by: "prize" } }, price: {} } },
        }),
      'flows.pricing.table.fields.tier.order.by: there is no field "prize"; did you mean "price"?',
    ],
    [
      "where an endpoint has a path of the gateway itself",
      (manifest) =>
        Object.assign(manifest, { endpoints: { "sessions/prices": { task_type: "POLICY_CHECK" } } }),
      "endpoints.sessions/prices: /api/v1/sessions is a path of the gateway itself; use another name",
    ],
    [
      "where a step asks an agent that is not there",
      ({ flows }) => (flows.pricing.steps.check.agent = "nobody"),
      'flows.pricing.steps.check.agent: there is no agent "nobody"',
    ],
    [
      "where a step asks for a task that its agent does not have",
      ({ flows }) => (flows.pricing.steps.check.task_type = "OTHER"),
      'flows.pricing.steps.check.task_type: agent "policy" has no task "OTHER"',
    ],
    [
      "where the outputs are described of a task that is not there",
      ({ agents }) => Object.assign(agents.policy, { outputs: { OTHER: {} } }),
      'agents.policy.outputs: agent "policy" has no task "OTHER"',
    ],
    [
      "where the schema of outputs is in no file",
      ({ agents }) => Object.assign(agents.policy, { outputs: { POLICY_CHECK: "none.json" } }),
      "agents.policy.outputs.POLICY_CHECK: not a file that holds a JSON object",
    ],
    [
      "where the schema of outputs is none",
      ({ agents }) => Object.assign(agents.policy, { outputs: { POLICY_CHECK: { required: 1 } } }),
      "agents.policy.outputs.POLICY_CHECK: schema is invalid: data/required must be array",
    ],
    [
      "where a step needs one that is not there",
      ({ flows }) => (flows.pricing.steps.explain.needs = ["other"]),
      'flows.pricing.steps.explain.needs: there is no step "other"',
    ],
    [
      "where steps wait for each other",
      ({ flows }) => (flows.pricing.steps.check.needs = ["explain"]),
      "flows.pricing: the steps check → explain → check wait for each other",
    ],
    [
      "where a goal asks for a step that is not there",
      ({ flows }) => (flows.pricing.goals.policy = ["other"]),
      'flows.pricing.goals.policy: there is no step "other"',
    ],
    [
      "where the answer is no text",
      ({ flows }) => (flows.pricing.answer = "other"),
      'flows.pricing.answer: there is no step with a text "other"',
    ],
    [
      "where a service names a flow that is not there",
      ({ services }) => (services.pricing.flow = "other"),
      'services.pricing.flow: there is no flow "other"',
    ],
    [
      "where a flow that can be constrained has an effect that nobody verifies",
      ({ flows }) => Object.assign(flows.pricing, { slots: { top: SLOT } }, withEffect()),
      "flows.pricing.steps.send: `verify` is missing: the flow has slots, so the effect needs a task that judges it against what was said",
    ],
    [
      "where an effect is verified by whoever made the proposal",
      ({ flows }) =>
        Object.assign(
          flows.pricing,
          { proposal: ["optimize", "check"] },
          withEffect("optimizer", "PRICE_OPTIMIZATION"),
        ),
      'flows.pricing.steps.send.verify: agent "optimizer" made what it is to judge',
    ],
    [
      "where an effect is verified by the only agent that it needs",
      ({ flows }) => Object.assign(flows.pricing, withEffect("optimizer", "PRICE_OPTIMIZATION")),
      'flows.pricing.steps.send.verify: agent "optimizer" made what it is to judge',
    ],
    [
      "where an effect is verified by a task that is not there",
      ({ flows }) => Object.assign(flows.pricing, withEffect("policy", "OTHER")),
      'flows.pricing.steps.send.verify.task_type: agent "policy" has no task "OTHER"',
    ],
    [
      "where a step without an effect is verified",
      ({ flows }) => Object.assign(flows.pricing.steps.check, { verify: VERIFY("policy", "POLICY_CHECK") }),
      "flows.pricing.steps.check.verify: the step has no effect",
    ],
    [
      "where a model is not on the allowlist",
      ({ models }) => (models.tasks.optimizer = "huge"),
      'models: "huge" is not in models.allow',
    ],
    [
      "where a task's settings name a model that is not on the allowlist",
      ({ models }) => Object.assign(models.tasks, { wording: { model: "huge" } }),
      'models: "huge" is not in models.allow',
    ],
    [
      "where a model names a provider that is not there",
      ({ models }) => Object.assign(models, { models: { small: { provider: "other", model: "m" } } }),
      'models.models.small.provider: there is no provider "other"',
    ],
    [
      "where a fallback is not there, or is no model of its own",
      ({ models }) => Object.assign(models, MODELS({ fallbacks: ["other"] })),
      'models.models.small.fallbacks: there is no model "other"',
    ],
    [
      "where a fallback is not on the allowlist",
      ({ models }) =>
        Object.assign(models, { ...MODELS({ fallbacks: ["large"] }), allow: ["rules", "small"] }),
      'models.models.small.fallbacks: "large" is not in models.allow',
    ],
    [
      "where a model is its own fallback",
      ({ models }) => Object.assign(models, MODELS({ fallbacks: ["small"] })),
      "models.models.small.fallbacks: a model cannot replace itself",
    ],
    [
      "where a budget of money has no prices to count by",
      ({ models }) => Object.assign(models, MODELS({ budget: { usd_per_day: 1 } })),
      "models.models.small.budget: usd_per_day needs prices",
    ],
    [
      "where a slot applies to what is neither a service nor a flow",
      ({ flows }) => Object.assign(flows.pricing, { slots: { top: { ...SLOT, applies_to: ["other"] } } }),
      'flows.pricing.slots.top.applies_to: there is no service or flow "other"',
    ],
    [
      "where a slot sets aside what is no slot",
      ({ flows }) => Object.assign(flows.pricing, { slots: { top: { ...SLOT, sets_aside: ["other"] } } }),
      'flows.pricing.slots.top.sets_aside: there is no slot "other"',
    ],
    [
      "where a slot of entities does not say where they are",
      ({ flows }) => Object.assign(flows.pricing, { slots: { items: { ...SLOT, kind: "entity" } } }),
      "flows.pricing.slots.items: an entity needs `from`",
    ],
    [
      "where an enum has neither values nor a path to them",
      ({ flows }) => Object.assign(flows.pricing, { slots: { region: { ...SLOT, kind: "enum" } } }),
      "flows.pricing.slots.region: an enum needs `values` or `from`",
    ],
    [
      "where a choice has no values",
      ({ flows }) => Object.assign(flows.pricing, { slots: { objective: { ...SLOT, kind: "choice" } } }),
      "flows.pricing.slots.objective: a choice needs `values`",
    ],
  ])("%s", (_what, change, problem) =>
    expect(problems(changed(change))).toContainEqual(expect.stringContaining(problem)),
  );

  test("where a template or a condition does not parse", () => {
    const broken = changed(({ flows }) => {
      flows.pricing.steps.check.inputs = { proposed: "$merge([" };
      flows.pricing.steps.check.repair.when = "outputs.passed ==";
      flows.pricing.steps.report.render = ["1 +"];
    });
    expect(problems(broken)).toEqual([
      expect.stringMatching(
        /^flows\.pricing\.steps\.check\.inputs: proposed: "\$merge\(\[" is not a reference/,
      ),
      expect.stringMatching(/^flows\.pricing\.steps\.check\.repair\.when: /),
      expect.stringMatching(/^flows\.pricing\.steps\.report\.render: 0: "1 \+" is not a reference/),
    ]);
  });

  test("where references name what is not there, with file and line", () => {
    const file = join(dir, "mesh.yaml");
    const text = `
agents: { worker: { url: '${URL_OF_AGENTS}', tasks: { T: x } } }
services: { go: { agent: worker, task_type: T, answer: steps.one.outputs } }
flows:
  f:
    goals: { go: [two] }
    steps:
      one: { agent: worker, task_type: T, inputs: request.inputs }
      two:
        agent: worker
        task_type: T
        needs: [one]
        inputs: { a: steps.onne.outputs.a, b: requests.inputs, c: { text: "{steps.one.output.c}" } }
        show: steps.one
        keep: steps.one
        repair:
          when: steps.onne.outputs.a == 1
          inputs: proposal
`;
    expect(problems(text)).toHaveLength(8);
    const lines = [
      [13, 'flows.f.steps.two.inputs: there is no step "onne"; did you mean "one"?'],
      [13, "flows.f.steps.two.inputs: there is no `requests` here, but request, steps, constraints"],
      [13, "flows.f.steps.two.inputs: a step has outputs, text, kept, rounds, warnings, sample"],
      [14, "flows.f.steps.two.show: there is no `steps` here, but outputs, rounds, warnings, kept"],
      [15, "flows.f.steps.two.keep: a step has outputs, text, kept, rounds, warnings, sample"],
      [17, 'flows.f.steps.two.repair.when: there is no step "onne"'],
      [18, "flows.f.steps.two.repair.inputs: there is no `proposal` here, but "],
      [3, "services.go.answer: there is no `steps` here, but outputs, warnings, request"],
    ];
    const said = located(text);
    for (const [line, problem] of lines)
      expect(said).toContainEqual(expect.stringContaining(`${file}:${line}: ${problem}`));
  });

  test("where it has a field that is not known, with the field that may be meant", () => {
    expect(
      problems(
        changed(({ services, agents }) => {
          Object.assign(services.optimizer ?? {}, { keyword: ["x"] });
          Object.assign(agents.policy ?? {}, { limits: { timeout: 1 } });
        }),
      ),
    ).toEqual([
      "agents.policy.limits.timeout: is not a known field; did you mean timeout_ms?",
      "services.optimizer.keyword: is not a known field; did you mean keywords?",
    ]);
    expect(problems({ ...pricingMesh(URL_OF_AGENTS), zzz: 1 })).toEqual([
      expect.stringMatching(/^zzz: is not a known field; allowed here: agents, flows, /),
    ]);
  });

  test.each([
    ["is no YAML", "agents: {"],
    ["is no object", "just text"],
    ["has a name twice", "agents: {}\nagents: {}"],
  ])("where it %s", (_what, text) => expect(problems(text)).toHaveLength(1));

  test("where the schema of an approval's edits is none", () => {
    const manifest = publishingMesh(URL_OF_AGENTS, {
      ...RULE,
      edit: { ...RULE.edit, schema: { type: "list" } },
    });
    expect(problems(manifest)).toEqual([
      expect.stringMatching(/^flows\.publishing\.steps\.publish\.approval\.edit\.schema: /),
    ]);
  });

  test("where its default inputs are no JSON object, or not there", () => {
    writeFileSync(join(dir, "list.json"), "[]");
    for (const file of ["list.json", "nothing.json"]) {
      const manifest = pricingMesh(URL_OF_AGENTS);
      const pricing = { ...manifest.flows.pricing, default_inputs: file };
      expect(problems({ ...manifest, flows: { pricing } })).toEqual([
        `flows.pricing.default_inputs: ${file} is not a file that holds a JSON object`,
      ]);
    }
  });
});

test("what was approved is known to the step that was approved alone", () => {
  const step = (more: object) =>
    changed(({ flows }) =>
      Object.assign(flows.pricing.steps.explain, { inputs: { proposed: "approval.proposal" }, ...more }),
    );
  expect(problems(step({ approval: { proposal: "steps.check.kept" } }))).toEqual([]);
  expect(problems(step({}))).toEqual([
    "flows.pricing.steps.explain.inputs: there is no `approval` here, but request, steps, constraints",
  ]);
});

test("models have defaults, and their tasks say what differs", () => {
  const { models } = load(
    changed((manifest) =>
      Object.assign(manifest.models, {
        ...MODELS({ prices: { input: 1, output: 4 }, budget: { usd_per_day: 2 } }),
        tasks: {
          optimizer: "large",
          wording: { model: "small", max_tokens: 100, max_sentences: 2, fallbacks: ["large"] },
        },
      }),
    ),
  );
  expect(models.tasks).toEqual({ optimizer: "large", wording: "small" });
  expect(models.settings.get("wording")).toEqual({ maxTokens: 100, maxSentences: 2, fallbacks: ["large"] });
  expect(models.models.get("small")).toEqual({
    name: "small",
    modelId: "s",
    provider: {
      name: "local",
      kind: "openai_compatible",
      baseUrl: "http://127.0.0.1:1/v1",
      structuredOutputs: true,
    },
    settings: { maxTokens: 2_048, timeoutMs: 30_000, firstTokenMs: 10_000, retries: 1, fallbacks: [] },
    prices: { input: 1, cachedInput: 1, output: 4, reasoning: 4 },
    budget: { usdPerDay: 2, scope: "mesh" },
  });
});

test("the place of a provider is one that the gateway may connect to", () => {
  const at = (provider: object) =>
    changed(({ models }) => Object.assign(models, { providers: { local: provider } }));
  expect(problems(at({ kind: "openai", base_url: "http://169.254.169.254/v1" }))).toEqual([
    expect.stringMatching(/^models\.providers\.local\.base_url: 169\.254\.169\.254 is link-local/),
  ]);
  expect(
    problems(at({ kind: "openai", base_url: "http://10.0.0.5/v1" }), { loopback: false }),
  ).toContainEqual(
    expect.stringMatching(/^models\.providers\.local\.base_url: 10\.0\.0\.5 is not on the public internet/),
  );
  for (const provider of [
    { kind: "openai" },
    { kind: "anthropic" },
    { kind: "vertex", project: "p", location: "global" },
  ])
    expect(problems(at(provider))).toEqual([]);
});

test("default inputs are read beside the manifest, from wherever the gateway is started", () => {
  writeFileSync(join(dir, "sample.json"), '{"items":[1]}');
  const manifest = pricingMesh(URL_OF_AGENTS);
  const pricing = { ...manifest.flows.pricing, default_inputs: "sample.json" };
  expect(load({ ...manifest, flows: { pricing } }).flows.get("pricing")?.defaultInputs).toEqual({
    items: [1],
  });
});

test("names that every object inherits are refused by the pattern of names, or are names like others", () => {
  const named = (name: string) => {
    const manifest = pricingMesh(URL_OF_AGENTS);
    const { pricing } = manifest.flows;
    const steps = JSON.parse(`{"${name}":{"render":{"literal":"done"}}}`);
    return { ...manifest, flows: { pricing: { ...pricing, steps: { ...pricing.steps, ...steps } } } };
  };
  expect(problems(named("toString"))).toHaveLength(1);
  // Built from text, since an object literal would set the prototype.
  const text = JSON.stringify(named("placeholder")).replace('"placeholder"', '"__proto__"');
  expect(problems(text)).toHaveLength(1);
  expect(load(named("constructor")).flows.get("pricing")?.steps.get("constructor")?.kind).toBe("render");
  const needing = named("plain");
  needing.flows.pricing.steps.report.needs = ["constructor"];
  expect(problems(needing)).toContainEqual(
    expect.stringContaining('flows.pricing.steps.report.needs: there is no step "constructor"'),
  );
});

test("a file that is not there is said to be so", () => {
  expect(() => loadMesh(join(dir, "none.yaml"), {}, LARGE)).toThrow("the file cannot be read");
});

test("without a general text, the mesh offers its own examples", () => {
  const { general: _, ...manifest } = pricingMesh(URL_OF_AGENTS);
  const services = {
    one: { agent: "policy", task_type: "POLICY_CHECK", examples: ["check this", "and that"] },
    two: { agent: "policy", task_type: "POLICY_CHECK" },
  };
  const { flows: __, ...plain } = manifest;
  expect(load({ ...plain, services }).general.en).toBe(
    "I did not find a service for this. Try “check this”.",
  );
  expect(load({ ...plain, services: { two: services.two } }).general.en).toBe(
    "I did not find a service for this.",
  );
});
