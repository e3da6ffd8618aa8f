import type { MeshRole } from "@interlock/contracts";
import type { Mesh } from "../mesh/index.ts";
import { GRANTS, type Grant, type Inventory, inventoryOf } from "./inventory.ts";
import { fits, isEvery, Names, nearest, Pairs } from "./names.ts";
import { SHIPPED_ROLES } from "./shipped-roles.ts";

/** Field → values of the rows that may be used; a field that is not named is not restricted. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** A role with all that it inherits. */
export type Role = {
  name: string;
  /** Itself, and the roles that it inherits. */
  lineage: ReadonlySet<string>;
  agents: Names;
  tasks: Pairs;
  flows: Names;
  goals: Pairs;
  services: Names;
  tools: Names;
  models: Names;
  books: Names;
  views: Pairs;
  decides: Pairs;
  sessions: "own" | "tenant" | undefined;
  admin: boolean;
  rows: Rows;
  /** The rows as the manifest has them, with `*` for every value. */
  rowRules: Rows;
};

/** One pattern of a role, and what it stands for in the mesh. */
export type Granted = {
  grant: Grant;
  pattern: string;
  index: number;
  role: string;
  names: readonly string[];
};

/** The roles of a mesh as they are declared, and what they name. */
export class RoleTable {
  readonly #specs: ReadonlyMap<string, MeshRole>;
  readonly #declared: Mesh["roles"];
  readonly #inventory: Inventory;
  readonly #flows: Mesh["flows"];
  readonly #servers: readonly string[];

  constructor(mesh: Mesh) {
    this.#declared = mesh.roles;
    this.#specs = new Map([...Object.entries(SHIPPED_ROLES), ...Object.entries(mesh.roles)]);
    this.#inventory = inventoryOf(mesh);
    this.#flows = mesh.flows;
    this.#servers = [...mesh.tools.servers.keys()];
  }

  get names(): string[] {
    return [...this.#specs.keys()];
  }

  /** Whether the role is one of those that every mesh has, and the manifest has no other one of its name. */
  isShipped(role: string): boolean {
    return !Object.hasOwn(this.#declared, role);
  }

  spec(role: string): MeshRole | undefined {
    return this.#specs.get(role);
  }

  /** A role, then those that it inherits, each once. */
  lineageOf(role: string): string[] {
    const lineage = new Set<string>();
    const add = (name: string): void => {
      if (lineage.has(name)) return;
      lineage.add(name);
      for (const parent of this.spec(name)?.inherits ?? []) add(parent);
    };
    add(role);
    return [...lineage];
  }

  /** Every pattern by which a role has something, with the role of its lineage that has it. */
  granted(role: string): Granted[] {
    return this.lineageOf(role).flatMap((name) => {
      const spec = this.spec(name) ?? {};
      return GRANTS.flatMap((grant) =>
        patternsOf(spec, grant).map((pattern, index) => {
          const known = this.#inventory[grant].filter((name) => fits(pattern, name));
          const isServers = known.length === 0 && grant === "tools" && this.#isOfServer(pattern);
          const names = isServers ? [pattern] : known;
          return { grant, pattern, index, role: name, names };
        }),
      );
    });
  }

  compiled(role: string): Role {
    const granted = this.granted(role);
    const specs = this.lineageOf(role).map((name) => this.spec(name) ?? {});
    const of = (grant: Grant): readonly string[] | "every" => {
      const own = granted.filter((one) => one.grant === grant);
      return own.some(({ pattern }) => isEvery(pattern)) ? "every" : own.flatMap(({ names }) => names);
    };
    const rowRules = joined(specs.map(({ rows = {} }) => rows));
    const scopes = specs.map(({ sessions }) => sessions);
    return {
      name: role,
      lineage: new Set(this.lineageOf(role)),
      agents: new Names(of("agents")),
      tasks: new Pairs(of("tasks")),
      flows: new Names(of("flows")),
      goals: new Pairs(of("goals")),
      services: new Names(of("services")),
      tools: new Names(of("tools"), this.#ofServers(granted)),
      models: new Names(of("models")),
      books: new Names(of("books")),
      views: new Pairs(of("approvals.view")),
      decides: new Pairs(of("approvals.decide")),
      sessions: scopes.includes("tenant") ? "tenant" : scopes.find((scope) => scope !== undefined),
      admin: specs.some(({ admin }) => admin === true),
      rows: restrictions(rowRules),
      rowRules,
    };
  }

  /** What is wrong with the roles of the manifest, each with its place. */
  problems(): string[] {
    return [
      ...Object.entries(this.#declared).flatMap(([name, spec]) => [
        ...(spec.inherits ?? []).flatMap((parent) =>
          this.#unknownRole(`access.roles.${name}.inherits`, parent),
        ),
        ...this.#nameProblems(name, spec),
      ]),
      ...this.#cycles(),
      ...this.#gateProblems(),
    ];
  }

  #nameProblems(name: string, spec: MeshRole): string[] {
    return GRANTS.flatMap((grant) =>
      patternsOf(spec, grant).flatMap((pattern) => {
        const known = this.#inventory[grant];
        if (isEvery(pattern) || known.some((one) => fits(pattern, one))) return [];
        if (grant === "tools" && this.#isOfServer(pattern)) return [];
        return [
          `access.roles.${name}.${grant}: "${pattern}" names nothing of this mesh${meant(pattern, known)}`,
        ];
      }),
    );
  }

  /** The patterns of tools that MCP servers have. */
  #ofServers(granted: readonly Granted[]): string[] {
    return granted.flatMap(({ grant, pattern }) =>
      grant === "tools" && this.#isOfServer(pattern) ? [pattern] : [],
    );
  }

  /** Whether a tool of an MCP server can fit the pattern. */
  #isOfServer(pattern: string): boolean {
    return this.#servers.some((server) => pattern.startsWith(`${server}.`) || fits(pattern, `${server}.*`));
  }

