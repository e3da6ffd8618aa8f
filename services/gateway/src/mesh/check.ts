import { compileSchema, type MeshFlow, type MeshManifest } from "@interlock/contracts";
import { type EgressRules, urlProblem } from "../egress/index.ts";
import { toolName } from "../events/index.ts";
import { modelProblems } from "./check-models.ts";
import { baseUrlOf } from "./compile-models.ts";
import { DEFAULT_BOOK } from "./compile-step.ts";
import { noSuch } from "./no-such.ts";
import { OWN_PATHS } from "./own-paths.ts";

/** Checks what the schema cannot: that names refer to something, schemas are schemas, and no steps wait for each other. */
export function checkReferences(manifest: MeshManifest): string[] {
  return [
    ...serviceProblems(manifest),
    ...Object.entries(manifest.flows ?? {}).flatMap(([name, flow]) => flowProblems(manifest, name, flow)),
    ...endpointProblems(manifest),
    ...outputsProblems(manifest),
    ...modelProblems(manifest),
    ...limitProblems(manifest),
  ];
}

/** An own member: `constructor` and the like are ordinary names in a manifest. */
function member<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Checks that the gateway may connect to every address that the manifest names. */
export function checkEgress(
  { agents, services, models, tools, identity, webhooks }: MeshManifest,
  rules: EgressRules,
): string[] {
  const places = Object.entries(agents).map(([name, { url }]): [string, string] => [
    `agents.${name}.url`,
    url,
  ]);
  for (const [name, { remote }] of Object.entries(services ?? {}))
    if (remote) places.push([`services.${name}.remote.url`, remote.url]);
  for (const [name, provider] of Object.entries(models?.providers ?? {}))
    places.push([`models.providers.${name}.base_url`, baseUrlOf(provider)]);
  for (const [name, { url, auth }] of Object.entries(tools?.servers ?? {})) {
    const where = `tools.servers.${name}`;
    if (url !== undefined) places.push([`${where}.url`, url]);
    if (auth?.client_credentials)
      places.push([`${where}.auth.client_credentials.issuer`, auth.client_credentials.issuer]);
  }
  for (const [name, { url }] of Object.entries(webhooks ?? {})) places.push([`webhooks.${name}.url`, url]);
  for (const [name, { issuer, keys }] of Object.entries(identity?.issuers ?? {})) {
    const where = `identity.issuers.${name}`;
    if (keys === undefined) places.push([`${where}.issuer`, issuer]);
    else if (keys.url !== undefined) places.push([`${where}.keys.url`, keys.url]);
  }
  return places.flatMap(([where, url]) => {
    const problem = urlProblem(url, rules);
    return problem === undefined ? [] : [`${where}: ${problem}`];
  });
}

function taskProblems(
  manifest: MeshManifest,
  where: string,
  { agent, task_type }: { agent?: string; task_type?: string },
): string[] {
  if (agent === undefined || task_type === undefined) return [];
  const spec = member(manifest.agents, agent);
  if (!spec) return [`${where}.agent: ${noSuch("agent", agent, Object.keys(manifest.agents))}`];
  if (member(spec.tasks, task_type) !== undefined) return [];
  const known = noSuch("task", task_type, Object.keys(spec.tasks));
  return [`${where}.task_type: ${known.replace("there is", `agent "${agent}" has`)}`];
}

function schemaProblems(where: string, schema: Record<string, unknown> | undefined): string[] {
  if (!schema) return [];
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    return [`${where}: ${Error.isError(error) ? error.message : "not a JSON Schema"}`];
  }
}

