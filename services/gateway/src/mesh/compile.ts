import { basename } from "node:path";
import type {
  MeshA2A,
  MeshFlow,
  MeshLimits,
  MeshManifest,
  MeshRate,
  MeshService,
} from "@interlock/contracts";
import { EgressRules } from "../egress/index.ts";
import { JsonText } from "../json-text.ts";
import { compileSlots, type Localised, loadIntentModel, type SlotReader } from "../language/index.ts";
import { compileMeasures } from "./compile-measures.ts";
import { compileModels } from "./compile-models.ts";
import { compileOutputs } from "./compile-outputs.ts";
import { declareSlots } from "./compile-slots.ts";
import { compileStep } from "./compile-step.ts";
import { compileTools } from "./compile-tools.ts";
import { DataCompiler, type LargeReader } from "./data/index.ts";
import { localised } from "./localised.ts";
import type {
  AgentLimits,
  AgentTarget,
  CallerLimits,
  Flow,
  FlowStep,
  Mesh,
  MeshAgent,
  Rate,
  Service,
} from "./model.ts";
import { isRoundsService } from "./model.ts";
import { readable } from "./readable.ts";
import { isTable, readTable } from "./table/index.ts";
import type { InPieces } from "./turns.ts";

/** What the answer of a service is made of. */
const ANSWER = ["outputs", "warnings", "request"] as const;

/** Services that the general text names where the manifest has no text of its own. */
const MOST_OFFERED = 5;

/** Times that the model of a tool-calling agent is asked. */
const MAX_ROUNDS = 5;

/** Files that the manifest names. */
export type ManifestFiles = {
  resolve: (path: string) => string;
  /** The JSON object that a file holds; undefined where it holds none. */
  readObject: (path: string) => Record<string, unknown> | undefined;
  /** What a text file holds; undefined where it cannot be read. */
  readText: (path: string) => string | undefined;
};

/**
 * Turns a checked manifest into a mesh.
 * @param large looks into values that are large
 * @returns the mesh, to be used only where `problems` is empty
 */
export function* compileMesh(
  manifest: MeshManifest,
  files: ManifestFiles,
  large: LargeReader,
): InPieces<{ mesh: Omit<Mesh, "egress">; problems: string[] }> {
  const problems: string[] = [];
  const data = new DataCompiler(large);
  const agents = compileAgents(manifest);
  for (const [name, agent] of agents) {
    const { checks, problems: wrong } = compileOutputs(
      name,
      manifest.agents[name]?.outputs ?? {},
      files.readObject,
      large,
    );
    if (checks.size > 0) agent.outputs = checks;
    problems.push(...wrong);
  }
  const flows = new Map<string, Flow>();
  const slotsOf = sharedSlots();
  for (const [name, flow] of Object.entries(manifest.flows ?? {})) {
    const compiled = yield* compileFlow(name, flow, data, problems);
    if (flow.slots) compiled.slots = slotsOf(flow);
    problems.push(...(yield* readInputs(name, flow, files, compiled)));
    if (flow.intents) {
      yield;
      try {
        compiled.intents = loadIntentModel(flow.intents.map((file) => files.readObject(file)));
      } catch (error) {
        problems.push(`flows.${name}.intents: ${Error.isError(error) ? error.message : "not a model"}`);
      }
    }
    flows.set(name, compiled);
  }
  const services = new Map<string, Service>();
  for (const [name, service] of Object.entries(manifest.services ?? {})) {
    yield;
    const compiled = compileService(name, service, flows, data);
    if (isRoundsService(compiled) && service.instructions !== undefined) {
      const text = files.readText(service.instructions);
      if (text === undefined)
        problems.push(`services.${name}.instructions: the file ${service.instructions} cannot be read`);
      else compiled.target.instructions = text.trim();
    }
    services.set(name, compiled);
  }
  const mesh: Omit<Mesh, "egress"> = {
    agents,
    flows,
    services,
    endpoints: new Map(
      Object.entries(manifest.endpoints ?? {}).map(([path, { task_type = "", book }]) => [
        path,
        book === undefined ? { kind: "task", taskType: task_type } : { kind: "book", book },
      ]),
    ),
    ...(manifest.default_service === undefined ? {} : { defaultService: manifest.default_service }),
    general: manifest.general === undefined ? offerOf(manifest) : localised(manifest.general),
    models: compileModels(manifest),
    tools: compileTools(manifest, files.readObject, data),
    limits: compileCallerLimits(manifest),
    peers: compilePeers(manifest),
    webhooks: compileWebhooks(manifest),
    retention: compileRetention(manifest),
    roles: manifest.access?.roles ?? {},
    issuers: compileIssuers(manifest, files.resolve),
    readable: readableBy(large),
  };
  return { mesh, problems: [...problems, ...data.problems] };
}

/** What is said to a message that asks for nothing: examples of what can be asked for. */
function offerOf({ services = {} }: MeshManifest): Localised {
  const examples = Object.values(services).flatMap(({ examples: [first] = [] }) => first ?? []);
  const shown = examples.slice(0, MOST_OFFERED).map((example) => `“${example}”`);
  const [en, ko] = ["I did not find a service for this.", "요청에 맞는 서비스를 찾지 못했습니다."];
  if (shown.length === 0) return { en, ko };
  return { en: `${en} Try ${shown.join(", ")}.`, ko: `${ko} 이렇게 물어보세요: ${shown.join(", ")}.` };
}

