import type { MeshRole } from "@interlock/contracts";

/** The roles that every mesh has. A manifest's role of the same name takes the place of one of these. */
export const SHIPPED_ROLES: Readonly<Record<string, MeshRole>> = {
  viewer: { sessions: "own" },
  analyst: {
    inherits: ["viewer"],
    agents: ["*"],
    tasks: ["*/*"],
    flows: ["*"],
    goals: ["*/*"],
    services: ["*"],
    tools: ["*"],
    models: ["*"],
    books: ["*"],
  },
  pricing_approver: { inherits: ["analyst"], approvals: { decide: ["*/*"] } },
  operator: { sessions: "tenant", approvals: { view: ["*/*"] }, books: ["*"] },
  admin: { admin: true },
};
