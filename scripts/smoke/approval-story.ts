import { deepStrictEqual, fail, strictEqual } from "node:assert/strict";
import { ApiError, createClient, type InterlockClient } from "@interlock/client";
import { PUBLISHING_ASK } from "../lib/asks.ts";
import type { Check } from "../lib/run-checks.ts";
import type { ComposeProject } from "./docker.ts";

/** An approval in containers, by people who can prove who they are. Each step is a check. */
export function approvalStory(project: ComposeProject, baseUrl: string): Check[] {
  const as = (user: string, role: string, tenant?: string): InterlockClient => {
    let token: Promise<string> | undefined;
    return createClient({
      baseUrl,
      token: () => {
        token ??= project.token(user, role, tenant);
        return token;
      },
    });
  };
  // She may decide, but not about what she asked for.
  const ann = as("ann", "pricing_approver");
  const bo = as("bo", "pricing_approver");
  const strangers = [as("eve", "pricing_approver", "another"), as("bo", "pricing_approver", "another")];
  let runId = "";
  let approval = { id: "", hash: "" };
  const approve = (client: InterlockClient) =>
    client.approvals.decide(approval.id, { decision: "approve", proposalHash: approval.hash });
  return [
    [
      "nobody is served without a token, whatever headers say",
      async () => {
        for (const headers of [
          {},
          { "x-user": "admin", "x-roles": "admin" },
          { authorization: "Bearer x" },
        ]) {
          const { status } = await fetch(`${baseUrl}/api/v1/runs`, { headers });
          strictEqual(status, 401);
        }
      },
    ],
    [
      "ann asks for a publication, which waits for an approval",
      async () => {
        const end = await ann.chat(PUBLISHING_ASK, { sessionId: "smoke-approval" }).result;
        if (end.status !== "paused") fail(`the plan ended as ${end.status}`);
        const { run_id, proposal_hash, requested_by } = await bo.approvals.get(end.approval.id);
        strictEqual(requested_by, "ann");
        runId = run_id;
        approval = { id: end.approval.id, hash: proposal_hash };
      },
    ],
    [
      "ann may not approve it herself, and strangers do not find it",
      async () => {
        const refusals = [await refusalOf(approve(ann))];
        for (const stranger of strangers) {
          refusals.push(await refusalOf(stranger.approvals.get(approval.id)));
          refusals.push(await refusalOf(approve(stranger)));
          refusals.push(await refusalOf(stranger.runs.get(runId)));
        }
        const [own, ...foreign] = refusals;
        if (own !== 403 && own !== 404) fail(`her own approval was answered with ${own}`);
        deepStrictEqual(new Set(foreign), new Set([404]));
        return `${own} for ann, 404 for strangers`;
      },
    ],
    [
      "bo approves it, and the plan goes on to its end",
      async () => {
        const { by, decision } = await approve(bo);
        deepStrictEqual([by, decision], ["bo", "approved"]);
        const end = await ann.runs.events(runId).result;
        if (end?.type !== "run_finished") fail(`the run ended with ${end?.type}`);
        strictEqual(end.data.status, "ok");
      },
    ],
  ];
}

/** The status with which a request is refused. */
async function refusalOf(request: Promise<unknown>): Promise<number> {
  try {
    await request;
  } catch (error) {
    if (error instanceof ApiError) return error.status ?? 0;
    throw error;
  }
  return 200;
}
