import { type Exchange, exchangesOf, PROBES } from "../evidence.ts";
import { failIf, notReached } from "../verdict.ts";
import { syncOutcome } from "../wire/outcome.ts";
import { isSuccess } from "../wire/read-answer.ts";
import { type Check, hasContact, NO_CONTACT, placeOf } from "./check.ts";

/** Outputs of a successful run may contain inputs; errors must not. */
function leakInError({ reply }: Exchange): string | undefined {
  if (reply.kind === "none") return undefined;
  if (reply.stream !== undefined) return reply.stream.leak;
  const isError = !isSuccess(reply.status) || syncOutcome(reply.json) === "failed";
  return isError ? reply.leakInBody : undefined;
}

function leakInHeader({ reply }: Exchange): string | undefined {
  return reply.kind === "answer" ? reply.leakInHeader : undefined;
}

function noLeak(rule: string, where: string, leakIn: (seen: Exchange) => string | undefined): Check {
  return {
    rule,
    probes: PROBES,
    judge: (evidence) => {
      if (!hasContact(evidence)) return notReached(NO_CONTACT);
      const leaking = exchangesOf(evidence, ...PROBES).find((seen) => leakIn(seen) !== undefined);
      return failIf(
        leaking &&
          `${placeOf(leaking)}, asked with ${leaking.asked.what}: ${where} holds a value of the inputs (${leakIn(leaking)})`,
      );
    },
  };
}

export const leakChecks: readonly Check[] = [
  noLeak("AC1-LEAK-001", "the error", leakInError),
  noLeak("AC1-LEAK-002", "the header", leakInHeader),
];