function serviceProblems(manifest: MeshManifest): string[] {
  const problems: string[] = [];
  const { default_service: byDefault } = manifest;
  if (byDefault !== undefined && !member(manifest.services, byDefault))
    problems.push(`default_service: ${noSuch("service", byDefault, Object.keys(manifest.services ?? {}))}`);
  for (const [name, service] of Object.entries(manifest.services ?? {})) {
    problems.push(...taskProblems(manifest, `services.${name}`, service));
    problems.push(...toolProblems(manifest, `services.${name}.tools`, service.tools ?? []));
    problems.push(...actingProblems(manifest, `services.${name}.tools`, service.tools ?? []));
    const { model } = service;
    if (model !== undefined && !member(manifest.models?.models, model))
      problems.push(
        `services.${name}.model: ${noSuch("model", model, Object.keys(manifest.models?.models ?? {}))}`,
      );
    const flow = service.flow === undefined ? undefined : member(manifest.flows, service.flow);
    if (service.flow !== undefined && !flow) {
      problems.push(
        `services.${name}.flow: ${noSuch("flow", service.flow, Object.keys(manifest.flows ?? {}))}`,
      );
    }
    for (const goal of flow ? (service.goals ?? []) : []) {
      if (!member(flow?.goals, goal))
        problems.push(`services.${name}.goals: ${noSuch("goal", goal, Object.keys(flow?.goals ?? {}))}`);
    }
  }
  return problems;
}

/** Which tools a server has is known there alone. */
function toolProblems(
  { agents, tools, services }: MeshManifest,
  where: string,
  names: readonly string[],
): string[] {
  const tasks = new Set(Object.values(agents).flatMap(({ tasks }) => Object.keys(tasks).map(toolName)));
  return names.flatMap((name) => {
    const [server = ""] = name.split(".");
    if (name.includes("."))
      return member(tools?.servers, server) ? [] : [`${where}: there is no server "${server}"`];
    const hasFlow = member(services, name)?.flow !== undefined;
    if (hasFlow && tasks.has(name)) return [`${where}: "${name}" is both a task and a service with a flow`];
    return hasFlow || tasks.has(name) ? [] : [`${where}: there is no task or service with a flow "${name}"`];
  });
}

/** Nothing says how a task acts that holds a dialogue, and what a flow verifies must not be called past it. */
function actingProblems(
  { flows, services }: MeshManifest,
  where: string,
  names: readonly string[],
): string[] {
  const steps = Object.values(flows ?? {}).flatMap((flow) => Object.values(flow.steps));
  const acting = [
    ...steps.filter(({ effect, verify }) => effect !== undefined && verify !== undefined),
    ...Object.values(services ?? {}).filter(({ dialogue }) => dialogue !== undefined),
  ].flatMap(({ task_type }) => (task_type === undefined ? [] : [toolName(task_type)]));
  return names.flatMap((name) =>
    acting.includes(name)
      ? [`${where}: "${name}" takes effect in a dialogue or a verified step, and is called there alone`]
      : [],
  );
}