/** A value without large unparsed parts is written at once, since the work is bounded. */
function readableBy(large: LargeReader): Mesh["readable"] {
  return async (value, signal) => {
    const parts = value instanceof JsonText ? [value] : Object.values(value);
    if (!parts.some((part) => part instanceof JsonText)) return readable(value);
    return await large.readable(value, signal);
  };
}

/** What the manifest says nothing of is on: a peer can do nothing that the gateway's own API does not let its caller do. */
function compilePeers({ peers = {} }: MeshManifest): Mesh["peers"] {
  const { openai = true, mcp = true, a2a = true, ag_ui: agUi = true } = peers;
  return {
    ...(openai === false ? {} : { openai: { progress: openai === true || openai.progress !== "none" } }),
    ...(mcp === false ? {} : { mcp: { tasks: mcp === true || mcp.tasks !== false } }),
    ...(a2a === false ? {} : { a2a: compileA2a(a2a) }),
    agUi,
  };
}

function compileA2a(a2a: true | MeshA2A): NonNullable<Mesh["peers"]["a2a"]> {
  const hosts = a2a === true ? undefined : a2a.push_to;
  return hosts ? { pushTo: new EgressRules({ allow: hosts, loopback: false }) } : {};
}

function compileWebhooks({ webhooks = {} }: MeshManifest): Mesh["webhooks"] {
  return new Map(
    Object.entries(webhooks).map(([name, { url, events, secrets, tenants, proposal = false }]) => [
      name,
      { url, events: new Set(events), secrets, proposal, ...(tenants ? { tenants: new Set(tenants) } : {}) },
    ]),
  );
}

function compileRetention({ retention = {} }: MeshManifest): Mesh["retention"] {
  return new Map(
    Object.entries(retention).map(([tenant, { session_ttl_s, run_ttl_s, log_ttl_s }]) => [
      tenant,
      {
        ...(session_ttl_s === undefined ? {} : { sessionTtlS: session_ttl_s }),
        ...(run_ttl_s === undefined ? {} : { runTtlS: run_ttl_s }),
        ...(log_ttl_s === undefined ? {} : { logTtlS: log_ttl_s }),
      },
    ]),
  );
}

function compileAgents(manifest: MeshManifest): Map<string, MeshAgent> {
  const agents = new Map<string, MeshAgent>();
  for (const [name, agent] of Object.entries(manifest.agents)) {
    agents.set(name, {
      name,
      url: agent.url.replace(/\/+$/, ""),
      tasks: Object.keys(agent.tasks),
      taskDescriptions: agent.tasks,
      description: agent.description ?? "",
      ...(agent.label ? { label: localised(agent.label) } : {}),
      signed: agent.identity === "signed",
      ...(agent.protocol === "a2a" ? { protocol: agent.protocol } : {}),
      limits: compileLimits(agent.limits),
    });
  }
  return agents;
}

function compileIssuers({ identity }: MeshManifest, resolve: ManifestFiles["resolve"]): Mesh["issuers"] {
  const issuers = Object.entries(identity?.issuers ?? {}).map(([name, issuer]) => {
    const file = issuer.keys?.file;
    return [name, file === undefined ? issuer : { ...issuer, keys: { file: resolve(file) } }];
  });
  return Object.fromEntries(issuers);
}

function compileLimits(limits: MeshLimits = {}): AgentLimits {
  const compiled: AgentLimits = {
    timeoutMs: limits.timeout_ms ?? 30_000,
    retries: limits.retries ?? 1,
    backoffMs: limits.backoff_ms ?? 200,
    maxEventBytes: limits.max_event_bytes ?? 1024 * 1024,
  };
  if (limits.max_concurrency !== undefined) compiled.maxConcurrency = limits.max_concurrency;
  return compiled;
}

function compileCallerLimits({ limits = {} }: MeshManifest): CallerLimits {
  const rate = ({ points, per_s }: MeshRate): Rate => ({ points, perS: per_s });
  const rates = (named: Readonly<Record<string, MeshRate>> = {}): Map<string, Rate> =>
    new Map(Object.entries(named).map(([name, one]) => [name, rate(one)]));
  const { subject, tenant, global, tokens_per_day } = limits;
  return {
    ...(subject ? { subject: rate(subject) } : {}),
    ...(tenant ? { tenant: rate(tenant) } : {}),
    ...(global ? { global: rate(global) } : {}),
    agents: rates(limits.agents),
    tools: rates(limits.tools),
    ...(tokens_per_day === undefined ? {} : { tokensPerDay: tokens_per_day }),
  };
}

/** Flows that declare the same slots have one reader: it is compiled once, and tells that they are of one domain. */
function sharedSlots(): (flow: MeshFlow) => SlotReader {
  const readers = new Map<string, SlotReader>();
  return (flow) => {
    const declared = declareSlots(flow);
    const key = JSON.stringify(declared);
    const reader = readers.get(key) ?? compileSlots(declared);
    readers.set(key, reader);
    return reader;
  };
}

