import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { sayingOf } from "../../services/gateway/src/understanding.ts";
import { readJson } from "../eval/lines.ts";
import { root } from "../lib/paths.ts";
import { GATEWAY, ISSUER, SERVICES, type ServiceDefinition } from "../lib/services.ts";

type Localised = { readonly en: string; readonly ko: string };

export type Slot = {
  readonly kind: string;
  readonly reads?: string;
  readonly from_results?: boolean;
  readonly from?: readonly string[];
  readonly keys?: boolean;
  readonly id?: string;
  readonly names?: readonly string[];
  readonly label: Localised;
  readonly nouns?: readonly string[];
  readonly cues?: readonly string[];
  readonly values?: Readonly<Record<string, readonly string[]>>;
};

type Step = {
  readonly task_type?: string;
  readonly needs?: readonly string[];
  readonly verify?: { readonly task_type: string };
  readonly approval?: { readonly edit?: { readonly check?: { readonly task_type: string } } };
};

type Manifest = {
  readonly agents: Readonly<Record<string, { readonly command?: readonly string[] }>>;
  readonly flows: Readonly<Record<string, Flow>>;
  readonly services: Readonly<Record<string, { readonly label?: Localised }>>;
  readonly general: Localised;
};

type Flow = {
  readonly default_inputs: string;
  readonly slots: string | Readonly<Record<string, Slot>>;
  readonly steps: Readonly<Record<string, Step>>;
  readonly goals: Readonly<Record<string, readonly string[]>>;
  readonly default_goals?: readonly string[];
  readonly proposal?: readonly string[];
  readonly answer: string;
};

/** A domain as its manifest declares it: what sets can want, and how to start it. */
export type Domain = {
  readonly name: string;
  readonly flow: string;
  /** The manifest of the mesh. */
  readonly meshFile: string;
  readonly services: readonly ServiceDefinition[];
  /** The tasks of the steps of each goal. */
  readonly goals: ReadonlyMap<string, readonly string[]>;
  readonly defaultGoals: readonly string[];
  /** All tasks that may be done for goals: theirs, what they need, what makes the proposal, and what words the answer. */
  tasksFor(goals: readonly string[]): ReadonlySet<string>;
  /** Tasks that judge what takes effect. They get everything that was said. */
  readonly judging: ReadonlySet<string>;
  /** Goals whose effect waits for an approval. */
  readonly approved: ReadonlySet<string>;
  readonly slots: ReadonlyMap<string, Slot>;
  /** Whether a slot selects names of the catalogue. */
  selects(slot: string): boolean;
  readonly labels: ReadonlyMap<string, Localised>;
  readonly general: Localised;
  readonly catalogue: Readonly<Record<string, unknown>>;
  /** Constraints as the gateway says them. */
  readonly say: ReturnType<typeof sayingOf>;
};

const HERE = join(import.meta.dirname, "domains");

/** @throws Error where there is no such domain */
export function readDomain(name: string): Domain {
  const own = join(HERE, name);
  const isShipped = !existsSync(join(own, "domain.yaml"));
  const file = isShipped ? join(root, "services", name, "domain.yaml") : join(own, "domain.yaml");
  if (!existsSync(file)) throw new Error(`there is no domain "${name}"`);
  const manifest = parse(readFileSync(file, "utf8")) as Manifest;
  const [entry] = Object.entries(manifest.flows);
  if (!entry) throw new Error(`${file} has no flow`);
  const [flowName, flow] = entry;
  const beside = (path: string): string => resolve(dirname(file), path);
  const slots = new Map(
    Object.entries(
      typeof flow.slots === "string"
        ? (parse(readFileSync(beside(flow.slots), "utf8")) as Record<string, Slot>)
        : flow.slots,
    ),
  );
  const goals = new Map(Object.entries(flow.goals).map(([goal, steps]) => [goal, tasksIn(steps, flow)]));
  const steps = Object.values(flow.steps);
  const ofGoals = new Set(Object.values(flow.goals).flat());
  const meshFile = isShipped ? join(root, "mesh.yaml") : join(own, "mesh.yaml");
  return {
    name,
    flow: flowName,
    meshFile,
    say: sayingOf(flowName, { ...process.env, MESH_FILE: meshFile }),
    services: isShipped ? SERVICES : ownServices(manifest, own),
    goals,
    defaultGoals: flow.default_goals ?? [...goals.keys()],
    tasksFor: (wanted) => {
      const own = wanted.flatMap((goal) => flow.goals[goal] ?? []);
      const wording = [...needed([flow.answer], flow)].filter((step) => !ofGoals.has(step));
      return new Set(tasksIn(needed([...own, ...(flow.proposal ?? []), ...wording], flow), flow));
    },
    judging: new Set(steps.flatMap(({ verify }) => verify?.task_type ?? [])),
    approved: new Set(
      Object.entries(flow.goals)
        .filter(([, own]) => own.some((step) => flow.steps[step]?.approval))
        .map(([goal]) => goal),
    ),
    slots,
    selects: (slot) => ["entity", "enum"].includes(slots.get(slot)?.kind ?? ""),
    labels: new Map(
      Object.entries(manifest.services).flatMap(([service, { label }]) => (label ? [[service, label]] : [])),
    ),
    general: manifest.general,
    catalogue: readJson(beside(flow.default_inputs)),
  };
}

const tasksIn = (steps: Iterable<string>, flow: Flow): string[] =>
  [...steps].flatMap((step) => flow.steps[step]?.task_type ?? []);

/** The steps and all that they need. */
function needed(steps: readonly string[], flow: Flow): ReadonlySet<string> {
  const all = new Set(steps);
  for (const step of all) for (const need of flow.steps[step]?.needs ?? []) all.add(need);
  return all;
}

/** The domain's agents, by their commands, the issuer and the gateway. */
function ownServices({ agents }: Manifest, folder: string): readonly ServiceDefinition[] {
  const own = Object.entries(agents).map(([name, { command = [] }]) => ({
    name,
    main: relative(root, join(folder, command.at(-1) ?? "")),
    readyPath: "/health/ready",
    defaultPort: 8099,
    portVariable: `${name.toUpperCase()}_PORT`,
    urlVariable: `${name.toUpperCase()}_URL`,
  }));
  return [...own, ISSUER, ...SERVICES.filter(({ name }) => name === GATEWAY)];
}

/** The values that a selecting slot has in a catalogue, and for an entity by what other names it goes. */
export function valuesIn(catalogue: Readonly<Record<string, unknown>>, slot: Slot): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of slot.from ?? []) {
    for (const value of at(catalogue, path.split("."))) {
      if (slot.kind === "entity") {
        const entity: Record<string, unknown> = Object(value);
        const names = (slot.names ?? []).map((name) => entity[name]).filter((one) => typeof one === "string");
        const id = entity[slot.id ?? "id"];
        if (typeof id === "string") found.set(id, names);
      } else {
        const named = slot.keys ? Object.keys(Object(value)) : [value];
        for (const one of named) if (typeof one === "string") found.set(one, [...(slot.values?.[one] ?? [])]);
      }
    }
  }
  return found;
}

/** The values at a path, which goes through arrays. */
function at(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((one) => at(one, first === undefined ? [] : [first, ...rest]));
  if (first === undefined) return value === undefined ? [] : [value];
  return at(Object(value)[first], rest);
}
