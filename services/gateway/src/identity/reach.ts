import type { ApprovalRule, Mesh } from "../mesh/index.ts";
import type { Access } from "./access.ts";
import { LOCAL } from "./authenticate.ts";
import type { Issuer } from "./issuers.ts";
import { isLoopback } from "./loopback.ts";

/** Which callers the manifest and the binding make possible. */
export type Reach = {
  /** The roles that callers can have; `any` where an issuer says them in its tokens. */
  roles: ReadonlySet<string> | "any";
  /** The only possible caller is the one without a token. */
  isAlone: boolean;
};

export function reachOf(
  issuers: readonly Pick<Issuer, "declared">[],
  { host, authRequired }: { host: string; authRequired: boolean },
): Reach {
  const roles = new Set<string>(isLoopback(host) && !authRequired ? LOCAL.roles : []);
  for (const { declared } of issuers) {
    for (const { map, is, claim } of declared.claims?.roles ?? [{ claim: "roles" }]) {
      if (claim !== undefined && !map) return { roles: "any", isAlone: false };
      for (const role of is ?? Object.values(map ?? {}).flat()) roles.add(role);
    }
  }
  return { roles, isAlone: issuers.length === 0 };
}

type Gated = { flow: string; step: string; rule: Pick<ApprovalRule, "roles" | "fourEyes"> };

/** Why nobody who can call may approve a step; undefined where somebody may. */
export function whyUndecidable(
  { flow, step, rule: { roles, fourEyes } }: Gated,
  access: Access,
  reach: Reach,
): string | undefined {
  const able = access.deciders(flow, step);
  const wanted = roles.length > 0 ? access.holders(roles) : able;
  const isReached = (names: readonly string[]) =>
    names.some((name) => reach.roles === "any" || reach.roles.has(name));
  const named = roles.length > 0 ? roles : able;
  if (!isReached(able) || !isReached(wanted)) {
    const which = named.length > 0 ? ` (${named.join(", ")})` : "";
    return `Nobody can approve this: no caller of this mesh can have a role that may${which}. Whoever runs the mesh has to give somebody one.`;
  }
  if (fourEyes && reach.isAlone)
    return "Nobody can approve this: it needs a second person, and this mesh knows only one caller. Whoever runs the mesh has to name an issuer of tokens.";
  return undefined;
}

/** The steps of a mesh that wait for an approval that nobody can give, each with its place. */
export function undecidableSteps(
  { flows }: Mesh,
  access: Access,
  reach: Reach,
): { where: string; why: string }[] {
  return [...flows.values()].flatMap((flow) =>
    [...flow.steps.values()].flatMap(({ id, approval: rule }) => {
      const why = rule && whyUndecidable({ flow: flow.name, step: id, rule }, access, reach);
      return why === undefined ? [] : [{ where: `flows.${flow.name}.steps.${id}.approval`, why }];
    }),
  );
}