function flowProblems(manifest: MeshManifest, name: string, flow: MeshFlow): string[] {
  const problems: string[] = [];
  for (const [id, step] of Object.entries(flow.steps)) {
    const where = `flows.${name}.steps.${id}`;
    problems.push(...taskProblems(manifest, where, step));
    problems.push(...toolProblems(manifest, `${where}.tool`, step.tool === undefined ? [] : [step.tool]));
    const { approval } = step;
    if (approval?.edit) {
      problems.push(...taskProblems(manifest, `${where}.approval.edit.check`, approval.edit.check));
      problems.push(...schemaProblems(`${where}.approval.edit.schema`, approval.edit.schema));
    }
    problems.push(...verifyProblems(manifest, where, id, flow));
    if (approval?.on_expiry === "escalate" && !approval.escalate_to) {
      problems.push(`${where}.approval: on_expiry is escalate, but escalate_to is missing`);
    }
    for (const list of ["needs", "after"] as const)
      for (const other of step[list] ?? [])
        if (!member(flow.steps, other))
          problems.push(`${where}.${list}: ${noSuch("step", other, Object.keys(flow.steps))}`);
  }
  for (const [goal, steps] of Object.entries(flow.goals)) {
    for (const id of steps) {
      if (!member(flow.steps, id))
        problems.push(`flows.${name}.goals.${goal}: ${noSuch("step", id, Object.keys(flow.steps))}`);
    }
  }
  for (const id of flow.proposal ?? []) {
    if (!member(flow.steps, id))
      problems.push(`flows.${name}.proposal: ${noSuch("step", id, Object.keys(flow.steps))}`);
  }
  for (const goal of flow.default_goals ?? []) {
    if (!member(flow.goals, goal)) {
      problems.push(`flows.${name}.default_goals: ${noSuch("goal", goal, Object.keys(flow.goals))}`);
    }
  }
  const answer = flow.answer === undefined ? undefined : member(flow.steps, flow.answer);
  if (flow.answer !== undefined && !(answer?.render ?? answer?.agent ?? answer?.tool)) {
    const texts = Object.keys(flow.steps).filter((id) => flow.steps[id]?.publish === undefined);
    problems.push(`flows.${name}.answer: ${noSuch("step with a text", flow.answer, texts)}`);
  }
  const { table, accepts } = flow;
  const rows = table?.rows ?? "rows";
  if (table && accepts?.includes(rows) === false)
    problems.push(`flows.${name}.table.rows: \`accepts\` does not have "${rows}"`);
  for (const [field, { order }] of Object.entries(table?.fields ?? {}))
    if (order && !member(table?.fields, order.by))
      problems.push(
        `flows.${name}.table.fields.${field}.order.by: ${noSuch("field", order.by, Object.keys(table?.fields ?? {}))}`,
      );
  problems.push(...slotProblems(manifest, name, flow));
  const cycle = findCycle(flow);
  if (cycle) problems.push(`flows.${name}: the steps ${cycle.join(" → ")} wait for each other`);
  return problems;
}

/**
 * An effect must be verified by an agent other than the one that made the proposal. The maker is the agent of the first step of the flow's
 * proposal, or the only agent that the effect needs.
 */
function verifyProblems(manifest: MeshManifest, where: string, id: string, flow: MeshFlow): string[] {
  const step = member(flow.steps, id);
  if (!step) return [];
  const { verify } = step;
  const hasEffect = step.publish !== undefined || step.effect !== undefined;
  if (!verify) {
    const isWanted = hasEffect && Object.keys(flow.slots ?? {}).length > 0;
    const why = "the flow has slots, so the effect needs a task that judges it against what was said";
    return isWanted ? [`${where}: \`verify\` is missing: ${why}`] : [];
  }
  if (!hasEffect) return [`${where}.verify: the step has no effect`];
  const maker = flow.proposal?.[0];
  const needed = new Set(maker === undefined ? agentsNeeded(flow, id) : [member(flow.steps, maker)?.agent]);
  const made = needed.size === 1 && needed.has(verify.agent);
  return [
    ...taskProblems(manifest, `${where}.verify`, verify),
    ...(made || step.agent === verify.agent
      ? [`${where}.verify: agent "${verify.agent}" made what it is to judge`]
      : []),
  ];
}

/** The agents of all steps that a step needs. */
function agentsNeeded(flow: MeshFlow, id: string, seen = new Set<string>()): string[] {
  return (member(flow.steps, id)?.needs ?? []).flatMap((need) => {
    if (seen.has(need)) return [];
    seen.add(need);
    const agent = member(flow.steps, need)?.agent;
    return [...(agent === undefined ? [] : [agent]), ...agentsNeeded(flow, need, seen)];
  });
}

