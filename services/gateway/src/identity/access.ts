import { type Caller, principalOf } from "../caller.ts";
import { type Mesh, ownStepId } from "../mesh/index.ts";
import { joined, type Role, RoleTable, type Rows, restrictions } from "./compile-roles.ts";

/** What callers act on. Owners are principals; see caller.ts. */
export type Resource =
  | { kind: "agent" | "flow" | "service" | "tool" | "model" | "book"; name: string }
  | { kind: "task"; agent: string; task: string }
  | { kind: "goal"; flow: string; goal: string }
  | { kind: "approval"; flow: string; step: string }
  | { kind: "session" | "run"; owner: string }
  | { kind: "admin" };

/**
 * `use` asks an agent, starts a flow, or speaks in a session; `view` reads; `decide` is about approvals, `cancel` about runs; what only
 * changes how things are kept, such as a session's reset, is `administer`.
 */
export type Action = "use" | "view" | "decide" | "cancel" | "administer";

/** Whose sessions and runs a caller may list. */
export type Scope = "own" | "tenant";

/**
 * Who may do what in a mesh. Default deny: what no role of the caller grants is refused, and a role that nobody declared grants nothing.
 * The tenant is not looked at here: every key of the store is the caller's tenant's.
 */
export class Access {
  readonly #roles: ReadonlyMap<string, Role>;
  /** By the list of roles, which callers with the same token share. */
  readonly #rows = new WeakMap<readonly string[], Rows>();

  constructor(roles: readonly Role[]) {
    this.#roles = new Map(roles.map((role) => [role.name, role]));
  }

  may(caller: Caller, action: Action, resource: Resource): boolean {
    for (const name of caller.roles) {
      const role = this.#roles.get(name);
      if (role !== undefined && allows(role, caller, action, resource)) return true;
    }
    return false;
  }

  /** Whether a role of the caller is one of these, or inherits one. */
  hasRole(caller: Caller, wanted: readonly string[]): boolean {
    return caller.roles.some((name) => {
      const lineage = this.#roles.get(name)?.lineage;
      return lineage !== undefined && wanted.some((role) => lineage.has(role));
    });
  }

  /** The roles of a caller that this mesh knows; the others grant nothing. */
  knownRoles({ roles }: Pick<Caller, "roles">): string[] {
    return roles.filter((name) => this.#roles.has(name));
  }

  /** Whether there can be an approval that the caller may see. */
  seesApprovals({ roles }: Pick<Caller, "roles">): boolean {
    return roles.some((name) => {
      const role = this.#roles.get(name);
      return role !== undefined && (role.admin || !role.views.isEmpty || !role.decides.isEmpty);
    });
  }

  /** Whether there can be an approval that the caller may decide. */
  decidesApprovals({ roles }: Pick<Caller, "roles">): boolean {
    return roles.some((name) => {
      const role = this.#roles.get(name);
      return role !== undefined && (role.admin || !role.decides.isEmpty);
    });
  }

  /** The roles that are one of these, or inherit one. */
  holders(wanted: readonly string[]): string[] {
    const all = [...this.#roles.values()];
    return all.filter(({ lineage }) => wanted.some((role) => lineage.has(role))).map(({ name }) => name);
  }

  /** The roles that grant the decision of an approval. */
  deciders(flow: string, step: string): string[] {
    const all = [...this.#roles.values()];
    return all
      .filter((role) => role.admin || role.decides.has(flow, ownStepId(step)))
      .map(({ name }) => name);
  }

  /** @returns undefined where the caller may see nothing, not even their own */
  scopeOf(caller: Caller): Scope | undefined {
    let scope: Scope | undefined;
    for (const name of caller.roles) {
      const role = this.#roles.get(name);
      if (role?.admin || role?.sessions === "tenant") return "tenant";
      scope ??= role?.sessions;
    }
    return scope;
  }

  /**
   * The rows that agents may use for a caller, for the signed context of a dispatch. A field that any of his roles restricts is
   * restricted, to the values of all of them; a field that none restricts is not named.
   */
  rowsOf({ roles }: Pick<Caller, "roles">): Rows {
    const [only] = roles;
    if (roles.length === 1 && only !== undefined) return this.#roles.get(only)?.rows ?? NO_ROWS;
    const known = this.#rows.get(roles);
    if (known) return known;
    const rows = restrictions(joined(roles.map((name) => this.#roles.get(name)?.rowRules ?? NO_ROWS)));
    this.#rows.set(roles, rows);
    return rows;
  }
}

const NO_ROWS: Rows = Object.freeze({});

/** @returns the access of a mesh, to be used only where `problems` is empty */
export function compileAccess(mesh: Mesh): { access: Access; table: RoleTable; problems: string[] } {
  const table = new RoleTable(mesh);
  const problems = table.problems();
  return { access: new Access(table.names.map((name) => table.compiled(name))), table, problems };
}

function allows(role: Role, caller: Caller, action: Action, resource: Resource): boolean {
  switch (resource.kind) {
    case "agent":
      if (role.admin || role.agents.has(resource.name)) return isUse(action);
      return action === "view" && role.tasks.hasFirst(resource.name);
    case "task":
      return (
        isUse(action) &&
        (role.admin || role.agents.has(resource.agent) || role.tasks.has(resource.agent, resource.task))
      );
    case "flow":
      if (role.admin || role.flows.has(resource.name)) return isUse(action);
      return action === "view" && role.goals.hasFirst(resource.name);
    case "goal":
      return (
        isUse(action) &&
        (role.admin || role.flows.has(resource.flow) || role.goals.has(resource.flow, resource.goal))
      );
    case "service":
      return isUse(action) && (role.admin || role.services.has(resource.name));
    case "tool":
      return isUse(action) && (role.admin || role.tools.has(resource.name));
    case "model":
      return isUse(action) && (role.admin || role.models.has(resource.name));
    case "book":
      return action === "view" && (role.admin || role.books.has(resource.name));
    case "approval":
      return allowsApproval(role, action, resource);
    case "session":
    case "run":
      return allowsOwned(role, caller, action, resource.owner);
    case "admin":
      return role.admin;
    default:
      return resource satisfies never;
  }
}

/** Whoever may use a part of the mesh may also see it listed. */
function isUse(action: Action): boolean {
  return action === "use" || action === "view";
}

/** Checks only the role's permission; approvals/ checks the approval's own rule. */
function allowsApproval(role: Role, action: Action, { flow, step }: { flow: string; step: string }): boolean {
  const own = ownStepId(step);
  if (action === "view") return role.admin || role.views.has(flow, own);
  return action === "decide" && (role.admin || role.decides.has(flow, own));
}

function allowsOwned(role: Role, caller: Caller, action: Action, owner: string): boolean {
  const isOwn = owner === principalOf(caller);
  switch (action) {
    // Nobody may post in another person's conversation, whatever their roles.
    case "use":
      return isOwn && speaks(role);
    case "view":
    case "cancel":
      return role.admin || role.sessions === "tenant" || (isOwn && role.sessions === "own");
    case "administer":
      return role.admin || (isOwn && role.sessions !== undefined);
    case "decide":
      return false;
    default:
      return action satisfies never;
  }
}

/** Whether the role may start anything: a service, a flow or a goal. */
function speaks({ admin, services, flows, goals }: Role): boolean {
  return admin || !services.isEmpty || !flows.isEmpty || !goals.isEmpty;
}