  #cycles(): string[] {
    const told = new Set<string>();
    return Object.keys(this.#declared).flatMap((name) => {
      const cycle = told.has(name) ? undefined : this.#cycleFrom(name);
      if (!cycle) return [];
      for (const role of cycle) told.add(role);
      return [`access.roles.${name}.inherits: the roles ${cycle.join(" → ")} inherit from each other`];
    });
  }

  /** The way from a role back to itself, or undefined. */
  #cycleFrom(start: string): string[] | undefined {
    const seen = new Set<string>();
    const visit = (name: string, path: readonly string[]): string[] | undefined => {
      if (name === start && path.length > 0) return [...path, name];
      if (seen.has(name)) return undefined;
      seen.add(name);
      for (const parent of this.spec(name)?.inherits ?? []) {
        const cycle = visit(parent, [...path, name]);
        if (cycle) return cycle;
      }
      return undefined;
    };
    return visit(start, []);
  }

  /** An approval that names a role which nobody can have would never be decided. */
  #gateProblems(): string[] {
    return [...this.#flows.values()].flatMap((flow) =>
      [...flow.steps.values()].flatMap(({ id, approval }) => {
        const where = `flows.${flow.name}.steps.${id}.approval`;
        return [
          ...(approval?.roles ?? []).flatMap((role) => this.#unknownRole(`${where}.roles`, role)),
          ...(approval?.escalateTo ?? []).flatMap((role) => this.#unknownRole(`${where}.escalate_to`, role)),
        ];
      }),
    );
  }

  #unknownRole(where: string, role: string): string[] {
    return this.#specs.has(role) ? [] : [`${where}: there is no role "${role}"${meant(role, this.names)}`];
  }
}

function meant(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

function patternsOf(spec: MeshRole, grant: Grant): readonly string[] {
  if (grant === "approvals.view") return spec.approvals?.view ?? [];
  if (grant === "approvals.decide") return spec.approvals?.decide ?? [];
  return spec[grant] ?? [];
}

/**
 * The rows of several roles. A field is restricted where any of them restricts it, to the values of all of them: one role more never
 * opens what another one closes. Only `*` does, since somebody wrote it.
 */
export function joined(all: readonly Rows[]): Rows {
  const values = new Map<string, Set<string>>();
  for (const rows of all)
    for (const [field, some] of Object.entries(rows))
      values.set(field, new Set([...(values.get(field) ?? []), ...some]));
  return Object.fromEntries([...values].map(([field, some]) => [field, [...some]]));
}

/** Without the fields all of whose values are allowed. */
export function restrictions(rules: Rows): Rows {
  return Object.fromEntries(Object.entries(rules).filter(([, values]) => !values.includes("*")));
}
