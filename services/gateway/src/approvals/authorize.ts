import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access } from "../identity/index.ts";
import type { Approval } from "../store/index.ts";

/** Which approval it is, and whom it names. */
type Addressed = Pick<Approval, "flow" | "step" | "roles">;

/** Whether the caller may see it: those who may decide it may, and those who may read all approvals. */
export function mayView(approval: Addressed, caller: Caller, access: Access): boolean {
  const { flow, step } = approval;
  return access.may(caller, "view", { kind: "approval", flow, step }) || mayDecide(approval, caller, access);
}

/** Whether the caller may read the run, and so knows already that it waits for the approval. */
export function knowsOf({ owner }: Pick<Approval, "owner">, caller: Caller, access: Access): boolean {
  return owner !== undefined && access.may(caller, "view", { kind: "run", owner });
}

/**
 * Whether the caller may take the request back: who may cancel the run that waits for it may. An approver rejects instead.
 */
export function mayWithdraw({ owner }: Pick<Approval, "owner">, caller: Caller, access: Access): boolean {
  return owner !== undefined && access.may(caller, "cancel", { kind: "run", owner });
}

/** Deciding needs both: a role that grants it, and one of those that the approval names, where it names some. */
export function mayDecide({ flow, step, roles }: Addressed, caller: Caller, access: Access): boolean {
  if (!access.may(caller, "decide", { kind: "approval", flow, step })) return false;
  return roles.length === 0 || access.hasRole(caller, roles);
}

/** Names those who may decide it. */
export function undecidable({ flow, step, roles }: Addressed, access: Access): GatewayError {
  const allowed = roles.length > 0 ? [...roles] : access.deciders(flow, step);
  return new GatewayError("forbidden", `This approval is decided by: ${allowed.join(", ")}.`, {
    extra: { allowed_roles: allowed },
  });
}

/**
 * Four eyes: whether the caller asked for the run or changed the proposal, and so may not approve it. Compares subjects and ignores
 * issuers: two issuers may know one person by the same name, and wrongly refusing a colleague does less harm than letting one person
 * approve their own request.
 */
export function isOwnWork(
  { requestedBy, editors }: Pick<Approval, "requestedBy" | "editors">,
  { subject }: Pick<Caller, "subject">,
): boolean {
  return requestedBy === subject || editors.includes(subject);
}

/**
 * Whether the caller has proved who they are recently enough. Without a token nobody has.
 * @throws GatewayError unauthorized with the challenge of RFC 9470
 */
export function refuseStale(
  { maxAgeS }: Pick<Approval, "maxAgeS">,
  { authenticatedAt }: Caller,
  nowMs: number,
): void {
  if (maxAgeS === undefined) return;
  if (authenticatedAt !== undefined && nowMs / 1000 - authenticatedAt <= maxAgeS) return;
  const said = "A more recent authentication is required";
  throw new GatewayError("unauthorized", `${said}.`, {
    headers: {
      "www-authenticate": `Bearer error="insufficient_user_authentication", error_description="${said}", max_age="${maxAgeS}"`,
    },
  });
}
