import { describe, expect, test } from "@jest/globals";
import { Defect } from "./defect.ts";
import { agentFailure, defective, transportFailure } from "./outcome.ts";
import { refusal } from "./refusal.ts";

function said(code: string) {
  return { code, message: "It says why." };
}

describe("the failure of a run, as its agent tells it", () => {
  test.each([
    ["INTERNAL", true, undefined],
    ["CANCELLED", true, undefined],
    ["INVALID_OUTPUTS", false, undefined],
    ["OUTPUT_TOO_LARGE", false, undefined],
    ["INVALID_INPUTS", false, 400],
    ["UNBOUNDED", false, 422],
  ])("%s: retryable %s, the caller's status %s", (code, retryable, callerStatus) => {
    const { error, retry } = agentFailure("worker", said(code));
    expect(error).toMatchObject({ code: "upstream_failed", agentCode: code, retryable, callerStatus });
    expect(retry).toBe("never");
  });

  test("without a code it is nobody's fault but the agent's", () => {
    const { error } = agentFailure("worker", undefined);
    expect(error).toMatchObject({ code: "upstream_failed", retryable: false });
    expect(error.callerStatus).toBeUndefined();
  });

  test("its own deadline looks like ours", () => {
    const { error } = agentFailure("worker", said("DEADLINE_EXCEEDED"));
    expect(error).toMatchObject({ code: "upstream_timeout", reason: "deadline", retryable: true });
  });
});

describe("a refusal", () => {
  test.each([
    [400, "INVALID_INPUTS", 400],
    [413, "PAYLOAD_TOO_LARGE", 413],
    [422, "INFEASIBLE", 422],
    [422, "UNSUPPORTED_TASK", undefined],
    [401, "NO_KEY", undefined],
    [404, "NOT_FOUND", undefined],
  ])("%i %s is passed on to the caller as %s", (status, code, callerStatus) => {
    const { error } = refusal("worker", status, undefined, said(code));
    expect(error).toMatchObject({ code: "upstream_refused", retryable: false, callerStatus });
  });

  test("without the contract's form is not the caller's", () => {
    expect(refusal("worker", 400, undefined, undefined).error.callerStatus).toBeUndefined();
  });

  test.each([429, 503])("with %i is for now", (status) => {
    expect(refusal("worker", status, undefined, said("OVERLOADED")).error).toMatchObject({
      code: "upstream_overloaded",
      retryable: true,
      callerStatus: undefined,
    });
  });
});

describe("an answer that breaks the contract", () => {
  test("will do so again", () => {
    const { error } = defective("worker", new Defect("no_terminal"));
    expect(error).toMatchObject({ code: "upstream_invalid", retryable: false });
  });

  test("unless it only stopped coming: the connection may have died", () => {
    const cause = Object.assign(new Error("timeout"), { code: "UND_ERR_BODY_TIMEOUT" });
    const { error } = transportFailure("worker", cause, { sent: true, sawEvent: true });
    expect(error).toMatchObject({ code: "upstream_invalid", reason: "stalled", retryable: true });
  });
});
