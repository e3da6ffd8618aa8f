import type { ProbeName } from "../evidence.ts";
import { fail, failIf, notReached } from "../verdict.ts";
import { textOf } from "../wire/outcome.ts";
import { type Check, checkOne, hasContact, NO_CONTACT, placeOf } from "./check.ts";

function servesStatus(rule: string, probe: ProbeName): Check {
  return checkOne(rule, probe, (seen, evidence) => {
    if (!hasContact(evidence)) return notReached(NO_CONTACT);
    const { reply } = seen;
    if (reply.kind === "none") return fail(`no answer: ${reply.words}`);
    if (reply.status !== 200) return fail(`${placeOf(seen)} answers with ${reply.status}`);
    if (reply.json.root !== "object") return fail("the body is not a JSON object");
    return failIf(
      textOf(reply.json, "status")?.trim() ? undefined : "status is not a string that says something",
    );
  });
}

export const describeChecks: readonly Check[] = [
  servesStatus("AC1-HEALTH-001", "health"),
  servesStatus("AC1-HEALTH-002", "ready"),
  checkOne("AC1-CARD-001", "card", (seen, evidence) => {
    if (!hasContact(evidence)) return notReached(NO_CONTACT);
    const { reply } = seen;
    if (reply.kind === "none") return fail(`no answer: ${reply.words}`);
    if (reply.status !== 200) return fail(`${placeOf(seen)} answers with ${reply.status}`);
    if (evidence.card === undefined) return fail("the card did not come whole, or is larger than 1 MiB");
    return failIf(evidence.card.problem && `the card is not valid: ${evidence.card.problem}`);
  }),
  checkOne("AC1-CARD-002", "card", (_, { card }) => {
    if (card === undefined || card.problem !== undefined) return notReached("there is no valid card");
    return failIf(card.listsTask ? undefined : "the task type is not in the card");
  }),
];
