import { JsonText, LARGE_TEXT } from "../json-text.ts";
import type { Approval, RemoteApproval, Winner } from "./records.ts";
import type { ScriptArgument } from "./script.ts";

/** The fields that decide who may see an approval. */
export type ApprovalAddress = Pick<Approval, "flow" | "step" | "roles" | "owner">;

/** @param values of `flow`, `step`, `roles`, `owner`; undefined where there is no such approval */
export function readAddress([flow, step, roles, owner]: readonly (string | null)[]):
  | ApprovalAddress
  | undefined {
  if (!flow || !step) return undefined;
  return { flow, step, roles: JSON.parse(roles ?? "[]") as string[], ...(owner ? { owner } : {}) };
}

/** @param fields the approval's hash; undefined where there is none */
export function readApproval(fields: Readonly<Record<string, string>>): Approval | undefined {
  const { id, run, step, state, hash } = fields;
  if (id === undefined || run === undefined || step === undefined || hash === undefined) return undefined;
  const approval: Approval = {
    id,
    runId: run,
    sessionId: fields.session ?? "",
    flow: fields.flow ?? "",
    step,
    state: state as Approval["state"],
    requestedBy: fields.requested_by ?? "",
    roles: JSON.parse(fields.roles ?? "[]") as string[],
    fourEyes: fields.four_eyes !== "0",
    editors: JSON.parse(fields.editors ?? "[]") as string[],
    proposal: valueFrom(fields.proposal),
    proposalHash: hash,
    shown: valueFrom(fields.shown),
    createdAt: Number(fields.created),
    expiresAt: Number(fields.expires),
    warnBeforeMs: Number(fields.warn_before),
    expiresInMs: Number(fields.expires_in),
    onExpiry: fields.on_expiry === "escalate" ? "escalate" : "reject",
    escalateTo: JSON.parse(fields.escalate_to ?? "[]") as string[],
  };
  if (fields.sample) approval.sample = fields.sample === "1";
  if (fields.owner) approval.owner = fields.owner;
  if (fields.max_age) approval.maxAgeS = Number(fields.max_age);
  if (fields.remote) approval.remote = JSON.parse(fields.remote) as RemoteApproval;
  if (fields.winner) approval.winner = JSON.parse(fields.winner) as Winner;
  return approval;
}

/** An approval without its members that may be large: the proposal, and what is shown beside it. */
export type ApprovalHead = Omit<Approval, "proposal" | "shown">;

/** The fields of a head, as they lie in the approval's hash. */
export const APPROVAL_HEAD = [
  ...[
    "id",
    "run",
    "session",
    "flow",
    "step",
    "state",
    "requested_by",
    "roles",
    "four_eyes",
    "editors",
    "hash",
  ],
  ...[
    "created",
    "expires",
    "warn_before",
    "expires_in",
    "on_expiry",
    "escalate_to",
    "sample",
    "owner",
    "max_age",
  ],
  ...["remote", "winner"],
];

/** @param values of {@link APPROVAL_HEAD} */
export function readApprovalHead(values: readonly (string | null)[]): ApprovalHead | undefined {
  const known = APPROVAL_HEAD.flatMap((name, at) => {
    const value = values[at];
    return value === null || value === undefined ? [] : [[name, value] as const];
  });
  return readApproval(Object.fromEntries(known));
}

/** The fields of an approval that is about to be created; the store adds state and times. */
export function newApprovalFields(
  approval: Omit<Approval, "state" | "createdAt" | "expiresAt" | "winner" | "editors" | "proposal"> & {
    /** The proposal as canonical JSON: exactly the text that was hashed. */
    proposal: string | Buffer;
    /** Whether its step changes something outside: once it is approved, the run is not cancelled any more. */
    takesEffect?: boolean;
  },
): Record<string, ScriptArgument> {
  return {
    id: approval.id,
    run: approval.runId,
    session: approval.sessionId,
    flow: approval.flow,
    step: approval.step,
    requested_by: approval.requestedBy,
    roles: JSON.stringify(approval.roles),
    four_eyes: approval.fourEyes ? 1 : 0,
    ...(approval.maxAgeS === undefined ? {} : { max_age: approval.maxAgeS }),
    ...(approval.sample === undefined ? {} : { sample: approval.sample ? 1 : 0 }),
    ...(approval.owner === undefined ? {} : { owner: approval.owner }),
    editors: "[]",
    proposal: approval.proposal,
    hash: approval.proposalHash,
    shown: approval.shown instanceof JsonText ? approval.shown.text : JSON.stringify(approval.shown ?? null),
    warn_before: approval.warnBeforeMs,
    expires_in: approval.expiresInMs,
    on_expiry: approval.onExpiry,
    escalate_to: JSON.stringify(approval.escalateTo),
    ...(approval.takesEffect ? { effect: approval.step } : {}),
    ...(approval.remote ? { remote: JSON.stringify(approval.remote) } : {}),
  };
}

/** A large value stays text. */
function valueFrom(text = "null"): unknown {
  return text.length > LARGE_TEXT ? new JsonText(text) : JSON.parse(text);
}