function* compileFlow(name: string, flow: MeshFlow, data: DataCompiler, problems: string[]): InPieces<Flow> {
  const steps = new Map<string, FlowStep>();
  const names = new Set(Object.keys(flow.steps));
  for (const [id, step] of Object.entries(flow.steps)) {
    yield;
    const before = id === flow.answer ? names : waitedFor(flow, id);
    steps.set(
      id,
      compileStep(id, step, { where: `flows.${name}.steps.${id}`, data, steps: { all: names, before } }),
    );
  }
  const compiled: Flow = {
    name,
    description: flow.description ?? "",
    timeoutMs: flow.timeout_ms ?? 180_000,
    steps,
    goals: new Map(Object.entries(flow.goals)),
    defaultGoals: flow.default_goals ?? Object.keys(flow.goals),
    unclear: new Set(flow.unclear ?? []),
    proposal: flow.proposal ?? [],
    uncheckable: new Set(
      Object.entries(flow.slots ?? {}).flatMap(([slot, { checkable }]) =>
        checkable === false ? [slot] : [],
      ),
    ),
    measures: compileMeasures(name, flow, problems),
    sampleName: localised(flow.default_inputs_name ?? { en: "sample inputs", ko: "샘플 데이터" }),
  };
  if (flow.accepts) compiled.accepts = new Set(flow.accepts);
  if (flow.table ?? (isTable(flow.default_inputs ?? "") || flow.accepts?.includes("rows")))
    compiled.table = flow.table ?? {};
  if (flow.inputs_name !== undefined) compiled.inputsName = flow.inputs_name;
  if (flow.answer !== undefined) compiled.answer = flow.answer;
  return compiled;
}

/** @returns what keeps a flow's own inputs from being read */
function* readInputs(name: string, flow: MeshFlow, files: ManifestFiles, compiled: Flow): InPieces<string[]> {
  const { default_inputs: file } = flow;
  const where = `flows.${name}.default_inputs`;
  if (file === undefined || !isTable(file)) {
    if (file === undefined) return [];
    const inputs = files.readObject(file);
    if (!inputs) return [`${where}: ${file} is not a file that holds a JSON object`];
    compiled.defaultInputs = inputs;
    return [];
  }
  const text = files.readText(file);
  if (text === undefined) return [`${where}: the file ${file} cannot be read`];
  const reading = yield* readTable(text, basename(file), flow.table);
  if ("problems" in reading)
    return reading.problems.map(({ line, column, text: { en }, lacks }) => {
      const how = lacks === undefined ? "" : `. Say which one is: table.columns.${lacks}`;
      return `${where}: ${file}:${line}:${column}: ${en}${how}`;
    });
  compiled.defaultInputs = reading.inputs;
  compiled.tableNote = reading.note;
  if (!flow.default_inputs_name) compiled.sampleName = { en: basename(file), ko: basename(file) };
  return [];
}

/** The steps that are over when a step starts. */
function waitedFor(flow: MeshFlow, id: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const other of [...(flow.steps[id]?.needs ?? []), ...(flow.steps[id]?.after ?? [])]) {
    if (seen.has(other)) continue;
    seen.add(other);
    waitedFor(flow, other, seen);
  }
  return seen;
}

function compileService(
  name: string,
  service: MeshService,
  flows: ReadonlyMap<string, Flow>,
  data: DataCompiler,
): Service {
  const said = {
    name,
    keywords: service.keywords ?? [],
    examples: service.examples ?? [],
    ...(service.label ? { label: localised(service.label) } : {}),
    ...(service.orders ? { orders: service.orders } : {}),
    ...(service.description === undefined ? {} : { description: service.description }),
  };
  const flow = service.flow === undefined ? undefined : flows.get(service.flow);
  if (flow) {
    const goals = service.goals ?? flow.defaultGoals;
    return { ...said, target: { kind: "flow", flow: flow.name, goals } };
  }
  if (service.tools) {
    const { tools, model, max_rounds: maxRounds = MAX_ROUNDS } = service;
    const which = model === undefined ? {} : { model };
    return { ...said, target: { kind: "rounds", tools, ...which, instructions: "", maxRounds } };
  }
  if (service.remote) {
    const { url, identity = "exchange", timeout_ms: timeoutMs = 180_000 } = service.remote;
    return { ...said, target: { kind: "remote", url: url.replace(/\/+$/, ""), identity, timeoutMs } };
  }
  const task = { agent: service.agent ?? "", taskType: service.task_type ?? "" };
  if (service.dialogue) {
    const { max_state_bytes: maxStateBytes = 65_536, history_turns: historyTurns = 12 } = service.dialogue;
    return { ...said, target: { kind: "dialogue", ...task, maxStateBytes, historyTurns } };
  }
  const target: AgentTarget = { kind: "agent", ...task };
  if (service.answer !== undefined)
    target.answer = data.template(`services.${name}.answer`, service.answer, ANSWER);
  return { ...said, target };
}
