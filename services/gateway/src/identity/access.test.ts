import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MeshRole } from "@interlock/contracts";
import { afterAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { publishingMesh } from "../../test/support/publishing.ts";
import { type Caller, principalOf } from "../caller.ts";
import { loadMesh, type Mesh } from "../mesh/index.ts";
import { type Action, compileAccess, type Resource } from "./access.ts";

const dir = mkdtempSync(join(tmpdir(), "interlock-access-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function meshWith(roles: Record<string, MeshRole>): Mesh {
  const file = join(dir, "mesh.yaml");
  const mesh = publishingMesh("http://127.0.0.1:1", { proposal: 1, roles: ["pricing_approver"] });
  writeFileSync(file, JSON.stringify({ ...mesh, access: { roles } }));
  return loadMesh(file, {});
}

const caller = (...roles: string[]): Caller => ({ tenant: "t", issuer: "idp", subject: "ann", roles });
const OWN = principalOf(caller());
const OTHER = "other:ann";

const AGENT: Resource = { kind: "agent", name: "policy" };
const TASK: Resource = { kind: "task", agent: "policy", task: "POLICY_CHECK" };
const FLOW: Resource = { kind: "flow", name: "pricing" };
const GOAL: Resource = { kind: "goal", flow: "pricing", goal: "explainer" };
const SERVICE: Resource = { kind: "service", name: "policy" };
const TOOL: Resource = { kind: "tool", name: "policy_check" };
const MODEL: Resource = { kind: "model", name: "large" };
const GATE: Resource = { kind: "approval", flow: "publishing", step: "publish" };
const RUN: Resource = { kind: "run", owner: OWN };
const FOREIGN_RUN: Resource = { kind: "run", owner: OTHER };
const SESSION: Resource = { kind: "session", owner: OWN };
const FOREIGN_SESSION: Resource = { kind: "session", owner: OTHER };
const ADMIN: Resource = { kind: "admin" };
const ALL = [
  ...[AGENT, TASK, FLOW, GOAL, SERVICE, TOOL, MODEL, GATE],
  ...[RUN, FOREIGN_RUN, SESSION, FOREIGN_SESSION, ADMIN],
];
const ACTIONS: readonly Action[] = ["use", "view", "decide", "cancel", "administer"];

/** Every action on every resource, as `use agent` or `view run of another`. */
const MATRIX = ALL.flatMap((resource) =>
  ACTIONS.map((action) => ({ action, resource, name: nameOf(action, resource) })),
);

function nameOf(action: Action, resource: Resource): string {
  const foreign = "owner" in resource && resource.owner === OTHER ? " of another" : "";
  return `${action} ${resource.kind}${foreign}`;
}

const OFFERED = ["agent", "task", "flow", "goal", "service", "tool", "model"].flatMap((kind) => [
  `use ${kind}`,
  `view ${kind}`,
]);
const OWNED = ["run", "session"].flatMap((kind) => [`view ${kind}`, `cancel ${kind}`, `administer ${kind}`]);
const SPEAKS = ["use run", "use session"];
const TENANT = ["run", "session"].flatMap((kind) => [`view ${kind} of another`, `cancel ${kind} of another`]);

describe("a built-in role may do exactly what it is for", () => {
  const { access } = compileAccess(meshWith({}));

  test.each<[string, readonly string[], readonly string[]]>([
    ["nobody's role", ["intern"], []],
    ["no role", [], []],
    ["a role that JavaScript knows", ["constructor", "__proto__"], []],
    ["viewer", ["viewer"], OWNED],
    ["analyst", ["analyst"], [...OFFERED, ...OWNED, ...SPEAKS]],
    ["pricing_approver", ["pricing_approver"], [...OFFERED, ...OWNED, ...SPEAKS, "decide approval"]],
    ["operator", ["operator"], [...OWNED, ...TENANT, "view approval"]],
    [
      "operator and analyst",
      ["operator", "analyst"],
      [...OFFERED, ...OWNED, ...TENANT, ...SPEAKS, "view approval"],
    ],
    [
      "admin",
      ["admin"],
      [
        ...[...OFFERED, ...OWNED, ...TENANT, ...SPEAKS, "view approval", "decide approval"],
        ...["administer run of another", "administer session of another"],
        ...ACTIONS.map((action) => `${action} admin`),
      ],
    ],
  ])("%s", (_, roles, expected) => {
    const allowed = MATRIX.filter(({ action, resource }) => access.may(caller(...roles), action, resource));
    expect(allowed.map(({ name }) => name).toSorted()).toEqual([...expected].toSorted());
  });

  test("an owner is a principal: the same subject of another issuer is somebody else", () => {
    const mine = caller("analyst");
    expect(access.may({ ...mine, issuer: "other" }, "view", RUN)).toBe(false);
    expect(access.may({ ...mine, issuer: "other" }, "view", FOREIGN_RUN)).toBe(true);
  });
});

describe("a role of the manifest", () => {
  const { access, problems } = compileAccess(
    meshWith({
      analyst: { services: ["policy"] },
      checker: { tasks: ["*/POLICY_*"], goals: ["pricing/polic*"], tools: ["policy_check"], models: ["s*"] },
      lead: { inherits: ["checker", "operator"], approvals: { decide: ["publishing/*"] } },
      clerk: { inherits: ["lead"] },
    }),
  );

  test("is taken as it is", () => expect(problems).toEqual([]));

  test("replaces a built-in one of its name, also for those that inherit it", () => {
    expect(access.may(caller("analyst"), "use", SERVICE)).toBe(true);
    expect(access.may(caller("analyst"), "use", AGENT)).toBe(false);
    expect(access.may(caller("pricing_approver"), "use", AGENT)).toBe(false);
    expect(access.may(caller("analyst"), "view", RUN)).toBe(false);
  });

  test("grants what its patterns fit, and the agent is seen but not used as a whole", () => {
    const allowed = MATRIX.filter(({ action, resource }) => access.may(caller("checker"), action, resource));
    expect(allowed.map(({ name }) => name).toSorted()).toEqual(
      [
        "view agent",
        "use task",
        "view task",
        "view flow",
        "use tool",
        "view tool",
        "use run",
        "use session",
      ].toSorted(),
    );
    expect(access.may(caller("checker"), "use", { kind: "goal", flow: "pricing", goal: "policy" })).toBe(
      true,
    );
    expect(access.may(caller("checker"), "use", { kind: "goal", flow: "publishing", goal: "policy" })).toBe(
      false,
    );
    expect(access.may(caller("checker"), "use", { kind: "model", name: "small" })).toBe(true);
  });

  test("has what it inherits, over any number of roles, and counts as each of them", () => {
    expect(access.may(caller("clerk"), "use", TASK)).toBe(true);
    expect(access.may(caller("clerk"), "view", FOREIGN_RUN)).toBe(true);
    expect(access.may(caller("clerk"), "decide", GATE)).toBe(true);
    expect(access.hasRole(caller("clerk"), ["operator"])).toBe(true);
    expect(access.hasRole(caller("operator"), ["clerk"])).toBe(false);
    expect(access.deciders("publishing", "publish").toSorted()).toEqual(
      ["admin", "clerk", "lead", "pricing_approver"].toSorted(),
    );
  });
});

test.each<[Record<string, MeshRole>, string]>([
  [
    { a: { inherits: ["analist"] } },
    'access.roles.a.inherits: there is no role "analist"; did you mean "analyst"?',
  ],
  [
    { a: { agents: ["polcy"] } },
    'access.roles.a.agents: "polcy" names nothing of this mesh; did you mean "policy"?',
  ],
  [{ a: { books: ["prices"] } }, 'access.roles.a.books: "prices" names nothing of this mesh'],
  [{ a: { goals: ["pricing/x*"] } }, 'access.roles.a.goals: "pricing/x*" names nothing of this mesh'],
  [
    { a: { approvals: { decide: ["pricing/check"] } } },
    'access.roles.a.approvals.decide: "pricing/check" names nothing of this mesh',
  ],
  [
    { a: { inherits: ["b"] }, b: { inherits: ["c"] }, c: { inherits: ["a"] } },
    "access.roles.a.inherits: the roles a → b → c → a inherit from each other",
  ],
  [{ a: { inherits: ["a"] } }, "access.roles.a.inherits: the roles a → a inherit from each other"],
  [
    { viewer: { inherits: ["analyst"] } },
    "access.roles.viewer.inherits: the roles viewer → analyst → viewer inherit from each other",
  ],
])("the roles %j are a problem, which names its place", (roles, problem) => {
  expect(compileAccess(meshWith(roles)).problems).toEqual([problem]);
});

test("an approval that names a role that nobody can have is a problem", () => {
  const mesh = meshWith({});
  const flow = mesh.flows.get("publishing");
  const step = flow?.steps.get("publish");
  if (!flow || !step?.approval) throw new Error("the mesh has no gate");
  const approval = { ...step.approval, roles: ["pricing_aprover"], escalateTo: ["boss"] };
  const steps = new Map([["publish", { ...step, approval }]]);
  const flows = new Map([["publishing", { ...flow, steps }]]);
  expect(compileAccess({ ...mesh, flows }).problems).toEqual([
    'flows.publishing.steps.publish.approval.roles: there is no role "pricing_aprover"; did you mean "pricing_approver"?',
    'flows.publishing.steps.publish.approval.escalate_to: there is no role "boss"',
  ]);
});

describe("row filters", () => {
  const { access } = compileAccess(
    meshWith({
      emea: { inherits: ["analyst"], rows: { region: ["EMEA"], segment: ["retail"] } },
      apac: { rows: { region: ["APAC"] } },
      world: { rows: { region: ["*"] } },
      both: { inherits: ["emea", "apac"] },
    }),
  );

  test.each<[readonly string[], object]>([
    [["analyst"], {}],
    [["intern"], {}],
    [[], {}],
    [["emea"], { region: ["EMEA"], segment: ["retail"] }],
    [["emea", "apac"], { region: ["EMEA", "APAC"], segment: ["retail"] }],
    [["both"], { region: ["EMEA", "APAC"], segment: ["retail"] }],
    // Another role opens nothing, unless it says so.
    [["emea", "analyst", "admin"], { region: ["EMEA"], segment: ["retail"] }],
    [["world"], {}],
    [["emea", "world"], { segment: ["retail"] }],
  ])("of %j", (roles, rows) => {
    expect(access.rowsOf({ roles })).toEqual(rows);
    expect(access.rowsOf({ roles })).toBe(access.rowsOf({ roles }));
  });
});

/** What grants what, said in another way: over the manifest's patterns, without compiling them. */
function isGranted(roles: Record<string, MeshRole>, held: readonly string[], resource: Resource): boolean {
  const all = new Set<string>();
  const add = (name: string): void => {
    if (all.has(name)) return;
    all.add(name);
    for (const parent of roles[name]?.inherits ?? []) add(parent);
  };
  for (const name of held) add(name);
  const some = (
    member: "agents" | "tasks" | "flows" | "goals" | "services" | "tools" | "models",
    name: string,
  ) =>
    [...all].some((role) =>
      (roles[role]?.[member] ?? []).some((pattern) =>
        new RegExp(`^${pattern.replaceAll("*", "[^/]*")}$`).test(name),
      ),
    );
  switch (resource.kind) {
    case "agent":
      return some("agents", resource.name);
    case "task":
      return some("agents", resource.agent) || some("tasks", `${resource.agent}/${resource.task}`);
    case "flow":
      return some("flows", resource.name);
    case "goal":
      return some("flows", resource.flow) || some("goals", `${resource.flow}/${resource.goal}`);
    case "service":
    case "tool":
    case "model":
      return some(`${resource.kind}s`, resource.name);
    default:
      return false;
  }
}

test("nothing passes that no pattern of a held role, or of one that it inherits, grants; and all of that does", () => {
  const names = ["a", "b", "c", "d"];
  const mesh = meshWith({});
  const agents = [...mesh.agents.values()];
  const resources: Resource[] = [
    ...agents.map(({ name }): Resource => ({ kind: "agent", name })),
    ...agents.flatMap(({ name, tasks }) =>
      tasks.map((task): Resource => ({ kind: "task", agent: name, task })),
    ),
    ...[...mesh.flows.keys()].map((name): Resource => ({ kind: "flow", name })),
    ...[...mesh.flows.values()].flatMap(({ name, goals }) =>
      [...goals.keys()].map((goal): Resource => ({ kind: "goal", flow: name, goal })),
    ),
    ...[...mesh.services.keys()].map((name): Resource => ({ kind: "service", name })),
    ...mesh.models.allow.map((name): Resource => ({ kind: "model", name })),
    ...agents.flatMap(({ tasks }) =>
      tasks.map((task): Resource => ({ kind: "tool", name: task.toLowerCase() })),
    ),
  ];
  const role = fc.record(
    {
      agents: fc.subarray(["*", "policy", "opt*", "explainer"]),
      tasks: fc.subarray(["*/*", "policy/*", "*/PRICE_*", "sensitivity/SENSITIVITY_ANALYSIS"]),
      flows: fc.subarray(["*", "pub*", "pricing"]),
      goals: fc.subarray(["*/*", "pricing/*", "*/explainer", "publishing/publishing"]),
      services: fc.subarray(["*", "p*", "optimizer"]),
      tools: fc.subarray(["*", "price_*", "policy_check"]),
      models: fc.subarray(["*", "s*", "large"]),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), role, { noNullPrototype: true }),
      fc.dictionary(fc.constantFrom(...names), fc.subarray(names), { noNullPrototype: true }),
      fc.subarray([...names, "nobody"]),
      (specs, parents, held) => {
        // Roles inherit only from those after them, so that there is no cycle.
        const roles = Object.fromEntries(
          Object.entries(specs).map(([name, spec]): [string, MeshRole] => [
            name,
            { ...spec, inherits: (parents[name] ?? []).filter((parent) => parent > name && parent in specs) },
          ]),
        );
        const { access, problems } = compileAccess({ ...mesh, roles });
        expect(problems).toEqual([]);
        for (const resource of resources)
          expect([resource, access.may(caller(...held), "use", resource)]).toEqual([
            resource,
            isGranted(roles, held, resource),
          ]);
      },
    ),
    { numRuns: 200 },
  );
});
