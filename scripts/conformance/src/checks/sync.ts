import { fail, failIf, notReached, pass } from "../verdict.ts";
import { kindOf, syncOutcome, textOf } from "../wire/outcome.ts";
import { onAnswer, onStatus, onSyncObject } from "./answers.ts";
import { type Check, checkOne, hasContact, NO_CONTACT } from "./check.ts";

export const syncChecks: readonly Check[] = [
  onStatus("AC1-SYNC-001", "sync"),
  onAnswer("AC1-SYNC-002", "sync", ({ media, coded }) => {
    if (media !== "json")
      return fail(media === "none" ? "it has no Content-Type" : "its Content-Type is not JSON");
    return failIf(coded ? "it is compressed, though that was not asked for" : undefined);
  }),
  onAnswer("AC1-SYNC-003", "sync", ({ end, json, utf8 }) => {
    if (end !== "whole") return notReached("the body did not come whole");
    if (!utf8) return fail("the body is not valid UTF-8");
    if (json.root === undefined) return fail("the body is not JSON, or not only JSON");
    return failIf(json.root === "object" ? undefined : `the body is JSON, but its kind is ${json.root}`);
  }),
  onSyncObject("AC1-SYNC-004", (json, { requestId }) => {
    if (kindOf(json, "request_id") === "absent") return fail("there is no request_id");
    return failIf(
      textOf(json, "request_id") === requestId ? undefined : "request_id is not the one that was sent",
    );
  }),
  onSyncObject("AC1-SYNC-005", (json) => failIf(notAnObject("outputs", kindOf(json, "outputs")))),
  onSyncObject("AC1-SYNC-006", (json) =>
    failIf(
      syncOutcome(json) === "unclear" ? "neither status nor ok says whether the run succeeded" : undefined,
    ),
  ),
  onSyncObject("AC1-SYNC-007", (json) =>
    failIf(syncOutcome(json) === "contradiction" ? "status says one thing and ok the other" : undefined),
  ),
  checkOne("AC1-SYNC-008", "sync", ({ reply }, evidence) => {
    if (!hasContact(evidence)) return notReached(NO_CONTACT);
    if (reply.kind === "none")
      return reply.why === "time" ? fail("no answer came in time") : notReached(reply.words);
    if (reply.end === "time") return fail("the answer began, but did not end in time");
    return reply.end === "broken" ? fail("the connection broke in the middle of the answer") : pass;
  }),
  onAnswer("AC1-SYNC-009", "sync", ({ end }) =>
    failIf(end === "size" ? "the body is larger than that; the rest was not read" : undefined),
  ),
];

export function notAnObject(name: string, kind: string): string | undefined {
  if (kind === "object") return undefined;
  return kind === "absent" ? `there is no ${name}` : `${name} is not an object; its kind is ${kind}`;
}