/** Refuse a slot that nothing can fill or apply: answers would silently ignore its constraints. */
function slotProblems(manifest: MeshManifest, name: string, { slots, accepts }: MeshFlow): string[] {
  return Object.entries(slots ?? {}).flatMap(([slot, declared]) => {
    const { kind, from = [], values = {}, input, applies_to = [], sets_aside = [] } = declared;
    const where = `flows.${name}.slots.${slot}`;
    const problems: string[] = [];
    const isEmpty = Object.keys(values).length === 0;
    if (kind === "entity" && from.length === 0) problems.push(`${where}: an entity needs \`from\``);
    if (kind === "enum" && from.length === 0 && isEmpty)
      problems.push(`${where}: an enum needs \`values\` or \`from\``);
    if (kind === "choice" && isEmpty) problems.push(`${where}: a choice needs \`values\``);
    if (input !== undefined && accepts?.includes(input) === false)
      problems.push(`${where}.input: \`accepts\` does not have "${input}"`);
    if (input !== undefined && declared.from_results)
      problems.push(`${where}.input: no inputs show what selects from the results`);
    if (declared.behind && !member(slots, declared.behind.slot))
      problems.push(`${where}.behind: ${noSuch("slot", declared.behind.slot, Object.keys(slots ?? {}))}`);
    for (const other of sets_aside)
      if (!member(slots, other))
        problems.push(`${where}.sets_aside: ${noSuch("slot", other, Object.keys(slots ?? {}))}`);
    for (const target of applies_to) {
      if (!member(manifest.services, target) && !member(manifest.flows, target))
        problems.push(`${where}.applies_to: there is no service or flow "${target}"`);
    }
    return problems;
  });
}

function endpointProblems(manifest: MeshManifest): string[] {
  const tasks = new Set(Object.values(manifest.agents).flatMap((agent) => Object.keys(agent.tasks)));
  const books = new Set(
    Object.values(manifest.flows ?? {}).flatMap(({ steps }) =>
      Object.values(steps).flatMap(({ publish, to = DEFAULT_BOOK }) => (publish === undefined ? [] : to)),
    ),
  );
  return Object.entries(manifest.endpoints ?? {}).flatMap(([path, { task_type, book }]) => {
    const where = `endpoints.${path}`;
    const [first = ""] = path.split("/");
    const own = OWN_PATHS.has(first)
      ? [`${where}: /api/v1/${first} is a path of the gateway itself; use another name`]
      : [];
    if (book !== undefined)
      return books.has(book) ? own : [...own, `${where}.book: ${noSuch("book", book, books)}`];
    return tasks.has(task_type ?? "")
      ? own
      : [...own, `${where}.task_type: ${noSuch("task", task_type ?? "", tasks)}`];
  });
}

/** A schema under a misspelt task name would check nothing. */
function outputsProblems({ agents }: MeshManifest): string[] {
  return Object.entries(agents).flatMap(([name, { outputs = {}, tasks }]) =>
    Object.keys(outputs).flatMap((task) =>
      member(tasks, task) === undefined
        ? [`agents.${name}.outputs: agent "${name}" has no task "${task}"`]
        : [],
    ),
  );
}

/** A limit of something that is misspelt would limit nothing. */
function limitProblems({ agents, tools: { servers = {} } = {}, limits = {} }: MeshManifest): string[] {
  const tools = new Set(Object.values(agents).flatMap(({ tasks }) => Object.keys(tasks).map(toolName)));
  // Which tools a server has is known there alone.
  const isOfServer = (name: string): boolean =>
    Object.keys(servers).some((server) => name.startsWith(`${server}.`));
  const ofAgents = Object.keys(limits.agents ?? {}).flatMap((name) =>
    member(agents, name) ? [] : [`limits.agents: ${noSuch("agent", name, Object.keys(agents))}`],
  );
  const ofTools = Object.keys(limits.tools ?? {}).flatMap((name) =>
    tools.has(name) || isOfServer(name) ? [] : [`limits.tools: there is no tool "${name}"`],
  );
  return [...ofAgents, ...ofTools];
}

/** Depth-first search. @returns a cycle of `needs` and `after`, first step repeated at the end, or undefined */
function findCycle(flow: MeshFlow): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (id: string): string[] | undefined => {
    if (done.has(id)) return undefined;
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    path.push(id);
    const step = member(flow.steps, id);
    for (const other of [...(step?.needs ?? []), ...(step?.after ?? [])]) {
      const cycle = visit(other);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(id);
    return undefined;
  };
  for (const id of Object.keys(flow.steps)) {
    const cycle = visit(id);
    if (cycle) return cycle;
  }
  return undefined;
}
