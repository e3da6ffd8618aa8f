import { randomUUID } from "node:crypto";
import { expect } from "@jest/globals";
import { type Answer, type Ask, ask } from "./http.ts";
import { claimsOf, jwt } from "./issuer.ts";
import { EventReader } from "./sse.ts";

export type Where = { url: string };

const tokens = new Map<string, string>();

/** Headers of a caller: `as("ann", "pricing-lead")`; without roles an analyst. Roles that a manifest does not declare grant nothing. */
export function as(user: string, roles = "", tenant = "default"): Record<string, string> {
  const id = `${user} ${roles} ${tenant}`;
  const named = roles === "" ? ["analyst"] : roles.split(",");
  const token = tokens.get(id) ?? jwt(claimsOf({ sub: user, tenant, roles: named }));
  tokens.set(id, token);
  return { authorization: `Bearer ${token}` };
}

export const ANN = as("ann");
export const LEE = as("lee", "pricing-lead");
export const KIM = as("kim", "pricing-lead");

export function get(where: Where, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(where.url + path, { headers });
}

export function post(
  where: Where,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(where.url + path, { body, headers, method: "POST" });
}

/** Starts a run in the background. @returns its id */
export async function startRun(
  where: Where,
  body: { flow?: string; message?: string; session_id?: string; inputs?: object; goals?: string[] },
  headers: Record<string, string> = ANN,
): Promise<string> {
  const answer = await post(where, "/api/v1/runs", { session_id: randomUUID(), ...body }, headers);
  expect(answer).toMatchObject({ status: 202 });
  return String(answer.json().run_id);
}

export type LogEvent = {
  seq: number;
  type: string;
  node?: string;
  data: Record<string, unknown> & { approval?: { id: string; proposal_hash: string } };
};

/** Follows a run from `after` until it rests: its end, a pause, or where a person has to look. */
export async function toRest(
  where: Where,
  runId: string,
  headers: Record<string, string> = ANN,
  after = 0,
): Promise<LogEvent[]> {
  const stream = await openEvents(where, runId, headers, after);
  await stream.toEnd();
  return eventsOf(stream);
}

export async function openEvents(
  where: Where,
  runId: string,
  headers: Ask["headers"] = ANN,
  after = 0,
): Promise<EventReader> {
  return await EventReader.open(`${where.url}/api/v1/runs/${runId}/events?after=${after}`, {
    headers: headers ?? {},
  });
}

export function eventsOf(stream: EventReader): LogEvent[] {
  return stream.frames.map((frame) => JSON.parse(frame.data));
}

export type Paused = { runId: string; approvalId: string; hash: string; seq: number };

/** Starts a background run and follows it to the approval that it waits for. */
export async function pausedRun(
  where: Where,
  body: Parameters<typeof startRun>[1],
  headers: Record<string, string> = ANN,
): Promise<Paused> {
  const runId = await startRun(where, body, headers);
  return pauseOf(runId, await toRest(where, runId, headers));
}

export function pauseOf(runId: string, events: readonly LogEvent[]): Paused {
  const last = events.at(-1);
  expect(last).toMatchObject({ type: "run_paused" });
  const { id = "", proposal_hash = "" } = last?.data.approval ?? {};
  return { runId, approvalId: id, hash: proposal_hash, seq: last?.seq ?? 0 };
}

/** Decides on an approval. */
export function decide(
  where: Where,
  { approvalId, hash }: Pick<Paused, "approvalId" | "hash">,
  decision: "approve" | "reject" | "edit",
  headers: Record<string, string>,
  more: object = {},
): Promise<Answer> {
  const body = { decision, proposal_hash: hash, ...more };
  return post(where, `/api/v1/approvals/${approvalId}/decision`, body, headers);
}
